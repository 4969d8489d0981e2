/** The tables of a day that cannot be held against its log, each with the reason. Pure. */
import type { Gone } from "./log-queries.ts";

const ACTIVITY = ["tool_decision", "llm_call", "compaction", "hook_outcome", "session"];
const ROLLUPS = ["rollup_minute", "rollup_hour", "rollup_day", "decision_hour", "decision_day"];
const HOOKS = ["hook_hour", "hook_day"];
const JUDGES = ["judge_minute", "judge_hour", "judge_day"];

export interface LeftOut {
  readonly table: string;
  readonly reason: string;
}

/** `from`: the beginning of the day, an ISO instant. */
export function leftOutOf(from: string, { activity, judgeCalls, figures, demo }: Gone): LeftOut[] {
  const is = (before: string | null) => before !== null && from < before;
  const reasons = new Map<string, string>([["report_hour", "kept by the hour of arrival, not of the event"]]);
  const leave = (tables: readonly string[], reason: string) => {
    for (const table of tables) reasons.set(table, reason);
  };
  // Judges of observed policies are in the sums, and their calls alone say how much.
  if (is(judgeCalls)) leave(["judge_call", ...JUDGES], "calls of judges are gone by retention");
  if (is(demo))
    leave(["judge_call", ...JUDGES, ...HOOKS], "the demo was removed, and sums of several agents with it in part");
  if (is(activity)) leave(ACTIVITY, "gone by retention");
  if (is(figures)) leave([...ROLLUPS, ...HOOKS, ...JUDGES], "gone by retention");
  return [...reasons].map(([table, reason]) => ({ table, reason }));
}
