import { z } from "zod";

/** A calendar month of the workspace: `2026-10`. */
export const monthText = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/, "Enter a month such as 2026-10.");
export const monthKey = z.strictObject({ month: monthText });
export type MonthKey = z.infer<typeof monthKey>;

/** Sums in a statement: digits, because they are hashed and outlive every program that adds them up. */
const digits = z.string().regex(/^-?\d+$/);
const sums = z.strictObject({
  priced: digits,
  free: digits,
  unpriced: digits,
  /** Nano-dollars, corrections included. */
  nano: digits,
  correctedNano: digits,
  inputTokens: digits,
  cachedInputTokens: digits,
  cachedWriteTokens: digits,
  outputTokens: digits,
  reasoningTokens: digits,
});
export type Sums = z.infer<typeof sums>;

const line = z.strictObject({ agent: z.string(), model: z.string(), sums });
const judges = z.strictObject({ calls: digits, priced: digits, free: digits, unpriced: digits, nano: digits });
export type JudgeSums = z.infer<typeof judges>;

const body = {
  workspace: z.string(),
  month: monthText,
  /** The sha256 of the statement before it; "" for the first. */
  previous: z.string(),
  lines: z.array(line),
  total: sums,
  judges,
  compactions: z.strictObject({ count: digits, cost: z.literal("unknown: no hook is told what a summary cost") }),
  /** The sums added to earlier months after they were closed, each line with its month. */
  adjustments: z.array(line.extend({ month: monthText })),
  judgeAdjustments: z.array(z.strictObject({ month: monthText, sums: judges })),
};

/** The content of a statement, closed word for word. Version 1 is of a month from midnight UTC to midnight UTC. */
export const statementContent = z.discriminatedUnion("version", [
  z.strictObject({ version: z.literal(1), ...body }),
  z.strictObject({
    version: z.literal(2),
    ...body,
    /** The zone at whose midnight the month begins. */
    timeZone: z.string(),
    /** Its first instant and the next month's. */
    from: z.iso.datetime(),
    to: z.iso.datetime(),
  }),
]);
export type StatementContent = z.infer<typeof statementContent>;

export const statementView = z.strictObject({
  month: monthText,
  state: z.enum(["open", "running", "closed"]),
  /** The reason that it cannot be closed now; null when it can, or was. */
  notYet: z.string().nullable(),
  closedAt: z.date().nullable(),
  closedBy: z.string().nullable(),
  sha256: z.string().nullable(),
  /** True if the stored text still has the hash that was stored with it. Null when open. */
  isIntact: z.boolean().nullable(),
  content: statementContent,
  /** Closed months whose records are no longer held: nothing more can be added to them. */
  dropped: z.array(monthText),
  /** Months that count from or to midnight UTC, since calls around their own midnight are no longer held one by one. */
  inexact: z.array(monthText),
});
export type StatementView = z.infer<typeof statementView>;

export const monthsView = z.strictObject({
  /** The newest first. */
  months: z.array(
    z.strictObject({
      month: monthText,
      state: z.enum(["open", "running", "closed"]),
      closedAt: z.date().nullable(),
      closedBy: z.string().nullable(),
      sha256: z.string().nullable(),
    }),
  ),
});
export type MonthsView = z.infer<typeof monthsView>;
