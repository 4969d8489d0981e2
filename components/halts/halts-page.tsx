"use client";

import { useQuery } from "@tanstack/react-query";
import { OctagonX } from "lucide-react";
import { useState } from "react";
import { HaltRow } from "@/components/halts/halt-row";
import { ResumeDialog } from "@/components/halts/resume-dialog";
import { useStaleSentence } from "@/components/layout/connection-state";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { StopButton } from "@/components/layout/stop/stop-button";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { plural } from "@/components/ui/format/count";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import { Loading, Skeleton } from "@/components/ui/skeleton";
import type { HaltList, HaltReach, HaltView } from "@/server/halts/schema";

/** Halts in force and past ones. The header of every page stops agents. */
export function HaltsPage() {
  useLiveQueries(["halts", "agents"]);
  const trpc = useTRPC();
  const stale = useStaleSentence();
  const listed = useQuery(trpc.halts.list.queryOptions());
  const [resumed, setResumed] = useState<HaltView | null>(null);
  return (
    <>
      <PageHeader />
      <PageBody>
        {stale ? <Notice kind="warning">{stale}</Notice> : null}
        {listed.isError && !listed.data ? (
          <ErrorState
            title="The halts could not be loaded"
            reason={failureSentence(listed.error)}
            stillWorks="Halts stay in force."
            onRetry={() => void listed.refetch()}
            retrying={listed.isFetching}
          />
        ) : !listed.data ? (
          <Loading label="the halts" className="flex flex-col gap-2">
            <Skeleton className="h-14" />
            <Skeleton className="h-14" />
          </Loading>
        ) : (
          <Lists list={listed.data} onResume={setResumed} />
        )}
      </PageBody>
      <ResumeDialog halt={resumed} onClose={() => setResumed(null)} />
    </>
  );
}

const NAMES_SHOWN = 20;

function Lists({
  list: { halts, unreachable, reach },
  onResume,
}: {
  list: HaltList;
  onResume: (halt: HaltView) => void;
}) {
  const inForce = halts.filter(({ resumedAt }) => resumedAt === null);
  const past = halts.filter(({ resumedAt }) => resumedAt !== null);
  const names = unreachable.slice(0, NAMES_SHOWN).map(({ name }) => name);
  return (
    <>
      {unreachable.length > 0 ? (
        <Notice kind="warning">
          {plural(unreachable.length, "agent")} without a gateway key cannot be halted: {names.join(", ")}{" "}
          {unreachable.length > names.length ? " and others" : ""}. They follow a file on their own machine. Stop them
          there.
        </Notice>
      ) : null}
      {inForce.length === 0 ? (
        <EmptyState icon={OctagonX} title="No halts in force" action={<StopButton label="Choose what to stop…" />}>
          A halt stops a session, an agent, a group or the whole workspace at once. Each call is denied with your reason
          until a person resumes it. Agents that run from an exported file cannot be halted.
        </EmptyState>
      ) : (
        <Section title="In force" aside={plural(inForce.length, "halt")}>
          {reach.some(({ executors, followed }) => followed < executors) ? (
            <p className="text-muted text-sm">
              A local executor applies a halt at its next gate that contacts the console. An executor without contact
              may continue with calls that need no console hook, until its policy expires.
            </p>
          ) : null}
          <Rows label="Halts in force" halts={inForce} reach={reach} onResume={onResume} />
        </Section>
      )}
      {past.length > 0 ? (
        <Section title="Past">
          <Rows label="Past halts" halts={past} reach={[]} onResume={onResume} />
        </Section>
      ) : null}
    </>
  );
}

interface RowsProps {
  label: string;
  halts: readonly HaltView[];
  reach: readonly HaltReach[];
  onResume: (halt: HaltView) => void;
}

function Rows({ label, halts, reach, onResume }: RowsProps) {
  return (
    <ul aria-label={label} className="flex flex-col divide-y divide-line overflow-hidden rounded-md border bg-surface">
      {halts.map((halt) => (
        <HaltRow
          key={halt.id}
          halt={halt}
          reach={reach.find(({ haltId }) => haltId === halt.id)}
          onResume={() => onResume(halt)}
        />
      ))}
    </ul>
  );
}
