/** Calendar days of a time zone as instants. A day is as long as the zone makes it: 23 or 25 hours when clocks change. */

const DAY_MS = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const two = "2-digit";
  const made = new Intl.DateTimeFormat("en-US", {
    ...({
      timeZone,
      hourCycle: "h23",
      year: "numeric",
      month: two,
      day: two,
      hour: two,
      minute: two,
      second: two,
    } as const),
  });
  formats.set(timeZone, made);
  return made;
}

/** The time that a clock on the wall shows, as if it were UTC. */
function wallClockMs(atMs: number, timeZone: string): number {
  const parts = formatOf(timeZone).formatToParts(atMs);
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((one) => one.type === type)?.value);
  return Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
}

const offsetMs = (atMs: number, timeZone: string): number =>
  wallClockMs(Math.floor(atMs / 1_000) * 1_000, timeZone) - Math.floor(atMs / 1_000) * 1_000;

/** The first instant of a day whose midnight would be `midnightMs` in UTC. */
function startOfDay(midnightMs: number, timeZone: string): number {
  const before = offsetMs(midnightMs - DAY_MS, timeZone);
  const after = offsetMs(midnightMs + DAY_MS, timeZone);
  const starts = [before, after].map((offset) => midnightMs - offset);
  const found = starts.filter((start) => wallClockMs(start, timeZone) === midnightMs);
  // Where clocks skip midnight, the day begins when they do: at midnight by the clock as it was.
  return found.length > 0 ? Math.min(...found) : midnightMs - before;
}

/** The day of an instant in a zone, or one `daysBack` before it: from its first instant until the next day's. */
export function dayRange(atMs: number, timeZone: string, daysBack = 0): { readonly from: Date; readonly to: Date } {
  const midnightMs = Math.floor(wallClockMs(atMs, timeZone) / DAY_MS) * DAY_MS - daysBack * DAY_MS;
  return {
    from: new Date(startOfDay(midnightMs, timeZone)),
    to: new Date(startOfDay(midnightMs + DAY_MS, timeZone)),
  };
}

/** The IANA name of the zone in which the viewer reads clock times. */
export const viewerZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** "Europe/Berlin, UTC+1" at an instant. */
export function zoneText(atMs: number, timeZone: string): string {
  if (timeZone === "UTC") return timeZone;
  const minutes = Math.round(offsetMs(atMs, timeZone) / 60_000);
  const rest = Math.abs(minutes) % 60;
  const hours = `${minutes < 0 ? "−" : "+"}${Math.floor(Math.abs(minutes) / 60)}`;
  return `${timeZone}, UTC${hours}${rest === 0 ? "" : `:${String(rest).padStart(2, "0")}`}`;
}
