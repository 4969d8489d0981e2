/** The cost of an answer, in whole nano-dollars from prices in nano-dollars per million tokens. */
import type { JudgeUsage } from "@quarterdeck/hooks/contract/judge";
import type { ModelPrice } from "./schema.ts";

const MILLION = 1_000_000n;

/** The price of `usage`, rounded half up once, over the sum. Null without a price or without usage: unknown, never 0. */
export function costOfUsage(price: ModelPrice | null, usage: JudgeUsage | null): bigint | null {
  if (price === null || usage === null) return null;
  const of = (tokens: number | undefined, each: bigint) => BigInt(tokens ?? 0) * each;
  const sum =
    of(usage.inputTokens, price.input) +
    of(usage.outputTokens, price.output) +
    of(usage.cachedInputTokens, price.cachedInput ?? price.input) +
    of(usage.cacheWriteTokens, price.cacheWrite ?? price.input);
  return (sum + MILLION / 2n) / MILLION;
}

/** More than a question of `bytes` can cost: no tokenizer makes more tokens than there are bytes. Rounded up. */
export function costAtMost(price: ModelPrice, bytes: number, outputTokensMax: number): bigint {
  const dearest = [price.cachedInput, price.cacheWrite].reduce<bigint>(
    (most, each) => (each !== null && each > most ? each : most),
    price.input,
  );
  return (BigInt(bytes) * dearest + BigInt(outputTokensMax) * price.output + MILLION - 1n) / MILLION;
}
