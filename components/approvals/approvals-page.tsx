"use client";

import { useQuery } from "@tanstack/react-query";
import { Hand } from "lucide-react";
import { useState } from "react";
import { ApprovalCard } from "@/components/approvals/approval-card";
import { ApprovalRow } from "@/components/approvals/approval-row";
import { type EqualRequests, equalRequests } from "@/components/approvals/equal-requests";
import { ExceptionsSection } from "@/components/approvals/exceptions/exceptions-section";
import { useStaleSentence } from "@/components/layout/connection-state";
import { NotifyButton } from "@/components/layout/notices/notify-button";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { plural } from "@/components/ui/format/count";
import { formatDuration } from "@/components/ui/format/duration";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import { Loading, Skeleton } from "@/components/ui/skeleton";
import { Stat, StatRow } from "@/components/ui/stat";
import type { ApprovalList } from "@/server/approvals/schema";

const AlwaysAllowDialog = loadWhenOpened(() =>
  import("@/components/approvals/exceptions/always-allow-dialog").then((one) => one.AlwaysAllowDialog),
);

/** Calls that wait for a person, and how earlier ones ended. */
export function ApprovalsPage() {
  useLiveQueries(["approvals"]);
  const trpc = useTRPC();
  const stale = useStaleSentence();
  const listed = useQuery(trpc.approvals.list.queryOptions());
  return (
    <>
      <PageHeader title="Approvals" primary={<NotifyButton />} />
      <PageBody>
        {stale ? <Notice kind="warning">{stale}</Notice> : null}
        {listed.isError && !listed.data ? (
          <ErrorState
            title="The requests could not be loaded"
            reason={failureSentence(listed.error)}
            stillWorks="Calls that nobody answers are denied when their time is over."
            onRetry={() => void listed.refetch()}
            retrying={listed.isFetching}
          />
        ) : !listed.data ? (
          <Loading label="the requests" className="flex flex-col gap-2">
            <Skeleton className="h-40" />
            <Skeleton className="h-14" />
          </Loading>
        ) : (
          <Lists list={listed.data} />
        )}
      </PageBody>
    </>
  );
}

function Lists({ list: { open, closed, figures } }: { list: ApprovalList }) {
  const groups = equalRequests(open);
  // Kept in the page and not in the card: the card disappears as soon as an approver answers, and typed text must stay.
  const [always, setAlways] = useState<EqualRequests | null>(null);
  const isOpen = groups.some(({ first }) => first.id === always?.first.id);
  return (
    <>
      {always ? <AlwaysAllowDialog group={always} isOpen={isOpen} onClose={() => setAlways(null)} /> : null}
      {groups.length === 0 ? (
        <EmptyState icon={Hand} title="Nobody is waiting for an answer">
          A policy with the builtin ask_a_person brings calls here: the agent waits while you read, or comes back with
          the same call once you have allowed it. A call that nobody answers is denied.
        </EmptyState>
      ) : (
        <Section title="To answer" aside={plural(open.length, "call")}>
          <ul aria-label="Calls to answer" className="flex flex-col gap-3">
            {groups.map((group) => (
              <ApprovalCard
                key={group.first.id}
                request={group.first}
                all={group.all}
                onAlways={() => setAlways(group)}
              />
            ))}
          </ul>
        </Section>
      )}
      <ExceptionsSection />
      {closed.length > 0 ? (
        <>
          <Figures figures={figures} />
          <Section title="Answered and lapsed" aside={`the newest ${closed.length}`}>
            <ul
              aria-label="Answered and lapsed calls"
              className="flex flex-col divide-y divide-line overflow-hidden rounded-md border bg-surface"
            >
              {closed.map((request) => (
                <ApprovalRow key={request.id} request={request} />
              ))}
            </ul>
          </Section>
        </>
      ) : null}
    </>
  );
}

const NONE = "Nothing was answered in the last seven days.";

function Figures({ figures }: { figures: ApprovalList["figures"] }) {
  const { answered, allowed, unchanged, lapsed, p50Ms, p95Ms } = figures;
  const share = answered === 0 ? null : `${Math.round((unchanged / answered) * 100)} %`;
  return (
    <StatRow>
      <Stat
        label="Time to an answer"
        value={p50Ms === null ? null : formatDuration(p50Ms)}
        missing={NONE}
        detail={p95Ms === null ? "seven days" : `95 of 100 within ${formatDuration(p95Ms)}, seven days`}
      />
      <Stat
        label="Allowed unchanged"
        value={share}
        missing={NONE}
        hint="A rule whose calls are nearly always allowed as they are interrupts people for nothing."
        detail={`${unchanged} of ${answered} answers; ${allowed - unchanged} edited`}
      />
      <Stat label="Lapsed" value={lapsed} detail="nobody answered in time, seven days" />
    </StatRow>
  );
}
