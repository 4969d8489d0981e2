/**
 * What the URL asks for, as the input of `compactions.list`. Pure, so that the server prefetches under the very key the
 * browser looks for.
 */
import { type Filter, valuesOf } from "@/components/ui/filter/filter-text";
import {
  afterwards,
  attemptOutcome,
  type CompactionRange,
  intervention,
  type ListCompactions,
} from "@/server/compactions/schema";

/** The keys of the filter bar, as typed before the colon. */
export const filterKeys = ["outcome", "hook", "reason", "agent", "model", "after", "session"] as const;

export type AttemptsInput = Omit<ListCompactions, "cursor" | "direction">;

export function attemptsInput({ from, to }: CompactionRange, filter: Filter): AttemptsInput {
  const of = (key: (typeof filterKeys)[number]) => valuesOf(filter, key).slice(0, 50);
  const [outcomes, hooks] = [of("outcome"), of("hook")];
  return {
    from,
    to,
    outcomes: attemptOutcome.options.filter((option) => outcomes.includes(option)),
    hooks: intervention.options.filter((option) => hooks.includes(option)),
    reasons: of("reason"),
    agents: of("agent"),
    sessions: of("session"),
    models: of("model"),
    after: afterwards.options.filter((option) => of("after").includes(option)),
    text: filter.text.trim().slice(0, 200),
    limit: 50,
  };
}
