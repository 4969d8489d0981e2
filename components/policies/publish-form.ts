/** The form that publishes: a note, the agents that get the revision, and the override of a refusal. */
import type { UseFormReturn } from "react-hook-form";
import { z } from "zod";
import { type Chosen, EVERYONE, rolloutOf } from "@/components/policies/rollout/rollout-choice";
import { publishPolicy, type Rollout } from "@/server/policies/schema";

export const publishForm = z.object({
  note: publishPolicy.shape.note,
  rollout: z.custom<Chosen>().transform((chosen, context): Rollout => {
    const rollout = rolloutOf(chosen);
    if (typeof rollout !== "string") return rollout;
    context.addIssue({ code: "custom", message: rollout });
    return z.NEVER;
  }),
  /** Sent only when test cases fail or findings block. */
  override: z.object({ typed: z.string(), reason: z.string() }),
});

export type PublishValues = z.output<typeof publishForm>;
export type PublishFormState = UseFormReturn<z.input<typeof publishForm>, unknown, PublishValues>;

export const UNTOUCHED = { note: "", rollout: EVERYONE, override: { typed: "", reason: "" } };
