import { z } from "zod";

/**
 * Topics of changes. A message names the topics; a viewer refetches what it shows. `calls`: decisions and results were
 * recorded, which lists of calls also follow row by row. `decisions`: recorded ones were changed. `principals`:
 * telemetry named the person of a session. `log`, `keys` and `access` are for the server only: an event was recorded and
 * is not yet in the figures; an agent key was revoked; a person's role, membership, session or token was changed or
 * ended.
 */
export const topic = z.enum([
  "overview",
  "decisions",
  "calls",
  "rules",
  "costs",
  "budgets",
  "compactions",
  "sessions",
  "coverage",
  "policies",
  "reviews",
  "agents",
  "judges",
  "prompts",
  "circuits",
  "observations",
  "audit",
  "webhooks",
  "streams",
  "alerts",
  "log",
  "keys",
  "principals",
  "halts",
  "approvals",
  "exceptions",
  "extensions",
  "masking",
  "notices",
  "access",
]);
export type Topic = z.infer<typeof topic>;

export const liveChange = z.object({
  topics: z.array(topic),
  /** Set when messages may have been missed: everything on screen is refetched. */
  refetch: z.boolean().optional(),
  /** False when the server receives no changes, as while PostgreSQL does not answer; true once it does again. */
  isCurrent: z.boolean().optional(),
  /** The position of the newest change in this message; the viewer sends it with its queries (`quarterdeck-heard`). */
  heard: z.string().max(60).optional(),
  /** Set while gates wait, so that changes are sent less often. */
  isSlowed: z.literal(true).optional(),
});
export type LiveChange = z.infer<typeof liveChange>;
