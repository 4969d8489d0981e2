"use client";

import { useQuery } from "@tanstack/react-query";
import { LEGEND } from "@/components/agents/clients/ability-mark";
import { ClientMatrix } from "@/components/agents/clients/client-matrix";
import { ClientSection } from "@/components/agents/clients/client-section";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { ErrorState } from "@/components/ui/error-state";
import { Mark } from "@/components/ui/mark";
import { Loading, SkeletonText } from "@/components/ui/skeleton";

/** The powers of hooks in each client: one matrix, and below it each client event by event. */
export function ClientsPage() {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery({
    ...trpc.agents.clients.queryOptions(),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <>
      <PageHeader />
      <PageBody>
        {error ? (
          <ErrorState
            title="The clients could not be loaded"
            reason={failureSentence(error)}
            onRetry={() => void refetch()}
          />
        ) : data === undefined ? (
          <Loading label="the clients">
            <SkeletonText lines={12} />
          </Loading>
        ) : (
          <>
            <ClientMatrix matrix={data} />
            <Legend />
            {data.clients.map((client) => (
              <ClientSection key={client.name} client={client} />
            ))}
          </>
        )}
      </PageBody>
    </>
  );
}

function Legend() {
  return (
    <div className="flex flex-col gap-2 text-sm">
      <ul aria-label="Marks" className="flex flex-wrap gap-x-5 gap-y-1">
        {LEGEND.map(({ tone, label, says }) => (
          <li key={label} className="flex flex-wrap items-center gap-1.5">
            <Mark tone={tone} label={label} look="plain" />
            <span className="text-muted">{says}</span>
          </li>
        ))}
      </ul>
      <p className="max-w-prose text-muted">
        Partly: the client&apos;s events differ; see its table. The policy editor shows how each assigned client handles
        the policy&apos;s answers.
      </p>
    </div>
  );
}
