/** The setup checklist: what a workspace needs before it can be relied on, each item read from its real state. */
import { z } from "zod";

/** In the order in which they are done. */
export const SETUP_STEPS = [
  "agent",
  "policy",
  "drill",
  "sign_in",
  "second_admin",
  "approvers",
  "notifications",
  "checkpoints",
] as const;
export const setupStep = z.enum(SETUP_STEPS);
export type SetupStep = z.infer<typeof setupStep>;

export const setupChecklist = z.strictObject({
  steps: z.array(z.strictObject({ step: setupStep, isDone: z.boolean() })).length(SETUP_STEPS.length),
  /** True if the workspace has demo agents, which no step counts. */
  hasDemo: z.boolean(),
  /** True if this person does not want to see it in this workspace any more. */
  isDismissed: z.boolean(),
});
export type SetupChecklist = z.infer<typeof setupChecklist>;

export const setDismissed = z.strictObject({ isDismissed: z.boolean() });
