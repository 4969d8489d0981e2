"use client";

import { hashKey, type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useConnection } from "@/components/trpc/live-queries";

/** `filter`, `gaps`: changes appear every few seconds, because of the question or of the changes themselves. */
export type ListPace = "live" | "filter" | "gaps";

interface Following {
  readonly isFrozen: boolean;
  readonly canFollow: boolean;
  readonly isSlowed: boolean;
}

/** The pace of a list. A slow list is read at once after an act of this tab. */
export function useListPace(queryKey: QueryKey, { isFrozen, canFollow, isSlowed }: Following): ListPace {
  const queries = useQueryClient();
  const { connection } = useConnection();
  // Said before the connection is live, so that the list does not move when it is.
  const isFollowing = !isFrozen && connection.status !== "paused" && connection.status !== "stale";
  const pace = !isFollowing ? "live" : !canFollow ? "filter" : isSlowed ? "gaps" : "live";
  const isSlow = pace !== "live";
  const hash = (queries.getDefaultOptions().queries?.queryKeyHashFn ?? hashKey)(queryKey);
  useEffect(() => {
    // Synchronises with the acts of this tab.
    if (!isSlow) return;
    return queries.getMutationCache().subscribe(({ type, ...event }) => {
      if (type !== "updated" || !("action" in event) || event.action.type !== "success") return;
      void queries.refetchQueries({ predicate: ({ queryHash }) => queryHash === hash });
    });
  }, [queries, isSlow, hash]);
  return pace;
}
