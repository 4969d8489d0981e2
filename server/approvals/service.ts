/** Approval requests: listing, answering and taking back. A call's own way is in gate.ts. */

import { listSecrets, type Masking } from "@quarterdeck/hooks";
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import type { Administrator } from "../access/actor.ts";
import { parseJson } from "../access/json-text.ts";
import { may } from "../access/permissions.ts";
import { diffFields } from "../audit/diff-fields.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { AppError } from "../errors/app-error.ts";
import { announcedTransaction, type Bus } from "../events/index.ts";
import { findMasking } from "../masking/index.ts";
import type { Database, Tx } from "../platform/db.ts";
import { type Select, selectIn } from "../platform/select.ts";
import { allowanceViews, otherAllowers, requirePerson } from "./allowances.ts";
import { answererViews } from "./answerers.ts";
import { hasExactNumbers, inputSha256 } from "./binding.ts";
import { lockAgent, lockAgentOfRequest } from "./makers-repository.ts";
import { holdAnswerNotice } from "./notices-repository.ts";
import { listOwners, ownAgents } from "./own-agents.ts";
import * as requests from "./requests-repository.ts";
import { type RouteStep, reachedLists } from "./risk-class.ts";
import {
  type ApprovalList,
  type ApprovalView,
  type answerRequest,
  approvalList,
  INPUT_CHARS_MAX,
  LIST_MAX,
  type PrecedentView,
} from "./schema.ts";

export interface ApprovalContext {
  readonly db: Database;
  readonly bus: Bus;
}

/** An agent that does not wait makes its call again within this time. */
const TICKET_GRANT_MS = 15 * 60_000;
/** A waiting call continues at once; the rest of the grant is for its other gates. */
const WAITING_GRANT_MS = 2 * 60_000;

/** Limit for the inputs of one list, which each open page reloads with every change. */
const LIST_BYTES_MAX = 4 * 1_048_576;
/** A closed request shows only the start of its input. */
const CLOSED_INPUT_CHARS_MAX = 1_000;

type Reader = Pick<Administrator, "workspaceId" | "id" | "kind">;

type Read = Pick<Database, "pool" | "prisma">;

export async function list(db: Read, reader: Reader): Promise<ApprovalList> {
  const { pool } = db;
  const { workspaceId } = reader;
  const [open, closed, figures, own] = await Promise.all([
    requests.listOpen(pool, workspaceId, { limit: LIST_MAX, bytesMax: LIST_BYTES_MAX }),
    requests.listClosed(pool, workspaceId, { limit: LIST_MAX, inputCharsMax: CLOSED_INPUT_CHARS_MAX }),
    requests.figures(pool, workspaceId),
    ownAgents(selectIn(db.prisma), reader),
  ]);
  const policyNames = new Set(open.flatMap(({ askedBy }) => askedBy.map(({ policy }) => policy)));
  const [allowances, answerers, policyIds] = await Promise.all([
    allowanceViews(db, reader, open),
    answererViews(selectIn(db.prisma), reader, open),
    requests.listPolicyIds(pool, workspaceId, [...policyNames]),
  ]);
  const view = (request: requests.RequestRow): ApprovalView => {
    const { inputSha256: _bound, route, elapsedSeconds, ...row } = request;
    const routed = routeView(route, row.askedAt, elapsedSeconds, reader.id);
    const askedBy = row.askedBy.map((hook) => ({ ...hook, policyId: policyIds.get(hook.policy) ?? null }));
    return { ...row, askedBy, ...routed, ...allowances(request), ...answerers(request), isOwn: own.has(row.agentId) };
  };
  return approvalList.parse({ open: open.map(view), closed: closed.map(view), figures });
}

function routeView(route: readonly RouteStep[] | null, askedAt: Date, elapsedSeconds: number, readerId: string) {
  if (route === null) return { askedOf: null, isRouted: false, escalation: null };
  const reached = reachedLists(route, elapsedSeconds);
  const next = route[reached.length];
  return {
    askedOf: reached.at(-1)?.name ?? null,
    isRouted: !reached.some(({ people }) => people.includes(readerId)),
    escalation: next ? { to: next.name, at: new Date(askedAt.getTime() + next.fromSeconds * 1_000) } : null,
  };
}

/** A count beyond this is not worth its query. */
const COUNTED_MAX = 1_000;

/** The number of open requests that the person may answer now and has not answered. */
export async function countAnswerable(db: Read, reader: Administrator): Promise<number> {
  if (reader.kind !== "person" || !may(reader, "approval:decide")) return 0;
  const [open, own] = await Promise.all([
    requests.listUnanswered(db.pool, reader.workspaceId, reader.id, COUNTED_MAX),
    ownAgents(selectIn(db.prisma), reader),
  ]);
  return open.filter((one) => !own.has(one.agentId) && isAskedOf(one, reader.id)).length;
}

const isAskedOf = (
  { route, elapsedSeconds }: Pick<requests.UnansweredRow, "route" | "elapsedSeconds">,
  personId: string,
): boolean => route === null || reachedLists(route, elapsedSeconds).some(({ people }) => people.includes(personId));

export interface AskedCall extends Pick<ApprovalView, "toolName" | "input" | "cwd" | "agentName" | "askedBy"> {}

/** The call of a request, and the hooks that asked. Errors: `approval_not_found`. */
export async function getAsked({ pool }: Pick<Database, "pool">, workspaceId: string, id: string): Promise<AskedCall> {
  const request = await requests.find(pool, workspaceId, id);
  if (request === null) throw new AppError("approval_not_found");
  const { toolName, input, cwd, agentName, askedBy } = request;
  const names = [...new Set(askedBy.map(({ policy }) => policy))];
  const policyIds = await requests.listPolicyIds(pool, workspaceId, names);
  const withIds = askedBy.map((hook) => ({ ...hook, policyId: policyIds.get(hook.policy) ?? null }));
  return { toolName, input, cwd, agentName, askedBy: withIds };
}

/** Errors: `approval_not_found`. */
export async function precedent(
  { pool }: Pick<Database, "pool">,
  workspaceId: string,
  id: string,
): Promise<PrecedentView> {
  const found = await requests.precedent(pool, workspaceId, id);
  if (found === null) throw new AppError("approval_not_found");
  return found;
}

/**
 * Answers a request. An allowance stands once as many people as are needed have given it; one denial is enough.
 * Errors: `approval_not_found`, `approval_closed`, `approval_own_agent`, `approval_not_asked`, `approval_not_confirmed`,
 * `approval_answered_twice`, `invalid_input`, `forbidden`.
 */
export async function answer(
  context: ApprovalContext,
  actor: Administrator,
  asked: ReturnType<(typeof answerRequest)["parse"]>,
): Promise<{ readonly isLast: boolean }> {
  const { workspaceId } = actor;
  if (actor.kind === "service")
    throw new AppError("forbidden", actor.kind, { says: "Only a person can answer a request." });
  const masking = await findMasking(context.db.pool, workspaceId);
  return announcedTransaction(context, workspaceId, ["approvals"], async (tx) => {
    // Locked before the request's row, in the same order as the removal of an agent.
    await lockAgentOfRequest(tx, workspaceId, asked.id);
    const request = await requests.findForUpdate(tx, workspaceId, asked.id);
    if (!request) throw new AppError("approval_not_found");
    if (request.state !== "pending" || request.isOver) throw new AppError("approval_closed");
    await requireNoOwner(selectIn(tx), actor, request.agentId);
    requireReached(request, actor.id);
    const isAllow = asked.verdict === "allow";
    if (isAllow) requirePerson(actor, request);
    if (asked.verdict === "allow" && request.needsConfirmation && !asked.confirmed)
      throw new AppError("approval_not_confirmed");
    const edited =
      asked.verdict === "allow" && asked.editedInput !== undefined ? editOf(request, asked.editedInput, masking) : null;
    requireUnmasked(asked.words, masking);
    const others = isAllow ? await otherAllowers(tx, actor, request) : [];
    const mine = { personId: actor.id, name: actor.name, isAllow };
    if (!(await requests.insertAnswer(tx, workspaceId, request.id, mine)))
      throw new AppError("approval_answered_twice");
    const isLast = !isAllow || others.length + 1 >= request.peopleNeeded;
    const { words } = asked;
    if (isLast)
      await requests.close(tx, workspaceId, request.id, {
        state: isAllow ? "approved" : "denied",
        words,
        editedInput: edited?.text ?? null,
        editedSha256: edited?.sha256 ?? null,
        forMs: request.isWaiting ? WAITING_GRANT_MS : TICKET_GRANT_MS,
      });
    await recordAudit(
      tx,
      actor,
      {
        ...{ kind: "approval_answered", version: 1, by: actor.name, approval: request.id, number: request.number },
        ...{
          agent: request.agentId,
          outcome: asked.verdict,
          words,
          isLast,
          edited: edited?.sha256.toString("hex") ?? null,
        },
      },
      diffFields({ state: "pending" }, { state: isLast ? (isAllow ? "approved" : "denied") : "pending" }),
    );
    // An allowance that waits for a second person is no answer yet.
    if (isLast) await holdAnswerNotice(tx, workspaceId, request.id);
    return { isLast };
  });
}

/** Errors: `approval_not_asked` for a person in no list that has been asked. */
function requireReached({ route, elapsedSeconds }: requests.RequestRow, personId: string): void {
  if (route === null || isAskedOf({ route, elapsedSeconds }, personId)) return;
  throw new AppError("approval_not_asked", undefined, {
    says: `${reachedLists(route, elapsedSeconds)
      .map(({ name }) => name)
      .join(" and ")} answer this call. Wait until it escalates to you, or ask them.`,
  });
}

/**
 * A request of any state, for a person who may answer for its agent and has been asked. Errors: `approval_not_found`,
 * `approval_own_agent`, `approval_not_asked`.
 */
export async function requestToJudge(db: Read, reader: Reader, id: string): Promise<requests.RequestRow> {
  const request = await requests.find(db.pool, reader.workspaceId, id);
  if (request === null) throw new AppError("approval_not_found");
  await requireForeignAgent(db, reader, request.agentId);
  requireReached(request, reader.id);
  return request;
}

/** Errors: `approval_own_agent`, for an agent whose key the reader made while others could judge its calls. */
export const requireForeignAgent = ({ prisma }: Pick<Read, "prisma">, reader: Reader, agentId: string): Promise<void> =>
  requireNoOwner(selectIn(prisma), reader, agentId);

/** Locks the agent, so that no key of it is created before the transaction ends. Errors: `approval_own_agent`. */
export async function requireForeignAgentTx(tx: Tx, actor: Reader, agentId: string): Promise<void> {
  await lockAgent(tx, actor.workspaceId, agentId);
  await requireNoOwner(selectIn(tx), actor, agentId);
}

async function requireNoOwner(select: Select, { workspaceId, id, kind }: Reader, agentId: string): Promise<void> {
  if (kind === "person" && (await listOwners(select, workspaceId, agentId, [id])).has(id))
    throw new AppError("approval_own_agent");
}

/** The words go to the agent as they are, and are stored and shown. Errors: `invalid_input`. */
function requireUnmasked(words: string, masking: Masking): void {
  const refusal = (says: string) => new AppError("invalid_input", undefined, { says, pointer: "/words" });
  if (listSecrets(words).length > 0) throw refusal("A message to an agent must not contain a secret.");
  if (masking.text(words) !== words)
    throw refusal("A message to an agent must not contain a text that this workspace masks. Remove it.");
}

/** Errors: `invalid_input`. */
function editOf(
  { input, isWhole, isWaiting, peopleNeeded, toolName }: requests.RequestRow,
  text: string,
  masking: Masking,
) {
  const refusal = (says: string) => new AppError("invalid_input", undefined, { says, pointer: "/editedInput" });
  if (!isWaiting) throw refusal("The agent is not waiting for this call, so it can only be allowed unchanged.");
  if (!isWhole) throw refusal("A part of this input is hidden, so it cannot be edited.");
  if (peopleNeeded > 1) throw refusal("A call that needs two people can only be allowed unchanged or denied.");
  const value = parseJson(text);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw refusal("The input of a tool is a JSON object.");
  const missing = Object.keys(parseJson(input) ?? {}).find((key) => !Object.hasOwn(value, key));
  if (missing !== undefined)
    throw refusal(
      `"${truncateText(missing, 100)}" is missing. An edit is merged into the call's input, so change the value instead.`,
    );
  if (!hasExactNumbers(value)) throw refusal("A number is too large to be exact. Write it as text.");
  // As it would be stored: escapes hide a secret, and numbers are written out.
  const edited = JSON.stringify(value);
  if (edited.length > INPUT_CHARS_MAX) throw refusal("Too long to run.");
  if (listSecrets(edited).length > 0)
    throw refusal("An edited input must not contain a secret, because it is recorded.");
  if (masking.json(edited, "tool_input", { tool_name: toolName, tool_input: value }) !== edited)
    throw refusal("An edited input must not contain a text that this workspace masks, because it is recorded.");
  return { text: edited, sha256: inputSha256(toolName, value) };
}

/** Takes back an allowance whose call was not made yet. Errors: `approval_not_found`, `approval_closed`. */
export function withdraw(context: ApprovalContext, actor: Administrator, id: string): Promise<void> {
  const { workspaceId } = actor;
  return announcedTransaction(context, workspaceId, ["approvals"], async (tx) => {
    const request = await requests.findForUpdate(tx, workspaceId, id);
    if (!request) throw new AppError("approval_not_found");
    if (!(await requests.withdraw(tx, workspaceId, id)))
      throw new AppError("approval_closed", undefined, {
        says: "This call was already made, or can no longer be made.",
      });
    const { number, agentId } = request;
    await recordAudit(
      tx,
      actor,
      { kind: "approval_withdrawn", version: 1, by: actor.name, approval: id, number, agent: agentId },
      diffFields({ state: "approved" }, { state: "withdrawn" }),
    );
  });
}
