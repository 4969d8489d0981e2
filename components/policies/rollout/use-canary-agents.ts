"use client";

import { skipToken, useQuery } from "@tanstack/react-query";
import { type CanaryChoice, readCanary } from "@/components/policies/rollout/read-canary";
import { useTRPC } from "@/components/trpc/client";

/** The agents that a canary would reach; nothing while the choice cannot be taken. */
export function useCanaryAgents(policyId: string, choice: CanaryChoice | null) {
  const trpc = useTRPC();
  const read = choice === null ? null : readCanary(choice);
  const isReadable = read !== null && typeof read !== "string";
  const agents = useQuery(trpc.policies.canaryAgents.queryOptions(isReadable ? { policyId, ...read } : skipToken));
  const data = isReadable ? agents.data : undefined;
  return { data, error: agents.error, isEmpty: data !== undefined && data.bound > 0 && data.inside === 0 };
}
