/** The view of a policy's gates that allow when they fail, and of how often they did. */
import { z } from "zod";

/** Days that are counted, today included. */
export const TOLERATED_DAYS = 30;
export const ALLOWING_GATES_MAX = 200;

export const toleratedFailuresInput = z.strictObject({ policyId: z.uuid() });

export const toleratedFailuresView = z.strictObject({
  days: z.number(),
  /** The instant from which on failures are on record, where that is not all of these days. */
  countedSince: z.date().nullable(),
  gates: z
    .array(
      z.strictObject({
        /** As the linter names it: `"no mkfs" on pre_tool_use`. */
        gate: z.string(),
        /** Failures that let the call pass. */
        count: z.number(),
      }),
    )
    .max(ALLOWING_GATES_MAX),
});
export type ToleratedFailuresView = z.infer<typeof toleratedFailuresView>;
