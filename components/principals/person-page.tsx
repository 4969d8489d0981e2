"use client";

import { useQuery } from "@tanstack/react-query";
import { User, UserRoundX } from "lucide-react";
import { useState } from "react";
import { PermittedButton } from "@/components/access/permitted-button";
import { GatewayStatus } from "@/components/layout/gateway-status";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { PersonBadges } from "@/components/principals/people-columns";
import { PersonAgents, PersonCalls, PersonRequests } from "@/components/principals/person-lists";
import { PersonSpend } from "@/components/principals/person-spend";
import { useTRPC } from "@/components/trpc/client";
import { appCodeOf, failureSentence } from "@/components/trpc/failure";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { Link } from "@/components/ui/link";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { Notice } from "@/components/ui/notice";
import { Loading, Skeleton } from "@/components/ui/skeleton";
import type { PersonView } from "@/server/principals/schema";

const MergeDialog = loadWhenOpened(() => import("@/components/principals/merge-dialog").then((one) => one.MergeDialog));

const CRUMBS = [
  { label: "Agents", href: "/agents" },
  { label: "People", href: "/agents/people" },
];

/** One person or service: their agents, calls, spend and requests. */
export function PersonPage({ personId }: { personId: string }) {
  useLiveQueries(["agents", "calls", "costs", "approvals", "principals"]);
  const trpc = useTRPC();
  const [isMerging, setMerging] = useState(false);
  const { data, error, isError, isFetching, refetch } = useQuery(trpc.principals.person.queryOptions({ personId }));
  const isGone = isError && ["person_not_found", "invalid_input"].includes(appCodeOf(error) ?? "");
  return (
    <>
      <PageHeader
        title={data?.name ?? (personId === "me" ? "You" : "Person")}
        crumbs={CRUMBS}
        aside={data ? <PersonBadges person={data} /> : null}
        live
        actions={
          data && !data.isErased ? (
            <PermittedButton to="agent:write" size="sm" onClick={() => setMerging(true)}>
              Merge…
            </PermittedButton>
          ) : null
        }
      />
      <PageBody>
        {data && !isGone ? (
          <Details person={data} />
        ) : data === null && !isError ? (
          <EmptyState icon={User} title="No agent works for you yet" action={<To href="/agents">Agents</To>}>
            Open an agent and set yourself as its owner.
          </EmptyState>
        ) : isGone ? (
          <EmptyState icon={UserRoundX} title="No such person" action={<To href="/agents/people">People</To>}>
            This workspace knows no person with this address. The link may be incomplete.
          </EmptyState>
        ) : isError ? (
          <ErrorState
            title="The person could not be loaded"
            reason={failureSentence(error)}
            stillWorks={<GatewayStatus />}
            onRetry={() => void refetch()}
            retrying={isFetching}
          />
        ) : (
          <Loading label="the person" className="flex flex-col gap-4">
            <Skeleton className="h-24" />
            <Skeleton className="h-64" />
          </Loading>
        )}
      </PageBody>
      {data ? <MergeDialog open={isMerging} onOpenChange={setMerging} person={data} /> : null}
    </>
  );
}

function To({ href, children }: { href: string; children: string }) {
  return (
    <Button asChild>
      <Link href={href}>{children}</Link>
    </Button>
  );
}

function Details({ person }: { person: PersonView }) {
  const { id, name, hasLeft, isErased, agents, merged } = person;
  return (
    <>
      {isErased ? (
        <Notice kind="info">The name of this person was erased. Their calls, costs and requests are kept.</Notice>
      ) : null}
      {hasLeft && agents > 0 ? (
        <Notice kind="warning">{name} has left the workspace and still owns agents. Set another owner for each.</Notice>
      ) : null}
      {merged.length > 0 ? (
        <Notice kind="info">
          Merged with {merged.map((one) => one.name).join(", ")}: their calls and costs are included.
        </Notice>
      ) : null}
      <div className="grid gap-6 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-6">
          <PersonAgents personId={id} />
          <PersonSpend personId={id} />
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <PersonCalls personId={id} />
          <PersonRequests personId={id} />
        </div>
      </div>
    </>
  );
}
