import { z } from "zod";

/**
 * The outcome of one hook, in one word. `acted`: it rewrote or added something; `silent`: it had no opinion; `skipped`:
 * it was not started; `canceled`: the agent gave up while it ran. A failure that denied is a failure. `tolerated`: it
 * failed, and the profile lets the call pass.
 */
export const HOOK_OUTCOMES = [
  "denied",
  "asked",
  "allowed",
  "acted",
  "silent",
  "failed",
  "timed_out",
  "skipped",
  "canceled",
  "tolerated",
] as const;
export type HookOutcomeWord = (typeof HOOK_OUTCOMES)[number];

/** The origin of a dispatch: decided here, or reported after it happened elsewhere. */
export const recordOrigin = z.enum(["dispatch", "report"]);
export type RecordOrigin = z.infer<typeof recordOrigin>;

const tokens = z.number().int().nonnegative();

/** A hook's question to a model, and its outcome; absent values were never known. */
export const storedJudge = z.object({
  /** As the hook names it: `openai/gpt-4o-mini`. */
  model: z.string(),
  provider: z.string().optional(),
  answeredBy: z.string().optional(),
  /** The first connection and the cause of its missing answer, when a second was asked. */
  skipped: z.object({ provider: z.string(), cause: z.string() }).optional(),
  schema: z.string().optional(),
  /** The judge prompt and revision that its hook was labelled with: `shell-risk@3`. */
  label: z.string().optional(),
  /** The evaluator that was asked, where no model was. */
  evaluator: z.string().optional(),
  system: z.string().optional(),
  prompt: z.string().optional(),
  reply: z.string().optional(),
  usage: z
    .object({
      inputTokens: tokens,
      outputTokens: tokens,
      cachedInputTokens: tokens.optional(),
      cacheWriteTokens: tokens.optional(),
      reasoningTokens: tokens.optional(),
    })
    .optional(),
  /** Nano-dollars in digits. Null: answered, but the price is unknown. Absent: no answer. */
  costNano: z.string().nullable().optional(),
  latencyMs: z.number().optional(),
  cause: z.string().optional(),
});
export type StoredJudge = z.infer<typeof storedJudge>;

/** The run of one configured hook, as stored with its dispatch and shown in a drawer. */
export const storedHook = z.object({
  policy: z.string(),
  revision: z.number(),
  path: z.string(),
  name: z.string(),
  type: z.string(),
  /** completed, refused or failed. */
  outcome: z.string(),
  said: z.string(),
  failure: z.string().optional(),
  /** A failure that the profile of the dispatch let pass. */
  tolerated: z.string().optional(),
  startedMs: z.number(),
  durationMs: z.number(),
  exitCode: z.number().optional(),
  stdout: z.string(),
  stderr: z.string(),
  judge: storedJudge.optional(),
  /** This exception lifted its verdict. */
  exception: z.string().optional(),
  /** The lifted verdict; absent in records of an older release, which lifted questions alone. */
  lifted: z.enum(["ask", "deny"]).optional(),
  /** Present when the local executor ran it and reported it. */
  ranOn: z.literal("agent").optional(),
});
export type StoredHook = z.infer<typeof storedHook>;
export const storedHooks = z.array(storedHook);
