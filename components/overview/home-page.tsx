"use client";

import { useQuery } from "@tanstack/react-query";
import { LayoutDashboard, UserPlus } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { usePermission } from "@/components/access/permission";
import { useStaleSentence } from "@/components/layout/connection-state";
import { GatewayStatus } from "@/components/layout/gateway-status";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { RenewalNotice } from "@/components/layout/renewal-notice";
import { duringWords } from "@/components/layout/time-range/range";
import { useTimeRange } from "@/components/layout/time-range/use-time-range";
import type { WaitingSource } from "@/components/layout/waiting/waiting-row";
import { HomeCards } from "@/components/overview/cards/home-cards";
import { GateLine } from "@/components/overview/gate-line";
import { useHomeCards } from "@/components/overview/use-home-cards";
import { useOutdatedFigures } from "@/components/overview/use-outdated-figures";
import { WaitingSection } from "@/components/overview/waiting-section";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { IconButton } from "@/components/ui/icon-button";
import { Link } from "@/components/ui/link";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { Notice } from "@/components/ui/notice";

const ArrangeDialog = loadWhenOpened(() =>
  import("@/components/overview/arrange-dialog").then((one) => one.ArrangeDialog),
);

/** Opens the invitation; absent for people who may invite no one. */
function InviteButton() {
  if (!usePermission("people:manage").isGranted) return null;
  return (
    <Button asChild variant="ghost" size="sm" className="max-sm:hidden">
      <Link href="/settings/people?do=invite">
        <UserPlus aria-hidden /> Invite…
      </Link>
    </Button>
  );
}

export interface HomePageProps {
  /** The things that wait for the reader, the most urgent kind first. */
  waiting: readonly WaitingSource[];
  /** The steps of the first hour, until they are done or dismissed. */
  checklist: ReactNode;
}

/** The state of the gate, the things that wait for the reader, and the cards that the reader chose. */
export function HomePage({ waiting, checklist }: HomePageProps) {
  useLiveQueries(["overview", "policies", "agents"]);
  const trpc = useTRPC();
  const range = useTimeRange();
  const stale = useStaleSentence();
  const start = useQuery(trpc.overview.start.queryOptions());
  const outdated = useOutdatedFigures();
  const control = useHomeCards();
  const [isArranging, setArranging] = useState(false);
  const { from, to } = range;
  const input = useMemo(() => ({ from, to }), [from, to]);
  const during = duringWords(range);
  const isFresh = start.data?.hasEvents === false;
  const again = () => void start.refetch();
  return (
    <>
      <PageHeader
        range={!isFresh}
        live={!isFresh}
        actions={
          <>
            <InviteButton />
            {isFresh ? null : (
              <IconButton icon={LayoutDashboard} label="Arrange cards" onClick={() => setArranging(true)} />
            )}
          </>
        }
      />
      {isArranging ? <ArrangeDialog control={control} onClose={() => setArranging(false)} /> : null}
      <PageBody>
        {checklist}
        {stale ? <Notice kind="warning">{stale}</Notice> : null}
        {start.isError && !start.data ? (
          <ErrorState
            title="Home could not be loaded"
            reason={failureSentence(start.error)}
            stillWorks={<GatewayStatus onAnsweringAgain={again} />}
            onRetry={again}
            retrying={start.isFetching}
          />
        ) : isFresh ? (
          <EmptyState icon={LayoutDashboard} compact title="No calls yet">
            This page shows the calls, outcomes and costs of connected agents.
          </EmptyState>
        ) : (
          <>
            <RenewalNotice failed={outdated.failed} onRetry={outdated.again} />
            <GateLine input={input} during={during} />
            <WaitingSection sources={waiting} />
            {control.cards.length === 0 ? (
              <EmptyState icon={LayoutDashboard} compact title="No cards">
                Use Arrange cards to choose the cards on your Home page.
              </EmptyState>
            ) : (
              <HomeCards cards={control.cards} range={range} input={input} during={during} />
            )}
          </>
        )}
      </PageBody>
    </>
  );
}
