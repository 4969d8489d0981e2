import { z } from "zod";

/** The counts next to the pages of the navigation: items that wait for a person. */
export const attentionView = z.strictObject({
  /** Reviews and changes that wait for the one who asks. */
  reviews: z.number(),
  /** Agents without policy, in yolo mode or outdated; null without enrolled agents. */
  agents: z.number().nullable(),
  /** Calls that the reader may answer now. */
  approvals: z.number(),
  /** The unread notices of the reader that no other count includes. */
  unreadNotices: z.number(),
  alerts: z.strictObject({ firing: z.number(), isCritical: z.boolean() }),
  /** Findings of Health of the last minutes; null before the first examination. */
  health: z.strictObject({ failures: z.number(), warnings: z.number() }).nullable(),
});
export type AttentionView = z.infer<typeof attentionView>;
