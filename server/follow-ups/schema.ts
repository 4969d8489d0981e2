/** Follow-ups: the keywords, the assignee and the comments that people put on a call. None of it is in the record. */
import { z } from "zod";
import { eventKey } from "../recording/event-key-schema.ts";
import { assignee } from "./follow-up-mark-schema.ts";

export const COMMENT_CHARS_MAX = 2_000;
export const COMMENTS_MAX = 100;
export const KEYWORD_CHARS_MAX = 40;
export const KEYWORDS_MAX = 20;
/** Calls of one act. */
export const CALLS_MAX = 50;
/** People, and keywords, that the lists hold. */
export const LISTED_MAX = 500;

const calls = z.array(eventKey).min(1).max(CALLS_MAX, `Select at most ${CALLS_MAX} calls.`);

/** Plain text; lines are kept. */
export const commentText = z
  .string()
  .trim()
  .min(1, "Write a comment.")
  .max(COMMENT_CHARS_MAX, `A comment has at most ${COMMENT_CHARS_MAX} characters.`)
  .regex(/^(?:[^\p{C}]|[\n\t])*$/u, "A comment is plain text without invisible characters.");

/** Lower case, so that one word is one keyword. */
export const keyword = z
  .string()
  .trim()
  .toLowerCase()
  .min(1, "Enter a keyword.")
  .max(KEYWORD_CHARS_MAX, `A keyword has at most ${KEYWORD_CHARS_MAX} characters.`)
  .regex(/^[\p{L}\p{N}][\p{L}\p{N}._/-]*$/u, "A keyword is one word of letters, digits and . _ / -");

export const followedCall = z.strictObject({ call: eventKey });
export const writeComment = z.strictObject({ call: eventKey, text: commentText });
export type WriteComment = z.infer<typeof writeComment>;
export const commentById = z.strictObject({ id: z.uuid() });
/** Null takes the assignee away. */
export const assignCalls = z.strictObject({ calls, assigneeId: z.uuid().nullable() });
export type AssignCalls = z.infer<typeof assignCalls>;
export const setKeyword = z.strictObject({ calls, name: keyword, isSet: z.boolean() });
export type SetKeyword = z.infer<typeof setKeyword>;

export const commentView = z.strictObject({
  id: z.uuid(),
  author: z.string(),
  text: z.string(),
  at: z.date(),
  /** True if the reader may remove it: it is their own, or they manage the record. */
  isRemovable: z.boolean(),
});
export type CommentView = z.infer<typeof commentView>;

export const followUpView = z.strictObject({
  keywords: z.array(z.string()),
  assignee,
  /** The oldest first. */
  comments: z.array(commentView),
});
export type FollowUpView = z.infer<typeof followUpView>;

export const assignablePeople = z.array(z.strictObject({ id: z.uuid(), name: z.string() }));
export const usedKeywords = z.array(z.strictObject({ value: z.string(), count: z.number() }));
