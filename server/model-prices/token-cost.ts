/**
 * The cost of a call by prices per kind of token. Pure, and without floats.
 *
 * Units: nano-dollars; prices are per million tokens.
 */

const MILLION = 1_000_000n;

export interface TokenPrices {
  readonly input: bigint;
  readonly output: bigint;
  /** Null: as much as plain input. */
  readonly cachedInput: bigint | null;
  readonly cacheWrite: bigint | null;
  /** Cache writes that are kept for an hour. Null or absent: as much as other cache writes. */
  readonly hourCacheWrite?: bigint | null | undefined;
}

export interface TieredPrices extends TokenPrices {
  /** The prices of a whole call whose prompt has more than `aboveTokens` tokens, cached ones included. */
  readonly longPrompt?: (TokenPrices & { readonly aboveTokens: number }) | undefined;
}

/** Tokens by kind. The kinds do not overlap. */
export interface Tokens {
  readonly input: bigint;
  readonly output: bigint;
  readonly cachedInput: bigint;
  /** Cache writes without those of `hourCacheWrite`. */
  readonly cacheWrite: bigint;
  readonly hourCacheWrite: bigint;
}

/** True if the call has the prices of a long prompt. */
export function isLongPrompt({ longPrompt }: TieredPrices, tokens: Omit<Tokens, "output">): boolean {
  const prompt = tokens.input + tokens.cachedInput + tokens.cacheWrite + tokens.hourCacheWrite;
  return longPrompt !== undefined && prompt > BigInt(longPrompt.aboveTokens);
}

/** Rounded half up once, over the sum. */
export function costOfTokens(tiered: TieredPrices, tokens: Tokens): bigint {
  const { longPrompt } = tiered;
  const prices = longPrompt !== undefined && isLongPrompt(tiered, tokens) ? longPrompt : tiered;
  const cacheWrite = prices.cacheWrite ?? prices.input;
  const millionths =
    tokens.input * prices.input +
    tokens.output * prices.output +
    tokens.cachedInput * (prices.cachedInput ?? prices.input) +
    tokens.cacheWrite * cacheWrite +
    tokens.hourCacheWrite * (prices.hourCacheWrite ?? cacheWrite);
  return (millionths + MILLION / 2n) / MILLION;
}

/** The most that a call can cost with up to these tokens of a prompt and an answer. Rounded up. */
export function costAtMost(prices: TieredPrices, promptTokensMax: number, outputTokensMax: number): bigint {
  const { longPrompt } = prices;
  const isReached = longPrompt !== undefined && promptTokensMax > longPrompt.aboveTokens;
  const costs = [prices, ...(isReached ? [longPrompt] : [])].map(
    (each) => BigInt(promptTokensMax) * dearestInput(each) + BigInt(outputTokensMax) * each.output,
  );
  return (largest(costs) + MILLION - 1n) / MILLION;
}

const dearestInput = ({ input, cachedInput, cacheWrite, hourCacheWrite }: TokenPrices): bigint =>
  largest([input, cachedInput ?? 0n, cacheWrite ?? 0n, hourCacheWrite ?? 0n]);

function largest(all: readonly bigint[]): bigint {
  let most = 0n;
  for (const one of all) if (one > most) most = one;
  return most;
}
