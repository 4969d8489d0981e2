import { z } from "zod";

export const EXCEPTION_SCOPES = ["session", "agent", "group", "workspace"] as const;
export const exceptionScope = z.enum(EXCEPTION_SCOPES);
export type ExceptionScope = z.infer<typeof exceptionScope>;

export const REASON_CHARS_MAX = 500;
/** Exceptions in force in one workspace; each process remembers them. */
export const EXCEPTIONS_MAX = 500;
/** Exceptions in one list. */
export const LIST_MAX = 200;
/** Characters of a hook's name that a rule is found by. */
export const HOOK_CHARS_MAX = 128;
export const HOURS_MAX = 90 * 24;
export const COMMAND_WORDS_MAX = 50;
/** A single word would cover every use of a program. */
export const COMMAND_WORDS_MIN = 2;

const reason = z
  .string()
  .trim()
  .min(1, "Enter a one-line reason for reviewers.")
  .max(REASON_CHARS_MAX)
  .regex(/^[^\p{C}]*$/u, "A reason is one line of text.");

/** Characters of a call's input that an exception names exactly. */
export const INPUT_CHARS_MAX = 65_536;

/** A recorded dispatch. */
const dispatchRef = z.strictObject({ occurredAt: z.date(), id: z.uuid() });
export type DispatchRef = z.infer<typeof dispatchRef>;

/** The example call: one that people were asked about, or one that rules denied. */
const example = { requestId: z.uuid().optional(), dispatch: dispatchRef.optional() };
type Example = z.infer<z.ZodObject<typeof example>>;
const isOneExample = ({ requestId, dispatch }: Example) => (requestId === undefined) !== (dispatch === undefined);
const ONE_EXAMPLE = "Choose a request or a denied call.";

export const exceptionExample = z.strictObject(example).refine(isOneExample, ONE_EXAMPLE).meta({ minProperties: 1 });
export type ExceptionExample = z.infer<typeof exceptionExample>;

const reach = {
  ...example,
  scope: exceptionScope,
  /** For the scope of a group. */
  groupId: z.uuid("Choose the group.").optional(),
  /** The number of words at the beginning of the shell command; absent for exactly the request's input. */
  commandWords: z.number().int().min(COMMAND_WORDS_MIN).max(COMMAND_WORDS_MAX).optional(),
};
/** The calls that an exception covers, defined by its example. */
export const exceptionReach = z.strictObject(reach).refine(isOneExample, ONE_EXAMPLE).meta({ minProperties: 2 });
export type ExceptionReach = z.infer<typeof exceptionReach>;

export const makeException = z
  .strictObject({
    ...reach,
    hours: z.number().int().min(1).max(HOURS_MAX, "An exception lasts at most 90 days."),
    reason,
  })
  .refine(isOneExample, ONE_EXAMPLE)
  .meta({ minProperties: 4 });
export type MakeException = z.infer<typeof makeException>;

export const endException = z.strictObject({ id: z.uuid(), reason });
export type EndException = z.infer<typeof endException>;

export const exceptionById = z.strictObject({ id: z.uuid() });

/** `question`: its rules do not ask about its calls. `verdict`: they neither ask nor deny. */
export const exceptionLifts = z.enum(["question", "verdict"]);
export type ExceptionLifts = z.infer<typeof exceptionLifts>;

/** A rule whose verdicts are lifted, as its definition was. */
export const exceptedRule = z.strictObject({
  policyId: z.uuid(),
  policy: z.string(),
  revision: z.number(),
  path: z.string(),
  /** The hook's name in dispatches; absent in exceptions of an older release. */
  hook: z.string().optional(),
  /** Hex, of the hook with its event, lane and matcher: a changed rule asks and denies again. */
  sha256: z.string(),
});
export type ExceptedRule = z.infer<typeof exceptedRule>;

export const exceptionView = z.strictObject({
  id: z.uuid(),
  /** EX-<number>: that of its entry in the audit chain; null for one of an older release. */
  number: z.number().nullable(),
  lifts: exceptionLifts,
  scope: exceptionScope,
  agentId: z.uuid().nullable(),
  about: z.string(),
  toolName: z.string(),
  /** Null: exactly the input. */
  command: z.array(z.string()).nullable(),
  input: z.string(),
  rules: z.array(exceptedRule),
  reason: z.string(),
  /** Null: it was made from a denied call. */
  requestNumber: z.number().nullable(),
  madeAt: z.date(),
  madeBy: z.string(),
  expiresAt: z.date(),
  endedAt: z.date().nullable(),
  endedBy: z.string().nullable(),
  endReason: z.string().nullable(),
  /** When its lapse was noted; it waits for a review from then on. */
  lapsedAt: z.date().nullable(),
  reviewedAt: z.date().nullable(),
  reviewedBy: z.string().nullable(),
  reviewWords: z.string().nullable(),
  /** The reader made it. */
  isOwn: z.boolean(),
  /** Set when the stored exception cannot be read: it has no effect. */
  problem: z.string().nullable(),
});
export type ExceptionView = z.infer<typeof exceptionView>;

/** "exception EX-12 of Ada". */
export const exceptionLabel = ({ number, madeBy }: Pick<ExceptionView, "number" | "madeBy">): string =>
  number === null ? `an exception of ${madeBy}` : `exception EX-${number} of ${madeBy}`;

/** "Calls of shell that begin with git log, by agent ci-bot". */
export function exceptionTitle(one: Pick<ExceptionView, "scope" | "about" | "toolName" | "command">): string {
  const which = one.command === null ? "One exact call of" : "Calls of";
  const how = one.command === null ? "" : ` that begin with ${one.command.join(" ")}`;
  return `${which} ${one.toolName}${how}, ${whoseWords(one)}`;
}

/** "by agent ci-bot", "in session 42". */
function whoseWords({ scope, about }: Pick<ExceptionView, "scope" | "about">): string {
  if (scope === "workspace") return "by all agents";
  if (scope === "session") return `in session ${about}`;
  return scope === "agent" ? `by agent ${about}` : `by agents of the group ${about}`;
}

/** The exceptions in force that touch a rule, or that reach an agent. */
export const exceptionSubject = z.discriminatedUnion("of", [
  z.strictObject({
    of: z.literal("rule"),
    policy: z.string().max(128),
    event: z.string().max(64),
    hook: z.string().max(HOOK_CHARS_MAX),
  }),
  z.strictObject({ of: z.literal("agent"), agentId: z.uuid() }),
]);
export type ExceptionSubject = z.infer<typeof exceptionSubject>;

export const reviewException = z.strictObject({ id: z.uuid(), words: reason });
export type ReviewException = z.infer<typeof reviewException>;

/** Those in force first, sorted by their end. */
export const exceptionList = z.array(exceptionView);

export const exceptionOffer = z.strictObject({
  /** The words of the request's shell command; null when no exception can match it by its beginning. */
  command: z.array(z.string()).nullable(),
  /** The least of them that one can begin with. */
  commandWordsMin: z.number().int().nullable(),
  /** Groups of the request's agent. */
  groups: z.array(z.strictObject({ id: z.uuid(), name: z.string() })),
  lifts: exceptionLifts,
  toolName: z.string(),
  agentName: z.string(),
  sessionId: z.string(),
  /** JSON text, masked and cut. */
  input: z.string(),
  rules: z.array(z.strictObject({ policy: z.string(), path: z.string() })),
  /** The reason why there can be no exception for this call; null when there can. */
  refusal: z.string().nullable(),
});
export type ExceptionOffer = z.infer<typeof exceptionOffer>;

/** Outcomes of its rules that an exception's effect is counted over, the newest; requests likewise. */
export const EFFECT_LOOKED_MAX = 2_000;
export const EFFECT_EXAMPLES_MAX = 5;

/** Requests of the last seven days that the exception would have made unnecessary. */
export const effectOnRequests = z.strictObject({
  matched: z.number(),
  allowed: z.number(),
  denied: z.number(),
  lapsed: z.number(),
  /** The number of the newest requests of the tool that were checked. */
  looked: z.number(),
  isWhole: z.boolean(),
});
export type EffectOnRequests = z.infer<typeof effectOnRequests>;

/** Calls of the last seven days that its rules held back, each counted once. */
export const effectOnCalls = z.strictObject({
  /** Calls that the exception would have let through: denied by its rules, and asked about by them. */
  denied: z.number(),
  asked: z.number(),
  /** Of those two. */
  agents: z.number(),
  sessions: z.number(),
  /** Its calls too, but another rule spoke against them, a hook failed, or others than its maker had to be asked. */
  stopped: z.number(),
  /** They may be its calls: a part of the input is masked, erased or too long. */
  unknown: z.number(),
  /** The newest that it would have let through; masked as decisions are. */
  examples: z.array(
    z.strictObject({
      occurredAt: z.date(),
      id: z.uuid(),
      agentName: z.string(),
      verdict: z.enum(["denied", "asked"]),
      excerpt: z.string(),
      isDecision: z.boolean(),
    }),
  ),
  /** Its rules by the names under which decisions are found. */
  rules: z.array(z.strictObject({ policy: z.string(), rule: z.string() })),
  /** The number of the newest outcomes of its rules, of any tool, that were checked. */
  looked: z.number(),
  isWhole: z.boolean(),
});
export type EffectOnCalls = z.infer<typeof effectOnCalls>;

export const exceptionEffect = z.strictObject({
  calls: effectOnCalls,
  /** Null for an exception from a denied call, since no person was asked. */
  requests: effectOnRequests.nullable(),
});
export type ExceptionEffect = z.infer<typeof exceptionEffect>;
