"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import type { ToleratedFailuresView } from "@/server/decisions/rules/tolerated-failures-schema";

const POLL_MS = 60_000;

/** The gates of the policy in force that allow when they fail, each with its count; undefined while it is not known. */
export function useToleratedFailures(policyId: string, isInForce: boolean): ToleratedFailuresView | undefined {
  const trpc = useTRPC();
  return useQuery({
    ...trpc.rules.toleratedFailures.queryOptions({ policyId }),
    enabled: isInForce,
    refetchInterval: POLL_MS,
  }).data;
}
