import { z } from "zod";

/**
 * Things that can change. A message names the topics; a viewer asks again for what it shows. `log`, `keys` and `access` are for the
 * server alone: something was recorded, and is in no figure yet; an agent key was revoked; the role, the membership, a session
 * or a token of somebody was changed or ended.
 */
export const topic = z.enum([
  "overview",
  "decisions",
  "rules",
  "costs",
  "budgets",
  "compactions",
  "sessions",
  "unseen",
  "policies",
  "reviews",
  "agents",
  "judges",
  "prompts",
  "circuits",
  "observations",
  "audit",
  "webhooks",
  "alerts",
  "log",
  "keys",
  "halts",
  "approvals",
  "exceptions",
  "notices",
  "access",
]);
export type Topic = z.infer<typeof topic>;

export const liveChange = z.object({
  topics: z.array(topic),
  /** Set when messages may have been missed: everything on screen is asked for again. */
  refetch: z.boolean().optional(),
  /** False when the server cannot hear of changes, as while PostgreSQL does not answer; true once it can again. */
  isCurrent: z.boolean().optional(),
});
export type LiveChange = z.infer<typeof liveChange>;
