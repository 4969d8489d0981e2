/** The labels of a value axis: steps of 1, 2 or 5 times a power of ten, each with the decimals of the step. */
import type { Bucket } from "@/components/charts/prepare/time-model";
import { formatValue, type Unit } from "@/components/charts/prepare/units";

export interface ValueTicks {
  readonly ticks: readonly number[];
  /** The ends of the axis: the first and the last tick. */
  readonly domain: readonly [number, number];
  readonly format: (value: number) => string;
}

const NANO = 1_000_000_000;
const SUFFIXES = [
  [1e9, " G"],
  [1e6, " M"],
  [1e3, " k"],
  [1, ""],
] as const;

/** The smallest step of 1, 2 or 5 times a power of ten that is at least `atLeast`. */
export function roundStep(atLeast: number): number {
  const exponent = Math.floor(Math.log10(atLeast) + 1e-9);
  // A power below one is a quotient: 1 / 1000 is the nearest number to a thousandth, 10 ** -3 need not be.
  const scaled = (factor: number) => (exponent < 0 ? factor / 10 ** -exponent : factor * 10 ** exponent);
  return scaled([1, 2, 5].find((factor) => scaled(factor) >= atLeast * (1 - 1e-9)) ?? 10);
}

/** Ticks that hold 0 and all values from `low` to `high`, in about `count` steps. */
export function valueTicks(low: number, high: number, unit: Unit, count = 4): ValueTicks {
  const scale = unit === "money" ? NANO : 1;
  const [bottom, top] = [Math.min(0, low) / scale, Math.max(0, high) / scale];
  const span = top - bottom || (unit === "money" ? 0.01 : 1);
  const isWhole = unit === "count" || unit === "tokens" || unit === "bytes";
  const step = Math.max(roundStep(span / count), isWhole ? 1 : 0);
  const first = Math.floor(bottom / step + 1e-9);
  const last = Math.max(Math.ceil(top / step - 1e-9), first + 1);
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step * scale);
  const domain = [first * step * scale, last * step * scale] as const;
  return { ticks, domain, format: formatOf(unit, step, Math.max(last, -first) * step) };
}

function formatOf(unit: Unit, step: number, largest: number): ValueTicks["format"] {
  if (unit === "ms" || unit === "bytes") return (value) => formatValue(value, unit);
  const [size, suffix] = SUFFIXES.find(([each]) => largest >= each) ?? [1, ""];
  const own = decimalsOf(step / size);
  // Dollars have cents as soon as they have decimals.
  const decimals = unit === "money" && size === 1 && own === 1 ? 2 : own;
  const sign = unit === "money" ? "$" : "";
  const tail = unit === "percent" ? " %" : suffix;
  const scale = unit === "money" ? NANO : 1;
  return (value) => {
    const shown = value / scale / (unit === "percent" ? 1 : size);
    return `${shown < 0 ? "−" : ""}${sign}${Math.abs(shown).toFixed(decimals)}${tail}`;
  };
}

/** Decimals that write a step of 1, 2 or 5 times a power of ten. */
const decimalsOf = (step: number): number => Math.max(0, -Math.floor(Math.log10(step) + 1e-9));

/** The lowest and the highest drawn value of the series at `indexes`; stacked series add up. */
export function rangeOf(buckets: readonly Bucket[], indexes: readonly number[], isStacked: boolean): [number, number] {
  let [low, high] = [0, 0];
  for (const { values } of buckets) {
    const known = indexes.map((index) => values[index] ?? 0);
    const above = known.filter((value) => value > 0);
    const below = known.filter((value) => value < 0);
    const sum = (all: readonly number[]) => all.reduce((total, one) => total + one, 0);
    high = Math.max(high, isStacked ? sum(above) : Math.max(0, ...above));
    low = Math.min(low, isStacked ? sum(below) : Math.min(0, ...below));
  }
  return [low, high];
}
