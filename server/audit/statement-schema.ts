/** The shapes of a statement about a period (statement.ts). */
import { z } from "zod";

export const STATEMENT_VERSION = 1;
/** Removals that a statement lists; the others are counted. */
export const REMOVALS_MAX = 200;
const count = z.number().int().nonnegative();
const instant = z.iso.datetime({ precision: 3 });
const sentences = z.array(z.string()).max(250);

/** Days of the workspace's calendar; `to` is the first instant after the period. */
export const statementPeriod = z.strictObject({
  first: z.iso.date(),
  last: z.iso.date(),
  timeZone: z.string(),
  from: instant,
  to: instant,
});
export type StatementPeriod = z.infer<typeof statementPeriod>;

/** An entry about data that was removed or erased. */
const removal = z.strictObject({ seq: count, at: instant, kind: z.string(), by: z.string(), says: z.string() });
export type Removal = z.infer<typeof removal>;

/** The part that the verification of the period leaves behind. */
export const statementFacts = z.strictObject({
  /** `unknown`: nothing was found, but no checkpoint from outside covers the whole period. */
  verdict: z.enum(["complete", "incomplete", "unknown"]),
  isOver: z.boolean(),
  /** The entries dated within the period; null numbers without any. */
  entries: z.strictObject({
    first: count.nullable(),
    last: count.nullable(),
    count,
    batches: count,
    dispatches: count,
  }),
  /** The entries and dispatches that were verified: the period, and what surrounds it up to a checkpoint. */
  verified: z.strictObject({ from: count, to: count, entries: count, dispatches: count }),
  checkpoints: z.strictObject({
    compared: count,
    lastOutside: z.strictObject({ seq: count, at: z.string(), key: z.string() }).nullable(),
  }),
  altered: sentences,
  missing: sentences,
  notes: sentences,
  removals: z.array(removal).max(REMOVALS_MAX),
  removalCount: count,
});
export type StatementFacts = z.infer<typeof statementFacts>;

export const statement = z.strictObject({
  type: z.literal("quarterdeck-statement"),
  version: z.literal(STATEMENT_VERSION),
  /** The version of Quarterdeck that verified. */
  product: z.string(),
  workspace: z.uuid(),
  name: z.string(),
  period: statementPeriod,
  askedBy: z.string(),
  askedAt: instant,
  verifiedAt: instant,
  ...statementFacts.shape,
  keys: z.array(z.strictObject({ id: z.string(), publicKey: z.string() })).max(100),
});
export type Statement = z.infer<typeof statement>;
