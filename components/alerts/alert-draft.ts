/** An alert as text in the editor's fields, and its conversion to and from the server's input. */
import { isChange, thresholdIn, thresholdText } from "@/components/alerts/labels";
import type { Wrongs } from "@/components/ui/form-texts";
import { type MeasureName, measureOf } from "@/server/alerts/measure-schema";
import { type AlertView, type Condition, previewAlert, type SaveAlert, saveAlert } from "@/server/alerts/schema";

export interface AlertDraft {
  readonly name: string;
  readonly measure: MeasureName;
  readonly agentId: string | null;
  readonly groupId: string | null;
  readonly modelId: string;
  readonly personId: string | null;
  readonly signOnGroupId: string | null;
  readonly windowMinutes: Condition["windowMinutes"];
  readonly comparison: Condition["comparison"];
  readonly threshold: string;
  readonly forMinutes: string;
  readonly severity: SaveAlert["severity"];
  readonly emails: string;
  readonly isEnabled: boolean;
}

const NEW: AlertDraft = {
  name: "",
  measure: "gate_denied",
  agentId: null,
  groupId: null,
  modelId: "",
  personId: null,
  signOnGroupId: null,
  windowMinutes: 15,
  comparison: "above",
  threshold: "10",
  forMinutes: "0",
  severity: "warning",
  emails: "",
  isEnabled: true,
};

export function draftOf(rule: AlertView | null): AlertDraft {
  if (!rule) return NEW;
  const { unit } = measureOf(rule.measure);
  return {
    ...rule,
    modelId: rule.modelId ?? "",
    threshold: thresholdText(rule.threshold, unit, rule.comparison),
    forMinutes: String(rule.forMinutes),
    emails: rule.emails.join(", "),
  };
}

type Read<T> = { readonly input: T } | { readonly wrongs: Wrongs };

function conditionIn(draft: AlertDraft) {
  const { filters, unit } = measureOf(draft.measure);
  const modelId = draft.modelId.trim();
  return {
    measure: draft.measure,
    // A filter that the measure does not know is left behind, unseen.
    agentId: filters.includes("agent") ? draft.agentId : null,
    groupId: filters.includes("group") ? draft.groupId : null,
    modelId: filters.includes("model") && modelId !== "" ? modelId : null,
    personId: filters.includes("person") ? draft.personId : null,
    signOnGroupId: filters.includes("signOnGroup") ? draft.signOnGroupId : null,
    windowMinutes: draft.windowMinutes,
    comparison: draft.comparison,
    threshold: thresholdIn(draft.threshold, unit, draft.comparison) ?? -1n,
    forMinutes: Number(draft.forMinutes === "" ? Number.NaN : draft.forMinutes),
  };
}

/** The input of the preview. */
export function conditionOf(draft: AlertDraft): Read<Condition> {
  return told(previewAlert.safeParse(conditionIn(draft)), draft);
}

/** The input of saving. */
export function savingOf(draft: AlertDraft, id: string | undefined): Read<SaveAlert> {
  const { name, severity, isEnabled } = draft;
  const emails = draft.emails.split(/[\s,;]+/).filter(Boolean);
  const whole = { ...conditionIn(draft), name, severity, emails, isEnabled, ...(id === undefined ? {} : { id }) };
  return told(saveAlert.safeParse(whole), draft);
}

interface Parsed<T> {
  readonly success: boolean;
  readonly data?: T | undefined;
  readonly error?:
    | { readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[] }
    | undefined;
}

function told<T>(parsed: Parsed<T>, draft: AlertDraft): Read<T> {
  if (parsed.data !== undefined) return { input: parsed.data };
  const wrongs = Object.fromEntries((parsed.error?.issues ?? []).map((one) => [String(one.path[0]), one.message]));
  if ("forMinutes" in wrongs) wrongs.forMinutes = "Enter a whole number of minutes, from 0 to 1440.";
  if ("threshold" in wrongs) wrongs.threshold = numberWanted(draft);
  return { wrongs };
}

function numberWanted({ measure, comparison }: AlertDraft): string {
  const { unit } = measureOf(measure);
  if (isChange(comparison) || unit === "share") return "Enter a percentage, such as 12.5.";
  return unit === "money" ? "Enter an amount in dollars, such as 4.20." : "Enter a whole number.";
}
