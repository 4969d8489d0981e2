import { z } from "zod";

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
] as const;
export type CountSource = (typeof COUNT_SOURCES)[number];
export const isCounted = (source: Measure["source"]): source is CountSource =>
  source !== "rollup" && source !== "judge";

interface Measure {
  readonly label: string;
  readonly unit: Unit;
  /** Where it is read: sums of dispatches, sums of judges' calls, or a count of its own (counts.ts). */
  readonly source: "rollup" | "judge" | CountSource;
  /** The columns that are added up. */
  readonly sum: readonly string[];
  /** Makes it a share of these. Without any of them it is unknown. */
  readonly of?: readonly string[];
  /** The part of the calls it is known for; unknown when that is none of some. */
  readonly known?: { readonly part: readonly string[]; readonly of: readonly string[] };
  /** True where no event at all is an answer: nothing came. Else it is unknown. */
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
  gates_without_opinion: {
    label: "No matching rule",
    unit: "count",
    source: "rollup",
    sum: ["gates_without_opinion"],
    filters: AGENTS,
    help: "Dispatches that could decide, where no hook did.",
  },
  gates_without_opinion_share: {
    label: "Share of gates without an opinion",
    unit: "share",
    source: "rollup",
    sum: ["gates_without_opinion"],
    of: ["gates"],
    filters: AGENTS,
    help: "Of every hundred dispatches that could decide.",
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
  agents_silent: {
    label: "Agents that fell silent",
    unit: "count",
    source: "agents",
    sum: [],
    filters: AGENTS,
    help: "Heard within the last 30 days, and not once within the window.",
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

export const WINDOWS_MINUTES = [5, 15, 30, 60, 360, 1_440, 10_080, 43_200] as const;
export const COMPARISONS = ["above", "below", "rises_by", "falls_by"] as const;
export type Comparison = (typeof COMPARISONS)[number];
export const SEVERITIES = ["info", "warning", "critical"] as const;
export const ALERT_STATES = ["firing", "pending", "no_data", "ok"] as const;
export type AlertState = (typeof ALERT_STATES)[number];
export const RULES_MAX = 200;

const state = z.enum(ALERT_STATES);

const condition = z.strictObject({
  measure: z.enum(MEASURE_NAMES),
  agentId: z.uuid().nullable(),
  groupId: z.uuid().nullable(),
  modelId: z.union([z.null(), z.string().trim().min(1).max(200)]),
  windowMinutes: z.literal([...WINDOWS_MINUTES]),
  comparison: z.enum(COMPARISONS),
  /** In the measure's unit; for a rise or a fall in thousandths of a percent of the window before. */
  threshold: z
    .bigint()
    .min(0n, "Write a number that is not negative.")
    .max(10n ** 18n, "This is too large."),
  forMinutes: z.number().int().min(0).max(1_440, "At most a day."),
});
export type Condition = z.infer<typeof condition>;

const RIGHT_NOW = "This is compared with a number, not with the window before: choose above or below.";
type Refine = { readonly addIssue: (issue: { code: "custom"; message: string; path: string[] }) => void };
function checked({ measure, comparison, ...filters }: Condition, { addIssue }: Refine): void {
  const { source, filters: taken } = measureOf(measure);
  const given = { agent: filters.agentId, group: filters.groupId, model: filters.modelId };
  const wrong = ALERT_FILTERS.find((name) => given[name] !== null && !taken.includes(name));
  if (wrong) addIssue({ code: "custom", message: `This measure is not kept by ${wrong}.`, path: [`${wrong}Id`] });
  const isRelative = comparison === "rises_by" || comparison === "falls_by";
  if (isRelative && isCounted(source)) addIssue({ code: "custom", message: RIGHT_NOW, path: ["comparison"] });
}

const settings = condition.extend({
  name: z.string().trim().min(1, "Name the alert.").max(80, "A name has at most 80 characters."),
  severity: z.enum(SEVERITIES),
  emails: z.array(z.email("This is no e-mail address.")).max(10, "At most 10 addresses."),
  isEnabled: z.boolean(),
});

export const previewAlert = condition.superRefine(checked);
export const saveAlert = settings.extend({ /** Absent for a new one. */ id: z.uuid().optional() }).superRefine(checked);
export type SaveAlert = z.infer<typeof saveAlert>;
export const alertById = z.strictObject({ id: z.uuid() });
/** Null wakes it. */
export const snoozeAlert = alertById.extend({ hours: z.number().int().min(1).max(720).nullable() });
export type SnoozeAlert = z.infer<typeof snoozeAlert>;

export const alertView = settings.extend({
  id: z.uuid(),
  agentName: z.string().nullable(),
  groupName: z.string().nullable(),
  state,
  stateSince: z.date(),
  snoozedUntil: z.date().nullable(),
  /** The value that is compared: null when it is not known. */
  value: z.bigint().nullable(),
  /** The part of the calls that the value is known for. */
  coverage: z.number().nullable(),
  evaluatedAt: z.date().nullable(),
  fault: z.string().nullable(),
  updatedBy: z.string(),
});
export type AlertView = z.infer<typeof alertView>;

export const alertList = z.strictObject({
  rows: z.array(alertView),
  /** Of the installation: without it no letters are sent. */
  hasMail: z.boolean(),
});
export type AlertList = z.infer<typeof alertList>;

export const alertSummary = z.strictObject({
  firing: z.array(z.strictObject({ id: z.uuid(), name: z.string(), severity: z.enum(SEVERITIES), since: z.date() })),
  pending: z.number(),
  noData: z.number(),
  rules: z.number(),
});
export type AlertSummary = z.infer<typeof alertSummary>;

const place = z.strictObject({ at: z.date(), id: z.uuid() });
export const alertHistoryInput = z.strictObject({
  ruleId: z.uuid().optional(),
  cursor: place.nullish(),
  /** React Query names the way it pages; there is only one here. */
  direction: z.literal("forward").optional(),
  limit: z.number().int().min(1).max(100).default(30),
});
export type AlertHistoryInput = z.infer<typeof alertHistoryInput>;
export const alertEventView = z.strictObject({
  id: z.uuid(),
  ruleId: z.uuid(),
  name: z.string(),
  at: z.date(),
  state,
  says: z.string(),
  isSnoozed: z.boolean(),
  /** The state of the letter: null when none was to be sent. */
  mail: z.enum(["waiting", "sent", "failed"]).nullable(),
  mailError: z.string().nullable(),
});
export const alertHistory = z.strictObject({ rows: z.array(alertEventView), next: place.nullable() });
export type AlertHistory = z.infer<typeof alertHistory>;

export const alertPreview = z.strictObject({
  /** False where the past is not kept: then there is nothing to draw. */
  isKept: z.boolean(),
  from: z.date(),
  to: z.date(),
  /** Between two points. */
  stepMinutes: z.number(),
  /** The values that would have been compared; null where they were not known. */
  points: z.array(z.strictObject({ at: z.date(), value: z.bigint().nullable() })),
  firings: z.array(z.strictObject({ from: z.date(), to: z.date().nullable() })),
});
export type AlertPreview = z.infer<typeof alertPreview>;
