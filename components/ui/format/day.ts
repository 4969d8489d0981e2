/** Calendar days by their names, which no zone changes: "2026-11-09" is 9 Nov 2026 everywhere. */

const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });

/** "9 Nov 2026" of "2026-11-09". */
export const formatDay = (day: string): string => DAY.format(new Date(`${day}T00:00:00Z`));

/** The day before one. */
export function dayBefore(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
}
