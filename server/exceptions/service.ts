/** Makes, ends and reviews exceptions: calls that named rules neither ask about nor deny. */
import type { Administrator } from "../access/actor.ts";
import { requireMay } from "../access/permissions.ts";
import { requireForeignAgentTx } from "../approvals/index.ts";
import { diffFields } from "../audit/diff-fields.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { AppError } from "../errors/app-error.ts";
import { announcedTransaction, type Bus } from "../events/index.ts";
import type { Database } from "../platform/db.ts";
import { uuidv7 } from "../platform/ids.ts";
import type { StoredFault } from "../platform/stored-fault.ts";
import { lockInForce, requireThawedTx } from "../policies/index.ts";
import { exampleOf, offeredCommand, patternOf } from "./example-call.ts";
import { findRules } from "./find-rules.ts";
import * as exceptions from "./repository.ts";
import {
  type EndException,
  EXCEPTIONS_MAX,
  type ExceptionExample,
  type ExceptionLifts,
  type ExceptionOffer,
  type ExceptionSubject,
  type ExceptionView,
  exceptionLabel,
  exceptionList,
  HOOK_CHARS_MAX,
  LIST_MAX,
  type MakeException,
  type ReviewException,
} from "./schema.ts";
import { exceptionProblem, shownException } from "./stored-exception.ts";

export interface ExceptionContext {
  readonly db: Database;
  readonly bus: Bus;
}

type Reader = Pick<Administrator, "workspaceId" | "id" | "kind">;

/** Those in force first. */
export async function list({ pool }: Pick<Database, "pool">, reader: Reader): Promise<ExceptionView[]> {
  return exceptionList.parse((await exceptions.list(pool, reader.workspaceId, LIST_MAX)).map(viewFor(reader)));
}

/** Those in force that touch a rule, or that reach an agent. */
export async function touching(
  { pool }: Pick<Database, "pool">,
  reader: Reader,
  subject: ExceptionSubject,
): Promise<ExceptionView[]> {
  const { workspaceId } = reader;
  if (subject.of === "agent")
    return exceptionList.parse(
      (await exceptions.listOfAgent(pool, workspaceId, subject.agentId, EXCEPTIONS_MAX)).map(viewFor(reader)),
    );
  const { policy, event, hook } = subject;
  const ofPolicy = await exceptions.listOfPolicy(pool, workspaceId, policy, EXCEPTIONS_MAX);
  const ofRule = ofPolicy.filter((one) =>
    shownException(one).rules.some(
      (rule) => rule.path.startsWith(`hooks.${event}[`) && rule.hook === hook.slice(0, HOOK_CHARS_MAX),
    ),
  );
  return exceptionList.parse(ofRule.map(viewFor(reader)));
}

const viewFor =
  ({ id }: Reader) =>
  ({ madeById, ...row }: exceptions.ExceptionRow): ExceptionView => ({
    ...shownException(row),
    isOwn: madeById === id,
  });

/** The exceptions in force that cannot be read, and therefore lift nothing. */
export async function listUnreadableExceptions(
  { pool }: Pick<Database, "pool">,
  workspaceId: string,
): Promise<readonly StoredFault[]> {
  return (await exceptions.list(pool, workspaceId, EXCEPTIONS_MAX)).flatMap((row) => {
    const isOver = row.endedAt !== null || row.expiresAt.getTime() <= Date.now();
    const problem = isOver ? null : exceptionProblem(row);
    if (problem === null) return [];
    return [{ thing: exceptionLabel(row), problem, effect: "it has no effect" }];
  });
}

/** Errors: `approval_not_found`, `approval_own_agent`, `exception_refused`, `forbidden`. */
export async function offer(
  db: Pick<Database, "pool" | "prisma">,
  reader: Administrator,
  example: ExceptionExample,
): Promise<ExceptionOffer> {
  const { pool } = db;
  const call = await exampleOf(db, reader, example);
  const [groups, rules] = await Promise.all([
    exceptions.listGroups(pool, reader.workspaceId, call.agentId),
    findRules(pool, reader.workspaceId, call),
  ]);
  const { lifts, toolName, agentName, sessionId, input, askedBy } = call;
  return {
    ...offeredCommand(call),
    groups,
    ...{ lifts, toolName, agentName, sessionId, input },
    rules: askedBy.map(({ policy, path }) => ({ policy, path })),
    refusal: typeof rules === "string" ? rules : null,
  };
}

/**
 * Makes an exception. From the commit on, the rules that asked about the example no longer ask about matching calls;
 * the rules that denied it no longer deny them. Errors: `approval_not_found`, `approval_own_agent`,
 * `exception_refused`, `too_many_exceptions`, `workspace_frozen`, `forbidden`, `invalid_input`.
 */
export async function make(context: ExceptionContext, actor: Administrator, asked: MakeException) {
  if (actor.kind === "service")
    throw new AppError("forbidden", actor.kind, { says: "Only a person can create an exception." });
  const { workspaceId } = actor;
  const { pool } = context.db;
  // It also affects agents and people other than those of the example.
  if (asked.scope === "group" || asked.scope === "workspace") requireMay(actor, "policy:publish");
  const request = await exampleOf(context.db, actor, asked);
  const { lifts } = request;
  const rules = await findRules(pool, workspaceId, request);
  if (typeof rules === "string") throw new AppError("exception_refused", undefined, { says: rules });
  const pattern = await patternOf(pool, workspaceId, request, asked);
  return announcedTransaction(context, workspaceId, ["exceptions"], async (tx) => {
    requireThawedTx(tx, await lockInForce(tx, workspaceId));
    await requireForeignAgentTx(tx, actor, request.agentId);
    if ((await exceptions.countInForce(tx, workspaceId)) >= EXCEPTIONS_MAX) throw new AppError("too_many_exceptions");
    const { scope, inputSha256, command, toolName } = pattern;
    const one = { id: uuidv7(), about: pattern.about, reason: asked.reason };
    const expiresAt = await exceptions.insert(tx, workspaceId, {
      ...one,
      ...{ scope, inputSha256, command, toolName, rules, lifts },
      groupId: pattern.groupId,
      agentId: pattern.agentId,
      sessionId: pattern.sessionId,
      input: request.input,
      requestNumber: request.number,
      by: actor.name,
      byId: actor.id,
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
        lifts,
        ...(asked.dispatch && { dispatch: asked.dispatch.id }),
      },
      diffFields({ verdict: VERDICTS[lifts] }, { verdict: "lifted" }),
    );
    await exceptions.numberByEntry(tx, workspaceId, one.id);
    return { id: one.id };
  });
}

/** Ends an exception: its calls are asked about again. Errors: `exception_not_found`, `exception_over`. */
export function end(context: ExceptionContext, actor: Administrator, { id, reason }: EndException): Promise<void> {
  const { workspaceId } = actor;
  return announcedTransaction(context, workspaceId, ["exceptions"], async (tx) => {
    const found = await exceptions.findForUpdate(tx, workspaceId, id);
    if (!found) throw new AppError("exception_not_found");
    if (found.isOver) throw new AppError("exception_over");
    await exceptions.end(tx, workspaceId, id, actor.name, reason);
    const { about, requestNumber } = found;
    await recordAudit(
      tx,
      actor,
      { kind: "exception_ended", version: 1, by: actor.name, exception: id, number: requestNumber, about, reason },
      diffFields({ verdict: "lifted" }, { verdict: VERDICTS[found.lifts] }),
    );
  });
}

/**
 * Records that a person has read a lapsed exception, and their conclusion. Errors: `exception_not_found`,
 * `exception_not_lapsed`.
 */
export function review(context: ExceptionContext, actor: Administrator, { id, words }: ReviewException): Promise<void> {
  const { workspaceId } = actor;
  if (actor.kind === "service")
    throw new AppError("forbidden", actor.kind, { says: "Only a person can review an exception." });
  return announcedTransaction(context, workspaceId, ["exceptions"], async (tx) => {
    const found = await exceptions.findForUpdate(tx, workspaceId, id);
    if (!found) throw new AppError("exception_not_found");
    if (found.lapsedAt === null || found.reviewedAt !== null) throw new AppError("exception_not_lapsed");
    await exceptions.review(tx, workspaceId, id, actor.name, words);
    await recordAudit(
      tx,
      actor,
      { kind: "exception_reviewed", version: 1, by: actor.name, exception: id, number: found.number, words },
      diffFields({ review: "due" }, { review: "done" }),
    );
  });
}

const VERDICTS: Readonly<Record<ExceptionLifts, string>> = { question: "asked", verdict: "asked or denied" };
