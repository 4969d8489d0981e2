/**
 * The URL as inputs of the costs procedures. Pure, so that the server prefetches under the very keys that
 * the browser looks for.
 */
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { type Filter, noFilter, valuesOf, withTerm } from "@/components/ui/filter/filter-text";
import { personFilter } from "@/server/access/principal-schema";
import {
  type CostCallsInput,
  type CostRange,
  callMaker,
  dimension,
  isOfSessions,
  type PivotInput,
  pricing,
  type SeriesBy,
  type SessionCostsInput,
} from "@/server/costs/schema";

export const views = ["breakdown", "groups", "sessions", "calls", "statements"] as const;
export type View = (typeof views)[number];

/** The view in `?view=`. A filter without a view shows the calls: the only view with every filter. */
export const viewOf = (text: string | null, filterText: string | null): View =>
  views.find((view) => view === text) ?? (filterText ? "calls" : "breakdown");

/** The dimensions that `?by=` and `?split=` group by; two of the same, or two of sessions, are one. */
export function groupingOf(by: string | null, split: string | null): Pick<PivotInput, "by" | "split"> {
  const first = dimension.safeParse(by).data ?? "model";
  const second = split === "none" ? null : (dimension.safeParse(split).data ?? (first === "agent" ? "model" : "agent"));
  const isOne = second === first || (second !== null && isOfSessions(first) && isOfSessions(second));
  return { by: first, split: isOne ? null : second };
}

export const seriesByOf = (text: string | null): SeriesBy => (text === "agent" ? "agent" : "model");

/** The keys of the filter bar, as typed before the colon. */
export const filterKeys = ["model", "agent", "person", "session", "pricing", "by"] as const;
/** The word for a call's missing name in a filter and in tables. */
export const UNNAMED = "(none)";

/** The part of the filter that applies to sessions. */
export const agentTerms = (filter: Filter): Filter => ({
  ...noFilter,
  terms: filter.terms.filter(({ key }) => key === "agent"),
});
/** A filter of sessions as typed: a word without a key is an agent's name. */
export function typedAgents(typed: Filter): Filter {
  const name = typed.text.trim();
  return name === "" ? agentTerms(typed) : withTerm(agentTerms(typed), { key: "agent", value: name });
}

export const sessionCostsInputOf = (range: CostRange, filter: Filter): SessionCostsInput => ({
  ...range,
  agents: callsInput(range, filter).agents,
});

export type CallsInput = Omit<CostCallsInput, "cursor" | "direction">;

const isPerson = (value: string): boolean => personFilter.safeParse([value]).success;

export function callsInput({ from, to }: CostRange, filter: Filter): CallsInput {
  const of = (key: (typeof filterKeys)[number]) =>
    valuesOf(filter, key)
      .slice(0, 50)
      .map((value) => (value === UNNAMED ? "" : value));
  const pricings = of("pricing");
  return {
    from,
    to,
    models: of("model"),
    agents: of("agent"),
    sessions: of("session"),
    persons: of("person").filter(isPerson).slice(0, 20),
    pricings: pricing.options.filter((option) => pricings.includes(option)),
    makers: callMaker.options.filter((option) => of("by").includes(option)),
    text: truncateText(filter.text, 200, ""),
    limit: 100,
  };
}
