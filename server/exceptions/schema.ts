import { z } from "zod";

export const EXCEPTION_SCOPES = ["session", "agent", "group", "workspace"] as const;
export const exceptionScope = z.enum(EXCEPTION_SCOPES);
export type ExceptionScope = z.infer<typeof exceptionScope>;

export const REASON_CHARS_MAX = 500;
/** Exceptions in force in one workspace; each process remembers them. */
export const EXCEPTIONS_MAX = 500;
/** Exceptions in one list. */
export const LIST_MAX = 200;
export const HOURS_MAX = 90 * 24;
export const COMMAND_WORDS_MAX = 50;
/** A lone first word would lift the question about every way to use a program. */
export const COMMAND_WORDS_MIN = 2;

const reason = z
  .string()
  .trim()
  .min(1, "Say why in one line: reviewers read it.")
  .max(REASON_CHARS_MAX)
  .regex(/^[^\p{C}]*$/u, "A reason is one line of text.");

/** The calls of an exception, by the request that it is made from. */
export const exceptionReach = z.strictObject({
  requestId: z.uuid(),
  scope: exceptionScope,
  /** For the scope of a group. */
  groupId: z.uuid("Choose the group.").optional(),
  /** The number of words that a shell command has to begin with; absent for exactly the request's input. */
  commandWords: z.number().int().min(COMMAND_WORDS_MIN).max(COMMAND_WORDS_MAX).optional(),
});
export type ExceptionReach = z.infer<typeof exceptionReach>;

export const makeException = exceptionReach.extend({
  hours: z.number().int().min(1).max(HOURS_MAX, "An exception ends after 90 days at most."),
  reason,
});
export type MakeException = z.infer<typeof makeException>;

export const endException = z.strictObject({ id: z.uuid(), reason });
export type EndException = z.infer<typeof endException>;

export const exceptionById = z.strictObject({ id: z.uuid() });

/** A hook that asks no more about the exception's calls, as its definition was. */
export const exceptedRule = z.strictObject({
  policyId: z.uuid(),
  policy: z.string(),
  revision: z.number(),
  path: z.string(),
  /** Hex, of the hook's definition: a changed hook asks again. */
  sha256: z.string(),
});
export type ExceptedRule = z.infer<typeof exceptedRule>;

export const exceptionView = z.strictObject({
  id: z.uuid(),
  scope: exceptionScope,
  agentId: z.uuid().nullable(),
  about: z.string(),
  toolName: z.string(),
  /** Null: exactly the input. */
  command: z.array(z.string()).nullable(),
  input: z.string(),
  rules: z.array(exceptedRule),
  reason: z.string(),
  requestNumber: z.number(),
  madeAt: z.date(),
  madeBy: z.string(),
  expiresAt: z.date(),
  endedAt: z.date().nullable(),
  endedBy: z.string().nullable(),
  endReason: z.string().nullable(),
});
export type ExceptionView = z.infer<typeof exceptionView>;

/** Those in force first, the one that ends first before the others. */
export const exceptionList = z.array(exceptionView);

export const exceptionOffer = z.strictObject({
  /** The words of the request's shell command; null where it is none that an exception can begin with. */
  command: z.array(z.string()).nullable(),
  /** Groups of the request's agent. */
  groups: z.array(z.strictObject({ id: z.uuid(), name: z.string() })),
  /** The reason why there can be no exception for this request; null when there can. */
  refusal: z.string().nullable(),
});
export type ExceptionOffer = z.infer<typeof exceptionOffer>;

/** Requests of the last seven days that nobody would have been asked about. */
export const exceptionEffect = z.strictObject({
  matched: z.number(),
  allowed: z.number(),
  denied: z.number(),
  lapsed: z.number(),
  /** Of so many of the newest requests of the tool, all were looked at. */
  looked: z.number(),
  isWhole: z.boolean(),
});
export type ExceptionEffect = z.infer<typeof exceptionEffect>;
