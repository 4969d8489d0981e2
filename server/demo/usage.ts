/** Token counts and cost of a scripted model call. */
import type { Price } from "./scenario.ts";

/** The tokens of a conversation, and the cached part of them. */
export interface Context {
  tokens: number;
  cached: number;
}

export interface Usage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cached_input_tokens: number;
  readonly cached_write_tokens: number;
}

/** The token usage of the next call: earlier context is read from the cache, the rest is written to it. */
export function callTokens(context: Context, outputTokens: number): Usage {
  const fresh = context.tokens - context.cached;
  const usage: Usage = {
    input_tokens: Math.min(fresh, 12),
    output_tokens: outputTokens,
    cached_input_tokens: context.cached,
    cached_write_tokens: Math.max(0, fresh - 12),
  };
  context.cached = context.tokens;
  context.tokens += outputTokens;
  return usage;
}

/** Dollars; null when the model has no price. */
export function costUsd(price: Price, usage: Usage): number | null {
  if (price === "unpriced") return null;
  if (price === "free") return 0;
  const { input_tokens, output_tokens, cached_input_tokens, cached_write_tokens } = usage;
  const micros =
    input_tokens * price.input +
    output_tokens * price.output +
    cached_input_tokens * price.cachedInput +
    cached_write_tokens * price.cachedWrite;
  return micros / 1e6;
}
