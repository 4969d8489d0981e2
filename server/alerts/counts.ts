/** Measures that count rows within a window, or the present state; no rollup holds them. */

import { countFleet } from "../agents/index.ts";
import { countDeniedButRan } from "../decisions/index.ts";
import { countChanged, countUnaccepted } from "../extensions/index.ts";
import { countFirstSeen } from "../inventory/index.ts";
import { stoppedClock } from "../platform/clock.ts";
import type { Pool } from "../platform/db.ts";
import { findLag } from "../projectors/index.ts";
import { countWatched } from "../prompts/index.ts";
import { countOverdue } from "../record/index.ts";
import { latencyPercentile } from "../recording/index.ts";
import { countNewTools, countRunawayHalts } from "../runaway-rules/index.ts";
import { missingEvents } from "../sessions/index.ts";
import { countSetAside, findLongestLag } from "../streams/index.ts";
import type { CountSource } from "./measure-schema.ts";
import * as alerts from "./repository.ts";
import type { Condition } from "./schema.ts";
import { countUnreached } from "./unreached-policies.ts";

interface Window {
  readonly from: Date;
  readonly to: Date;
}

/** Counts that are in memory, not in the database. */
export interface Gauges {
  /** Records waiting to be written, in all processes of this node; null when none of them said. */
  recordsWaiting(): Promise<bigint | null>;
}

export const NO_GAUGES: Gauges = { recordsWaiting: () => Promise.resolve(null) };

/** Null when the number is unknown. */
type Count = (
  pool: Pool,
  workspaceId: string,
  rule: Condition,
  window: Window,
  gauges: Gauges,
) => Promise<bigint | null>;

const P95 = 0.95;
/** 100 %, in thousandths of a percent. */
const WHOLE = 100_000;

const ofFleet =
  (name: Parameters<typeof countFleet>[2]): Count =>
  async (pool, workspaceId, _rule, { to }) => {
    const count = await countFleet({ pool }, workspaceId, name, stoppedClock(to.getTime()));
    return count === null ? null : BigInt(count);
  };

export const COUNTS: Readonly<Record<CountSource, Count>> = {
  agents: (pool, workspaceId, rule, { from }) => alerts.countSilent(pool, workspaceId, rule, from),
  deliveries: (pool, workspaceId) => alerts.countDead(pool, workspaceId),
  denied_but_ran: (pool, workspaceId, _rule, window) => countDeniedButRan(pool, workspaceId, window),
  budget_thresholds: (pool, workspaceId, _rule, window) => alerts.countThresholds(pool, workspaceId, window),
  budgets_used_up: (pool, workspaceId, _rule, window) => alerts.countUsedUp(pool, workspaceId, window),
  shed: (pool, workspaceId, _rule, window) => alerts.countShed(pool, workspaceId, window),
  hook_latency: async (pool, workspaceId, _rule, window) => {
    const ms = latencyPercentile(await alerts.listHookLatencies(pool, workspaceId, window), P95);
    return ms === null ? null : BigInt(Math.round(ms));
  },
  judge_latency: (pool, workspaceId, _rule, window) => alerts.findJudgeLatency(pool, workspaceId, window, P95),
  unseen: async (pool, workspaceId, { agentId }, window) => {
    const { implied, missing } = await missingEvents(pool, workspaceId, { ...window, agentId });
    return implied === 0 ? null : BigInt(Math.floor((missing * WHOLE) / implied));
  },
  unreached: (pool, workspaceId, _rule, window) => countUnreached(pool, workspaceId, window),
  checkpoints: async (pool, workspaceId, _rule, { to }) => BigInt(await countOverdue(pool, workspaceId, to)),
  lag: async (pool, workspaceId) => BigInt(Math.round(await findLag(pool, workspaceId))),
  runaway_halts: (pool, workspaceId, _rule, window) => countRunawayHalts(pool, workspaceId, window),
  new_tools: (pool, workspaceId, _rule, window) => countNewTools(pool, workspaceId, window),
  extensions_changed: (pool, workspaceId, { agentId, groupId }, window) =>
    countChanged(pool, workspaceId, { agentId, groupId }, window),
  extensions_unaccepted: (pool, workspaceId, { agentId, groupId }) =>
    countUnaccepted(pool, workspaceId, { agentId, groupId }),
  inventory: (pool, workspaceId, { agentId, groupId }, window) =>
    countFirstSeen(pool, workspaceId, { agentId, groupId }, window),
  judges_beyond_limits: async (pool, workspaceId) => BigInt(await countWatched(pool, workspaceId, "beyond")),
  known_calls_not_run: async (pool, workspaceId) => BigInt(await countWatched(pool, workspaceId, "not_run")),
  stream_lag: async (pool, workspaceId) => {
    const ms = await findLongestLag(pool, workspaceId);
    return ms === null ? null : BigInt(Math.round(ms));
  },
  stream_set_aside: async (pool, workspaceId, _rule, { from, to }) =>
    BigInt(await countSetAside(pool, workspaceId, from, to)),
  waiting: (_pool, _workspaceId, _rule, _window, gauges) => gauges.recordsWaiting(),
  ungoverned: ofFleet("withoutPolicy"),
  observed_only: ofFleet("observedOnly"),
  yolo: ofFleet("yolo"),
  outdated: ofFleet("outdated"),
  undrilled: ofFleet("undrilled"),
};
