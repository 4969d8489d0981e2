/**
 * The URL as the input of `compactions.list`. Pure, so that the server prefetches under the very key that
 * the browser looks for.
 */
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { type Filter, valuesOf } from "@/components/ui/filter/filter-text";
import {
  type AttemptOutcome,
  attemptOutcome,
  type CompactionRange,
  type GroupBy,
  groupBy,
  type Intervention,
  intervention,
  type ListCompactions,
  lossState,
  troubleAfter,
} from "@/server/compactions/schema";

/** The keys of the filter bar, as typed before the colon. */
export const filterKeys = ["outcome", "hook", "reason", "agent", "model", "after", "lost", "session"] as const;

/**
 * The page's word for a value, if it differs from the API's. The filter accepts both: links and saved views keep the
 * API's.
 */
const FILTER_WORDS: Partial<Record<AttemptOutcome | Intervention, string>> = { vetoed: "blocked", steered: "guided" };

/** The word for a value in the filter bar. */
export const filterWord = (value: AttemptOutcome | Intervention): string => FILTER_WORDS[value] ?? value;

const isNamedIn = (words: readonly string[]) => (value: AttemptOutcome | Intervention) =>
  words.includes(value) || words.includes(filterWord(value));

/** The word for a missing name in a filter and in tables. */
export const UNNAMED = "(none)";

export const views = ["attempts", "trends"] as const;
export type View = (typeof views)[number];
export const viewOf = (text: string | null): View => (text === "trends" ? "trends" : "attempts");
export const groupByOf = (text: string | null): GroupBy => groupBy.options.find((option) => option === text) ?? "model";

/** The same filters for the figures. */
export function filterOf({ limit: _limit, ...filter }: AttemptsInput) {
  return filter;
}

export type AttemptsInput = Omit<ListCompactions, "cursor" | "direction">;

export function attemptsInput({ from, to }: CompactionRange, filter: Filter): AttemptsInput {
  const of = (key: (typeof filterKeys)[number]) =>
    valuesOf(filter, key)
      .slice(0, 50)
      .map((value) => (value === UNNAMED ? "" : value));
  const [outcomes, hooks] = [of("outcome"), of("hook")];
  return {
    from,
    to,
    outcomes: attemptOutcome.options.filter(isNamedIn(outcomes)),
    hooks: intervention.options.filter(isNamedIn(hooks)),
    reasons: of("reason"),
    agents: of("agent"),
    sessions: of("session"),
    models: of("model"),
    after: troubleAfter.options.filter((option) => of("after").includes(option)),
    lost: lossState.options.filter((option) => of("lost").includes(option)),
    text: truncateText(filter.text.trim(), 200, ""),
    limit: 50,
  };
}
