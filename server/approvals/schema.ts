import { z } from "zod";
import { certainty } from "../access/principal-schema.ts";
import { approvalState } from "./approval-state-schema.ts";
import { riskClass } from "./risk-class-schema.ts";

export const WORDS_CHARS_MAX = 1_000;
export const INPUT_CHARS_MAX = 65_536;
/** Requests in one list. */
export const LIST_MAX = 200;

const words = z
  .string()
  .trim()
  .max(WORDS_CHARS_MAX)
  .regex(/^[^\p{C}]*$/u, "A message to an agent is one line of text.");

/** An answer to a request. */
export const answerRequest = z.discriminatedUnion("verdict", [
  z.strictObject({
    id: z.uuid(),
    verdict: z.literal("allow"),
    words: words.default(""),
    /** JSON text of the arguments to run with instead. */
    editedInput: z.string().max(INPUT_CHARS_MAX, "Too long to run.").optional(),
    /** The second press, for calls whose risk requires one. */
    confirmed: z.boolean().default(false),
  }),
  z.strictObject({
    id: z.uuid(),
    verdict: z.literal("deny"),
    words: words.refine((text) => text !== "", "Enter a reason, shown to the agent."),
  }),
]);
export type AnswerRequest = z.input<typeof answerRequest>;

export const requestById = z.strictObject({ id: z.uuid() });

export const askingHook = z.strictObject({
  policy: z.string(),
  revision: z.number(),
  path: z.string(),
  /** Its display name; "" in requests that were stored without it. */
  name: z.string().default(""),
});
export type AskingHook = z.infer<typeof askingHook>;

export const approvalView = z.strictObject({
  id: z.uuid(),
  /** QD-<number>; the number of its entry in the audit chain. */
  number: z.number(),
  state: approvalState,
  /** The agent holds its call open. */
  isWaiting: z.boolean(),
  agentId: z.uuid(),
  agentName: z.string(),
  /** The person or service that the call was made for, by id; null: unknown. */
  principal: z.strictObject({ id: z.uuid(), certainty }).nullable(),
  sessionId: z.string(),
  toolName: z.string(),
  /** JSON text, masked and cut. */
  input: z.string(),
  /** True if no part of the input was masked or cut: it can be edited. */
  isWhole: z.boolean(),
  cwd: z.string(),
  reason: z.string(),
  /** The policy's id while a policy of this name exists. */
  askedBy: z.array(askingHook.extend({ policyId: z.uuid().nullable() })),
  /** The reach of a mistake, as the hooks said; empty when none said. */
  risk: z.string(),
  peopleNeeded: z.number(),
  riskClass,
  /** An allowance takes a second press. */
  needsConfirmation: z.boolean(),
  /** The list that is asked now; null when everyone who may answer is asked. */
  askedOf: z.string().nullable(),
  /** True if lists are asked and the reader is in none of those asked so far. */
  isRouted: z.boolean(),
  /** The next list, and the time when it is asked; null when there is no further list. */
  escalation: z.strictObject({ to: z.string(), at: z.date() }).nullable(),
  remindedAt: z.date().nullable(),
  askedAt: z.date(),
  expiresAt: z.date(),
  closedAt: z.date().nullable(),
  words: z.string(),
  editedInput: z.string().nullable(),
  /** Until then an allowed call may be made; null when it was not allowed. */
  grantedUntil: z.date().nullable(),
  usedAt: z.date().nullable(),
  answers: z.array(
    z.strictObject({
      personId: z.string(),
      name: z.string(),
      isAllow: z.boolean(),
      answeredAt: z.date(),
      /** False for an allowance of an open request whose person may no longer answer. */
      isCounted: z.boolean(),
    }),
  ),
  /** People who still have to allow it; 0 once it is closed. With 1, the next person's allowance is the last. */
  moreNeeded: z.number(),
  /**
   * `given`: the reader has allowed it; `same_person`: an account that counts as the reader has. A further allowance of
   * theirs adds nothing.
   */
  ownAllowance: z.enum(["none", "given", "same_person"]),
  /** True if the reader made a key of this agent or logged in on it, so another person must answer. */
  isOwn: z.boolean(),
  /** True if the reader may answer now and has not. */
  isForReader: z.boolean(),
  /** The other people who may answer now: some names, and the number of further people. */
  answerers: z.strictObject({ names: z.array(z.string()), more: z.number() }),
});
export type ApprovalView = z.infer<typeof approvalView>;

export const approvalList = z.strictObject({
  /** The requests that can be answered, sorted by expiry. */
  open: z.array(approvalView),
  /** Closed requests, the newest first. */
  closed: z.array(approvalView),
  figures: z.strictObject({
    /**
     * Requests of the last seven days; durations in milliseconds from the question to the answer, null without answers.
     */
    answered: z.number(),
    allowed: z.number(),
    /** Allowed as asked: these did not need a person. */
    unchanged: z.number(),
    lapsed: z.number(),
    p50Ms: z.number().nullable(),
    p95Ms: z.number().nullable(),
  }),
});
export type ApprovalList = z.infer<typeof approvalList>;

/**
 * The limit of earlier calls to count: enough to show a tendency, and quick to count, however many calls an agent made.
 */
export const PRECEDENTS_MAX = 1_000;

/** Earlier calls that are like a request's, of the last 30 days: of each, the newest that ended. */
export const precedentView = z.strictObject({
  /** The same tool with the same input, of any agent. */
  same: z.strictObject({ allowed: z.number(), denied: z.number(), lapsed: z.number() }),
  /** The same tool of the same agent. */
  tool: z.strictObject({ allowed: z.number(), denied: z.number(), lapsed: z.number() }),
});
export type PrecedentView = z.infer<typeof precedentView>;
