/** Freeze windows: times of the calendar in which nothing in force changes. Days and times are in the workspace's zone. */
import { z } from "zod";

export const FREEZE_WINDOWS_MAX = 20;
/** The longest window that happens once. */
export const FREEZE_DAYS_MAX = 92;

/** `16:00`. */
const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "Enter a time, such as 16:00.");
/** ISO number of a day of the week: 1 is Monday. */
const weekday = z.int().min(1).max(7);
const weeklyPoint = z.strictObject({ day: weekday, time: clockTime });
const LOCAL = /^20\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d$/;
const isDay = (day: string): boolean => {
  const at = new Date(`${day}T00:00:00Z`);
  return Number.isFinite(at.getTime()) && at.toISOString().startsWith(day);
};
/** `2026-12-24T16:00`. */
const localTime = z
  .string()
  .regex(LOCAL, { error: "Enter a date and time.", abort: true })
  .refine((text) => isDay(text.slice(0, 10)), "There is no such day.");

const reason = z.string().trim().min(1, "Enter a reason, shown to people affected by the freeze.").max(300);

export const weeklyWindow = z.strictObject({ kind: z.literal("weekly"), from: weeklyPoint, to: weeklyPoint });
export const singleWindow = z.strictObject({ kind: z.literal("once"), from: localTime, to: localTime });
export const windowTimes = z.discriminatedUnion("kind", [weeklyWindow, singleWindow]);
export type WindowTimes = z.infer<typeof windowTimes>;

const DAY_MS = 86_400_000;
/** NaN for a text that is no time: the field itself has that problem. */
const utc = (local: string): number => (LOCAL.test(local) ? Date.parse(`${local}:00Z`) : Number.NaN);

export const addFreezeWindow = z
  .strictObject({ times: windowTimes, reason })
  .refine(
    ({ times }) =>
      times.kind === "weekly"
        ? times.from.day !== times.to.day || times.from.time !== times.to.time
        : !(utc(times.from) >= utc(times.to)),
    { path: ["times", "to"], error: "The window must end after it begins." },
  )
  .refine(({ times }) => times.kind === "weekly" || !(utc(times.to) - utc(times.from) > FREEZE_DAYS_MAX * DAY_MS), {
    path: ["times", "to"],
    error: `A window lasts at most ${FREEZE_DAYS_MAX} days.`,
  });
export type AddFreezeWindow = z.infer<typeof addFreezeWindow>;

export const freezeWindowById = z.strictObject({ id: z.uuid() });
export type FreezeWindowById = z.infer<typeof freezeWindowById>;

export const liftFreezeWindows = z.strictObject({
  reason: z.string().trim().min(1, "Enter the reason for lifting the freeze.").max(300),
});
export type LiftFreezeWindows = z.infer<typeof liftFreezeWindows>;

/** One occurrence. */
export const freezeSpan = z.strictObject({
  from: z.date(),
  to: z.date(),
  reason: z.string(),
  /** The zone in which it ends. */
  timeZone: z.string(),
});
export type FreezeSpan = z.infer<typeof freezeSpan>;

export const freezeWindowView = z.strictObject({
  id: z.uuid(),
  times: windowTimes,
  reason: z.string(),
  by: z.string(),
  /** The present or next occurrence; null after the last one. */
  next: freezeSpan.nullable(),
  /** True while the present occurrence is lifted. */
  isLifted: z.boolean(),
});
export type FreezeWindowView = z.infer<typeof freezeWindowView>;

export const freezeWindowsView = z.strictObject({
  /** The workspace's zone today. */
  timeZone: z.string(),
  windows: z.array(freezeWindowView),
  /** The next occurrence that has not begun; null without one within 400 days. */
  next: freezeSpan.nullable(),
});
export type FreezeWindowsView = z.infer<typeof freezeWindowsView>;

const NEAR_MS = 6 * DAY_MS;

/** "Monday 08:00 (Europe/Berlin)", with the date if it is six days away or more. */
export function freezeEndText(at: Date, timeZone: string, nowMs: number): string {
  const isFar = at.getTime() - nowMs >= NEAR_MS;
  const date = isFar ? ({ day: "numeric", month: "long", year: "numeric" } as const) : {};
  const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  const format = new Intl.DateTimeFormat("en-GB", { weekday: "long", ...date, ...clock, timeZone });
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const day = isFar ? `${parts.weekday}, ${parts.day} ${parts.month} ${parts.year},` : parts.weekday;
  return `${day} ${parts.hour}:${parts.minute} (${timeZone})`;
}
