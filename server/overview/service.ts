/** The overview for an operator, from sums that were made when the events were recorded. */

import { callOutcomeOf, isTicket } from "../decisions/call-outcome-schema.ts";
import * as decisions from "../decisions/index.ts";
import type { DecisionView } from "../decisions/schema.ts";
import { decisionFilters } from "../decisions/schema.ts";
import type { Database } from "../platform/db.ts";
import { describeUnheldPolicies, effectiveSets, listRecentCalls } from "../policies/index.ts";
import { chartBucketsOf, rollupRangeOf } from "../recording/index.ts";
import * as overview from "./repository.ts";
import {
  AGENTS_SHOWN_MAX,
  DENIALS_COUNTED_MAX,
  MARKS_MAX,
  type OverviewAgents,
  type OverviewFinalDecisions,
  type OverviewMarks,
  type OverviewRange,
  type OverviewSeries,
  type OverviewStart,
  type OverviewSummary,
  type TopDenied,
} from "./schema.ts";

const MINUTE = 60_000;
const RATE_MINUTES = 5;

export async function summary(db: Database, workspaceId: string, range: OverviewRange): Promise<OverviewSummary> {
  const stretch = rollupRangeOf(range);
  const [row, perMinuteNow] = await Promise.all([
    overview.findSums(db.pool, workspaceId, stretch),
    rateNow(db, workspaceId, range),
  ]);
  const sum = (name: keyof overview.SumRow) => Number(row?.[name] ?? 0);
  return {
    from: stretch.from,
    to: stretch.to,
    dispatches: sum("dispatches"),
    gates: sum("gates"),
    gatesWithoutOpinion: sum("gates_without_opinion"),
    gatesWithoutRule: sum("gates_without_rule"),
    gatesDenied: sum("gates_denied"),
    gatesAsked: sum("gates_asked"),
    gateDenied: sum("gate_denied"),
    hooksFailed: sum("hooks_failed"),
    allowed: sum("allowed"),
    denied: sum("denied"),
    canceled: sum("canceled"),
    prompted: sum("prompted"),
    compactions: sum("compactions"),
    callsPriced: sum("calls_priced"),
    callsFree: sum("calls_free"),
    callsUnpriced: sum("calls_unpriced"),
    costNano: BigInt(row?.cost_nano ?? 0),
    activeAgents: Number(row?.agents ?? 0),
    perMinuteNow,
  };
}

/** The mean of the last five whole minutes and the running one's part; null when the range does not reach to now. */
async function rateNow(db: Database, workspaceId: string, range: OverviewRange): Promise<number | null> {
  const now = Date.now();
  if (range.to.getTime() < now) return null;
  const from = Math.floor(now / MINUTE) * MINUTE - (RATE_MINUTES - 1) * MINUTE;
  const count = await overview.countDispatches(db.pool, workspaceId, new Date(from), new Date(now));
  return count / ((now - from) / MINUTE);
}

export async function series(db: Database, workspaceId: string, range: OverviewRange): Promise<OverviewSeries> {
  const buckets = chartBucketsOf(range);
  const rows = await overview.listPoints(db.pool, workspaceId, buckets);
  const points = rows.map((row) => ({
    at: row.at,
    dispatches: Number(row.dispatches),
    gates: Number(row.gates),
    gatesWithoutOpinion: Number(row.gates_without_opinion),
    gatesWithoutRule: Number(row.gates_without_rule),
    gatesDenied: Number(row.gates_denied),
    gatesAsked: Number(row.gates_asked),
    gateDenied: Number(row.gate_denied),
    denied: Number(row.denied),
    prompted: Number(row.prompted),
    hooksFailed: Number(row.hooks_failed),
    compactions: Number(row.compactions),
    costNano: BigInt(row.cost_nano),
  }));
  return { from: buckets.from, to: buckets.to, bucketMs: buckets.bucketMs, points };
}

/** The figures by the kinds of approval source. */
const DECIDERS = {
  hook: "byPolicy",
  judge: "byPolicy",
  yolo: "byAgent",
  rule: "byAgent",
  nobody: "byAgent",
  person: "byPerson",
  unknown: "unknown",
} as const satisfies Record<decisions.FinalDecisionCount["kind"], keyof OverviewFinalDecisions>;

/** The final decisions of the whole hours that hold the range, by who decided. */
export async function finalDecisions(
  db: Database,
  workspaceId: string,
  range: OverviewRange,
): Promise<OverviewFinalDecisions> {
  const { from, to, counts } = await decisions.countFinalDecisions(db, workspaceId, range);
  const sums = { total: 0, byPolicy: 0, byAgent: 0, byPerson: 0, unknown: 0, denied: 0, canceled: 0 };
  const deniedBy = new Map<decisions.FinalDecisionCount["kind"], number>();
  for (const { kind, verdict, count } of counts) {
    sums.total += count;
    if (verdict === "deny") deniedBy.set(kind, (deniedBy.get(kind) ?? 0) + count);
    sums[DECIDERS[kind]] += count;
    if (verdict === "deny") sums.denied += count;
    if (verdict === "canceled") sums.canceled += count;
  }
  const largestFirst = [...deniedBy].map(([kind, count]) => ({ kind, count })).sort((a, b) => b.count - a.count);
  return { from, to, ...sums, deniedBy: largestFirst };
}

const MARK_KINDS = {
  policy_published: "published",
  policy_rolled_back: "rolled_back",
  workspace_frozen: "frozen",
  halted: "halted",
} as const;
/** Marks read per kind; ranges before the newest ones show no marks. */
const MARKS_READ_MAX = 500;

/** Published revisions, rollbacks, freezes and halts within a range. */
export async function marks(db: Database, workspaceId: string, range: OverviewRange): Promise<OverviewMarks> {
  const limits = { kinds: Object.keys(MARK_KINDS), readMax: MARKS_READ_MAX, limit: MARKS_MAX };
  const rows = await overview.listMarks(db.pool, workspaceId, range, limits);
  const found = rows.flatMap(({ at, kind, policy, revision, by }) =>
    isMarkKind(kind) ? [{ at, kind: MARK_KINDS[kind], policy, revision, by }] : [],
  );
  return { marks: found, more: (rows[0]?.total ?? 0) - rows.length };
}

const isMarkKind = (kind: string): kind is keyof typeof MARK_KINDS => kind in MARK_KINDS;

const DENIALS_SHOWN = 8;
/** A call may have been denied by several hooks and once more in its final decision. */
const DENIALS_READ = 60;

/**
 * The newest denied calls, each once: as the gate's verdict, which has the reason, else as the agent's final decision.
 */
export async function recentDenials(
  db: Database,
  workspaceId: string,
  range: OverviewRange,
): Promise<readonly DecisionView[]> {
  const filters = decisionFilters.parse({ verdict: ["deny"] });
  const page = await decisions.list(db, workspaceId, { range, filters, order: "newest", limit: DENIALS_READ });
  const rowsByCall = new Map<string, DecisionView[]>();
  for (const row of page.rows) {
    const call = JSON.stringify([row.sessionId, row.toolUseId ?? row.id]);
    rowsByCall.set(call, [...(rowsByCall.get(call) ?? []), row]);
  }
  return [...rowsByCall.values()]
    .filter((rows) => callOutcomeOf(rows) === "denied")
    .flatMap((rows) => rows.find((row) => row.kind === "gate" && !isTicket(row)) ?? rows[0] ?? [])
    .slice(0, DENIALS_SHOWN);
}

const DENIED_SHOWN = 6;
/** The bits of SQL's grouping() over tool and agent. */
const [ALL, BY_TOOL, BY_AGENT] = [0b11, 0b01, 0b10];

export async function topDenied(db: Database, workspaceId: string, range: OverviewRange): Promise<TopDenied> {
  const limits = { rowsMax: DENIALS_COUNTED_MAX, top: DENIED_SHOWN };
  const rows = await overview.listDenied(db.pool, workspaceId, range, limits);
  const of = (facet: number, column: "tool_name" | "agent_name") =>
    rows.filter((row) => row.facet === facet).map((row) => ({ name: row[column] ?? "", count: row.calls }));
  const all = rows.find((row) => row.facet === ALL);
  return {
    calls: all?.calls ?? 0,
    isWhole: (all?.read ?? 0) < DENIALS_COUNTED_MAX,
    tools: of(BY_TOOL, "tool_name"),
    agents: of(BY_AGENT, "agent_name"),
  };
}

/** The agents seen last, with the revision that answered each and the one that would answer it now. */
export async function agents(db: Database, workspaceId: string, range: OverviewRange): Promise<OverviewAgents> {
  const [counts, rows] = await Promise.all([
    overview.countAgents(db.pool, workspaceId, range),
    overview.listAgents(db.pool, workspaceId, AGENTS_SHOWN_MAX),
  ]);
  const ids = rows.map(({ id }) => id);
  const [setOf, recentById] = await Promise.all([
    effectiveSets(db, workspaceId, ids),
    listRecentCalls(db.pool, workspaceId, ids),
  ]);
  const views = rows.map((row) => {
    const effective = setOf(row.id);
    return {
      id: row.id,
      name: row.name,
      isDemo: row.is_demo,
      lastSeenAt: row.last_seen_at,
      lastRevision: row.last_revision,
      revisionInForce: effective.revision,
      policies: effective.members.length,
      unheld: describeUnheldPolicies(effective.members, row, recentById.get(row.id)),
    };
  });
  return { ...counts, rows: views };
}

export async function start(db: Database, workspaceId: string): Promise<OverviewStart> {
  const row = await overview.findStart(db.pool, workspaceId);
  const { policy_id, policy_name, policy_revision, agent_id, agent_name } = row ?? {};
  return {
    policy:
      policy_id && policy_name && policy_revision
        ? { id: policy_id, name: policy_name, revision: policy_revision }
        : null,
    isGoverned: row?.is_governed ?? false,
    agent: agent_id && agent_name ? { id: agent_id, name: agent_name } : null,
    hasEvents: row?.has_events ?? false,
  };
}
