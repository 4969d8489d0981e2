import { z } from "zod";
import { ALERT_FILTERS, type AlertFilter, isCounted, MEASURE_NAMES, measureOf } from "./measure-schema.ts";

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
  /** The person or service that calls were made for. */
  personId: z.uuid().nullable().default(null),
  /** The group of the sign-on provider whose present members calls were made for. */
  signOnGroupId: z.uuid().nullable().default(null),
  windowMinutes: z.literal([...WINDOWS_MINUTES]),
  comparison: z.enum(COMPARISONS),
  /** In the measure's unit; for a rise or a fall in thousandths of a percent of the window before. */
  threshold: z
    .bigint()
    .min(0n, "Enter a number that is not negative.")
    .max(10n ** 18n, "Too large."),
  forMinutes: z.number().int().min(0).max(1_440, "At most one day."),
});
export type Condition = z.infer<typeof condition>;

const FILTER_WORDS: Readonly<Record<AlertFilter, string>> = {
  ...{ agent: "agent", group: "group", model: "model", person: "person" },
  signOnGroup: "sign-on group",
};
const RIGHT_NOW = "This measure cannot be compared with the previous window. Choose above or below.";
type Refine = { readonly addIssue: (issue: { code: "custom"; message: string; path: string[] }) => void };
function checked({ measure, comparison, ...filters }: Condition, { addIssue }: Refine): void {
  const { source, filters: taken } = measureOf(measure);
  const { agentId: agent, groupId: group, modelId: model, personId: person, signOnGroupId: signOnGroup } = filters;
  const given = { agent, group, model, person, signOnGroup };
  const wrong = ALERT_FILTERS.find((name) => given[name] !== null && !taken.includes(name));
  if (wrong)
    addIssue({
      code: "custom",
      message: `This measure is not available by ${FILTER_WORDS[wrong]}.`,
      path: [`${wrong}Id`],
    });
  const isRelative = comparison === "rises_by" || comparison === "falls_by";
  if (isRelative && isCounted(source)) addIssue({ code: "custom", message: RIGHT_NOW, path: ["comparison"] });
}

const settings = condition.extend({
  name: z.string().trim().min(1, "Enter a name.").max(80, "A name has at most 80 characters."),
  severity: z.enum(SEVERITIES),
  emails: z.array(z.email("Not an e-mail address.")).max(10, "At most 10 addresses."),
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
  personName: z.string().nullable(),
  signOnGroupName: z.string().nullable(),
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
  /** True if the installation has a mail server: without it no mail is sent. */
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
  /** React Query sends its paging direction; there is only one. */
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
  /** False when the past is not stored: then there is nothing to draw. */
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
