/** Denials as the agent that met them reads them: its own, with the rule and its words. */
import { z } from "zod";

/** Days that a look back reaches. */
export const DENIAL_DAYS = 7;
export const DENIALS_MAX = 50;
export const DENIALS_USUAL = 10;

export const denialsQuery = z.strictObject({
  session_id: z.string().max(1_000, "A session's id has at most 1,000 characters.").optional(),
  limit: z.coerce.number().int().min(1).max(DENIALS_MAX).default(DENIALS_USUAL),
});
export type DenialsQuery = z.infer<typeof denialsQuery>;

export const denialView = z.strictObject({
  occurred_at: z.iso.datetime(),
  dispatch_id: z.uuid(),
  session_id: z.string(),
  event: z.string(),
  tool: z.string(),
  /** The argument that a person reads first, masked and cut. */
  excerpt: z.string(),
  /** `gate`: a policy or a person denied it; `final`: the agent's own approval chain did. */
  by: z.enum(["gate", "final"]),
  policy: z.string().nullable(),
  revision: z.int().nullable(),
  rule: z.string().nullable(),
  /** The reason of the rule, the person or the halt. */
  words: z.string(),
});
export type DenialView = z.infer<typeof denialView>;

export const denialsView = z.strictObject({
  /** The newest first. */
  denials: z.array(denialView),
});
export type DenialsView = z.infer<typeof denialsView>;
