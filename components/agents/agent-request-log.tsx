"use client";

import { useQuery } from "@tanstack/react-query";
import { RequestLog } from "@/components/access/request-log";
import { useTRPC } from "@/components/trpc/client";
import { Section } from "@/components/ui/section";

const REFRESH_MS = 15_000;

/** The refused requests of an agent's keys. */
export function AgentRequestLog({ agentId, name }: { agentId: string; name: string }) {
  const trpc = useTRPC();
  const query = useQuery({
    ...trpc.requestLog.ofAgent.queryOptions({ ownerId: agentId }),
    refetchInterval: REFRESH_MS,
  });
  return (
    <Section title="Request log" aside="Requests refused in the last 7 days">
      <RequestLog query={query} of={name} />
    </Section>
  );
}
