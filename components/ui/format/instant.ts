/**
 * Instants as text, in the viewer's zone. Relative for reading, exact for knowing.
 */
import { viewerFormat, viewerZone } from "@/components/ui/format/zone";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export type Instant = Date | string | number;

export const toDate = (at: Instant): Date => (at instanceof Date ? at : new Date(at));

/** A unit of time, its letter, and the count from which the next unit is used. */
const UNITS = [
  [SECOND, "s", 60],
  [MINUTE, "m", 60],
  [HOUR, "h", 24],
  [DAY, "d", 7],
] as const;

/**
 * "now", "12 s ago", "3 m ago", "5 h ago", "2 d ago", then the date. The future says "in 5 m", up to "in 7 d", and is
 * rounded: 7 days that have just begun end "in 7 d".
 */
export function relativeTime(at: Instant, nowMs: number): string {
  const then = toDate(at).getTime();
  const distance = Math.abs(nowMs - then);
  if (distance < 5 * SECOND) return "now";
  const isPast = then <= nowMs;
  for (const [unit, letter, end] of UNITS) {
    const count = isPast ? Math.floor(distance / unit) : Math.round(distance / unit);
    if (count >= end && !(letter === "d" && !isPast && count === end)) continue;
    return isPast ? `${count} ${letter} ago` : `in ${count} ${letter}`;
  }
  return DATE.format(then);
}

/** `21 Nov 2026`. */
export const calendarDate = (at: Instant): string => DATE.format(toDate(at));

const DATE = viewerFormat({ day: "numeric", month: "short", year: "numeric" });

/** `21 Nov 2026, 14:03:22.184 (Europe/Berlin)`: every digit and the zone it is in. */
export function exactTime(at: Instant, timeZone?: string): string {
  const { format, zone } = exactFormat(timeZone);
  return `${format.format(toDate(at))} (${zone})`;
}

/** `21 Nov 2026, 14:03 (Europe/Berlin)`: for an instant in the future, to the minute. */
export const minuteTime = (at: Instant): string => `${MINUTE_TIME.format(toDate(at))} (${viewerZone()})`;

const MINUTE_TIME = viewerFormat({
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

const exactFormats = new Map<string | undefined, { format: Intl.DateTimeFormat; zone: string }>();

/**
 * Cached for each zone: creating a formatter takes a hundred times as long as using it, and a page formats hundreds of
 * times.
 */
function exactFormat(timeZone: string | undefined) {
  const known = exactFormats.get(timeZone);
  if (known) return known;
  const format = viewerFormat({
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    fractionalSecondDigits: 3,
    hourCycle: "h23",
    ...(timeZone !== undefined && { timeZone }),
  });
  const made = { format, zone: format.resolvedOptions().timeZone };
  exactFormats.set(timeZone, made);
  return made;
}

/** `14:03:22`, or with the day when it is not today's. */
export function clockTime(at: Instant, nowMs: number): string {
  const date = toDate(at);
  const time = CLOCK.format(date);
  return DATE.format(date) === DATE.format(nowMs) ? time : `${SHORT_DATE.format(date)} ${time}`;
}

const CLOCK = viewerFormat({
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
});
const SHORT_DATE = viewerFormat({ day: "numeric", month: "short" });
