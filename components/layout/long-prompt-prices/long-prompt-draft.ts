/** The prices of long prompts as form texts. */
import { dollarsOf, nanoOf } from "@/components/ui/format/dollars";
import type { JudgeLongPrompt, LongPrompt } from "@/server/model-prices/schema";

export interface LongPromptDraft {
  /** Empty for a price without long prompts. */
  readonly aboveTokens: string;
  readonly longInput: string;
  readonly longOutput: string;
  readonly longCachedInput: string;
  readonly longCacheWrite: string;
}

export const NO_LONG_PROMPT: LongPromptDraft = {
  ...{ aboveTokens: "", longInput: "", longOutput: "", longCachedInput: "", longCacheWrite: "" },
};

const optional = (nano: bigint | null): string => (nano === null ? "" : dollarsOf(nano));

export const longPromptDraft = (prices: LongPrompt | JudgeLongPrompt | undefined): LongPromptDraft =>
  prices === undefined
    ? NO_LONG_PROMPT
    : {
        aboveTokens: String(prices.aboveTokens),
        longInput: dollarsOf(prices.input),
        longOutput: dollarsOf(prices.output),
        longCachedInput: optional(prices.cachedInput),
        longCacheWrite: optional(prices.cacheWrite),
      };

/** The field of an error at a path of the prices: `prices.0.longPrompt.input` is `prices.0.longInput`. */
export const longPromptField = (path: string): string =>
  path.replace(/longPrompt\.(\w)(\w*)$/, (_, first: string, rest: string) =>
    first + rest === "aboveTokens" ? "aboveTokens" : `long${first.toUpperCase()}${rest}`,
  );

/** The fields of long prompts, for a row of a price. */
export const LONG_PROMPT_COLUMNS = [
  { field: "aboveTokens", label: "Prompts above, tokens", placeholder: "200000" },
  { field: "longInput", label: "Long input" },
  { field: "longOutput", label: "Long output" },
  { field: "longCachedInput", label: "Long cached input", placeholder: "as long input" },
  { field: "longCacheWrite", label: "Long cache write", placeholder: "as long input" },
] as const satisfies readonly { field: keyof LongPromptDraft; label: string; placeholder?: string }[];

const NO_DOLLARS = "Enter dollars per million tokens of a long prompt, such as 0.15. Input and output are required.";
export const NO_LIMIT =
  "Enter the number of tokens above which a prompt is long, such as 200000, or remove its prices.";

/** The prices of the texts, undefined without any. `onWrong` is called with each invalid text's field. */
export function readLongPrompt(
  draft: LongPromptDraft,
  onWrong: (field: keyof LongPromptDraft, sentence: string) => void,
): LongPrompt | undefined {
  if (Object.keys(NO_LONG_PROMPT).every((field) => textOf(draft, field) === "")) return undefined;
  const tokens = draft.aboveTokens.trim().replaceAll(",", "");
  if (!/^\d{1,9}$/.test(tokens)) onWrong("aboveTokens", NO_LIMIT);
  const amount = (field: keyof LongPromptDraft) => {
    const nano = nanoOf(draft[field]);
    if (nano === null) onWrong(field, NO_DOLLARS);
    return nano ?? 0n;
  };
  const maybe = (field: keyof LongPromptDraft) => (textOf(draft, field) === "" ? null : amount(field));
  return {
    aboveTokens: Number(tokens),
    input: amount("longInput"),
    output: amount("longOutput"),
    cachedInput: maybe("longCachedInput"),
    cacheWrite: maybe("longCacheWrite"),
  };
}

// Holds: the names are those of an empty draft.
const textOf = (draft: LongPromptDraft, field: string): string => draft[field as keyof LongPromptDraft].trim();
