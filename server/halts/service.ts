/** Halts and resumes: each is an entry of the chain, whose number the chain's head stores in the same transaction. */
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import type { Administrator } from "../access/actor.ts";
import { diffFields } from "../audit/diff-fields.ts";
import { type Acting, recordAudit } from "../audit/record-audit.ts";
import { AppError } from "../errors/app-error.ts";
import { announcedTransaction, type Bus } from "../events/index.ts";
import type { Database, Tx } from "../platform/db.ts";
import { uuidv7 } from "../platform/ids.ts";
import type { StoredFault } from "../platform/stored-fault.ts";
import { SILENCE_MS } from "../sessions/index.ts";
import { listReach } from "./halt-reach.ts";
import * as halts from "./repository.ts";
import {
  type AgentHalts,
  type EndHalt,
  HALT_SCOPES,
  HALTS_BY_RULES_MAX,
  HALTS_MAX,
  type HaltList,
  type HaltPreview,
  type HaltScope,
  type HaltsOfAgent,
  type HaltTarget,
  type HaltView,
  haltView,
  type InForceView,
  LIST_MAX,
  OF_AGENT_MAX,
  PREVIEW_MAX,
  type PreviewHalt,
  REASON_CHARS_MAX,
  type StartHalt,
} from "./schema.ts";
import { haltFault, readHaltTarget, unreadableHaltNote } from "./stored-halt.ts";

export interface HaltContext {
  readonly db: Database;
  readonly bus: Bus;
}

/** Halts in force first, then the newest of the others. */
export async function list({ pool }: Pick<Database, "pool">, workspaceId: string): Promise<HaltView[]> {
  return (await halts.list(pool, workspaceId, LIST_MAX)).map(viewOf);
}

/** With the reach that the gates hold it to, and why where its stored target cannot be read. */
function viewOf({ hasTarget, ...row }: halts.HaltRow): HaltView {
  const read = readHaltTarget({ ...row, hasTarget });
  const reason = read.problem === null ? row.reason : `${row.reason} ${unreadableHaltNote(read)}`;
  return haltView.parse({ ...row, scope: read.scope, reason });
}

/** The halts in force whose target cannot be read. */
export async function listUnreadableHalts(
  { pool }: Pick<Database, "pool">,
  workspaceId: string,
): Promise<readonly StoredFault[]> {
  return (await halts.listInForce(pool, workspaceId)).flatMap((row) => {
    const read = readHaltTarget(row);
    return row.id === null || read.problem === null ? [] : [haltFault(row.about, { ...read, problem: read.problem })];
  });
}

/** The list, with the agents that no halt reaches and the local executors that have followed each halt. */
export async function overview(db: Pick<Database, "pool">, workspaceId: string): Promise<HaltList> {
  const [listed, unreachable] = await Promise.all([
    list(db, workspaceId),
    halts.listUnreachable(db.pool, workspaceId, null, LIST_MAX),
  ]);
  const inForceIds = listed.filter(({ resumedAt }) => resumedAt === null).map(({ id }) => id);
  const reach = await listReach(db.pool, workspaceId, inForceIds, null);
  return { halts: listed, unreachable: [...unreachable], reach };
}

/** The same of one agent: the halts in force that reach it. */
export async function ofAgent(
  { pool }: Pick<Database, "pool">,
  workspaceId: string,
  { agentId }: HaltsOfAgent,
): Promise<AgentHalts> {
  const [rows, unreachable] = await Promise.all([
    halts.listOfAgent(pool, workspaceId, agentId, OF_AGENT_MAX),
    halts.listUnreachable(pool, workspaceId, agentId, 1),
  ]);
  const listed = rows.map(viewOf);
  const ids = listed.map(({ id }) => id);
  const reach = await listReach(pool, workspaceId, ids, agentId);
  return { halts: listed, reach, isUnreachable: unreachable.length > 0 };
}

/** The number of halts in force, and the widest of them. */
export async function inForce(db: Pick<Database, "pool">, workspaceId: string): Promise<InForceView> {
  const found = (await halts.listInForce(db.pool, workspaceId)).filter(({ id }) => id !== null);
  const rows = found.map((row) => ({ ...row, scope: readHaltTarget(row).scope }));
  const [widest] = rows.sort((a, b) => rank(a) - rank(b) || b.haltedAt.getTime() - a.haltedAt.getTime());
  if (!widest) return { count: 0, first: null };
  const { scope, about, reason, isQuarantine, haltedAt, haltedBy } = widest;
  return { count: rows.length, first: { scope, about, reason, isQuarantine, haltedAt, haltedBy } };
}

/** The effect of a halt, counted up to a bound. */
export async function preview(
  { pool }: Pick<Database, "pool">,
  workspaceId: string,
  { target }: PreviewHalt,
): Promise<HaltPreview> {
  const found = await halts.countReached(pool, workspaceId, targetFields(target), {
    activeMs: SILENCE_MS,
    most: PREVIEW_MAX,
  });
  return {
    agents: Math.min(found.agents, PREVIEW_MAX),
    sessions: Math.min(found.sessions, PREVIEW_MAX),
    agentsCut: found.agents > PREVIEW_MAX,
    sessionsCut: found.sessions > PREVIEW_MAX || found.isWindowFull,
  };
}

const rank = ({ scope }: { scope: HaltScope }) => HALT_SCOPES.indexOf(scope);

/** True while the group is halted: then it must stay, with the agents that the halt reaches. */
export const isGroupHalted = halts.isGroupHalted;

/** True while a halt names the agent: then it must stay, and its name is reserved. */
export const isAgentHalted = halts.isAgentHalted;

/**
 * Halts the target. From the commit on, verdicts with a higher number in the chain allow nothing for it. A target that
 * is already halted keeps its halt. Errors: `agent_not_found`, `group_not_found`, `already_halted`, `too_many_halts`.
 */
export function halt(
  context: HaltContext,
  actor: Administrator,
  { target, reason }: StartHalt,
): Promise<{ id: string }> {
  return start(context, actor.workspaceId, actor, { target, reason, by: actor.name, byRule: false });
}

/**
 * Halts a target for a runaway rule. No person acts, so `by` names the rule. Errors: as for `halt`, but
 * `too_many_halts` at a lower limit.
 */
export function haltByRule(
  context: HaltContext,
  workspaceId: string,
  { target, reason, by }: StartHalt & { readonly by: string },
): Promise<{ id: string }> {
  return start(context, workspaceId, workspaceId, { target, reason: cutReason(reason), by, byRule: true });
}

const cutReason = (reason: string): string => truncateText(reason, REASON_CHARS_MAX, "");

interface NewHalt extends StartHalt {
  readonly by: string;
  readonly byRule: boolean;
}

function start(
  context: HaltContext,
  workspaceId: string,
  who: Acting,
  { target, reason, by, byRule }: NewHalt,
): Promise<{ id: string }> {
  return haltTransaction(context, workspaceId, async (tx) => {
    const id = uuidv7();
    const about = await nameOf(tx, workspaceId, target);
    const most = byRule ? HALTS_BY_RULES_MAX : HALTS_MAX;
    // One halt of the whole workspace always has room: it is the emergency stop.
    if (target.scope !== "workspace" && (await halts.countInForce(tx, workspaceId)) >= most)
      throw new AppError("too_many_halts");
    const fields = {
      id,
      ...targetFields(target),
      about,
      reason,
      by,
      isQuarantine: "isQuarantine" in target && target.isQuarantine === true,
      byRule,
    };
    if (!(await halts.insert(tx, workspaceId, fields))) throw new AppError("already_halted");
    await recordAudit(
      tx,
      who,
      { kind: "halted", version: 1, by, ...entryOf(fields), reason },
      diffFields({ state: "running" }, { state: stateOf(fields), reason }),
    );
    return { id };
  });
}

const targetFields = (target: HaltTarget): halts.TargetFields => ({
  scope: target.scope,
  groupId: "groupId" in target ? target.groupId : null,
  agentId: "agentId" in target ? target.agentId : null,
  sessionId: "sessionId" in target ? target.sessionId : null,
});

/** Ends a halt. Errors: `halt_not_found`, `already_resumed`. */
export function resume(context: HaltContext, actor: Administrator, { id, reason }: EndHalt): Promise<void> {
  const { workspaceId } = actor;
  return haltTransaction(context, workspaceId, async (tx) => {
    const row = await halts.findForUpdate(tx, workspaceId, id);
    if (!row) throw new AppError("halt_not_found");
    const found = { ...row, scope: readHaltTarget(row).scope };
    if (found.resumedAt !== null) throw new AppError("already_resumed");
    await halts.resume(tx, workspaceId, id, actor.name, reason);
    await recordAudit(
      tx,
      actor,
      { kind: "halt_resumed", version: 1, by: actor.name, ...entryOf(found), reason },
      diffFields({ state: stateOf(found), reason: found.reason }, { state: "running", reason }),
    );
  });
}

/** The head is marked last, under the lock that writing the entry took on it. */
function haltTransaction<T>(context: HaltContext, workspaceId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  return announcedTransaction(context, workspaceId, ["halts"], async (tx) => {
    const result = await work(tx);
    await halts.markHead(tx, workspaceId);
    return result;
  });
}

async function nameOf(tx: Tx, workspaceId: string, target: HaltTarget): Promise<string> {
  if (target.scope === "workspace") return "";
  if (target.scope === "group") {
    const name = await halts.findGroupName(tx, workspaceId, target.groupId);
    if (name === null) throw new AppError("group_not_found");
    return name;
  }
  const name = await halts.findAgentName(tx, workspaceId, target.agentId);
  if (name === null) throw new AppError("agent_not_found");
  return target.scope === "session" ? target.sessionId : name;
}

type HaltFields = { readonly scope: HaltScope } & Pick<
  halts.HaltRow,
  "id" | "groupId" | "agentId" | "sessionId" | "about" | "isQuarantine"
>;

function entryOf({ id, scope, groupId, agentId, sessionId, about, isQuarantine }: HaltFields) {
  return {
    halt: id,
    scope,
    about,
    isQuarantine,
    ...(groupId === null ? {} : { group: groupId }),
    ...(agentId === null ? {} : { agent: agentId }),
    ...(sessionId === null ? {} : { session: sessionId }),
  };
}

const stateOf = ({ isQuarantine }: HaltFields): string => (isQuarantine ? "quarantined" : "halted");
