import { JUDGE_CAUSES } from "@quarterdeck/hooks/contract/judge";
import { z } from "zod";
import { judgeLongPrompt, tokenPrice } from "../model-prices/schema.ts";
import { eventKeyText } from "../recording/event-key-schema.ts";

export const PROVIDERS = ["openai", "anthropic", "google", "openai-compatible", "typesafe"] as const;
export const provider = z.enum(PROVIDERS);
export type Provider = z.infer<typeof provider>;

/** The one provider of evaluators. It has no models for model hooks. */
export const EVALUATOR_PROVIDER = "typesafe" satisfies Provider;
export type ModelProvider = Exclude<Provider, typeof EVALUATOR_PROVIDER>;

/** The default base URL of each provider; "" for an OpenAI-compatible server. */
export const DEFAULT_BASE_URLS: Readonly<Record<Provider, string>> = {
  openai: "https://api.openai.com/v1",
  anthropic: "https://api.anthropic.com/v1",
  google: "https://generativelanguage.googleapis.com/v1beta",
  "openai-compatible": "",
  typesafe: "https://api.typesafe.ai",
};

/** The part before the slash in a hook's `model`, so it contains no slash. */
export const connectionName = z
  .string()
  .trim()
  .min(1, "Enter a name.")
  .max(64, "A name has at most 64 characters.")
  .regex(/^[a-z0-9][a-z0-9._-]*$/, "Use lowercase letters, digits, dots, dashes and underscores.");

/** Nano-dollars a day. A million dollars is a mistake. */
const nano = z.bigint().nonnegative().max(1_000_000_000_000_000n, "At most one million dollars.");
const callsPerDay = z.number().int().min(0).max(1_000_000_000).nullable();

export const modelName = z
  .string()
  .trim()
  .min(1, "Enter a model.")
  .max(200, "A model's name has at most 200 characters.");

export const modelPrice = z.strictObject({
  model: modelName,
  input: tokenPrice,
  output: tokenPrice,
  /** Null: as much as plain input. */
  cachedInput: tokenPrice.nullable(),
  cacheWrite: tokenPrice.nullable(),
  /** Cache writes that are kept for an hour. Null or absent: as much as other cache writes. */
  hourCacheWrite: tokenPrice.nullable().optional(),
  longPrompt: judgeLongPrompt.optional(),
});
export type ModelPrice = z.infer<typeof modelPrice>;

/** A price as it is stored: one that cannot be read is shown too. */
const storedPrice = z.strictObject({
  model: z.string(),
  input: z.bigint(),
  output: z.bigint(),
  cachedInput: z.bigint().nullable(),
  cacheWrite: z.bigint().nullable(),
  hourCacheWrite: z.bigint().nullable().optional(),
  longPrompt: judgeLongPrompt.optional(),
});

export const dailyCap = z.strictObject({ callsPerDay, nanoPerDay: nano.nullable() });
export type DailyCap = z.infer<typeof dailyCap>;

const CREDENTIAL_MAX = 4_096;

/** CONNECTION/MODEL, as in a hook. */
const fallbackModel = z
  .string()
  .trim()
  .max(265, "A fallback has at most 265 characters.")
  .regex(/^[a-z0-9][a-z0-9._-]*\/\S/, "Enter CONNECTION/MODEL, such as backup/gpt-4o-mini.");

export const saveConnection = dailyCap.extend({
  /** Absent for a new one. */
  id: z.uuid().optional(),
  name: connectionName,
  provider,
  /** "" is the provider's own address. */
  baseUrl: z.string().trim().max(500, "An address has at most 500 characters."),
  /** Absent keeps the stored credential, null removes it. A credential is never returned. */
  credential: z
    .string()
    .trim()
    .min(1, "Enter the key, or leave the field empty.")
    .max(CREDENTIAL_MAX, "A key has at most 4,096 characters.")
    .regex(/^[\x21-\x7e]+$/, "A key has letters, digits and signs, without spaces.")
    .nullable()
    .optional(),
  /** Asked when this connection does not answer; null or absent for none. */
  fallback: fallbackModel.nullable().optional(),
  prices: z
    .array(modelPrice)
    .max(200, "A connection has at most 200 prices.")
    .refine((prices) => new Set(prices.map(({ model }) => model)).size === prices.length, "Each model has one price."),
});
export type SaveConnection = z.infer<typeof saveConnection>;

export const connectionById = z.strictObject({ id: z.uuid() });
export type ConnectionById = z.infer<typeof connectionById>;

const used = z.strictObject({ calls: z.number(), nano: z.bigint() });

export const connectionView = z.strictObject({
  callsPerDay: z.number().nullable(),
  nanoPerDay: z.bigint().nullable(),
  id: z.uuid(),
  name: z.string(),
  provider,
  baseUrl: z.string(),
  /** The only facts about a credential that are ever shown. `lastFour` is null for a short one. */
  credential: z.strictObject({ lastFour: z.string().nullable(), setAt: z.date() }).nullable(),
  prices: z.array(storedPrice),
  fallback: z.string().nullable(),
  /** Set where the stored connection cannot be read: no judge is asked over it. */
  problem: z.string().nullable(),
  /** The use since midnight UTC, tests included; a running call counts with its maximum cost. */
  today: used,
  updatedAt: z.date(),
  updatedBy: z.string(),
});
export type ConnectionView = z.infer<typeof connectionView>;

export const testConnection = connectionById.extend({ model: modelName });
export type TestConnection = z.infer<typeof testConnection>;

export const judgeCause = z.enum(JUDGE_CAUSES);

export const tested = z.strictObject({
  ok: z.boolean(),
  /** The result, or the reason for its absence, as a sentence. */
  says: z.string(),
  cause: judgeCause.nullable(),
  /** The model that answered, in the provider's words. */
  answeredBy: z.string().nullable(),
  reply: z.string().nullable(),
  inputTokens: z.number().nullable(),
  outputTokens: z.number().nullable(),
  /** Null: unpriced, or no answer. */
  nano: z.bigint().nullable(),
  latencyMs: z.number(),
});
export type Tested = z.infer<typeof tested>;

export const judgeRange = z
  .strictObject({ from: z.date(), to: z.date() })
  .refine(({ from, to }) => from < to, { message: "The range must end after it begins.", path: ["to"] });
export type JudgeRange = z.infer<typeof judgeRange>;

const count = z.number().int().nonnegative();

/** Sums over judge calls. An unanswered call has no price; the provider's bill for it is unknown. */
export const judgeCallSums = z.strictObject({
  calls: count,
  failed: count,
  priced: count,
  free: count,
  unpriced: count,
  unanswered: count,
  nano: z.bigint(),
  inputTokens: z.bigint(),
  outputTokens: z.bigint(),
});
export type JudgeCallSums = z.infer<typeof judgeCallSums>;

export const judgeView = z.strictObject({
  policy: z.string(),
  hook: z.string(),
  models: z.array(z.string()),
  ledger: judgeCallSums,
  cap: dailyCap.nullable(),
  /** False if it is asked about every call. */
  reusesVerdicts: z.boolean(),
  today: used,
});
export type JudgeView = z.infer<typeof judgeView>;

export const judgesSummary = z.strictObject({
  from: z.date(),
  to: z.date(),
  ledger: judgeCallSums,
  /** Causes that occurred, the most frequent first. */
  failures: z.array(z.strictObject({ cause: z.string(), calls: count })),
  /** The judges that asked in the range or have a cap, the busiest first. */
  judges: z.array(judgeView),
});
export type JudgesSummary = z.infer<typeof judgesSummary>;

export const setJudgeCap = dailyCap.extend({
  policy: z.string().min(1).max(200),
  hook: z.string().min(1).max(500),
  /** True when absent. */
  reusesVerdicts: z.boolean().optional(),
});
export type SetJudgeCap = z.infer<typeof setJudgeCap>;

export const judgeCallKey = z.strictObject({ occurredAt: z.date(), id: z.uuid(), place: count.max(2_147_483_647) });
export type JudgeCallKey = z.infer<typeof judgeCallKey>;

export const judgeCallText = (key: JudgeCallKey): string => `${eventKeyText(key)}.${key.place}`;

/** The key that `judgeCallText` wrote; null for anything else. */
export function parseJudgeCall(text: string | null): JudgeCallKey | null {
  const [ms = "", id = "", place = ""] = text?.split(".") ?? [];
  const parsed = judgeCallKey.safeParse({ occurredAt: new Date(Number(ms)), id, place: Number(place) });
  return parsed.success && ms !== "" && place !== "" ? parsed.data : null;
}

export const judgeCallsInput = judgeRange.safeExtend({
  causes: z.array(z.string().max(40)).max(20).default([]),
  verdicts: z.array(z.string().max(40)).max(20).default([]),
  hooks: z.array(z.string().max(500)).max(50).default([]),
  models: z.array(z.string().max(300)).max(50).default([]),
  text: z.string().max(200).default(""),
  cursor: judgeCallKey.nullish(),
  direction: z.enum(["forward", "backward"]).optional(),
  limit: z.number().int().min(1).max(200).default(100),
});
export type JudgeCallsInput = z.infer<typeof judgeCallsInput>;

export const judgeCallView = judgeCallKey.extend({
  agentName: z.string(),
  event: z.string(),
  tool: z.string().nullable(),
  policy: z.string(),
  revision: z.number(),
  hook: z.string(),
  model: z.string(),
  provider: z.string(),
  /** The hook's word with it: allow, ask, deny, context, nothing, or failed. */
  verdict: z.string(),
  /** One of `JUDGE_CAUSES`; null when it answered as asked. */
  cause: z.string().nullable(),
  pricing: z.enum(["priced", "free", "unpriced", "unanswered"]),
  nano: z.bigint().nullable(),
  inputTokens: z.number().nullable(),
  outputTokens: z.number().nullable(),
  latencyMs: z.number().nullable(),
});
export type JudgeCallView = z.infer<typeof judgeCallView>;

export const judgeCallPage = z.strictObject({ calls: z.array(judgeCallView), next: judgeCallKey.nullable() });
export type JudgeCallPage = z.infer<typeof judgeCallPage>;

export const judgeCallDetail = judgeCallView.extend({
  answeredBy: z.string().nullable(),
  schema: z.string().nullable(),
  /** The judge prompt and revision its hook was labelled with. */
  label: z.string().nullable(),
  /** The first connection and the cause of its missing answer, when a second was asked. */
  skipped: z.strictObject({ provider: z.string(), cause: z.string() }).nullable(),
  /** The evaluator that was asked; null where a model was. */
  evaluator: z.string().nullable(),
  system: z.string().nullable(),
  prompt: z.string().nullable(),
  reply: z.string().nullable(),
  /** The hook's failure, as the agent's record has it. */
  failure: z.string().nullable(),
  /** True if this dispatch is a decision that can be opened. */
  isDecision: z.boolean(),
});
export type JudgeCallDetail = z.infer<typeof judgeCallDetail>;

interface CauseWords {
  /** For a cell: "no credential". */
  readonly label: string;
  /** The failure and its remedy, in a sentence or two. */
  readonly says: string;
}

/** The reasons that a judge did not answer as asked, in words for people. */
export const CAUSE_WORDS = {
  timeout: {
    label: "timeout",
    says: "The model did not answer before the hook's timeout. Use a longer timeout or a faster model.",
  },
  cancelled: { label: "canceled", says: "The agent stopped waiting before the model answered." },
  refused: {
    label: "refused",
    says: "The model declined to answer, or the provider filtered the answer.",
  },
  empty: { label: "empty reply", says: "The model gave an empty answer instead of a decision." },
  unparsable: {
    label: "unparsable",
    says: "The reply has no readable decision. It must be exactly one JSON object with decision and reason.",
  },
  provider_error: {
    label: "provider error",
    says: "The provider answered with an error or an invalid answer, or could not be reached.",
  },
  no_credential: {
    label: "no credential",
    says: "The connection has no usable key. Edit the connection and enter one.",
  },
  no_model: {
    label: "no such model",
    says: "The hook's model names no known connection, or the provider does not have this model.",
  },
  over_budget: {
    label: "over budget",
    says: "The daily limit of this judge or its connection is used up. It can ask again after midnight UTC, or with a higher limit.",
  },
  halted: {
    label: "halted",
    says: "The judge is halted because it passed a limit on its known calls. Resume it on the page of its prompt.",
  },
  overloaded: {
    label: "overloaded",
    says: "Too many questions were waiting for this connection, so this question was not sent.",
  },
  too_large: { label: "too large", says: "The question or the reply was too large and was cut off." },
} as const satisfies Record<(typeof JUDGE_CAUSES)[number], CauseWords>;

const UNSENT = ["no_credential", "no_model", "over_budget", "halted", "overloaded"];

/** True if a question left for its provider: without one on record, what stopped these stopped them here. */
export const wasSent = (cause: string | null | undefined, provider: string | undefined): boolean =>
  !cause || !UNSENT.includes(cause) || Boolean(provider);

/** The words of a cause; an unknown cause is shown as stored. */
export function causeWords(cause: string): CauseWords {
  if (Object.hasOwn(CAUSE_WORDS, cause)) return CAUSE_WORDS[cause as keyof typeof CAUSE_WORDS]; // holds: an own key
  return { label: cause, says: "A newer release recorded this cause." };
}
