/** A price of a connection as it is stored, and as it is read again. */
import { longPromptJson, storedJudgeLongPrompt } from "../model-prices/schema.ts";
import { type ModelPrice, modelPrice } from "./schema.ts";

export interface PriceRow {
  readonly model: string;
  readonly input: bigint;
  readonly output: bigint;
  readonly cachedInput: bigint | null;
  readonly cacheWrite: bigint | null;
  readonly hourCacheWrite: bigint | null;
  /** JSON. */
  readonly longPrompt: unknown;
}

/** A stored price that this release can price with. */
export const readablePrice = modelPrice.extend({ longPrompt: storedJudgeLongPrompt.nullish() });

/** Without the prices of long prompts where these cannot be read: `connectionProblem` says so. */
export function priceOf({ longPrompt: stored, ...price }: PriceRow): ModelPrice {
  const { model, input, output, cachedInput, cacheWrite, hourCacheWrite } = price;
  const longPrompt = storedJudgeLongPrompt.safeParse(stored).data;
  return {
    ...{ model, input, output, cachedInput, cacheWrite },
    ...(hourCacheWrite !== null && { hourCacheWrite }),
    ...(longPrompt && { longPrompt }),
  };
}

/** The columns of a price. */
export function priceColumns({ longPrompt, hourCacheWrite = null, ...price }: ModelPrice) {
  return { ...price, hourCacheWrite, ...(longPrompt && { longPrompt: longPromptJson(longPrompt) }) };
}
