/** The figures in the columns of a report card, and the order of cards by them. */
import type { Sort } from "@/components/ui/table/types";
import type { RuleCard } from "@/server/decisions/rules/schema";

export const errorsOf = ({ outcomes }: RuleCard): number => outcomes.failed + outcomes.timed_out;
export const overturnedOf = ({ overturned }: RuleCard): number => overturned.denied + overturned.asked;

const RANKS = {
  rule: null,
  policy: null,
  fired: (card) => card.fired,
  denied: (card) => card.outcomes.denied,
  asked: (card) => card.outcomes.asked,
  overturned: overturnedOf,
  errors: errorsOf,
  p50: (card) => card.latency.p50 ?? -1,
  p95: (card) => card.latency.p95 ?? -1,
  p99: (card) => card.latency.p99 ?? -1,
  cost: (card) => Number(card.judge?.nano ?? -1n),
} as const satisfies Record<string, ((card: RuleCard) => number) | null>;

export const ruleSorts = Object.keys(RANKS);

export function sortedCards(cards: readonly RuleCard[], { id, desc }: Sort): RuleCard[] {
  // Holds: a text that is not a key of the table finds nothing.
  const rank: ((card: RuleCard) => number) | null | undefined = RANKS[id as keyof typeof RANKS];
  const names = (a: RuleCard, b: RuleCard) => a.hook.localeCompare(b.hook) || a.event.localeCompare(b.event);
  const order = (a: RuleCard, b: RuleCard) =>
    id === "policy" ? a.policy.localeCompare(b.policy) : rank ? rank(a) - rank(b) : names(a, b);
  return cards.toSorted((a, b) => (desc ? -1 : 1) * order(a, b) || names(a, b));
}
