"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { KINDS, type PaletteObject, paletteObject } from "@/components/layout/palette/results";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { groupBy } from "@/components/ui/group-by";
import { useDebounced } from "@/components/ui/use-debounced";

const WAIT_MS = 150;

export interface Search {
  readonly groups: readonly { readonly heading: string; readonly objects: readonly PaletteObject[] }[];
  readonly isBusy: boolean;
  /** True once the answer to the current text has arrived. */
  readonly isDone: boolean;
  /** The reason why there is no answer, as a sentence. */
  readonly failure: string | null;
  readonly retry: () => void;
}

/**
 * The objects of the workspace that match a text. The answer to an earlier text stays visible until the next one
 * arrives.
 */
export function useSearch(typed: string): Search {
  const trpc = useTRPC();
  const wanted = typed.trim();
  const text = useDebounced(wanted, WAIT_MS);
  const query = useQuery({
    ...trpc.search.find.queryOptions({ text }),
    enabled: text !== "",
    placeholderData: keepPreviousData,
  });
  const isCurrent = text === wanted && !query.isPlaceholderData;
  const found = wanted === "" || query.isError ? undefined : query.data;
  const groups = useMemo(
    () =>
      groupBy((found ?? []).map(paletteObject), ({ kind }) => KINDS[kind].heading).map(([heading, objects]) => ({
        heading,
        objects,
      })),
    [found],
  );
  return {
    groups,
    isBusy: wanted !== "" && (!isCurrent || query.isFetching),
    isDone: wanted === "" || (isCurrent && query.isSuccess),
    failure: wanted !== "" && isCurrent && query.error ? failureSentence(query.error) : null,
    retry: () => void query.refetch(),
  };
}
