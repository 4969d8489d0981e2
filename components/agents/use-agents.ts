"use client";

import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { parseAsString, useQueryState } from "nuqs";
import { useMemo } from "react";
import { listAgentsWithSubAgents } from "@/components/agents/columns";
import { agentsInput, sortOf } from "@/components/agents/query";
import { useTRPC } from "@/components/trpc/client";
import type { Filter } from "@/components/ui/filter/filter-text";
import { printSort } from "@/components/ui/table/sort-text";
import type { Sort } from "@/components/ui/table/types";

/** The loaded pages of agents, as one list in the order of `?sort=`. */
export function useAgents(filter: Filter) {
  const trpc = useTRPC();
  const [text, setText] = useQueryState("sort", parseAsString);
  const sort = useMemo(() => sortOf(text), [text]);
  const input = useMemo(() => agentsInput(filter, sort), [filter, sort]);
  const query = useInfiniteQuery(
    trpc.agents.search.infiniteQueryOptions(input, {
      getNextPageParam: (page) => page.next,
      placeholderData: keepPreviousData,
    }),
  );
  const rows = useMemo(() => {
    // An agent that sent an event between two page loads is on both pages; the first is newer.
    const shown = new Set<string>();
    const all = query.data?.pages.flatMap((page) => page.rows) ?? [];
    return listAgentsWithSubAgents(all.filter(({ id }) => !shown.has(id) && shown.add(id)));
  }, [query.data]);
  return {
    query,
    rows,
    total: query.data?.pages[0]?.total ?? null,
    sort,
    setSort: (next: Sort) => void setText(printSort(next)),
  };
}
