/** Prices of tokens, with those of long prompts. */
import { z } from "zod";

/** Nano-dollars per million tokens. A million dollars is a mistake. */
export const tokenPrice = z
  .bigint()
  .nonnegative("A price is 0 or more.")
  .max(1_000_000_000_000_000n, "At most one million dollars.");

const LONG_PROMPT_TOKENS_MAX = 100_000_000;
const NO_TOKENS = "Enter a whole number of tokens, such as 200000.";

/** The prices of a whole call whose prompt has more than `aboveTokens` tokens, cached ones included. */
export const longPrompt = z.strictObject({
  aboveTokens: z
    .number(NO_TOKENS)
    .int(NO_TOKENS)
    .min(1, NO_TOKENS)
    .max(LONG_PROMPT_TOKENS_MAX, "A limit is at most 100,000,000 tokens."),
  input: tokenPrice,
  output: tokenPrice,
  /** Null: as much as plain input of a long prompt. */
  cachedInput: tokenPrice.nullable(),
  cacheWrite: tokenPrice.nullable(),
});
export type LongPrompt = z.infer<typeof longPrompt>;

/** With the price of cache writes that are kept for an hour; null: as much as other cache writes of a long prompt. */
export const judgeLongPrompt = longPrompt.extend({ hourCacheWrite: tokenPrice.nullable() });
export type JudgeLongPrompt = z.infer<typeof judgeLongPrompt>;

/** A price as it is stored in JSON: digits. */
export const storedTokenPrice = z
  .string()
  .regex(/^\d{1,16}$/)
  .transform(BigInt);

export const storedLongPrompt = z.strictObject({
  aboveTokens: longPrompt.shape.aboveTokens,
  input: storedTokenPrice,
  output: storedTokenPrice,
  cachedInput: storedTokenPrice.nullable(),
  cacheWrite: storedTokenPrice.nullable(),
});
export const storedJudgeLongPrompt = storedLongPrompt.extend({ hourCacheWrite: storedTokenPrice.nullable() });

type Stored<Prices> = { readonly [Name in keyof Prices]: Prices[Name] extends number ? number : string | null };

/** The prices in JSON. */
export const longPromptJson = <Prices extends LongPrompt>(prices: Prices): Stored<Prices> =>
  // Holds: each bigint becomes its digits, and nothing else changes.
  Object.fromEntries(
    Object.entries(prices).map(([name, value]) => [name, typeof value === "bigint" ? value.toString() : value]),
  ) as Stored<Prices>;
