/** Coverage of agents' work: sums of the events that each session implies, and of the missing ones. */
import { eventNames, WIDEST_PROFILE } from "@quarterdeck/hooks/contract/events";
import { knownClient } from "../../dialects/index.ts";
import { isClientName } from "../../dialects/schema.ts";
import type { Database } from "../../platform/db.ts";
import type { CoverageInput, CoverageView, GapsView } from "../schema.ts";
import * as seen from "./repository.ts";

const EARLIEST = new Date(Date.UTC(2000, 0, 1));
const LATEST = new Date(Date.UTC(2200, 0, 1));
const clamped = (at: Date): Date => (at < EARLIEST ? EARLIEST : at > LATEST ? LATEST : at);

/** Over the sessions that were active in the range, of one agent or of all. */
export async function coverage(db: Database, workspaceId: string, input: CoverageInput): Promise<CoverageView> {
  const agentId = input.agentId ?? null;
  const range = { from: clamped(input.from), to: clamped(input.to), agentId };
  const [rows, counted, reports, lastSeenAt, client] = await Promise.all([
    seen.listSeen(db, workspaceId, range),
    seen.countSessions(db, workspaceId, range),
    seen.sumReports(db, workspaceId, range),
    seen.findLastSeen(db, workspaceId, agentId),
    agentId === null ? null : seen.findClient(db, workspaceId, agentId),
  ]);
  const count = Number(reports?.reports ?? 0);
  return {
    sessions: Number(counted.sessions),
    waiting: Number(counted.waiting),
    gaps: rows.map(gapsViewOf).reduce(added, NOTHING),
    lastSeenAt,
    neverSent: listNeverSent(client),
    reports:
      reports && count > 0
        ? {
            reports: count,
            delayMinMs: Number(reports.min_ms),
            delayMaxMs: Number(reports.max_ms),
            delayMeanMs: Number(reports.sum_ms) / count,
          }
        : null,
  };
}

/** The events that the client never sends, by the table of its version. Other missing events may still arrive. */
function listNeverSent(found: Awaited<ReturnType<typeof seen.findClient>>): string[] {
  if (found === null || !isClientName(found.client)) return [];
  const { events } = knownClient(found.client, found.version);
  return eventNames(WIDEST_PROFILE).filter((event) => (events[event] ?? []).length === 0);
}

/**
 * The counts of one agent or one session. If an agent never sent an event, the agent has no hook for it: its absence is
 * known and is not a gap.
 */
export function gapsViewOf(row: seen.SeenSums): GapsView {
  const of = (name: keyof seen.SeenRow) => Number(row[name]);
  const ifReported = (heard: keyof seen.SeenRow, gap: keyof seen.SeenRow) => (of(heard) > 0 ? of(gap) : null);
  const view = {
    turns: of("turns"),
    turnsWithoutEnd: ifReported("turn_ends", "turns_without_end"),
    turnsWithoutStart: ifReported("turn_starts", "turns_without_start"),
    calls: of("calls"),
    callsWithoutAnswer: ifReported("answers", "calls_without_answer"),
    toolCalls: of("tool_calls"),
    toolsWithoutDecision: ifReported("tool_decisions", "tools_without_decision"),
    toolsWithoutResult: ifReported("tool_results", "tools_without_result"),
    iterationsSkipped: of("iterations_skipped"),
    underWay: of("under_way"),
  };
  const implied = [
    [view.turns, view.turnsWithoutEnd],
    [view.turns, view.turnsWithoutStart],
    [view.calls, view.callsWithoutAnswer],
    [view.toolCalls, view.toolsWithoutDecision],
    [view.toolCalls, view.toolsWithoutResult],
    [view.calls + view.iterationsSkipped, view.iterationsSkipped],
  ] as const;
  return {
    ...view,
    implied: implied.reduce((sum, [whole, gap]) => sum + (gap === null ? 0 : whole), 0),
    missing: implied.reduce((sum, [, gap]) => sum + (gap ?? 0), 0),
    checkedAt: row.checked_at,
  };
}

/** The events that the sessions of a range imply, and the missing ones among them. */
export async function missingEvents(
  pool: Database["pool"],
  workspaceId: string,
  range: Pick<CoverageInput, "from" | "to"> & { readonly agentId: string | null },
): Promise<Pick<GapsView, "implied" | "missing">> {
  return (await seen.listSeen({ pool }, workspaceId, range)).map(gapsViewOf).reduce(added, NOTHING);
}

/** The same sums for each of these agents that had sessions in the range. */
export async function missingEventsByAgent(
  db: Pick<Database, "pool">,
  workspaceId: string,
  range: Pick<CoverageInput, "from" | "to">,
  agentIds: readonly string[],
): Promise<ReadonlyMap<string, Pick<GapsView, "implied" | "missing">>> {
  const rows = await seen.listSeenOfAgents(db, workspaceId, range, agentIds);
  return new Map(rows.map((row) => [row.agent_id, gapsViewOf(row)]));
}

const NOTHING: GapsView = {
  turns: 0,
  turnsWithoutEnd: null,
  turnsWithoutStart: null,
  calls: 0,
  callsWithoutAnswer: null,
  toolCalls: 0,
  toolsWithoutDecision: null,
  toolsWithoutResult: null,
  iterationsSkipped: 0,
  underWay: 0,
  implied: 0,
  missing: 0,
  checkedAt: null,
};

/** The sum of the known values; null if both are unknown. */
const both = (a: number | null, b: number | null) => (a === null && b === null ? null : (a ?? 0) + (b ?? 0));

function added(a: GapsView, b: GapsView): GapsView {
  return {
    turns: a.turns + b.turns,
    turnsWithoutEnd: both(a.turnsWithoutEnd, b.turnsWithoutEnd),
    turnsWithoutStart: both(a.turnsWithoutStart, b.turnsWithoutStart),
    calls: a.calls + b.calls,
    callsWithoutAnswer: both(a.callsWithoutAnswer, b.callsWithoutAnswer),
    toolCalls: a.toolCalls + b.toolCalls,
    toolsWithoutDecision: both(a.toolsWithoutDecision, b.toolsWithoutDecision),
    toolsWithoutResult: both(a.toolsWithoutResult, b.toolsWithoutResult),
    iterationsSkipped: a.iterationsSkipped + b.iterationsSkipped,
    underWay: a.underWay + b.underWay,
    implied: a.implied + b.implied,
    missing: a.missing + b.missing,
    checkedAt: a.checkedAt === null || (b.checkedAt !== null && b.checkedAt > a.checkedAt) ? b.checkedAt : a.checkedAt,
  };
}
