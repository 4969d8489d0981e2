/** Quiet hours by the clock on a person's wall: over midnight, and on days that are an hour longer or shorter. */
import type { QuietHours } from "./schema.ts";

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;

const minutesOf = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return hours * 60 + minutes;
};

function minuteOfDay(at: Date, timeZone: string): number {
  const text = new Intl.DateTimeFormat("en-GB", {
    ...{ timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  }).format(at);
  return minutesOf(text);
}

/** From the first minute (inclusive) to the end (exclusive). */
export function isQuiet(quiet: QuietHours | null, at: Date): boolean {
  if (quiet === null) return false;
  const [from, to] = [minutesOf(quiet.from), minutesOf(quiet.to)];
  const now = minuteOfDay(at, quiet.timeZone);
  return from < to ? now >= from && now < to : now >= from || now < to;
}

/** The first whole minute after quiet hours, for an instant within them. */
export function quietEnd(quiet: QuietHours, at: Date): Date {
  const start = Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS;
  // On two days of a year, wall-clock hours differ in length: the rest is computed again until it is over.
  let end = start;
  while (isQuiet(quiet, new Date(end))) {
    const left = minutesOf(quiet.to) - minuteOfDay(new Date(end), quiet.timeZone);
    end += ((left + DAY_MINUTES) % DAY_MINUTES) * MINUTE_MS;
    // A clock that was put forward may have passed the end by less than an hour.
    while (!isQuiet(quiet, new Date(end - MINUTE_MS)) && end - MINUTE_MS > start) end -= MINUTE_MS;
  }
  return new Date(end);
}
