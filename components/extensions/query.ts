/** The URL as the input of `extensions.list`. Pure, so that the server prefetches under the same key as the browser. */
import { EXTENSION_KINDS } from "@quarterdeck/hooks/contract/extension-kinds";
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { type Filter, type FilterTerm, valuesOf } from "@/components/ui/filter/filter-text";
import { parseSort } from "@/components/ui/table/sort-text";
import type { Sort } from "@/components/ui/table/types";
import { CLIENT_NAMES } from "@/server/dialects/schema";
import { EXTENSION_SORTS, EXTENSION_STATUSES, type ListExtensions } from "@/server/extensions/schema";

/** The keys of the filter bar, as typed before the colon. */
export const filterKeys = ["agent", "client", "kind", "status"] as const;

const CHOICES: Readonly<Record<string, readonly string[]>> = {
  client: CLIENT_NAMES,
  kind: EXTENSION_KINDS,
  status: EXTENSION_STATUSES,
};

/** Chips with an unknown value: they filter nothing, and the page says so. */
export const unknownTerms = ({ terms }: Filter): readonly FilterTerm[] =>
  terms.filter(({ key, value }) => CHOICES[key]?.includes(value) === false);

export function extensionsInput(filter: Filter, { id, desc }: Sort): Omit<ListExtensions, "cursor" | "direction"> {
  const chosen = <T extends string>(key: string, known: readonly T[]): T[] => {
    const values = valuesOf(filter, key);
    return known.filter((one) => values.includes(one));
  };
  return {
    agents: valuesOf(filter, "agent")
      .slice(0, 20)
      .map((value) => truncateText(value, 200, "")),
    clients: chosen("client", CLIENT_NAMES),
    kinds: chosen("kind", EXTENSION_KINDS),
    statuses: chosen("status", EXTENSION_STATUSES),
    text: truncateText(filter.text.trim(), 200, ""),
    sort: EXTENSION_SORTS.find((sort) => sort === id) ?? "changed",
    isDescending: desc,
    limit: 50,
  };
}

/** The sort in `?sort=`; without one, the newest changes come first. */
export const sortOf = (text: string | null): Sort => parseSort(text, EXTENSION_SORTS, { id: "changed", desc: true });
