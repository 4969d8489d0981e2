"use client";

import type { ClientKnown } from "@quarterdeck/hooks/contract/client-known";
import { useQuery } from "@tanstack/react-query";
import { createContext, useContext, useMemo } from "react";
import type { PolicyFacts } from "@/components/policies/sentences/rule-facts";
import { useTRPC } from "@/components/trpc/client";
import { useNow } from "@/components/ui/format/clock";
import type { PolicyDetailView } from "@/server/policies/schema";

const POLL_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;

export interface SentenceFacts extends PolicyFacts {
  /** The clients of the agents that the policy is assigned to. */
  readonly clients: readonly ClientKnown[];
}

const NO_CLIENTS: readonly ClientKnown[] = [];
const NOTHING: SentenceFacts = {
  ...{ isInForce: false, reach: undefined, cards: undefined, hold: undefined, clients: NO_CLIENTS },
};

export const SentenceFactsContext = createContext<SentenceFacts>(NOTHING);

export const useSentenceFacts = (): SentenceFacts => useContext(SentenceFactsContext);

/** The agents that the policy can stop, polled. */
export function useHold({ id, liveRevision, canary, bound }: PolicyDetailView) {
  const trpc = useTRPC();
  const enabled = (liveRevision > 0 || canary !== null) && bound > 0;
  const asked = useQuery({
    ...trpc.policies.hold.queryOptions({ policyId: id }),
    enabled,
    refetchInterval: POLL_MS,
  });
  return enabled ? asked.data : undefined;
}

/** The results of all rules in the last 24 hours, polled. */
export function useDayOfCards(enabled: boolean) {
  const trpc = useTRPC();
  const now = useNow(POLL_MS);
  // A range of whole hours keeps the question the same within an hour.
  const to = new Date(Math.ceil((now ?? 0) / HOUR_MS) * HOUR_MS);
  const from = new Date(to.getTime() - DAY_HOURS * HOUR_MS);
  return useQuery({
    ...trpc.rules.cards.queryOptions({ from, to }),
    enabled: enabled && now !== null,
    refetchInterval: POLL_MS,
  }).data;
}

/** The results of the policy's rules in the last 24 hours. */
export function usePolicyFacts(policy: PolicyDetailView): SentenceFacts {
  const trpc = useTRPC();
  const policyId = policy.id;
  const isInForce = policy.liveRevision > 0 && policy.bound > 0;
  const polled = { refetchInterval: POLL_MS };
  const reach = useQuery({ ...trpc.rules.reach.queryOptions({ policyId }), enabled: isInForce, ...polled }).data;
  const cards = useDayOfCards(isInForce)?.cards;
  const hold = useHold(policy);
  const clients = useQuery(trpc.policies.boundClients.queryOptions({ policyId })).data ?? NO_CLIENTS;
  return useMemo(() => {
    const own = cards?.filter((card) => card.policyId === policyId);
    return { isInForce, reach, cards: own, hold, clients };
  }, [isInForce, reach, cards, hold, clients, policyId]);
}
