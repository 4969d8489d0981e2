/** The URL as inputs of the judges procedures. Pure: the server prefetches under the keys the browser looks for. */
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { type Filter, valuesOf } from "@/components/ui/filter/filter-text";
import { CAUSE_WORDS, causeWords, type JudgeCallsInput, type JudgeRange } from "@/server/judges/schema";

export const views = ["overview", "calls"] as const;
export type View = (typeof views)[number];

/** The view in `?view=`. A filter without a view shows the calls, because only calls are filtered. */
export const viewOf = (text: string | null, filterText: string | null): View =>
  views.find((view) => view === text) ?? (filterText ? "calls" : "overview");

/** The keys of the filter bar, as typed before the colon. */
export const filterKeys = ["cause", "verdict", "judge", "model"] as const;

export type CallsInput = Omit<JudgeCallsInput, "cursor" | "direction">;

export function callsInput({ from, to }: JudgeRange, filter: Filter): CallsInput {
  const of = (key: (typeof filterKeys)[number], max: number) =>
    valuesOf(filter, key)
      .slice(0, max)
      .map((value) => truncateText(value, 300, ""));
  return {
    from,
    to,
    causes: of("cause", 20).map(causeOf),
    verdicts: of("verdict", 20).map((verdict) => truncateText(verdict, 40, "")),
    hooks: of("judge", 50),
    models: of("model", 50),
    text: truncateText(filter.text, 200, ""),
    limit: 100,
  };
}

/** A cause by the word people read or by its code. */
function causeOf(text: string): string {
  const codes = Object.keys(CAUSE_WORDS);
  return truncateText(codes.find((code) => causeWords(code).label === text) ?? text, 40, "");
}

/** The page with the calls that a chip picks; the range stays. */
export function callsHref(range: string | null, key: (typeof filterKeys)[number], value: string): string {
  const params = new URLSearchParams({
    view: "calls",
    q: `${key}:${/[\s"]/.test(value) ? JSON.stringify(value) : value}`,
  });
  if (range !== null) params.set("range", range);
  return `/policies/judges?${params}`;
}
