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
