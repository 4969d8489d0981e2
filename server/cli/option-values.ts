/** Values of options, from their text. */
import { InvalidArgumentError } from "commander";

/** Collects an option that may be repeated. */
export const every = (value: string, before: string[]) => [...before, value];

export function entryNumber(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Give an entry's number.");
}

export function speed(text: string): number {
  if (text === "max") return Number.POSITIVE_INFINITY;
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new InvalidArgumentError("Give a number above 0, or max.");
}

export function backtestDays(text: string): number {
  const days = Number(text);
  if (/^\d{1,2}$/.test(text) && days >= 1 && days <= 90) return days;
  throw new InvalidArgumentError("Give a number of days from 1 to 90.");
}

/** The calls of a backtest's sample. */
export function sampledCalls(text: string): number {
  const calls = Number(text);
  if (/^\d{1,4}$/.test(text) && calls >= 1 && calls <= 2_000) return calls;
  throw new InvalidArgumentError("Give a number of calls from 1 to 2000.");
}

/** Dollars as nano-dollars. */
export function dollarBudget(text: string): bigint {
  const [, whole = "", part = ""] = /^(\d{1,4})(?:\.(\d{1,9}))?$/.exec(text) ?? [];
  const nano = whole === "" ? 0n : BigInt(`${whole}${part.padEnd(9, "0")}`);
  if (nano > 0n && nano <= 1_000_000_000_000n) return nano;
  throw new InvalidArgumentError("Give dollars, such as 0.50, at most 1000.");
}
