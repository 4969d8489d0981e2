import { z } from "zod";
import { eventKey } from "../../recording/event-key-schema.ts";

export const REASON_MAX = 500;
export const entryKind = z.enum(["correction", "repricing"]);
export type EntryKind = z.infer<typeof entryKind>;

/**
 * Dollars as plain decimals, to the nano-dollar; a value that the ledger cannot hold exactly is refused, not rounded.
 */
const exactUsd = z
  .string()
  .trim()
  .regex(/^\d{1,6}(\.\d{1,9})?$/, "Enter an amount in dollars with at most nine decimals, such as 0.0042.");

export const correctCall = z.strictObject({
  call: eventKey,
  usd: exactUsd,
  reason: z.string().trim().min(1, "Say why.").max(REASON_MAX),
  /** The entry that was on screen, so that a newer correction is not overwritten; null without one. */
  corrects: z.uuid().nullable(),
});
export type CorrectCall = z.infer<typeof correctCall>;

/** One entry of a call's history. */
export const entryView = z.strictObject({
  id: z.uuid(),
  kind: entryKind,
  step: z.number().int(),
  corrects: z.uuid().nullable(),
  /** The cost in nano-dollars after the entry; null without an estimate. */
  nano: z.bigint().nullable(),
  priceVersion: z.number().int().nullable(),
  author: z.string(),
  reason: z.string(),
  at: z.date(),
});
export type EntryView = z.infer<typeof entryView>;

/** The history of a call's cost after it was recorded, the newest entry first. */
export const historyView = z.strictObject({ entries: z.array(entryView), isCut: z.boolean() });
export type HistoryView = z.infer<typeof historyView>;
