/** The tables of a day that cannot be held against its log, each with the reason. Pure. */
import { type DatabaseTable, TABLES } from "../database/table-schema.ts";
import { HOURS_KEPT_DAYS, MINUTES_KEPT_DAYS } from "../recording/index.ts";
import type { Gone } from "./log-queries.ts";

const derived = (group: DatabaseTable["derived"]): string[] =>
  TABLES.filter((table) => table.derived === group).map(({ name }) => name);
const [ACTIVITY, ROLLUPS, HOOKS] = [derived("activity"), derived("rollup"), derived("hook")];
const [JUDGES, JUDGE_CALLS] = [derived("judge"), derived("judge_call")];

const DAY_MS = 86_400_000;
const MINUTES = [...ROLLUPS, ...JUDGES].filter((table) => table.endsWith("_minute"));
const HOURS = [...ROLLUPS, ...JUDGES, ...HOOKS].filter((table) => table.endsWith("_hour"));
/** Tables that name the agent. */
const NAMED = [...ACTIVITY, ...ROLLUPS, ...JUDGE_CALLS];

export interface LeftOut {
  readonly table: string;
  readonly reason: string;
}

export interface Day {
  /** Its beginning, an ISO instant. */
  readonly from: string;
  /** When it is compared. */
  readonly nowMs: number;
  /** True if the log still holds a name that was erased elsewhere, and its alias is no longer known. */
  readonly hasForgottenNames: boolean;
}

export function leftOutOf(
  { from, nowMs, hasForgottenNames }: Day,
  { activity, judgeCalls, figures, demo }: Gone,
): LeftOut[] {
  const is = (before: string | null) => before !== null && from < before;
  const reasons = new Map<string, string>([["report_hour", "kept by the hour of arrival, not of the event"]]);
  const leave = (tables: readonly string[], reason: string) => {
    for (const table of tables) reasons.set(table, reason);
  };
  const isOlderThan = (days: number) => Date.parse(from) < Math.floor(nowMs / DAY_MS) * DAY_MS - days * DAY_MS;
  if (isOlderThan(MINUTES_KEPT_DAYS)) leave(MINUTES, `kept for ${MINUTES_KEPT_DAYS} days`);
  if (isOlderThan(HOURS_KEPT_DAYS)) leave(HOURS, `kept for ${HOURS_KEPT_DAYS} days`);
  if (hasForgottenNames) leave(NAMED, "names were erased, by a request that is under way, held or withdrawn");
  // Judges of observed policies are in the sums, and their calls alone say how much.
  if (is(judgeCalls)) leave([...JUDGE_CALLS, ...JUDGES], "calls of judges are gone by retention");
  if (is(demo))
    leave([...JUDGE_CALLS, ...JUDGES, ...HOOKS], "the demo was removed, and sums of several agents with it in part");
  if (is(activity)) leave(ACTIVITY, "gone by retention");
  if (is(figures)) leave([...ROLLUPS, ...HOOKS, ...JUDGES], "gone by retention");
  return [...reasons].map(([table, reason]) => ({ table, reason }));
}
