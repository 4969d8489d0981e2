/** Price lists: what people say models cost, in versions that never change, and the estimates made by them. */
import { createHash } from "node:crypto";
import type { Administrator } from "../../access/actor.ts";
import { canonicalJson } from "../../audit/chain.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { AppError } from "../../errors/app-error.ts";
import { announcedTransaction, type Bus } from "../../events/index.ts";
import { longPromptJson } from "../../model-prices/schema.ts";
import type { Database } from "../../platform/db.ts";
import { type StoredFault, storedProblem } from "../../platform/stored-fault.ts";
import { append, withLedgerLock } from "../ledger/repository.ts";
import { passWithin, smallestIdAt } from "./estimate.ts";
import * as prices from "./repository.ts";
import {
  type PriceListsView,
  type PriceVersionKey,
  type PriceVersionView,
  type SavePrices,
  storedPrices,
} from "./schema.ts";

const VERSIONS_MAX = 100;
type World = { readonly db: Database; readonly bus: Bus };

/** A new version; those before it stay. Errors: `prices_moved_on`. */
export async function save(
  { db, bus }: World,
  actor: Administrator,
  { prices: list, note, baseVersion }: SavePrices,
): Promise<{ version: number }> {
  const { workspaceId } = actor;
  const version = baseVersion + 1;
  const stored = list.map(({ pattern, input, output, cachedInput, cacheWrite, longPrompt }) => ({
    pattern,
    input: input.toString(),
    output: output.toString(),
    cachedInput: cachedInput?.toString() ?? null,
    cacheWrite: cacheWrite?.toString() ?? null,
    // Absent in a list without it, so that such a list has the digest that it always had.
    ...(longPrompt && { longPrompt: longPromptJson(longPrompt) }),
  }));
  const sha256 = createHash("sha256").update(canonicalJson(stored)).digest("hex");
  await announcedTransaction({ db, bus }, workspaceId, ["costs", "audit"], async (tx) => {
    const isNext = (await prices.newestVersion(tx, workspaceId)) === baseVersion;
    const made = { version, prices: stored, note, createdBy: actor.name };
    if (!isNext || !(await prices.insert(tx, workspaceId, made))) throw new AppError("prices_moved_on", `${version}`);
    await recordAudit(tx, actor, {
      kind: "prices_saved",
      version: 1,
      by: actor.name,
      list: version,
      prices: list.length,
      sha256,
      note,
    });
  });
  return { version };
}

/**
 * Estimates all calls without a cost with this version, present and future ones. An earlier estimate without a price in
 * this version is withdrawn. `added` counts the estimates of the first pass, which ends before this returns; without
 * `isAll` the rest follows in the background. Errors: `price_version_not_found`.
 */
export async function estimateUnpricedCalls(
  { db, bus }: World,
  actor: Administrator,
  { version }: PriceVersionKey,
): Promise<{ added: number; isAll: boolean }> {
  const { workspaceId } = actor;
  if (!(await prices.find(db.prisma, workspaceId, version)))
    throw new AppError("price_version_not_found", `${version}`);
  // One transaction, so that a background pass cannot take some of the calls and make the reported number too low.
  const passed = await withLedgerLock(db.pool, workspaceId, async (client) => {
    await prices.begin(client, workspaceId, { version, by: actor.name, first: smallestIdAt(0) });
    const first = await passWithin(client, workspaceId, { nowMs: Date.now(), after: null });
    const told = { channel: bus.channel, message: bus.message(workspaceId, ["costs", "audit"]) };
    await append(client, actor, { kind: "estimation_begun", version: 1, by: actor.name, list: version }, told);
    return first;
  });
  // The background estimate job receives this event too.
  bus.tell(workspaceId, ["costs", "audit"]);
  return { added: passed?.added ?? 0, isAll: passed?.next == null };
}

/** The versions, the newest first, and which one estimates are made by. */
export async function lists(db: Database, workspaceId: string): Promise<PriceListsView> {
  const [versions, estimation] = await Promise.all([
    prices.list(db.pool, workspaceId, VERSIONS_MAX + 1),
    prices.findEstimation(db.pool, workspaceId),
  ]);
  return {
    versions: versions.slice(0, VERSIONS_MAX),
    isCut: versions.length > VERSIONS_MAX,
    estimation: estimation && {
      version: estimation.version,
      begunAt: estimation.begunAt,
      begunBy: estimation.begunBy,
      settledAt: estimation.settledAt,
    },
  };
}

/** One version, whole. Errors: `price_version_not_found`. */
export async function list(db: Database, workspaceId: string, { version }: PriceVersionKey): Promise<PriceVersionView> {
  const found = await prices.find(db.prisma, workspaceId, version);
  if (!found) throw new AppError("price_version_not_found", `${version}`);
  const { note, createdAt, createdBy } = found;
  const { data = [], error } = storedPrices.safeParse(found.prices);
  return { version, note, createdAt, createdBy, prices: data, problem: error ? storedProblem(error) : null };
}

/** The list that estimates are made by, where it cannot be read. */
export async function listUnreadablePrices(db: Database, workspaceId: string): Promise<readonly StoredFault[]> {
  const estimation = await prices.findEstimation(db.pool, workspaceId);
  const found = estimation && (await prices.find(db.prisma, workspaceId, estimation.version));
  const { error } = storedPrices.safeParse(found ? found.prices : []);
  if (!error || !estimation) return [];
  const thing = `version ${estimation.version} of the price list`;
  return [{ thing, problem: storedProblem(error), effect: "calls without a cost are not estimated" }];
}
