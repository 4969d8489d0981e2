/**
 * The cost of a call by a price list. Pure, and without floats.
 *
 * Units: nano-dollars; prices are per million tokens.
 * Source: the spec's formula (executor 11.6). Kinds of tokens do not overlap, so nothing is charged twice; reasoning tokens
 * are within output and have no term.
 */
import { costOfTokens, isLongPrompt } from "../../model-prices/index.ts";
import type { Price } from "./schema.ts";

/** Tokens by kind as the client reported them; null for a kind that it left out. */
export interface Usage {
  readonly input: bigint | null;
  readonly output: bigint | null;
  readonly cachedInput: bigint | null;
  readonly cachedWrite: bigint | null;
}

/**
 * The cost of a call whose client leaves out kinds that are zero. Rounded half up to the nano-dollar; null when no usage was reported,
 * because no charge is known.
 */
export function costBy(price: Price, usage: Usage): bigint | null {
  const { input, output, cachedInput, cachedWrite } = usage;
  if (input === null && output === null && cachedInput === null && cachedWrite === null) return null;
  return costOfTokens(price, tokensOf(usage));
}

/** Clients report cache writes as one number, so all of them have the price of plain ones. */
const tokensOf = ({ input, output, cachedInput, cachedWrite }: Usage) => ({
  ...{ input: input ?? 0n, output: output ?? 0n, cachedInput: cachedInput ?? 0n },
  ...{ cacheWrite: cachedWrite ?? 0n, hourCacheWrite: 0n },
});

/** The price that a call has, in words: its pattern, and the limit of a long prompt. */
export function priceText(price: Price, usage: Usage): string {
  const { pattern, longPrompt } = price;
  if (longPrompt === undefined || !isLongPrompt(price, tokensOf(usage))) return pattern;
  return `${pattern} for prompts of more than ${longPrompt.aboveTokens.toLocaleString("en-US")} tokens`;
}

/**
 * The cost of a call whose client leaves out kinds that it does not know; null when a kind with a price of its own is unknown. Cache
 * writes may be left out: only some providers charge for them, and clients of the others never send a count.
 */
export function costOfKnown(price: Price, usage: Usage): bigint | null {
  const { input, output, cachedInput } = usage;
  const hasCachedPrice = price.cachedInput !== null || (price.longPrompt?.cachedInput ?? null) !== null;
  const isUnknown = input === null || output === null || (cachedInput === null && hasCachedPrice);
  return isUnknown ? null : costBy(price, usage);
}

/**
 * Finds the price of a model: its exact id first, then the pattern with the most literal characters, then the first in
 * alphabetical order.
 */
export function priceFinder(prices: readonly Price[]): (modelId: string) => Price | null {
  const exact = new Map(prices.filter(({ pattern }) => !pattern.includes("*")).map((one) => [one.pattern, one]));
  const said = ({ pattern }: Price) => pattern.replaceAll("*", "").length;
  const patterns = prices
    .filter(({ pattern }) => pattern.includes("*"))
    .toSorted((a, b) => said(b) - said(a) || (a.pattern < b.pattern ? -1 : 1))
    .map((one) => ({ one, parts: one.pattern.split("*") }));
  const found = new Map<string, Price | null>();
  return (modelId) => {
    const known = found.get(modelId);
    if (known !== undefined) return known;
    const price = exact.get(modelId) ?? patterns.find(({ parts }) => matches(parts, modelId))?.one ?? null;
    found.set(modelId, price);
    return price;
  };
}

/** True if a text begins with the first part, ends with the last, and contains the others between them in order. */
function matches(parts: readonly string[], text: string): boolean {
  const [first = "", last = ""] = [parts[0], parts.at(-1)];
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found === -1 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}
