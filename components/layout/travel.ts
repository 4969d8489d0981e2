/** The time range and the agent or tag in view, as they travel with the links of the rail and the tabs. Pure. */
import { type NavTab, TRAVELLING_KEYS } from "@/components/layout/nav";
import { type FilterTerm, parseFilter, printFilter, printTerm } from "@/components/ui/filter/filter-text";

export interface Travelling {
  /** The text of `?range=`; null for the default of each page. */
  readonly range: string | null;
  readonly terms: readonly FilterTerm[];
}

export const nothingTravels: Travelling = { range: null, terms: [] };

/** Chips that a link carries at most. */
const TERMS_MAX = 10;

/** The state after a visit of a page: its own range and chips, and those of earlier pages that it does not know. */
export function travellingFrom(tab: NavTab | undefined, params: URLSearchParams, kept: Travelling): Travelling {
  if (tab === undefined) return kept;
  const own = tab.filterKeys ?? [];
  const others = kept.terms.filter(({ key }) => !own.some((known) => known === key));
  const chosen = own.length === 0 ? [] : parseFilter(params.get("q") ?? "", own).terms;
  return {
    range: tab.hasRange ? params.get("range") : kept.range,
    terms: [...chosen, ...others].slice(0, TERMS_MAX),
  };
}

export const isSameTravelling = (a: Travelling, b: Travelling): boolean =>
  a.range === b.range && a.terms.map(printTerm).join(" ") === b.terms.map(printTerm).join(" ");

/** The address of a tab with the range and the chips that its page understands. */
export function addressOf(tab: Pick<NavTab, "href" | "hasRange" | "filterKeys">, { range, terms }: Travelling): string {
  const params = new URLSearchParams();
  if (tab.hasRange && range !== null) params.set("range", range);
  const known = TRAVELLING_KEYS.filter((key) => tab.filterKeys?.includes(key));
  const q = printFilter({ terms: terms.filter(({ key }) => known.some((one) => one === key)), text: "" });
  if (q !== "") params.set("q", q);
  const query = params.toString();
  return query === "" ? tab.href : `${tab.href}?${query}`;
}
