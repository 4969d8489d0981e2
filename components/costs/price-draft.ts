/** A price list while it is typed: texts, and what is wrong with them. */
import { dollarsOf, nanoOf } from "@/components/ui/format/dollars";
import { type Price, pricesInput } from "@/server/costs/prices/schema";

export const FIELDS = ["pattern", "input", "output", "cachedInput", "cacheWrite"] as const;
export type PriceField = (typeof FIELDS)[number];
export type PriceDraft = Readonly<Record<PriceField, string>> & { readonly key: number };

export const emptyDraft = (key: number, pattern = ""): PriceDraft => ({
  key,
  pattern,
  input: "",
  output: "",
  cachedInput: "",
  cacheWrite: "",
});

export const draftsOf = (prices: readonly Price[]): PriceDraft[] =>
  prices.map(({ pattern, input, output, cachedInput, cacheWrite }, key) => ({
    key,
    pattern,
    input: dollarsOf(input),
    output: dollarsOf(output),
    cachedInput: cachedInput === null ? "" : dollarsOf(cachedInput),
    cacheWrite: cacheWrite === null ? "" : dollarsOf(cacheWrite),
  }));

/** The list that the texts say, or the first thing wrong with each line. */
export function pricesOf(drafts: readonly PriceDraft[]): {
  prices: Price[] | null;
  wrongs: ReadonlyMap<number, string>;
} {
  const wrongs = new Map<number, string>();
  const prices: Price[] = [];
  for (const draft of drafts) {
    const optional = (text: string) => (text.trim() === "" ? null : nanoOf(text));
    const price = {
      pattern: draft.pattern.trim(),
      input: nanoOf(draft.input),
      output: nanoOf(draft.output),
      cachedInput: optional(draft.cachedInput),
      cacheWrite: optional(draft.cacheWrite),
    };
    const isWrong = (["cachedInput", "cacheWrite"] as const).some(
      (name) => draft[name].trim() !== "" && price[name] === null,
    );
    const { input, output } = price;
    if (price.pattern === "") wrongs.set(draft.key, "Name the model.");
    else if (input === null || output === null || isWrong)
      wrongs.set(
        draft.key,
        "Write dollars for a million tokens, such as 0.15. Input and output are needed; 0 is free.",
      );
    else prices.push({ ...price, input, output });
  }
  const parsed = pricesInput.safeParse(prices);
  const failure = parsed.success ? undefined : parsed.error.issues[0];
  if (failure) wrongs.set(drafts[Number(failure.path[0])]?.key ?? drafts.at(-1)?.key ?? 0, failure.message);
  return { prices: wrongs.size === 0 ? prices : null, wrongs };
}
