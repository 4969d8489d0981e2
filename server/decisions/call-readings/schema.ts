/** The call of an approval request as rules read it. */
import { callReading, rulesReading } from "@quarterdeck/hooks/reading/schema";
import { z } from "zod";

/** The hooks of one request whose rules are read. */
export const READ_HOOKS_MAX = 20;

export const requestReading = z.strictObject({
  /** Null if the arguments are truncated. */
  call: callReading.nullable(),
  /** The hooks of type `rules` that asked, while their policies exist. */
  hooks: z
    .array(
      z.strictObject({
        policy: z.string(),
        path: z.string(),
        rules: rulesReading,
        /** The index of the rule that decides; null when none does, or it is not known. */
        decisive: z.int().min(0).nullable(),
      }),
    )
    .max(READ_HOOKS_MAX),
});
export type RequestReading = z.infer<typeof requestReading>;
