/** The URL as the input of `inventory.list`. Pure, so that the server prefetches under the same key as the browser. */
import { TOOL_KINDS } from "@quarterdeck/hooks/contract/tool-kinds";
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { type Filter, type FilterTerm, valuesOf } from "@/components/ui/filter/filter-text";
import { parseSort } from "@/components/ui/table/sort-text";
import type { Sort } from "@/components/ui/table/types";
import { CLIENT_NAMES } from "@/server/dialects/schema";
import { type ListTools, TOOL_SORTS } from "@/server/inventory/schema";

/** The keys of the filter bar, as typed before the colon. */
export const filterKeys = ["agent", "client", "kind"] as const;

const isClient = (text: string): boolean => CLIENT_NAMES.some((name) => name === text);
const isKind = (text: string): boolean => TOOL_KINDS.some((kind) => kind === text);

/** Chips with an unknown value: they filter nothing, and the page says so. */
export const unknownTerms = ({ terms }: Filter): readonly FilterTerm[] =>
  terms.filter(({ key, value }) => (key === "client" && !isClient(value)) || (key === "kind" && !isKind(value)));

export function toolsInput(filter: Filter, { id, desc }: Sort): Omit<ListTools, "cursor" | "direction"> {
  const clients = valuesOf(filter, "client");
  const kinds = valuesOf(filter, "kind");
  return {
    agentIds: [],
    agents: valuesOf(filter, "agent")
      .slice(0, 20)
      .map((value) => truncateText(value, 200, "")),
    clients: CLIENT_NAMES.filter((name) => clients.includes(name)),
    kinds: TOOL_KINDS.filter((kind) => kinds.includes(kind)),
    text: truncateText(filter.text.trim(), 200, ""),
    sort: TOOL_SORTS.find((sort) => sort === id) ?? "last",
    isDescending: desc,
    limit: 50,
  };
}

/** The sort in `?sort=`; without one, the tools that were called last come first. */
export const sortOf = (text: string | null): Sort => parseSort(text, TOOL_SORTS, { id: "last", desc: true });
