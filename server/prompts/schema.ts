import { EVENTS } from "@quarterdeck/hooks/contract/events";
import { LIMITS } from "@quarterdeck/hooks/contract/hook";
import { JUDGE_NAME } from "@quarterdeck/hooks/contract/judge-prompt";
import { PROFILE_RULES, WIDEST_PROFILE } from "@quarterdeck/hooks/contract/profiles";
import { z } from "zod";
import { judgeCallKey } from "../judges/schema.ts";

const TEMPLATE_BYTES_MAX = LIMITS.promptCharsMax;
const MODEL_CHARS_MAX = LIMITS.nameCharsMax;
// PostgreSQL stores no NUL, and no prompt needs one.
const storable = (text: string) => !text.includes("\0");

const template = z
  .string()
  .max(TEMPLATE_BYTES_MAX, "A template has at most 256 KiB.")
  .refine((text) => new TextEncoder().encode(text).length <= TEMPLATE_BYTES_MAX, "A template has at most 256 KiB.")
  .refine(storable, "The template holds a NUL character. Remove it.");
export const REPLY_FORMS: readonly string[] = ["", ...PROFILE_RULES[WIDEST_PROFILE].replySchemas];
/** The text and settings that a judge is asked with. `schema` "" takes the reply as plain text. */
export const judgedText = z.strictObject({
  template,
  model: z.string().max(MODEL_CHARS_MAX, `A model's name has at most ${MODEL_CHARS_MAX} characters.`).refine(storable),
  schema: z.string().refine((name) => REPLY_FORMS.includes(name), "Unknown schema."),
});
export type JudgedText = z.infer<typeof judgedText>;

export const promptName = z
  .string()
  .trim()
  .regex(
    JUDGE_NAME,
    "Use lowercase letters, digits, dots, dashes and underscores; at most 64, and a letter or digit first.",
  );

export const promptById = z.strictObject({ promptId: z.uuid() });
export type PromptById = z.infer<typeof promptById>;
export const createPrompt = z.strictObject({ name: promptName, text: judgedText.optional() });
export type CreatePrompt = z.infer<typeof createPrompt>;

const version = z.number().int().min(0).max(2_147_483_647);
export const savePromptDraft = judgedText.extend({
  promptId: z.uuid(),
  /** The draft's version this edit began from; 0 when there was no draft. */
  baseVersion: version,
  baseRevision: version,
});
export type SavePromptDraft = z.infer<typeof savePromptDraft>;

export const publishPrompt = judgedText.extend({
  promptId: z.uuid(),
  note: z.string().trim().max(2_000, "A note has at most 2,000 characters.").refine(storable).default(""),
  baseRevision: version,
  draftVersion: version,
  /** The author knows that the text is right on fewer labelled calls than the latest revision. */
  acceptsWorse: z.boolean().optional(),
});
export type PublishPrompt = z.infer<typeof publishPrompt>;

export const promptRevisionByNumber = promptById.extend({ number: z.number().int().min(1).max(2_147_483_647) });
export type PromptRevisionByNumber = z.infer<typeof promptRevisionByNumber>;

/** A policy whose text, in force or drafted, names a revision of the prompt. */
const userView = z.strictObject({ policyId: z.uuid(), policy: z.string(), revisions: z.array(z.number()) });
export const promptView = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  createdAt: z.date(),
  createdBy: z.string(),
  /** 0 before the first publication. */
  latestRevision: z.number(),
  publishedAt: z.date().nullable(),
  publishedBy: z.string().nullable(),
  hasDraft: z.boolean(),
  /** The draft's, else the latest revision's. */
  model: z.string(),
  usedBy: z.array(userView),
});
export type PromptView = z.infer<typeof promptView>;

export const promptDetailView = promptView.extend({
  /** The draft's, else the latest revision's, else what to begin with. */
  text: judgedText,
  /** Null before the first publication. */
  published: judgedText.nullable(),
  draftVersion: version,
  draftUpdatedAt: z.date().nullable(),
  draftUpdatedBy: z.string().nullable(),
});
export type PromptDetailView = z.infer<typeof promptDetailView>;

export const promptDraftSaved = z.strictObject({ version: z.number(), updatedAt: z.date() });
export type PromptDraftSaved = z.infer<typeof promptDraftSaved>;
export const promptPublished = z.strictObject({ number: z.number(), sha256: z.string() });
export type PromptPublished = z.infer<typeof promptPublished>;

export const promptRevisionView = z.strictObject({
  number: z.number(),
  sha256: z.string(),
  model: z.string(),
  schema: z.string(),
  note: z.string(),
  author: z.string(),
  createdAt: z.date(),
});
export type PromptRevisionView = z.infer<typeof promptRevisionView>;
export const promptRevisionDetail = promptRevisionView.extend({ text: judgedText });
export type PromptRevisionDetail = z.infer<typeof promptRevisionDetail>;

/** A revision as a policy takes it: by the name and number of its label. */
export const promptByLabel = z.strictObject({ name: promptName, revision: z.number().int().min(1).max(2_147_483_647) });
export type PromptByLabel = z.infer<typeof promptByLabel>;

const eventName = z.enum(Object.keys(EVENTS) as [keyof typeof EVENTS, ...(keyof typeof EVENTS)[]]); // holds: its own keys
export const recordedKey = z.strictObject({ occurredAt: z.date(), id: z.uuid() });
export type RecordedKey = z.infer<typeof recordedKey>;

/** A filter of recorded calls: all conditions together, the newest first. */
export const recordedFilter = z.strictObject({
  event: eventName,
  tool: z.string().max(256).nullable(),
  agent: z.string().max(256).nullable(),
  /**
   * `judged`: by a hook with this prompt's label, or by the named judge; `labelled`: with a person's label on an answer
   * of this prompt; `labelled_first`: the labelled calls, then the judged ones.
   */
  only: z.enum(["all", "judged", "labelled", "labelled_first"]),
  judge: z.strictObject({ policy: z.string().max(200), hook: z.string().max(500) }).nullable(),
});
export type RecordedFilter = z.infer<typeof recordedFilter>;
export const TRIAL_LIMITS = { calls: 200, repeats: 10, questions: 1_000, running: 3, timeoutSeconds: 120 } as const;
export const recordedInput = recordedFilter.extend({
  promptId: z.uuid(),
  limit: z.number().int().min(1).max(2_147_483_647).max(TRIAL_LIMITS.calls),
  /** A call to list first, even if it is older or does not match the filter. */
  including: recordedKey.optional(),
});
export type RecordedInput = z.infer<typeof recordedInput>;
export const DECISIONS = ["allow", "ask", "deny"] as const;
export const decision = z.enum(DECISIONS);
export type Decision = z.infer<typeof decision>;
const inputKeys = z.array(z.strictObject({ name: z.string(), type: z.string() }));
export type InputKeys = z.infer<typeof inputKeys>;
export const recordedView = recordedKey.extend({
  event: z.string(),
  tool: z.string().nullable(),
  agentName: z.string(),
  /** The beginning of the arguments, or of the event's subject. */
  excerpt: z.string(),
  /** Keys of its arguments, with the types of their values, for completion. */
  keys: inputKeys,
  /** The decision that people expect of a judge with this prompt; `disputed` when they differ, null without a label. */
  expected: z.enum([...DECISIONS, "disputed"]).nullable(),
});
export type RecordedView = z.infer<typeof recordedView>;

export const previewInput = judgedText.extend({ event: eventName, call: recordedKey.nullable() });
export type PreviewInput = z.infer<typeof previewInput>;
export const previewView = z.strictObject({
  system: z.string().nullable(),
  prompt: z.string().nullable(),
  /** The reason why there is no prompt; with a position for an error in the template. Line and column count from 1. */
  problem: z
    .strictObject({ message: z.string(), line: z.number().nullable(), column: z.number().nullable() })
    .nullable(),
  /** Characters of system and prompt together. */
  characters: z.number(),
  /** Places where something was hidden. */
  redactions: z.number(),
  /** A guess: one for every four characters. */
  tokens: z.number(),
  /** `question`: those tokens at the model's price. `atMost`: a budget's reservation for one such call. */
  cost: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("priced"), question: z.bigint(), atMost: z.bigint() }),
    z.strictObject({ kind: z.literal("unpriced") }),
    z.strictObject({ kind: z.literal("unconnected") }),
  ]),
  isSample: z.boolean(),
});
export type PreviewView = z.infer<typeof previewView>;

export const LABEL_WORDS = ["right", "too_strict", "too_loose"] as const;
const labelWord = z.enum(LABEL_WORDS);
export type LabelWord = z.infer<typeof labelWord>;

/** A judge's verdict as a decision; null for any other word, such as a failure. A block counts as a denial. */
export const decisionOf = (verdict: string | null): Decision | null =>
  verdict === "block" ? "deny" : (DECISIONS.find((known) => known === verdict) ?? null);

/**
 * The expected decisions that a label can mean for a decision, first the one on its button; empty when the label cannot
 * apply.
 */
export function expectations(said: Decision, word: LabelWord): readonly Decision[] {
  if (word === "right") return [said];
  if (word === "too_strict") return said === "deny" ? ["allow", "ask"] : said === "ask" ? ["allow"] : [];
  return said === "allow" ? ["deny", "ask"] : said === "ask" ? ["deny"] : [];
}

export const labelSubject = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("call"), call: judgeCallKey }),
  z.strictObject({
    kind: z.literal("trial"),
    trialId: z.uuid(),
    place: z.number().int().min(0).max(2_147_483_647),
    repeat: z.number().int().min(0).max(2_147_483_647),
  }),
]);
export type LabelSubject = z.infer<typeof labelSubject>;
export const setLabel = z.strictObject({
  subject: labelSubject,
  word: labelWord,
  /** The likeliest one when absent. */
  expected: decision.optional(),
  note: z.string().trim().max(2_000, "A note has at most 2,000 characters.").refine(storable).default(""),
});
export type SetLabel = z.infer<typeof setLabel>;
export const labelsOf = z.strictObject({ subject: labelSubject });
export type LabelsOf = z.infer<typeof labelsOf>;
export const labelView = z.strictObject({
  person: z.string(),
  isMine: z.boolean(),
  word: labelWord,
  expected: decision,
  note: z.string(),
  at: z.date(),
});
export type LabelView = z.infer<typeof labelView>;

export const trialBudget = z.strictObject({
  calls: z
    .number()
    .int()
    .min(1, "Allow at least one call.")
    .max(TRIAL_LIMITS.questions, "A trial asks at most 1,000 questions."),
  /** Null only for a model without a price: its dollars cannot be counted. */
  nano: z
    .bigint()
    .min(1n, "Enter an amount above zero.")
    .max(1_000_000_000_000n, "At most one thousand dollars.")
    .nullable(),
});
export const startTrial = z.strictObject({
  promptId: z.uuid(),
  /** A published revision by its number, or a text that is not published. */
  what: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("revision"), number: z.number().int().min(1).max(2_147_483_647) }),
    z.strictObject({ kind: z.literal("draft"), text: judgedText }),
  ]),
  on: z.discriminatedUnion("kind", [
    z.strictObject({
      kind: z.literal("filter"),
      filter: recordedFilter,
      calls: z.number().int().min(1).max(2_147_483_647).max(TRIAL_LIMITS.calls, "A trial has at most 200 calls."),
    }),
    /** The very calls of another trial, so that the two can be laid side by side. */
    z.strictObject({ kind: z.literal("same"), trialId: z.uuid() }),
  ]),
  repeats: z.number().int().min(1).max(2_147_483_647).max(TRIAL_LIMITS.repeats, "Ask each call at most ten times."),
  timeoutSeconds: z
    .number()
    .int()
    .min(1)
    .max(2_147_483_647)
    .max(TRIAL_LIMITS.timeoutSeconds, "Wait at most two minutes for an answer."),
  budget: trialBudget,
});
export type StartTrial = z.infer<typeof startTrial>;
export const trialById = z.strictObject({ trialId: z.uuid() });
export type TrialById = z.infer<typeof trialById>;

export const count = z.number().int().nonnegative();
/** A share with its denominator; null when the denominator is zero. */
const share = z.strictObject({ hits: count, of: count }).nullable();
export type Share = z.infer<typeof share>;
/** Milliseconds, over the calls that were answered. */
const latency = z.strictObject({ p50: z.number(), p95: z.number(), of: count }).nullable();
export type Latency = z.infer<typeof latency>;
export const spendView = z.strictObject({
  priced: count,
  free: count,
  unpriced: count,
  unanswered: count,
  nano: z.bigint(),
});
export type SpendView = z.infer<typeof spendView>;

/** `interrupted`: its process ended. */
export const TRIAL_STATES = ["running", "finished", "canceled", "spent", "stopped", "interrupted"] as const;
export const trialView = z.strictObject({
  id: z.uuid(),
  promptId: z.uuid(),
  /** 0: a draft. */
  revision: z.number(),
  model: z.string(),
  sha256: z.string(),
  repeats: count,
  budget: z.strictObject({ calls: count, nano: z.bigint().nullable() }),
  state: z.enum(TRIAL_STATES),
  says: z.string(),
  startedBy: z.string(),
  startedAt: z.date(),
  endedAt: z.date().nullable(),
  /** Recorded calls, questions planned, asked, and asked in vain. */
  calls: count,
  planned: count,
  asked: count,
  failed: count,
  verdicts: z.array(z.strictObject({ verdict: z.string(), answers: count })),
  failures: z.array(z.strictObject({ cause: z.string(), answers: count })),
  latency,
  spend: spendView,
  /** The calls answered at least twice whose answers differ. */
  flips: share,
});
export type TrialView = z.infer<typeof trialView>;
export const trialCallView = recordedKey.extend({
  place: count,
  repeat: count,
  event: z.string(),
  tool: z.string().nullable(),
  agentName: z.string(),
  /** The command, the path or the first words; null when the recorded call was removed. */
  excerpt: z.string().nullable(),
  /** Null while it was not asked. */
  verdict: z.string().nullable(),
  cause: z.string().nullable(),
  reason: z.string(),
  latencyMs: z.number().nullable(),
  inputTokens: z.number().nullable(),
  outputTokens: z.number().nullable(),
  pricing: z.enum(["priced", "free", "unpriced", "unanswered"]).nullable(),
  nano: z.bigint().nullable(),
  mine: z.strictObject({ word: labelWord, expected: decision, note: z.string() }).nullable(),
  /** The decision that people expect of this recorded call; `disputed` when they differ. */
  expected: z.enum([...DECISIONS, "disputed"]).nullable(),
});
export type TrialCallView = z.infer<typeof trialCallView>;
export const trialDetailView = z.strictObject({ trial: trialView, text: judgedText, calls: z.array(trialCallView) });
export type TrialDetailView = z.infer<typeof trialDetailView>;

export const compareTrials = z.strictObject({ left: z.uuid(), right: z.uuid() });
export type CompareTrials = z.infer<typeof compareTrials>;

export const measuresView = z.strictObject({
  /** Answers with a decision, and failed questions. */
  judged: count,
  failed: count,
  /** Decisions about calls whose expected decision is known; and those about calls that people dispute. */
  labelled: count,
  disputed: count,
  precision: share,
  recall: share,
  agreement: share,
  /** Cohen's kappa over allow, ask and deny; null when it is undefined or without labels. */
  kappa: z.number().nullable(),
  flips: share,
  latency,
  spend: spendView,
});
export type MeasuresView = z.infer<typeof measuresView>;
export const promptMeasuresView = z.strictObject({
  /** The newest first; trials of a draft that became a revision count for the revision. */
  revisions: z.array(z.strictObject({ number: z.number(), measures: measuresView })),
  /** True if some calls were omitted because there are too many. */
  isCut: z.boolean(),
});
export type PromptMeasuresView = z.infer<typeof promptMeasuresView>;
