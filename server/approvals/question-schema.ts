/** Questions that an agent itself asks people, without a call. An answer is text: it lifts no rule. */
import { z } from "zod";

export const QUESTION_CHARS_MAX = 2_000;
/** The tool name under which questions are shown; no agent tool has this name. */
export const QUESTION_TOOL = "quarterdeck:question";
/** Limits of one agent for open questions, and for questions within an hour. */
export const QUESTIONS_OPEN_MAX = 5;
export const QUESTIONS_HOUR_MAX = 30;

export const questionRequest = z.strictObject({
  question: z
    .string()
    .trim()
    .min(1, "Enter the question.")
    .max(QUESTION_CHARS_MAX, "A question has at most 2,000 characters."),
  session_id: z.string().max(1_000, "A session's id has at most 1,000 characters.").default(""),
});
export type QuestionRequest = z.infer<typeof questionRequest>;

export const QUESTION_STATES = ["open", "allowed", "denied", "withdrawn", "lapsed"] as const;
export const questionView = z.strictObject({
  /** QD-<number>, under which people see it. */
  number: z.int(),
  state: z.enum(QUESTION_STATES),
  /** The answer as a sentence: the person and their text. */
  answer: z.string(),
  asked_at: z.iso.datetime(),
  /** A person can answer until then. */
  expires_at: z.iso.datetime(),
});
export type QuestionView = z.infer<typeof questionView>;
