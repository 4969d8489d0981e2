import { formatCount, formatTokens, plural } from "@/components/ui/format/count";
import { formatDuration } from "@/components/ui/format/duration";
import { exactMoney, shortMoney } from "@/components/ui/format/nano";
import type { Tone } from "@/components/ui/tone";
import { measureOf, type Unit } from "@/server/alerts/measure-schema";
import type { AlertState, AlertView, Comparison } from "@/server/alerts/schema";

/** The look and the name of each state. An unknown state does not look fine. */
export const STATE_LOOK: Readonly<Record<AlertState, { tone: Tone; label: string }>> = {
  firing: { tone: "deny", label: "Firing" },
  pending: { tone: "ask", label: "Pending" },
  no_data: { tone: "unknown", label: "No data" },
  ok: { tone: "allow", label: "OK" },
};

export const COMPARISON_WORDS: Readonly<Record<Comparison, string>> = {
  above: "is above",
  below: "is below",
  rises_by: "rises by at least",
  falls_by: "falls by at least",
};

export const isChange = (comparison: Comparison): boolean => comparison === "rises_by" || comparison === "falls_by";

/** "5 minutes", "1 day". */
export function spanWords(minutes: number): string {
  if (minutes >= 1_440) return plural(minutes / 1_440, "day");
  return minutes >= 60 ? plural(minutes / 60, "hour") : plural(minutes, "minute");
}

const percent = (thousandths: bigint): string => `${Number(thousandths) / 1_000} %`;

/** An amount of a measure as people read it. */
export function amountWords(unit: Unit, comparison: Comparison, value: bigint): string {
  if (isChange(comparison)) return `${value > 0n ? "+" : ""}${percent(value)}`;
  if (unit === "share") return percent(value);
  if (unit === "money") return exactMoney(value);
  if (unit === "ms") return formatDuration(Number(value));
  return unit === "tokens" ? formatTokens(value) : formatCount(value);
}

/** The short form, for use next to other values: money to the cent. */
export const shortAmount = (unit: Unit, comparison: Comparison, value: bigint): string =>
  unit === "money" && !isChange(comparison) ? shortMoney(value) : amountWords(unit, comparison, value);

type Rule = Pick<
  AlertView,
  | "measure"
  | "comparison"
  | "threshold"
  | "windowMinutes"
  | "forMinutes"
  | "agentName"
  | "groupName"
  | "modelId"
  | "personName"
  | "signOnGroupName"
>;

/** "is above 10 in 5 minutes, for 2 minutes; agent ci-bot". */
export function conditionWords(rule: Rule): string {
  const { unit } = measureOf(rule.measure);
  const amount = amountWords(unit, rule.comparison, rule.threshold).replace("+", "");
  const held = rule.forMinutes === 0 ? "" : `, for ${spanWords(rule.forMinutes)}`;
  const whose = [
    rule.agentName === null ? "" : `agent ${rule.agentName}`,
    rule.groupName === null ? "" : `group ${rule.groupName}`,
    rule.personName === null ? "" : `calls for ${rule.personName}`,
    rule.signOnGroupName === null ? "" : `calls for members of ${rule.signOnGroupName}`,
    rule.modelId === null ? "" : `model ${rule.modelId}`,
  ].filter(Boolean);
  const within = isChange(rule.comparison)
    ? `against the ${spanWords(rule.windowMinutes)} before`
    : `in ${spanWords(rule.windowMinutes)}`;
  return `${COMPARISON_WORDS[rule.comparison]} ${amount} ${within}${held}${whose.length > 0 ? `; ${whose.join(", ")}` : ""}`;
}

/** Digits that one writes for each unit: nano-dollars in dollars, thousandths of a percent in percent. */
const decimalsOf = (unit: Unit, comparison: Comparison): number =>
  isChange(comparison) || unit === "share" ? 3 : unit === "money" ? 9 : 0;

const NUMBER = /^(\d{1,12})(?:[.,](\d{1,9}))?$/;

/** The threshold in a text; null for an invalid text, or one with too many digits. */
export function thresholdIn(text: string, unit: Unit, comparison: Comparison): bigint | null {
  const decimals = decimalsOf(unit, comparison);
  const [, whole, fraction = ""] = NUMBER.exec(text.trim().replace(/^\$|\s*%$/g, "")) ?? [];
  return whole === undefined || fraction.length > decimals ? null : BigInt(whole + fraction.padEnd(decimals, "0"));
}

/** As one would write it again. */
export function thresholdText(value: bigint, unit: Unit, comparison: Comparison): string {
  const decimals = decimalsOf(unit, comparison);
  if (decimals === 0) return value.toString();
  const digits = value.toString().padStart(decimals + 1, "0");
  const fraction = digits.slice(-decimals).replace(/0+$/, "");
  return digits.slice(0, -decimals) + (fraction === "" ? "" : `.${fraction}`);
}

export const unitWord = (unit: Unit, comparison: Comparison): string =>
  isChange(comparison) || unit === "share" ? "%" : unit === "money" ? "dollars" : unit === "tokens" ? "tokens" : "";
