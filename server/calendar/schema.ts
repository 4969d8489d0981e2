import { z } from "zod";

/** Names of zones that changed in the tz database, by the former ones that runtimes still list. */
const NEW_NAMES: Readonly<Record<string, string>> = {
  "Africa/Asmera": "Africa/Asmara",
  "America/Buenos_Aires": "America/Argentina/Buenos_Aires",
  "America/Catamarca": "America/Argentina/Catamarca",
  "America/Coral_Harbour": "America/Atikokan",
  "America/Cordoba": "America/Argentina/Cordoba",
  "America/Godthab": "America/Nuuk",
  "America/Indianapolis": "America/Indiana/Indianapolis",
  "America/Jujuy": "America/Argentina/Jujuy",
  "America/Louisville": "America/Kentucky/Louisville",
  "America/Mendoza": "America/Argentina/Mendoza",
  "Asia/Calcutta": "Asia/Kolkata",
  "Asia/Katmandu": "Asia/Kathmandu",
  "Asia/Rangoon": "Asia/Yangon",
  "Asia/Saigon": "Asia/Ho_Chi_Minh",
  "Atlantic/Faeroe": "Atlantic/Faroe",
  "Europe/Kiev": "Europe/Kyiv",
  "Pacific/Enderbury": "Pacific/Kanton",
  "Pacific/Ponape": "Pacific/Pohnpei",
  "Pacific/Truk": "Pacific/Chuuk",
};

/** IANA names of the zones for a workspace's days, UTC first and the others in alphabetical order. */
export const TIME_ZONES: readonly string[] = [
  "UTC",
  ...[...new Set(Intl.supportedValuesOf("timeZone").map((name) => NEW_NAMES[name] ?? name))]
    .filter((name) => name !== "UTC")
    .sort(),
];
const known = new Set(TIME_ZONES);

export const timeZoneName = z
  .string()
  .max(64)
  .refine((name) => known.has(name), "Choose a time zone of the list, such as Europe/Berlin.");

export const setTimeZone = z.strictObject({ timeZone: timeZoneName });
export type SetTimeZone = z.infer<typeof setTimeZone>;

/** A calendar day by its name, independent of its zone: `2026-11-23`. */
export const dayText = z.string().regex(/^\d{4}-\d\d-\d\d$/);

const zoneView = z.strictObject({
  timeZone: z.string(),
  /** Its first day and that day's first instant; null: from the beginning. */
  fromDay: dayText.nullable(),
  startsAt: z.date().nullable(),
});
export type ZoneView = z.infer<typeof zoneView>;

export const calendarView = z.strictObject({
  /** The zone of the current day. */
  timeZone: z.string(),
  /** Every zone that days were or will be counted in, the earliest first. */
  zones: z.array(zoneView),
  /** The change that has not taken effect yet; null without one. */
  next: zoneView.extend({ fromDay: dayText, startsAt: z.date(), setBy: z.string() }).nullable(),
});
export type CalendarView = z.infer<typeof calendarView>;
