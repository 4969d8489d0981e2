/** Calendar days of a time zone as instants. A day has 23 or 25 hours when clocks change. */
import { instantOfWallMs, offsetMs, wallClockMs } from "@/components/ui/format/zone";

const DAY_MS = 86_400_000;

/** The day of an instant in a zone, or one `daysBack` before it: from its first instant until the next day's. */
export function dayRange(atMs: number, timeZone: string, daysBack = 0): { readonly from: Date; readonly to: Date } {
  const midnightMs = Math.floor(wallClockMs(atMs, timeZone) / DAY_MS) * DAY_MS - daysBack * DAY_MS;
  return {
    from: new Date(instantOfWallMs(midnightMs, timeZone)),
    to: new Date(instantOfWallMs(midnightMs + DAY_MS, timeZone)),
  };
}

/** "Europe/Berlin, UTC+1" at an instant. */
export function zoneText(atMs: number, timeZone: string): string {
  if (timeZone === "UTC") return timeZone;
  const minutes = Math.round(offsetMs(atMs, timeZone) / 60_000);
  const rest = Math.abs(minutes) % 60;
  const hours = `${minutes < 0 ? "−" : "+"}${Math.floor(Math.abs(minutes) / 60)}`;
  return `${timeZone}, UTC${hours}${rest === 0 ? "" : `:${String(rest).padStart(2, "0")}`}`;
}
