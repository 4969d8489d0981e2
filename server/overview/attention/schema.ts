import { z } from "zod";

/** The numbers beside the pages of the navigation: what waits for somebody. */
export const attentionView = z.strictObject({
  /** Reviews and changes that wait for the one who asks. */
  reviews: z.number(),
  /** Agents that are without policy, in yolo or outdated; null where none is enrolled. */
  agents: z.number().nullable(),
  /** Calls that wait for a person's answer. */
  approvals: z.number(),
  /** Of the one who asks. */
  unreadNotices: z.number(),
  alerts: z.strictObject({ firing: z.number(), isCritical: z.boolean() }),
  /** Findings of Health of the last minutes; null before the first examination. */
  health: z.strictObject({ failures: z.number(), warnings: z.number() }).nullable(),
});
export type AttentionView = z.infer<typeof attentionView>;
