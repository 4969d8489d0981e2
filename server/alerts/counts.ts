/** Measures that are counts of their own records within a window, or of what stands right now; no rollup holds them. */
import { countDeniedButRan } from "../decisions/service.ts";
import type { Pool } from "../platform/db.ts";
import * as alerts from "./repository.ts";
import type { Condition, CountSource } from "./schema.ts";

interface Window {
  readonly from: Date;
  readonly to: Date;
}

/** Null where the number is not known. */
type Count = (pool: Pool, workspaceId: string, rule: Condition, window: Window) => Promise<bigint | null>;

export const COUNTS: Readonly<Record<CountSource, Count>> = {
  agents: (pool, workspaceId, rule, { from }) => alerts.countSilent(pool, workspaceId, rule, from),
  deliveries: (pool, workspaceId) => alerts.countDead(pool, workspaceId),
  denied_but_ran: (pool, workspaceId, _rule, window) => countDeniedButRan(pool, workspaceId, window),
  budget_thresholds: (pool, workspaceId, _rule, window) => alerts.countThresholds(pool, workspaceId, window),
  budgets_used_up: (pool, workspaceId, _rule, window) => alerts.countUsedUp(pool, workspaceId, window),
  shed: (pool, workspaceId, _rule, window) => alerts.countShed(pool, workspaceId, window),
};
