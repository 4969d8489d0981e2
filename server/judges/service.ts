/** The judges of a workspace: their connections, their caps, and the outcomes of their questions. */
import type { Administrator } from "../access/actor.ts";
import { diffFields } from "../audit/diff-fields.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { AppError } from "../errors/app-error.ts";
import { announcedTransaction, type Bus } from "../events/index.ts";
import type { Database, Tx } from "../platform/db.ts";
import { uuidv7 } from "../platform/ids.ts";
import { baseRefusal } from "../platform/outgoing/address-rule.ts";
import type { StoredFault } from "../platform/stored-fault.ts";
import { dayOf } from "./account.ts";
import { lastFourOf, sealed } from "./credential.ts";
import * as judges from "./repository.ts";
import {
  type ConnectionById,
  type ConnectionView,
  DEFAULT_BASE_URLS,
  EVALUATOR_PROVIDER,
  type SaveConnection,
  type SetJudgeCap,
  type TestConnection,
  type Tested,
} from "./schema.ts";
import { connectionProblem, shownProvider } from "./stored-connection.ts";
import { priceOf } from "./stored-price.ts";
import type { Models } from "./workspace-model-clients.ts";

/** Every connection, the oldest first: the order in which a provider's name finds one. */
export async function connections(db: Database, workspaceId: string): Promise<ConnectionView[]> {
  const [rows, spend] = await Promise.all([
    judges.list(db.prisma, workspaceId),
    judges.listSpend(db.pool, workspaceId, dayOf(Date.now())),
  ]);
  return rows.map(({ id, name, provider, baseUrl, credential, credentialHint, credentialSetAt, ...row }) => ({
    id,
    name,
    provider: shownProvider(provider),
    baseUrl,
    problem: connectionProblem({ ...row, provider, baseUrl }),
    credential:
      credential === null || credentialSetAt === null ? null : { lastFour: credentialHint, setAt: credentialSetAt },
    callsPerDay: row.callsPerDay === null ? null : Number(row.callsPerDay),
    nanoPerDay: row.nanoPerDay,
    prices: row.prices.map(priceOf),
    fallback: row.fallback,
    today: spend.get(id) ?? { calls: 0, nano: 0n },
    updatedAt: row.updatedAt,
    updatedBy: row.updatedBy,
  }));
}

/** `CONNECTION/MODEL` if the workspace has one priced model, else null. Models of evaluators answer no prompt. */
export async function findOnlyModel(tx: Tx, workspaceId: string): Promise<string | null> {
  const rows = (await judges.list(tx, workspaceId)).filter(({ provider }) => provider !== EVALUATOR_PROVIDER);
  const [only, another] = rows.flatMap(({ name, prices }) => prices.map(({ model }) => `${name}/${model}`));
  return only !== undefined && another === undefined && rows.length === 1 ? only : null;
}

/** The connections that cannot be read: no judge is asked over them. */
export async function listUnreadableConnections(db: Database, workspaceId: string): Promise<readonly StoredFault[]> {
  return (await judges.list(db.prisma, workspaceId)).flatMap((row) => {
    const problem = connectionProblem(row);
    if (problem === null) return [];
    return [{ thing: `the connection ${row.name}`, problem, effect: "its judges are not asked, and their hooks fail" }];
  });
}

interface World {
  readonly db: Database;
  readonly bus: Bus;
  readonly models: Models;
}

/**
 * A connection made or changed; answers its id. A stored key stays only while the origin it is sent to stays.
 * Errors: `name_taken`, `connection_not_found`, `invalid_input` at the field.
 */
export async function save(
  { db, bus, models }: World,
  actor: Administrator,
  input: SaveConnection,
): Promise<{ id: string }> {
  const { workspaceId } = actor;
  const id = input.id ?? uuidv7();
  const baseUrl = wholeAddress(input);
  await announcedTransaction({ db, bus }, workspaceId, ["judges"], async (tx) => {
    const before = input.id === undefined ? null : await judges.find(tx, workspaceId, id);
    if (input.id !== undefined && !before) throw new AppError("connection_not_found", id);
    const refusal = baseRefusal(models.addresses, new URL(baseUrl));
    if (refusal !== null) throw refusedAddress(refusal);
    await checkFallback(tx, workspaceId, input);
    const credential = credentialChange(input, baseUrl, before);
    const settings = {
      name: input.name,
      provider: input.provider,
      baseUrl,
      callsPerDay: input.callsPerDay === null ? null : BigInt(input.callsPerDay),
      nanoPerDay: input.nanoPerDay,
      fallback: input.fallback ?? null,
      updatedAt: new Date(),
      updatedBy: actor.name,
    };
    const isFree = before
      ? !(await judges.isNameTaken(tx, workspaceId, input.name, id))
      : await judges.insert(tx, workspaceId, id, settings);
    if (!isFree)
      throw new AppError("name_taken", input.name, {
        says: `There is already a connection named "${input.name}".`,
        pointer: "/name",
      });
    if (before) await judges.update(tx, workspaceId, id, settings);
    if (credential.kind === "set")
      await judges.setCredential(tx, workspaceId, id, {
        bytes: sealed(models.credentialKey, { workspaceId, connectionId: id, baseUrl }, credential.text),
        hint: lastFourOf(credential.text),
        setAt: new Date(),
      });
    if (credential.kind === "removed") await judges.setCredential(tx, workspaceId, id, null);
    await judges.replacePrices(tx, workspaceId, id, input.prices);
    await recordAudit(
      tx,
      actor,
      {
        kind: "model_connection_saved",
        version: 1,
        by: actor.name,
        connection: id,
        name: input.name,
        provider: input.provider,
        baseUrl,
        credential: credential.kind,
        callsPerDay: input.callsPerDay,
        nanoPerDay: input.nanoPerDay?.toString() ?? null,
        prices: input.prices.length,
      },
      diffFields(before && settingsOf(before), settingsOf(settings)),
    );
  });
  return { id };
}

const NO_CONNECTION = "00000000-0000-0000-0000-000000000000";

/** The settings that people make, as an audit entry compares them. */
const settingsOf = ({ name, provider, baseUrl, callsPerDay, nanoPerDay, fallback }: judges.Comparable) => ({
  name,
  provider,
  baseUrl,
  callsPerDay,
  nanoPerDay,
  fallback,
});

/** A fallback is another connection, and one that exists. Errors: `invalid_input` at the field. */
async function checkFallback(tx: Tx, workspaceId: string, { name, provider, fallback }: SaveConnection): Promise<void> {
  const other = fallback?.split("/")[0];
  if (other === undefined) return;
  const refused = (says: string) => new AppError("invalid_input", undefined, { says, pointer: "/fallback" });
  if (provider === EVALUATOR_PROVIDER) throw refused("Evaluators have no fallback.");
  if (other === name) throw refused("The fallback must be another connection.");
  if (!(await judges.isNameTaken(tx, workspaceId, other, NO_CONNECTION)))
    throw refused(`There is no connection named "${other}".`);
}

const refusedAddress = (says: string) => new AppError("invalid_input", undefined, { says, pointer: "/baseUrl" });

function wholeAddress({ provider, baseUrl }: SaveConnection): string {
  const text = (baseUrl === "" ? DEFAULT_BASE_URLS[provider] : baseUrl).replace(/\/+$/, "");
  if (text === "")
    throw refusedAddress("An OpenAI-compatible server needs its address, such as https://models.example/v1.");
  if (!URL.canParse(text)) throw refusedAddress("Enter a full address, such as https://models.example/v1.");
  return text;
}

type CredentialChange = { readonly kind: "kept" | "removed" } | { readonly kind: "set"; readonly text: string };

function credentialChange(
  { credential }: SaveConnection,
  baseUrl: string,
  before: { readonly baseUrl: string; readonly credential: Uint8Array | null } | null,
): CredentialChange {
  if (typeof credential === "string") return { kind: "set", text: credential };
  if (credential === null) return { kind: "removed" };
  // A person who may change the address must not obtain the key by sending it to a server of their own.
  if (before?.credential && new URL(before.baseUrl).origin !== new URL(baseUrl).origin)
    throw new AppError("invalid_input", undefined, {
      says: "The stored key belongs to the former address. Enter the key for the new one, or remove it.",
      pointer: "/credential",
    });
  return { kind: "kept" };
}

/** Removes a connection. Its judges fail with `no_model` immediately. Errors: `connection_not_found`. */
export async function remove({ db, bus }: World, actor: Administrator, { id }: ConnectionById): Promise<void> {
  const { workspaceId } = actor;
  await announcedTransaction({ db, bus }, workspaceId, ["judges"], async (tx) => {
    const before = await judges.find(tx, workspaceId, id);
    if (!before) throw new AppError("connection_not_found", id);
    await judges.remove(tx, workspaceId, id);
    await recordAudit(tx, actor, {
      kind: "model_connection_removed",
      version: 1,
      by: actor.name,
      connection: id,
      name: before.name,
    });
  });
}

/** Asks the model for one word, counted against the connection's cap. Errors: `connection_not_found`. */
export function test({ models }: Pick<World, "models">, workspaceId: string, input: TestConnection): Promise<Tested> {
  return models.test(workspaceId, input);
}

/** Sets the daily cap of one judge, in addition to its connection's, and the reuse of its verdicts. No cap if both are null. */
export async function setCap({ db, bus }: World, actor: Administrator, input: SetJudgeCap): Promise<void> {
  const { workspaceId } = actor;
  const { policy, hook, callsPerDay, nanoPerDay, reusesVerdicts = true } = input;
  await announcedTransaction({ db, bus }, workspaceId, ["judges"], async (tx) => {
    const cap = { callsPerDay: callsPerDay === null ? null : BigInt(callsPerDay), nanoPerDay, reusesVerdicts };
    const before = await judges.findCap(tx, workspaceId, { policy, hook });
    await judges.setCap(tx, workspaceId, { policy, hook }, cap);
    await recordAudit(
      tx,
      actor,
      {
        kind: "judge_cap_set",
        version: 1,
        by: actor.name,
        policy,
        hook,
        callsPerDay,
        nanoPerDay: nanoPerDay?.toString() ?? null,
      },
      diffFields(before, cap),
    );
  });
}
