import { formatDollars } from "../recording/service.ts";
import type { Reading } from "./condition.ts";
import { measureOf, type Unit } from "./measure-schema.ts";
import type { Condition } from "./schema.ts";

const percent = (thousandths: bigint): string => `${Number(thousandths) / 1_000} %`;

function amount(unit: Unit, value: bigint): string {
  if (unit === "share") return percent(value);
  if (unit === "money") return `${value < 0n ? "-" : ""}${formatDollars(value < 0n ? -value : value)}`;
  if (unit === "ms") return `${value} ms`;
  return unit === "tokens" ? `${value} tokens` : String(value);
}

function windowOf(minutes: number): string {
  const [count, unit] =
    minutes >= 1_440 ? [minutes / 1_440, "day"] : minutes >= 60 ? [minutes / 60, "hour"] : [minutes, "minute"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** "Calls denied by hooks: 14 in 5 minutes; the limit is 10." */
export function sentenceOf(rule: Condition, { value, coverage }: Reading): string {
  const { label, unit } = measureOf(rule.measure);
  const within = windowOf(rule.windowMinutes);
  if (value === null) return `${label}: not known for the last ${within}.`;
  const part = coverage === null || coverage === 1 ? "" : ` (${Math.floor(coverage * 100)} % of calls priced)`;
  const { comparison, threshold } = rule;
  if (comparison === "above" || comparison === "below")
    return `${label}: ${amount(unit, value)}${part} in ${within}; the alert is for ${comparison} ${amount(unit, threshold)}.`;
  const way = value < 0n ? "fell" : "rose";
  const size = percent(value < 0n ? -value : value);
  const wanted = comparison === "rises_by" ? "a rise" : "a fall";
  return `${label}: ${way} by ${size}${part} against the ${within} before; the alert is for ${wanted} of ${percent(threshold)}.`;
}
