/** A price list as form texts, with their errors. */
import {
  type LongPromptDraft,
  longPromptDraft,
  longPromptField,
  NO_LONG_PROMPT,
  readLongPrompt,
} from "@/components/layout/long-prompt-prices/long-prompt-draft";
import type { Wrongs } from "@/components/ui/form-texts";
import { dollarsOf, nanoOf } from "@/components/ui/format/dollars";
import { type Price, type SavePrices, savePrices } from "@/server/costs/prices/schema";

export type PriceField = "pattern" | "input" | "output" | "cachedInput" | "cacheWrite" | keyof LongPromptDraft;
export type PriceDraft = Readonly<Record<PriceField, string>>;

export interface PriceListDraft {
  readonly prices: readonly PriceDraft[];
  readonly note: string;
}

export const emptyDraft = (pattern = ""): PriceDraft => ({
  pattern,
  input: "",
  output: "",
  cachedInput: "",
  cacheWrite: "",
  ...NO_LONG_PROMPT,
});

export const draftsOf = (prices: readonly Price[]): PriceDraft[] =>
  prices.map(({ pattern, input, output, cachedInput, cacheWrite, longPrompt }) => ({
    pattern,
    input: dollarsOf(input),
    output: dollarsOf(output),
    cachedInput: cachedInput === null ? "" : dollarsOf(cachedInput),
    cacheWrite: cacheWrite === null ? "" : dollarsOf(cacheWrite),
    ...longPromptDraft(longPrompt),
  }));

const NO_DOLLARS =
  "Enter dollars per million tokens, such as 0.15, or 0 for free. The input and output prices are required.";

/** The price list of the texts, or an error for each invalid text. */
export function readPrices(
  { prices, note }: PriceListDraft,
  baseVersion: number,
): { input: SavePrices } | { wrongs: Wrongs } {
  const wrongs: Record<string, string> = {};
  const read = prices.map((draft, index) => {
    const amount = (field: PriceField) => {
      const nano = nanoOf(draft[field]);
      if (nano === null) wrongs[`prices.${index}.${field}`] = NO_DOLLARS;
      return nano ?? 0n;
    };
    const optional = (field: PriceField) => (draft[field].trim() === "" ? null : amount(field));
    if (draft.pattern.trim() === "") wrongs[`prices.${index}.pattern`] = "Enter a model.";
    const longPrompt = readLongPrompt(draft, (field, sentence) => {
      wrongs[`prices.${index}.${field}`] = sentence;
    });
    return {
      pattern: draft.pattern.trim(),
      input: amount("input"),
      output: amount("output"),
      cachedInput: optional("cachedInput"),
      cacheWrite: optional("cacheWrite"),
      ...(longPrompt && { longPrompt }),
    };
  });
  const parsed = savePrices.safeParse({ prices: read, note, baseVersion });
  if (!parsed.success)
    for (const { path, message } of parsed.error.issues) wrongs[longPromptField(path.join("."))] ??= message;
  return parsed.success && Object.keys(wrongs).length === 0 ? { input: parsed.data } : { wrongs };
}
