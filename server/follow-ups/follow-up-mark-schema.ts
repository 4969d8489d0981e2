/** The part of a follow-up that lists show. */
import { z } from "zod";

export const assignee = z.strictObject({ id: z.uuid(), name: z.string() }).nullable();

/** A follow-up in a list of calls. */
export const followUpMark = z.strictObject({ keywords: z.array(z.string()), assignee, comments: z.number() });
export type FollowUpMark = z.infer<typeof followUpMark>;
