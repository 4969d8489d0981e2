"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";

/** Waits for the work and asks again for what it changed; rejects with a sentence for people. */
export function useGroupWork(): (work: Promise<unknown>) => Promise<void> {
  const trpc = useTRPC();
  const queries = useQueryClient();
  return async (work) => {
    await work.catch((error: unknown) => {
      throw new Error(failureSentence(error));
    });
    await Promise.all([
      queries.invalidateQueries({ queryKey: trpc.agents.pathKey() }),
      queries.invalidateQueries({ queryKey: trpc.policies.pathKey() }),
    ]);
  };
}
