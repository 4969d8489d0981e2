/** Everything that an alert can watch. */
import { DRILLED_WITHIN_DAYS } from "../agents/schema.ts";

/** Amounts are whole numbers of these: things, thousandths of a percent, nano-dollars, tokens, milliseconds. */
export type Unit = "count" | "share" | "money" | "tokens" | "ms";
export const ALERT_FILTERS = ["agent", "group", "model", "person", "signOnGroup"] as const;
export type AlertFilter = (typeof ALERT_FILTERS)[number];

export const COUNT_SOURCES = [
  "agents",
  "deliveries",
  "denied_but_ran",
  "budget_thresholds",
  "budgets_used_up",
  "shed",
  "hook_latency",
  "judge_latency",
  "unseen",
  "unreached",
  "checkpoints",
  "waiting",
  "lag",
  "runaway_halts",
  "new_tools",
  "inventory",
  "extensions_changed",
  "extensions_unaccepted",
  "judges_beyond_limits",
  "known_calls_not_run",
  "stream_lag",
  "stream_set_aside",
  "ungoverned",
  "observed_only",
  "yolo",
  "outdated",
  "undrilled",
] as const;
export type CountSource = (typeof COUNT_SOURCES)[number];
export const isCounted = (source: Measure["source"]): source is CountSource =>
  source !== "rollup" && source !== "judge";

interface Measure {
  readonly label: string;
  readonly unit: Unit;
  /** Its source: sums of dispatches, sums of judge calls, or a separate count (counts.ts). */
  readonly source: "rollup" | "judge" | CountSource;
  /** The columns that are added up. */
  readonly sum: readonly string[];
  /** Makes it a share of these. Without any of them it is unknown. */
  readonly of?: readonly string[];
  /**
   * The columns that give the share of calls with a known value; the measure is unknown if calls exist and the part is
   * zero.
   */
  readonly known?: { readonly part: readonly string[]; readonly of: readonly string[] };
  /** True if zero events give a known value; otherwise the value is unknown. */
  readonly isKnownWithoutEvents?: true;
  /** True for numbers of denied decisions, which are counted one by one for people. */
  readonly isOfDenials?: true;
  readonly filters: readonly AlertFilter[];
  readonly help: string;
}

const AGENTS = ["agent", "group"] as const;
const AGENTS_AND_PEOPLE = [...AGENTS, "person", "signOnGroup"] as const;
const PRICED = ["calls_priced", "calls_free"];
const CALLS = [...PRICED, "calls_unpriced"];

/** Everything an alert can be about. The editor, the evaluation and the preview read this table. */
export const MEASURES = {
  gate_denied: {
    label: "Calls denied by hooks",
    unit: "count",
    source: "rollup",
    sum: ["gate_denied"],
    isOfDenials: true,
    filters: AGENTS_AND_PEOPLE,
    help: "Calls denied by policy.",
  },
  gate_denied_share: {
    label: "Share of gates that denied",
    unit: "share",
    source: "rollup",
    sum: ["gate_denied"],
    of: ["gates"],
    filters: AGENTS,
    help: "Denials per hundred decisions about tool calls.",
  },
  denied: {
    label: "Calls with the final decision deny",
    unit: "count",
    source: "rollup",
    sum: ["denied"],
    isOfDenials: true,
    filters: AGENTS_AND_PEOPLE,
    help: "Denied by a hook, a rule or a person.",
  },
  denied_share: {
    label: "Share of calls with the final decision deny",
    unit: "share",
    source: "rollup",
    sum: ["denied"],
    of: ["allowed", "denied", "canceled"],
    filters: AGENTS,
    help: "Per hundred calls with a reported approval.",
  },
  prompted: {
    label: "Calls a person was asked about",
    unit: "count",
    source: "rollup",
    sum: ["prompted"],
    filters: AGENTS,
    help: "Permission requests.",
  },
  hooks_failed: {
    label: "Hooks that failed",
    unit: "count",
    source: "rollup",
    sum: ["hooks_failed"],
    filters: AGENTS,
    help: "Timed out, crashed or gave an invalid answer.",
  },
  errors: {
    label: "Errors in runs",
    unit: "count",
    source: "rollup",
    sum: ["errors"],
    filters: AGENTS,
    help: "on_error events: all models failed, or an agent kept repeating a call.",
  },
  iteration_limits: {
    label: "Runs that reached their iteration limit",
    unit: "count",
    source: "rollup",
    sum: ["iteration_limits"],
    filters: AGENTS,
    help: "on_max_iterations events.",
  },
  notifications: {
    label: "Warnings and errors of agents",
    unit: "count",
    source: "rollup",
    sum: ["notifications"],
    filters: AGENTS,
    help: "notification events of both levels. Errors and reached iteration limits also send one.",
  },
  gates_without_opinion: {
    label: "Calls that no rule decided",
    unit: "count",
    source: "rollup",
    sum: ["gates_without_opinion"],
    filters: AGENTS,
    help: "Tool calls for which no rule ran, or no rule objected.",
  },
  gates_without_opinion_share: {
    label: "Share of calls that no rule decided",
    unit: "share",
    source: "rollup",
    sum: ["gates_without_opinion"],
    of: ["gates"],
    filters: AGENTS,
    help: "Per hundred tool calls.",
  },
  dispatches: {
    label: "Dispatches",
    unit: "count",
    source: "rollup",
    sum: ["dispatches"],
    isKnownWithoutEvents: true,
    filters: AGENTS,
    help: "Events of any kind. Below 1: no events.",
  },
  cost: {
    label: "Cost of model calls",
    unit: "money",
    source: "rollup",
    sum: ["cost_nano"],
    known: { part: PRICED, of: CALLS },
    filters: ALERT_FILTERS,
    help: "As reported by agents. Excludes unpriced calls. Unknown if all calls are unpriced.",
  },
  calls: {
    label: "Model calls",
    unit: "count",
    source: "rollup",
    sum: CALLS,
    filters: ALERT_FILTERS,
    help: "Reported by agents, priced or unpriced.",
  },
  unpriced_share: {
    label: "Share of unpriced calls",
    unit: "share",
    source: "rollup",
    sum: ["calls_unpriced"],
    of: CALLS,
    filters: ALERT_FILTERS,
    help: "Per hundred model calls.",
  },
  tokens: {
    label: "Tokens",
    unit: "tokens",
    source: "rollup",
    sum: ["input_tokens", "output_tokens", "cached_input_tokens", "cached_write_tokens"],
    filters: ALERT_FILTERS,
    help: "Input, output, cached and cache-write tokens.",
  },
  compactions: {
    label: "Compactions",
    unit: "count",
    source: "rollup",
    sum: ["compactions"],
    filters: AGENTS,
    help: "Finished compactions.",
  },
  judge_cost: {
    label: "Cost of judges",
    unit: "money",
    source: "judge",
    sum: ["cost_nano"],
    known: { part: ["priced", "free"], of: ["priced", "free", "unpriced"] },
    filters: [],
    help: "Spend of hooks that ask models.",
  },
  judge_unanswered: {
    label: "Failed judge calls",
    unit: "count",
    source: "judge",
    sum: ["failed"],
    filters: [],
    help: "Timed out, refused or not understood.",
  },
  denied_but_ran: {
    label: "Denied calls that ran",
    unit: "count",
    source: "denied_but_ran",
    sum: [],
    filters: [],
    help: "Calls denied in the window that the agent reported as run. Counted up to 1,000.",
  },
  budget_thresholds: {
    label: "Budget thresholds crossed",
    unit: "count",
    source: "budget_thresholds",
    sum: [],
    filters: [],
    help: "In the window, for any budget and period.",
  },
  budgets_used_up: {
    label: "Budgets used up",
    unit: "count",
    source: "budgets_used_up",
    sum: [],
    filters: [],
    help: "Budgets whose spend reached 100 % in the window.",
  },
  load_shed: {
    label: "Requests turned away under load",
    unit: "count",
    source: "shed",
    sum: [],
    filters: [],
    help: "Reports, reads and gates answered with 503 because of overload.",
  },
  hook_latency: {
    label: "Latency of hooks, p95",
    unit: "ms",
    source: "hook_latency",
    sum: [],
    filters: [],
    help: "95th percentile of hook runs, accurate to 9 %. Covers every hour that overlaps the window.",
  },
  judge_latency: {
    label: "Latency of judges, p95",
    unit: "ms",
    source: "judge_latency",
    sum: [],
    filters: [],
    help: "95th percentile of the newest 10,000 model calls in the window.",
  },
  events_unseen_share: {
    label: "Share of missing events",
    unit: "share",
    source: "unseen",
    sum: [],
    filters: ["agent"],
    help: "Missing events per hundred expected events of sessions in the window.",
  },
  policies_unreached: {
    label: "Unreached policies in force",
    unit: "count",
    source: "unreached",
    sum: [],
    filters: [],
    help: "Assigned policies in force for the whole window whose rules no call selected.",
  },
  checkpoints_overdue: {
    label: "Record entries without a timely checkpoint",
    unit: "count",
    source: "checkpoints",
    sum: [],
    filters: [],
    help: "Zero until the oldest entry has waited for three rounds. Ignores the window.",
  },
  records_waiting: {
    label: "Records waiting to be written",
    unit: "count",
    source: "waiting",
    sum: [],
    filters: [],
    help: "At the time of the check, in all processes of the checking server.",
  },
  figures_behind: {
    label: "Delay of figures",
    unit: "ms",
    source: "lag",
    sum: [],
    filters: [],
    help: "Age of the oldest record not yet included in figures, at the time of the check.",
  },
  stream_lag: {
    label: "Delay of streams",
    unit: "ms",
    source: "stream_lag",
    sum: [],
    filters: [],
    help: "Age of the oldest event that an enabled stream has not sent, at the time of the check.",
  },
  stream_set_aside: {
    label: "Events set aside by streams",
    unit: "count",
    source: "stream_set_aside",
    sum: [],
    filters: [],
    help: "Events that a receiver refused for their content.",
  },
  runaway_halts: {
    label: "Halts by runaway rules",
    unit: "count",
    source: "runaway_halts",
    sum: [],
    filters: [],
    help: "Sessions and agents halted by a repeat_guard in the window.",
  },
  tools_first_seen: {
    label: "New tools",
    unit: "count",
    source: "new_tools",
    sum: [],
    filters: [],
    help: "Tools first called in the workspace in the window. Requires a repeat_guard with the rule new tool.",
  },
  inventory_first_seen: {
    label: "New tools, MCP servers and skills",
    unit: "count",
    source: "inventory",
    sum: [],
    filters: AGENTS,
    help: "Tools and skills first called in the window, by any agent or by the chosen agents.",
  },
  extensions_changed: {
    label: "Changed skills, plugins and MCP servers",
    unit: "count",
    source: "extensions_changed",
    sum: [],
    filters: AGENTS,
    help: "Skills, plugins, slash commands and MCP servers whose digest changed in the window.",
  },
  extensions_unaccepted: {
    label: "Skills, plugins and MCP servers not accepted",
    unit: "count",
    source: "extensions_unaccepted",
    sum: [],
    filters: AGENTS,
    help: "Versions on agents' machines that no person has accepted, at the time of the check.",
  },
  judges_beyond_limits: {
    label: "Judges beyond a limit",
    unit: "count",
    source: "judges_beyond_limits",
    sum: [],
    filters: [],
    help: "Watched judges whose newest run of known calls passed a limit.",
  },
  known_calls_not_run: {
    label: "Judges whose known calls were not run",
    unit: "count",
    source: "known_calls_not_run",
    sum: [],
    filters: [],
    help: "Watched judges whose newest run of known calls was not run, as when the provider did not answer.",
  },
  agents_silent: {
    label: "Silent agents",
    unit: "count",
    source: "agents",
    sum: [],
    filters: AGENTS,
    help: "Agents with events in the last 30 days, but none in the window.",
  },
  agents_ungoverned: {
    label: "Agents without policy",
    unit: "count",
    source: "ungoverned",
    sum: [],
    filters: [],
    help: "Enrolled agents without a policy in force, at the time of the check.",
  },
  agents_observed_only: {
    label: "Agents in monitor mode",
    unit: "count",
    source: "observed_only",
    sum: [],
    filters: [],
    help: "Enrolled agents with only observed policies, at the time of the check.",
  },
  agents_in_yolo: {
    label: "Agents in yolo mode",
    unit: "count",
    source: "yolo",
    sum: [],
    filters: [],
    help: "Enrolled agents that reported yolo mode in the last 24 hours: they ask no questions.",
  },
  agents_outdated: {
    label: "Agents with an outdated client",
    unit: "count",
    source: "outdated",
    sum: [],
    filters: [],
    help: "Enrolled agents whose client version does not enforce hooks. Unknown versions are not counted.",
  },
  agents_undrilled: {
    label: `Agents not drilled in ${DRILLED_WITHIN_DAYS} days`,
    unit: "count",
    source: "undrilled",
    sum: [],
    filters: [],
    help: `Enrolled agents without a reported drill in the last ${DRILLED_WITHIN_DAYS} days.`,
  },
  deliveries_dead: {
    label: "Failed webhook deliveries",
    unit: "count",
    source: "deliveries",
    sum: [],
    filters: [],
    help: "Waiting for a person now. Ignores the window.",
  },
} as const satisfies Record<string, Measure>;

export type MeasureName = keyof typeof MEASURES;
// Holds: the keys of an object literal of this module.
export const MEASURE_NAMES = Object.keys(MEASURES) as [MeasureName, ...MeasureName[]];
export const measureOf = (name: MeasureName): Measure => MEASURES[name];
export const isMeasureName = (name: string): name is MeasureName => Object.hasOwn(MEASURES, name);
