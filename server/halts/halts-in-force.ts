/**
 * The halts in force, cached by each process. A process that missed a change decides with an old number, and its record
 * is refused (server/recording). So a halt holds even if this cache is stale.
 */
import { LRUCache } from "lru-cache";
import type { Bus } from "../events/index.ts";
import type { Pool } from "../platform/db.ts";
import { inWorkspace } from "../platform/scope.ts";
import * as halts from "./repository.ts";
import { HaltedSessions } from "./session-key.ts";
import { readHaltTarget, unreadableHaltNote } from "./stored-halt.ts";

/** A halt that reaches a call, as its reason names it. */
export interface HaltInForce {
  readonly id: string;
  readonly scope: "workspace" | "group" | "agent" | "session";
  readonly about: string;
  readonly reason: string;
  readonly haltedAt: Date;
  readonly haltedBy: string;
  readonly isQuarantine: boolean;
}

export interface HaltedCall {
  readonly agentId: string;
  /** The call's session and its parent, as the input names them. */
  readonly sessionId: unknown;
  readonly parentSessionId: unknown;
}

/** The halts of one workspace, of one instant. */
export interface WorkspaceHalts {
  /** The chain number of the last change to them. */
  readonly number: number;
  /** The widest halt that reaches the call. */
  find(call: HaltedCall): HaltInForce | null;
}

export interface HaltsInForce {
  /** Errors: those of the database; then the gate denies. */
  of(workspaceId: string): Promise<WorkspaceHalts>;
  /** The same, read again unless that has happened since `number` was found to be old. */
  refresh(workspaceId: string, number: number): Promise<WorkspaceHalts>;
}

const WORKSPACES_MAX = 5_000;
/** The members of a halted group are read again at this interval, in addition to notifications. */
const MEMBERS_MS = 30_000;

interface Known extends WorkspaceHalts {
  /** The instant until which the members of halted groups are remembered; without such a group, for ever. */
  readonly untilMs: number;
  readonly hasGroup: boolean;
}

export function createHaltsInForce(pool: Pool, bus: Bus, nowMs = () => performance.now()): HaltsInForce {
  const byWorkspace = new LRUCache<string, Promise<Known>>({ max: WORKSPACES_MAX });
  bus.subscribe((workspaceId, topics) => {
    // A policy's topic is also that of the members of groups.
    if (!topics.includes("halts") && !topics.includes("policies")) return;
    if (workspaceId === null) byWorkspace.clear();
    else byWorkspace.delete(workspaceId);
  });

  async function load(workspaceId: string): Promise<Known> {
    const readMs = nowMs();
    const rows = await inWorkspace(workspaceId, () => halts.listInForce(pool, workspaceId));
    const [first] = rows;
    if (first === undefined) throw new Error(`no audit head for workspace ${workspaceId}`);
    const hasGroup = rows.some((row) => row.id !== null && row.groupId !== null);
    return {
      ...indexHalts(rows),
      number: first.number,
      hasGroup,
      untilMs: hasGroup ? readMs + MEMBERS_MS : Number.POSITIVE_INFINITY,
    };
  }

  function reload(workspaceId: string): Promise<Known> {
    const loading = load(workspaceId);
    byWorkspace.set(workspaceId, loading);
    // A failure is not remembered: the next gate tries again.
    loading.catch(() => {
      if (byWorkspace.peek(workspaceId) === loading) byWorkspace.delete(workspaceId);
    });
    return loading;
  }

  async function of(workspaceId: string): Promise<Known> {
    const known = await (byWorkspace.get(workspaceId) ?? reload(workspaceId));
    const isCurrent = !known.hasGroup || (bus.isCurrent() && nowMs() < known.untilMs);
    return isCurrent ? known : reload(workspaceId);
  }

  return {
    of,
    async refresh(workspaceId, number) {
      const known = await byWorkspace.get(workspaceId)?.catch(() => null);
      return known && known.number > number ? known : reload(workspaceId);
    },
  };
}

function indexHalts(rows: readonly halts.HaltInForceRow[]): Pick<WorkspaceHalts, "find"> {
  let whole: HaltInForce | null = null;
  const byAgent = new Map<string, HaltInForce>();
  const sessions = new Map<string, HaltedSession[]>();
  const inOrder = rows.flatMap((row) => (row.id === null ? [] : [{ row, read: readHaltTarget(row) }]));
  inOrder.sort((a, b) => rank(a.read) - rank(b.read));
  for (const { row, read } of inOrder) {
    const { about, haltedAt, haltedBy, isQuarantine } = row;
    const { scope, problem } = read;
    const reason = problem === null ? row.reason : `${row.reason.replace(/[.!]?$/, ".")} ${unreadableHaltNote(read)}`;
    const halt = { id: row.id ?? "", scope, about, reason, haltedAt, haltedBy, isQuarantine };
    if (scope === "workspace") whole = halt;
    else if (scope === "session") {
      const agentId = row.agentId ?? "";
      sessions.set(agentId, [...(sessions.get(agentId) ?? []), { id: row.sessionId ?? "", value: halt }]);
    } else
      for (const agentId of scope === "group" ? row.members : [row.agentId ?? ""])
        if (!byAgent.has(agentId)) byAgent.set(agentId, halt);
  }
  const bySession = new Map([...sessions].map(([agentId, halted]) => [agentId, new HaltedSessions(halted)]));
  const isEmpty = inOrder.length === 0;
  return {
    find({ agentId, sessionId, parentSessionId }) {
      if (isEmpty) return null;
      const found = whole ?? byAgent.get(agentId);
      if (found) return found;
      const halted = bySession.get(agentId);
      return halted?.ofSession(sessionId) ?? halted?.ofParent(parentSessionId) ?? null;
    },
  };
}

interface HaltedSession {
  readonly id: string;
  readonly value: HaltInForce;
}

const SCOPES = ["workspace", "group", "agent", "session"];
const rank = ({ scope }: { scope: string }) => SCOPES.indexOf(scope);
