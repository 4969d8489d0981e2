/** The view of the agents that a policy can stop, and of its rules that cannot fire. */
import { z } from "zod";

const count = z.number().nonnegative();

/** A rule in force that can never fire for some of the agents it answers. */
export const ruleGap = z.strictObject({
  event: z.string(),
  /** The name that dispatches use for it. */
  name: z.string(),
  matcher: z.string().nullable(),
  isEarly: z.boolean(),
  agents: count,
  of: count,
  /** "mia laptop names its shell tool Bash", for the first agents. */
  reasons: z.array(z.string()),
});
export type RuleGap = z.infer<typeof ruleGap>;

export const policyHoldView = z.strictObject({
  /** False when no rule in force can stop or decide anything. */
  hasGate: z.boolean(),
  /** The agents that the policy answers and enforces; retired agents are left out. */
  answered: count,
  held: count,
  unheld: count,
  /** Agents that sent no event yet. */
  unknown: count,
  gaps: z.array(ruleGap),
});
export type PolicyHoldView = z.infer<typeof policyHoldView>;
