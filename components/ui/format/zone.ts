/** Time zones: the one in which this viewer reads clock times, and the arithmetic of clocks on the wall. */

const KEY = "quarterdeck.timeZone";

function storedZone(): string | null {
  if (typeof window === "undefined") return null;
  try {
    const zone: unknown = JSON.parse(localStorage.getItem(KEY) ?? "null");
    if (typeof zone !== "string") return null;
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return zone;
  } catch {
    // Storage that is denied, or a zone that this browser does not know.
    return null;
  }
}

/** Read once, so that one page speaks of one zone. */
const chosen = storedZone();

export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The IANA name of the zone of clock times: the chosen one, or else the browser's. */
export const viewerZone = (): string => chosen ?? browserZone();

/** Stores the choice in this browser and reloads the page; null is the browser's own zone. */
export function chooseViewerZone(zone: string | null): void {
  if (zone === null) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, JSON.stringify(zone));
  window.location.reload();
}

/** A British English format in the viewer's zone, or in the zone of the options. */
export const viewerFormat = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat("en-GB", { ...(chosen !== null && { timeZone: chosen }), ...options });

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
export function wallClockMs(atMs: number, timeZone: string): number {
  const parts = formatOf(timeZone).formatToParts(atMs);
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((one) => one.type === type)?.value);
  return Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
}

/** A zone's distance from UTC at an instant, positive to the east. */
export const offsetMs = (atMs: number, timeZone: string): number =>
  wallClockMs(Math.floor(atMs / 1_000) * 1_000, timeZone) - Math.floor(atMs / 1_000) * 1_000;

const DAY_MS = 86_400_000;

/**
 * The instant at which a wall clock shows a time: the earlier of two; for a skipped time, the instant of the change.
 */
export function instantOfWallMs(wallMs: number, timeZone: string): number {
  const before = offsetMs(wallMs - DAY_MS, timeZone);
  const after = offsetMs(wallMs + DAY_MS, timeZone);
  const instants = [before, after].map((offset) => wallMs - offset);
  const found = instants.filter((instant) => wallClockMs(instant, timeZone) === Math.floor(wallMs / 1_000) * 1_000);
  return found.length > 0 ? Math.min(...found) : wallMs - before;
}

/** `2026-11-21T14:03`, or with seconds, in the viewer's zone: the value of a datetime-local input. */
export function dateTimeInputText(at: Date, unit: "minute" | "second" = "minute"): string {
  const zone = viewerZone();
  return new Date(at.getTime() + offsetMs(at.getTime(), zone)).toISOString().slice(0, unit === "minute" ? 16 : 19);
}

/** The instant of such a text; an invalid Date for any other text. */
export function dateTimeInputInstant(text: string): Date {
  const wallMs = Date.parse(`${text}Z`);
  return new Date(Number.isNaN(wallMs) ? Number.NaN : instantOfWallMs(wallMs, viewerZone()));
}
