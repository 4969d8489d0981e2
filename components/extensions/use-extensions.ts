"use client";

import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { parseAsString, useQueryState } from "nuqs";
import { useMemo } from "react";
import { extensionKey } from "@/components/extensions/columns";
import { extensionsInput, sortOf } from "@/components/extensions/query";
import { useTRPC } from "@/components/trpc/client";
import type { Filter } from "@/components/ui/filter/filter-text";
import { printSort } from "@/components/ui/table/sort-text";
import type { Sort } from "@/components/ui/table/types";

export function useExtensions(filter: Filter) {
  const trpc = useTRPC();
  const [text, setText] = useQueryState("sort", parseAsString);
  const sort = useMemo(() => sortOf(text), [text]);
  const input = useMemo(() => extensionsInput(filter, sort), [filter, sort]);
  const query = useInfiniteQuery(
    trpc.extensions.list.infiniteQueryOptions(input, {
      getNextPageParam: (page) => page.next,
      placeholderData: keepPreviousData,
    }),
  );
  const rows = useMemo(() => {
    // A row that changed between two pages is on both; the first is newer.
    const shown = new Set<string>();
    const all = query.data?.pages.flatMap((page) => page.rows) ?? [];
    return all.filter((row) => !shown.has(extensionKey(row)) && shown.add(extensionKey(row)));
  }, [query.data]);
  const first = query.data?.pages[0];
  return {
    ...{ query, rows, sort, total: first?.total ?? null, isReported: first?.isReported ?? true },
    setSort: (next: Sort) => void setText(printSort(next)),
  };
}
