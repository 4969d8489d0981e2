/** Everything that an alert can watch. */
import { DRILLED_WITHIN_DAYS } from "../agents/schema.ts";

/** Amounts are whole numbers of these: things, thousandths of a percent, nano-dollars, tokens, milliseconds. */
export type Unit = "count" | "share" | "money" | "tokens" | "ms";
export const ALERT_FILTERS = ["agent", "group", "model"] as const;
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
  readonly filters: readonly AlertFilter[];
  readonly help: string;
}

const AGENTS = ["agent", "group"] as const;
const PRICED = ["calls_priced", "calls_free"];
const CALLS = [...PRICED, "calls_unpriced"];

/** Everything an alert can be about. The editor, the evaluation and the preview read this table. */
export const MEASURES = {
  gate_denied: {
    label: "Calls denied by hooks",
    unit: "count",
    source: "rollup",
    sum: ["gate_denied"],
    filters: AGENTS,
    help: "Verdicts of deny given here.",
  },
  gate_denied_share: {
    label: "Share of gates that denied",
    unit: "share",
    source: "rollup",
    sum: ["gate_denied"],
    of: ["gates"],
    filters: AGENTS,
    help: "Denials of every hundred dispatches that decide over a tool call.",
  },
  denied: {
    label: "Calls denied in the end",
    unit: "count",
    source: "rollup",
    sum: ["denied"],
    filters: AGENTS,
    help: "By whatever: a hook, a rule, a person.",
  },
  denied_share: {
    label: "Share of calls denied in the end",
    unit: "share",
    source: "rollup",
    sum: ["denied"],
    of: ["allowed", "denied", "canceled"],
    filters: AGENTS,
    help: "Of every hundred calls whose approval was reported.",
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
    help: "Timed out, crashed or answered nonsense.",
  },
  errors: {
    label: "Errors in runs",
    unit: "count",
    source: "rollup",
    sum: ["errors"],
    filters: AGENTS,
    help: "on_error events: all models failed, or an agent repeated one call without end.",
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
    help: "notification events of either level. An error or a reached iteration limit sends one of these too.",
  },
  gates_without_opinion: {
    label: "Calls that no rule decided",
    unit: "count",
    source: "rollup",
    sum: ["gates_without_opinion"],
    filters: AGENTS,
    help: "Tool calls for which no rule ran, or rules had nothing to say.",
  },
  gates_without_opinion_share: {
    label: "Share of calls that no rule decided",
    unit: "share",
    source: "rollup",
    sum: ["gates_without_opinion"],
    of: ["gates"],
    filters: AGENTS,
    help: "Of every hundred tool calls.",
  },
  dispatches: {
    label: "Dispatches",
    unit: "count",
    source: "rollup",
    sum: ["dispatches"],
    isKnownWithoutEvents: true,
    filters: AGENTS,
    help: "Events of any kind; below 1 means silence.",
  },
  cost: {
    label: "Cost of model calls",
    unit: "money",
    source: "rollup",
    sum: ["cost_nano"],
    known: { part: PRICED, of: CALLS },
    filters: ALERT_FILTERS,
    help: "What agents reported. Unpriced calls are not in it, and when all are unpriced it is unknown.",
  },
  calls: {
    label: "Model calls",
    unit: "count",
    source: "rollup",
    sum: CALLS,
    filters: ALERT_FILTERS,
    help: "Reported by agents, with or without a price.",
  },
  unpriced_share: {
    label: "Share of calls without a price",
    unit: "share",
    source: "rollup",
    sum: ["calls_unpriced"],
    of: CALLS,
    filters: ALERT_FILTERS,
    help: "Of every hundred model calls.",
  },
  tokens: {
    label: "Tokens",
    unit: "tokens",
    source: "rollup",
    sum: ["input_tokens", "output_tokens", "cached_input_tokens", "cached_write_tokens"],
    filters: ALERT_FILTERS,
    help: "Input, output, cached and cache-write together.",
  },
  compactions: {
    label: "Compactions",
    unit: "count",
    source: "rollup",
    sum: ["compactions"],
    filters: AGENTS,
    help: "Finished ones.",
  },
  judge_cost: {
    label: "Cost of judges",
    unit: "money",
    source: "judge",
    sum: ["cost_nano"],
    known: { part: ["priced", "free"], of: ["priced", "free", "unpriced"] },
    filters: [],
    help: "What hooks that ask models spent.",
  },
  judge_unanswered: {
    label: "Judges' questions without an answer",
    unit: "count",
    source: "judge",
    sum: ["failed"],
    filters: [],
    help: "Timed out, refused, or not to be understood.",
  },
  denied_but_ran: {
    label: "Denied calls that ran all the same",
    unit: "count",
    source: "denied_but_ran",
    sum: [],
    filters: [],
    help: "Denied within the window, and the agent reported that the tool ran. Counted up to 1,000.",
  },
  budget_thresholds: {
    label: "Budget thresholds crossed",
    unit: "count",
    source: "budget_thresholds",
    sum: [],
    filters: [],
    help: "Within the window, of any budget and period.",
  },
  budgets_used_up: {
    label: "Budgets used up",
    unit: "count",
    source: "budgets_used_up",
    sum: [],
    filters: [],
    help: "Budgets whose spend reached the whole amount within the window, at one of their thresholds.",
  },
  load_shed: {
    label: "Requests turned away under load",
    unit: "count",
    source: "shed",
    sum: [],
    filters: [],
    help: "Reports, reads and gates that were answered with 503 because there was too much to do.",
  },
  hook_latency: {
    label: "Latency of hooks, p95",
    unit: "ms",
    source: "hook_latency",
    sum: [],
    filters: [],
    help: "What 95 of 100 hook runs stayed within, to 9 %. Counted by the hour: every hour that the window touches, whole.",
  },
  judge_latency: {
    label: "Latency of judges, p95",
    unit: "ms",
    source: "judge_latency",
    sum: [],
    filters: [],
    help: "What 95 of 100 questions to models stayed within, of the newest 10,000 in the window.",
  },
  events_unseen_share: {
    label: "Share of events that were not seen",
    unit: "share",
    source: "unseen",
    sum: [],
    filters: ["agent"],
    help: "Of every hundred events that sessions of the window imply, those that never came.",
  },
  policies_unreached: {
    label: "Policies in force that no call reached",
    unit: "count",
    source: "unreached",
    sum: [],
    filters: [],
    help: "Policies that bind agents, in force for the whole window, with no rule that any call selected in it.",
  },
  checkpoints_overdue: {
    label: "Entries of the record without a checkpoint in time",
    unit: "count",
    source: "checkpoints",
    sum: [],
    filters: [],
    help: "Nothing until the oldest of them waited for three rounds, whatever the window.",
  },
  records_waiting: {
    label: "Records that wait to be written",
    unit: "count",
    source: "waiting",
    sum: [],
    filters: [],
    help: "At the moment of the look, in all processes of the server that looks.",
  },
  figures_behind: {
    label: "Figures behind what was recorded",
    unit: "ms",
    source: "lag",
    sum: [],
    filters: [],
    help: "Since the oldest record that is in no figure yet was written, at the moment of the look.",
  },
  runaway_halts: {
    label: "Halts by runaway rules",
    unit: "count",
    source: "runaway_halts",
    sum: [],
    filters: [],
    help: "Sessions and agents that a repeat_guard halted within the window.",
  },
  tools_first_seen: {
    label: "Tools never seen before",
    unit: "count",
    source: "new_tools",
    sum: [],
    filters: [],
    help: "Tools whose first call in the workspace was within the window. Noticed where a repeat_guard has the rule new tool.",
  },
  inventory_first_seen: {
    label: "New tools, MCP servers and skills",
    unit: "count",
    source: "inventory",
    sum: [],
    filters: AGENTS,
    help: "Tools and skills whose first call was recorded within the window: the first of any agent, or of the agents chosen here.",
  },
  agents_silent: {
    label: "Agents that fell silent",
    unit: "count",
    source: "agents",
    sum: [],
    filters: AGENTS,
    help: "Heard within the last 30 days, and not once within the window.",
  },
  agents_ungoverned: {
    label: "Agents without policy",
    unit: "count",
    source: "ungoverned",
    sum: [],
    filters: [],
    help: "Enrolled agents that no policy in force reaches, at the moment of the look.",
  },
  agents_observed_only: {
    label: "Agents that are only observed",
    unit: "count",
    source: "observed_only",
    sum: [],
    filters: [],
    help: "Enrolled agents all of whose policies are in shadow mode, at the moment of the look.",
  },
  agents_in_yolo: {
    label: "Agents in yolo mode",
    unit: "count",
    source: "yolo",
    sum: [],
    filters: [],
    help: "Enrolled agents of which an event within the last 24 hours said that nobody is asked about their calls.",
  },
  agents_outdated: {
    label: "Agents with an outdated client",
    unit: "count",
    source: "outdated",
    sum: [],
    filters: [],
    help: "Enrolled agents whose client is older than the version from which it can be held. Unknown versions do not count.",
  },
  agents_undrilled: {
    label: `Agents not drilled in ${DRILLED_WITHIN_DAYS} days`,
    unit: "count",
    source: "undrilled",
    sum: [],
    filters: [],
    help: `Enrolled agents without a reported drill within the last ${DRILLED_WITHIN_DAYS} days.`,
  },
  deliveries_dead: {
    label: "Webhook deliveries given up",
    unit: "count",
    source: "deliveries",
    sum: [],
    filters: [],
    help: "Waiting for a person now, whatever the window.",
  },
} as const satisfies Record<string, Measure>;

export type MeasureName = keyof typeof MEASURES;
// Holds: the keys of an object literal of this module.
export const MEASURE_NAMES = Object.keys(MEASURES) as [MeasureName, ...MeasureName[]];
export const measureOf = (name: MeasureName): Measure => MEASURES[name];
export const isMeasureName = (name: string): name is MeasureName => Object.hasOwn(MEASURES, name);
