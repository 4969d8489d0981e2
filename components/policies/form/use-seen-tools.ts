"use client";

import { useQuery } from "@tanstack/react-query";
import type { SeenTool } from "@/components/policies/form/form-context";
import { useTRPC } from "@/components/trpc/client";

/** The tools that the agents used in the last 30 days; null while that is not known. Asked once, with the check's own. */
export function useSeenTools(): readonly SeenTool[] | null {
  const trpc = useTRPC();
  const { data } = useQuery({ ...trpc.policies.checkContext.queryOptions(), staleTime: 60_000 });
  return data?.tools ?? null;
}
