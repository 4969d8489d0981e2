import { formatDollars, shortDollars } from "../recording/index.ts";
import type { Reading } from "./condition.ts";
import { measureOf, type Unit } from "./measure-schema.ts";
import type { Condition } from "./schema.ts";

const GROUPED = new Intl.NumberFormat("en-US");

const percent = (thousandths: bigint): string => `${Number(thousandths) / 1_000} %`;
const shortPercent = (thousandths: bigint): string => `${Number((Number(thousandths) / 1_000).toFixed(1))} %`;
const signed = (value: bigint, text: (size: bigint) => string): string =>
  value < 0n ? `-${text(-value)}` : text(value);

/** With all its digits, as a threshold is written. */
function exactAmount(unit: Unit, value: bigint): string {
  if (unit === "share") return percent(value);
  if (unit === "money") return signed(value, formatDollars);
  if (unit === "ms") return `${GROUPED.format(value)} ms`;
  return unit === "tokens" ? `${GROUPED.format(value)} tokens` : GROUPED.format(value);
}

/** Rounded to what one reads, unless it would then look like the threshold that it is not. */
function measuredAmount(unit: Unit, value: bigint, threshold: bigint): string {
  if (unit !== "share" && unit !== "money") return exactAmount(unit, value);
  const short = (amount: bigint) => (unit === "share" ? shortPercent(amount) : signed(amount, shortDollars));
  return value !== threshold && short(value) === short(threshold) ? exactAmount(unit, value) : short(value);
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
  if (value === null) return `${label}: no data for the last ${within}.`;
  const part = coverage === null || coverage === 1 ? "" : ` (${Math.floor(coverage * 100)} % of calls priced)`;
  const { comparison, threshold } = rule;
  if (comparison === "above" || comparison === "below")
    return `${label}: ${measuredAmount(unit, value, threshold)}${part} in ${within}; threshold: ${comparison} ${exactAmount(unit, threshold)}.`;
  const way = value < 0n ? "fell" : "rose";
  const size = measuredAmount("share", value < 0n ? -value : value, threshold);
  const wanted = comparison === "rises_by" ? "a rise" : "a fall";
  return `${label}: ${way} by ${size}${part} against the ${within} before; threshold: ${wanted} of ${percent(threshold)}.`;
}
