import { z } from "zod";

/** A UTC day, such as 2026-11-23. */
export const day = z.iso
  .date("Write a day as 2026-11-23.")
  .refine((text) => text > "0001-01-01" && text < "9999-12-31", "No day of that year is recorded.");
export const month = z.string().regex(/^[1-9]\d{3}-(0[1-9]|1[0-2])$/, "Write a month as 2026-11.");

/** A row of a derived table that differs from the log's result. */
export const difference = z.strictObject({
  table: z.string(),
  /** Column by column: `bucket=2026-11-03T10:00:00.000000Z agent_id=...`. */
  key: z.string(),
  kind: z.enum(["differs", "missing", "extra", "unreadable"]),
  /** Null when the whole row is meant. */
  column: z.string().nullable(),
  stored: z.string().nullable(),
  computed: z.string().nullable(),
});
export type Difference = z.infer<typeof difference>;

const tableCheck = z.strictObject({
  table: z.string(),
  /** Rows in the log's result or in the table. */
  compared: z.number().int(),
  differing: z.number().int(),
  missing: z.number().int(),
  extra: z.number().int(),
});
export type TableCheck = z.infer<typeof tableCheck>;

/**
 * `gone`: retention has removed the day's log, and nothing was compared. `sealed`: the log is gone, and the rows still
 * match their seal. `older`: rows follow an older rule, so they cannot be compared.
 */
export const CHECK_STATES = ["equal", "different", "gone", "older", "sealed"] as const;

/** The seal that a day without its log was compared with. */
const sealView = z.strictObject({
  /** The number of its entry in the chain. */
  entry: z.number().int(),
  at: z.string(),
  /** The state of the day's check against its log when it was sealed; unchecked: part of the log was already gone. */
  state: z.enum(["equal", "different", "older", "unchecked"]),
  /** Rows that were not the log's by then. */
  differing: z.number().int(),
});

export const dayCheck = z.strictObject({
  day,
  state: z.enum(CHECK_STATES),
  /** Null: the rows were compared with the log, or not at all. */
  seal: sealView.nullable(),
  dispatches: z.number().int(),
  /** Rows without readable facts, which cannot be rebuilt, and the buckets omitted because of them. */
  older: z.strictObject({ rows: z.number().int(), minutes: z.number().int(), hours: z.number().int() }),
  /** Omitted sessions of the day, by reason. */
  sessionsLeftOut: z.strictObject({
    /** They go on after the day, and are compared on the day of their last event. */
    continuing: z.number().int(),
    /** Part of their log is gone or cannot be rebuilt, or it is too long to be read at once. */
    incomplete: z.number().int(),
  }),
  notCompared: z.array(z.strictObject({ table: z.string(), reason: z.string() })),
  tables: z.array(tableCheck),
  /** The first of each table. */
  differences: z.array(difference),
  /** Rows, whether they are among `differences` or not. */
  differing: z.number().int(),
});
export type DayCheck = z.infer<typeof dayCheck>;

/** Milliseconds since the oldest record was written that is in no figure; 0 when all are. */
export const lagView = z.strictObject({ ms: z.number().nonnegative() });

export const listDays = z.strictObject({ month: month.optional() });
/** Days with anything to compare, the earliest first. */
export const comparableDaysView = z.strictObject({ days: z.array(day) });
export const checkDayInput = z.strictObject({ day });
