"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Users } from "lucide-react";
import { useRouter } from "next/navigation";
import { useMemo } from "react";
import { GatewayStatus } from "@/components/layout/gateway-status";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { peopleColumns } from "@/components/principals/people-columns";
import { useRecentRange } from "@/components/principals/use-recent-range";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { plural } from "@/components/ui/format/count";
import { Link } from "@/components/ui/link";
import { DataTable } from "@/components/ui/table/data-table";

/** The people and services that agents work for, with their spend of 30 days. */
export function PeoplePage() {
  useLiveQueries(["agents", "costs", "principals"]);
  const trpc = useTRPC();
  const router = useRouter();
  const people = useQuery(trpc.principals.people.queryOptions());
  const range = useRecentRange();
  const asked = { from: range?.from ?? new Date(0), to: range?.to ?? new Date(1), by: "person", split: null } as const;
  const spend = useQuery({
    ...trpc.costs.pivot.queryOptions(asked),
    enabled: range !== null,
    placeholderData: keepPreviousData,
  });
  const rows = useMemo(() => {
    const lineById = new Map(spend.data?.lines.map((line) => [line.name, line.ledger]));
    return (people.data ?? []).map((person) => ({
      person,
      spend: spend.data === undefined ? undefined : (lineById.get(person.id) ?? null),
      isSpendMissing: spend.isError && spend.data === undefined,
    }));
  }, [people.data, spend.data, spend.isError]);
  return (
    <>
      <PageHeader live />
      <PageBody width="fill">
        <DataTable
          id="people"
          label="people"
          columns={peopleColumns}
          rows={rows}
          getRowId={({ person }) => person.id}
          status={people.status}
          error={people.isError ? failureSentence(people.error) : null}
          stillWorks={<GatewayStatus />}
          onRetry={() => void people.refetch()}
          onOpen={({ person }) => router.push(`/agents/people/${person.id}`)}
          hotkeys
          summary={
            people.data === undefined ? null : plural(people.data.length, "person or service", "people and services")
          }
          empty={
            <EmptyState
              icon={Users}
              title="No people yet"
              action={
                <Button asChild>
                  <Link href="/agents">Agents</Link>
                </Button>
              }
            >
              Open an agent and set its owner, or create an enrolment token for a person. Client telemetry also names
              people.
            </EmptyState>
          }
        />
      </PageBody>
    </>
  );
}
