/** The figures of one rule by the published revision of its policy. */
import { z } from "zod";
import { HOOK_OUTCOMES } from "../../recording/schema.ts";

const runFigures = z.strictObject({
  /** The number of times it was selected and started. */
  fired: z.number(),
  outcomes: z.partialRecord(z.enum(HOOK_OUTCOMES), z.number()),
  /** Milliseconds, each within 9.1 % of the exact percentile; null without measurements. */
  latency: z.strictObject({ p50: z.number().nullable(), p95: z.number().nullable(), p99: z.number().nullable() }),
});
export type RunFigures = z.infer<typeof runFigures>;

const revisionLine = runFigures.extend({
  revision: z.number().int().positive(),
  /** Null for a revision that this workspace has not published, such as one that an agent reports. */
  publishedAt: z.date().nullable(),
  /** `live`: in force for the policy's agents; `canary`: in force for some of them; `past`: in force for none. */
  state: z.enum(["live", "canary", "past"]),
  /** When it came in force; null if it is not in force, or the record does not say. */
  inForceSince: z.date().nullable(),
});
export type RevisionLine = z.infer<typeof revisionLine>;

export const ruleRevisions = z.strictObject({
  /** The newest first, `REVISION_SLOTS` that ran at most, with those in force and the published one before each. */
  lines: z.array(revisionLine),
  /** The runs of older revisions than those of the lines, and of unknown ones; null without runs. */
  earlier: runFigures.nullable(),
  /** Runs of the range that were counted before revisions were, and the time from which on they are counted. */
  uncounted: z.strictObject({ fired: z.number(), countedSince: z.date().nullable() }),
});
export type RuleRevisions = z.infer<typeof ruleRevisions>;
