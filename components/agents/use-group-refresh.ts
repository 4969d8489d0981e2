"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";

/** Refetches everything that a change of groups changes. */
export function useGroupRefresh(): () => Promise<void> {
  const trpc = useTRPC();
  const queries = useQueryClient();
  return async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: trpc.agents.pathKey() }),
      queries.invalidateQueries({ queryKey: trpc.policies.pathKey() }),
    ]);
  };
}
