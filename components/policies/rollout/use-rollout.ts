"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";

/** Refetches everything that shows the state in force; resolves when it has arrived. */
export function useRefresh(): () => Promise<void> {
  const trpc = useTRPC();
  const queries = useQueryClient();
  return async () => {
    await Promise.all(
      [trpc.policies, trpc.agents, trpc.shadowMode].map((room) =>
        queries.invalidateQueries({ queryKey: room.pathKey() }),
      ),
    );
  };
}

/** The freeze of the workspace; null without a freeze, undefined while loading. */
export function useFreeze() {
  const trpc = useTRPC();
  return useQuery(trpc.policies.frozen.queryOptions()).data;
}
