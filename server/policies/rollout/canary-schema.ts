/** The input and the view of the agents that a canary would reach. */
import { z } from "zod";

export const canaryAgentsOf = z.strictObject({
  policyId: z.uuid(),
  /** Percent of the agents. */
  share: z.number().int().min(0).max(100),
  groupId: z.uuid().nullable(),
});
export type CanaryAgentsOf = z.infer<typeof canaryAgentsOf>;

export const canaryAgentsView = z.strictObject({
  /** The number of agents that the policy binds, and of those in the canary. */
  bound: z.number(),
  inside: z.number(),
  /** The names of the first few inside. */
  names: z.array(z.string()),
  /** The smallest share, in percent, that reaches an agent; null if the policy binds none. */
  smallestShare: z.number().nullable(),
});
export type CanaryAgents = z.infer<typeof canaryAgentsView>;
