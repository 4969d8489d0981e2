"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";

/** Asks again for everything that shows what is in force; settles when it is here. */
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

/** The freeze of the workspace; null when there is none, undefined while it is not known. */
export function useFreeze() {
  const trpc = useTRPC();
  return useQuery(trpc.policies.frozen.queryOptions()).data;
}
