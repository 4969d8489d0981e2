/** Making and ending exceptions: calls that a rule asks nobody about any more. They lift questions, never a denial. */
import type { Administrator } from "../access/actor.ts";
import { parseJson } from "../access/json-text.ts";
import { requireMay } from "../access/permissions.ts";
import { requestToJudge } from "../approvals/service.ts";
import { diffFields } from "../audit/diff-fields.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { AppError } from "../errors/app-error.ts";
import { announcedTransaction, type Bus } from "../events/service.ts";
import type { Database, Pool } from "../platform/db.ts";
import { uuidv7 } from "../platform/ids.ts";
import { lockInForce, requireThawedTx } from "../policies/service.ts";
import { findRules } from "./find-rules.ts";
import { type CallPattern, commandWordsOf, matchesCall } from "./match.ts";
import * as exceptions from "./repository.ts";
import {
  COMMAND_WORDS_MAX,
  COMMAND_WORDS_MIN,
  type EndException,
  EXCEPTIONS_MAX,
  type ExceptionEffect,
  type ExceptionOffer,
  type ExceptionReach,
  type ExceptionView,
  exceptionList,
  LIST_MAX,
  type MakeException,
} from "./schema.ts";

export { createExceptionsInForce, type ExceptionsInForce } from "./exceptions-in-force.ts";

export interface ExceptionContext {
  readonly db: Database;
  readonly bus: Bus;
}

type Request = Awaited<ReturnType<typeof requestToJudge>>;
type Reader = Pick<Administrator, "workspaceId" | "id" | "kind">;

/** Requests that an effect is counted over. */
const LOOKED_MAX = 2_000;

/** Those in force first. */
export async function list({ pool }: Pick<Database, "pool">, workspaceId: string): Promise<ExceptionView[]> {
  return exceptionList.parse(await exceptions.list(pool, workspaceId, LIST_MAX));
}

/** Errors: `approval_not_found`, `approval_own_agent`. */
export async function offer({ pool }: Pick<Database, "pool">, reader: Reader, id: string): Promise<ExceptionOffer> {
  const request = await requestToJudge({ pool }, reader, id);
  const [groups, rules] = await Promise.all([
    exceptions.listGroups(pool, reader.workspaceId, request.agentId),
    findRules(pool, reader.workspaceId, request),
  ]);
  return { command: commandOf(request), groups, refusal: typeof rules === "string" ? rules : null };
}

/** Errors: `approval_not_found`, `approval_own_agent`, `invalid_input`. */
export async function effect(
  { pool }: Pick<Database, "pool">,
  reader: Reader,
  reach: ExceptionReach,
): Promise<ExceptionEffect> {
  const { workspaceId } = reader;
  const request = await requestToJudge({ pool }, reader, reach.requestId);
  const pattern = await patternOf(pool, workspaceId, request, reach);
  const past = await exceptions.listPastRequests(pool, workspaceId, request.toolName, LOOKED_MAX + 1);
  const looked = past.slice(0, LOOKED_MAX);
  const matched = looked.filter((one) =>
    matchesCall(pattern, { ...one, toolName: request.toolName, input: one.isWhole ? jsonOf(one.input) : null }),
  );
  const ended = (...states: string[]) => matched.filter(({ state }) => states.includes(state)).length;
  return {
    matched: matched.length,
    allowed: ended("approved", "withdrawn"),
    denied: ended("denied"),
    lapsed: ended("lapsed"),
    looked: looked.length,
    isWhole: past.length <= LOOKED_MAX,
  };
}

/**
 * From the commit on, the hooks that asked about the request ask nobody about the exception's calls. Errors: `approval_not_found`,
 * `approval_own_agent`, `exception_refused`, `too_many_exceptions`, `workspace_frozen`, `forbidden`, `invalid_input`.
 */
export async function make(context: ExceptionContext, actor: Administrator, asked: MakeException) {
  if (actor.kind === "service")
    throw new AppError("forbidden", actor.kind, { says: "Only a person makes an exception." });
  const { workspaceId } = actor;
  const { pool } = context.db;
  // It binds others than those who were asked about.
  if (asked.scope === "group" || asked.scope === "workspace") requireMay(actor, "policy:publish");
  const request = await requestToJudge(context.db, actor, asked.requestId);
  if (request.state === "denied")
    throw new AppError("exception_refused", undefined, {
      says: "Somebody denied this call: it is no example to follow.",
    });
  const rules = await findRules(pool, workspaceId, request);
  if (typeof rules === "string") throw new AppError("exception_refused", undefined, { says: rules });
  const pattern = await patternOf(pool, workspaceId, request, asked);
  return announcedTransaction(context, workspaceId, ["exceptions"], async (tx) => {
    requireThawedTx(tx, await lockInForce(tx, workspaceId));
    if ((await exceptions.countInForce(tx, workspaceId)) >= EXCEPTIONS_MAX) throw new AppError("too_many_exceptions");
    const { scope, inputSha256, command, toolName } = pattern;
    const one = { id: uuidv7(), about: pattern.about, reason: asked.reason };
    const expiresAt = await exceptions.insert(tx, workspaceId, {
      ...one,
      ...{ scope, inputSha256, command, toolName, rules },
      groupId: pattern.groupId,
      agentId: pattern.agentId,
      sessionId: pattern.sessionId,
      input: request.input,
      requestNumber: request.number,
      by: actor.name,
      hours: asked.hours,
    });
    await recordAudit(
      tx,
      actor,
      {
        ...{ kind: "exception_made", version: 1, by: actor.name, exception: one.id, number: request.number },
        ...{ scope, about: one.about, tool: toolName, inputSha256: inputSha256?.toString("hex") ?? null },
        command: command && [...command],
        rules: rules.map(({ policy, path, sha256 }) => ({ policy, path, sha256 })),
        expiresAt: expiresAt.toISOString(),
        reason: one.reason,
      },
      diffFields({ question: "asked" }, { question: "lifted" }),
    );
    return { id: one.id };
  });
}

/** Ends an exception: its calls are asked about again. Errors: `exception_not_found`, `exception_over`. */
export function end(context: ExceptionContext, actor: Administrator, { id, reason }: EndException): Promise<void> {
  const { workspaceId } = actor;
  return announcedTransaction(context, workspaceId, ["exceptions"], async (tx) => {
    const found = await exceptions.findForUpdate(tx, workspaceId, id);
    if (!found) throw new AppError("exception_not_found");
    if (found.endedAt !== null || found.expiresAt.getTime() <= Date.now()) throw new AppError("exception_over");
    await exceptions.end(tx, workspaceId, id, actor.name, reason);
    const { about, requestNumber } = found;
    await recordAudit(
      tx,
      actor,
      { kind: "exception_ended", version: 1, by: actor.name, exception: id, number: requestNumber, about, reason },
      diffFields({ question: "lifted" }, { question: "asked" }),
    );
  });
}

interface Pattern extends CallPattern {
  readonly groupId: string | null;
  readonly about: string;
}

/** Errors: `invalid_input`. */
async function patternOf(
  pool: Pool,
  workspaceId: string,
  request: Request,
  { scope, groupId, commandWords }: ExceptionReach,
): Promise<Pattern> {
  const invalid = (pointer: string, says: string) => new AppError("invalid_input", undefined, { says, pointer });
  const { agentId, agentName, sessionId, toolName } = request;
  const words = commandOf(request);
  if (commandWords !== undefined && (words === null || commandWords > words.length))
    throw invalid("/commandWords", "This call is not a lone shell command of that many words.");
  if (scope === "session" && sessionId === "") throw invalid("/scope", "This call names no session.");
  const group =
    scope === "group"
      ? (await exceptions.listGroups(pool, workspaceId, agentId)).find(({ id }) => id === groupId)
      : undefined;
  if (scope === "group" && group === undefined) throw invalid("/groupId", "The agent is in no such group.");
  const isOfAgent = scope === "agent" || scope === "session";
  return {
    scope,
    toolName,
    groupId: group?.id ?? null,
    agentId: isOfAgent ? agentId : null,
    sessionId: scope === "session" ? sessionId : null,
    about: { workspace: "", group: group?.name ?? "", agent: agentName, session: sessionId }[scope],
    members: group ? await exceptions.listMembers(pool, workspaceId, group.id) : [],
    inputSha256: commandWords === undefined ? request.inputSha256 : null,
    command: commandWords === undefined ? null : (words?.slice(0, commandWords) ?? null),
  };
}

/** The words of the request's command, where an exception can be for what begins with them. */
function commandOf({ input, isWhole }: Request): string[] | null {
  const words = isWhole ? commandWordsOf(jsonOf(input)) : null;
  return words === null || words.length < COMMAND_WORDS_MIN || words.length > COMMAND_WORDS_MAX ? null : [...words];
}

function jsonOf(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}
