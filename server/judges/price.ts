/** The cost of an answer, in whole nano-dollars from prices in nano-dollars per million tokens. */
import type { JudgeUsage } from "@quarterdeck/hooks/contract/judge";
import { costOfTokens, costAtMost as mostFor } from "../model-prices/index.ts";
import type { ModelPrice } from "./schema.ts";

/**
 * The price of `usage`, rounded half up once, over the sum. Null without a price or without usage: unknown, never 0.
 * `hourCacheWriteTokens` are those of the cache writes that the provider says it keeps for an hour.
 */
export function costOfUsage(
  price: ModelPrice | null,
  usage: JudgeUsage | null,
  hourCacheWriteTokens = 0,
): bigint | null {
  if (price === null || usage === null) return null;
  const { inputTokens, outputTokens, cachedInputTokens = 0, cacheWriteTokens = 0 } = usage;
  const hour = Math.min(hourCacheWriteTokens, cacheWriteTokens);
  return costOfTokens(price, {
    input: BigInt(inputTokens),
    output: BigInt(outputTokens),
    cachedInput: BigInt(cachedInputTokens),
    cacheWrite: BigInt(cacheWriteTokens - hour),
    hourCacheWrite: BigInt(hour),
  });
}

/** More than a question of `bytes` can cost: no tokenizer makes more tokens than there are bytes. Rounded up. */
export const costAtMost = (price: ModelPrice, bytes: number, outputTokensMax: number): bigint =>
  mostFor(price, bytes, outputTokensMax);
