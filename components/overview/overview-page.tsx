"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ArrowRight } from "lucide-react";
import { useMemo } from "react";
import { TimeSeries } from "@/components/charts/time-series";
import { OverviewCoverage } from "@/components/coverage/overview-coverage";
import { useStaleSentence } from "@/components/layout/connection-state";
import { GatewayStatus } from "@/components/layout/gateway-status";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { RenewalNotice } from "@/components/layout/renewal-notice";
import { presets } from "@/components/layout/time-range/range";
import { type TimeRangeControl, useTimeRange } from "@/components/layout/time-range/use-time-range";
import { useDowntime } from "@/components/layout/use-downtime";
import { useGatewayStatus } from "@/components/layout/use-gateway-status";
import { useMarks } from "@/components/layout/use-marks";
import { AgentsSeen } from "@/components/overview/agents-seen";
import { barDurationText, decisionModel } from "@/components/overview/decision-model";
import { MostDenied, NewestDenials } from "@/components/overview/denials";
import { FirstSteps } from "@/components/overview/first-steps";
import { Funnel } from "@/components/overview/funnel";
import { describeGateHealth } from "@/components/overview/gate-health";
import { describeGateState } from "@/components/overview/gate-state";
import { Stats } from "@/components/overview/stats";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { ErrorState } from "@/components/ui/error-state";
import { useNow } from "@/components/ui/format/clock";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import { toneLook } from "@/components/ui/tone";
import type { OverviewStart, OverviewSummary } from "@/server/overview/schema";

/** The state of the gate, the decisions of the range, and its cost. */
export function OverviewPage() {
  useLiveQueries(["overview", "policies", "agents"]);
  const range = useTimeRange();
  const stale = useStaleSentence();
  const overview = useOverview(range);
  const { start, failed, again, hasNothing } = overview;
  const isFresh = start.data?.hasEvents === false;
  return (
    <>
      <PageHeader title="Overview" range={!isFresh} live={!isFresh} />
      <PageBody>
        {stale ? <Notice kind="warning">{stale}</Notice> : null}
        {hasNothing ? (
          <ErrorState
            title="The overview could not be loaded"
            reason={failureSentence(failed[0]?.error)}
            stillWorks={<GatewayStatus onAnsweringAgain={again} />}
            onRetry={again}
            retrying={failed.some((query) => query.isFetching)}
          />
        ) : isFresh ? (
          <FirstSteps hasEvents={false} />
        ) : (
          <Figures overview={overview} range={range} />
        )}
      </PageBody>
    </>
  );
}

/** All queries of the page. */
function useOverview(range: TimeRangeControl) {
  const trpc = useTRPC();
  const { from, to } = range;
  const input = useMemo(() => ({ from, to }), [from, to]);
  const kept = { placeholderData: keepPreviousData };
  const start = useQuery(trpc.overview.start.queryOptions());
  const sums = useQuery({ ...trpc.overview.summary.queryOptions(input), ...kept });
  const series = useQuery({ ...trpc.overview.series.queryOptions(input), ...kept });
  const finals = useQuery({ ...trpc.overview.finalDecisions.queryOptions(input), ...kept });
  const denials = useQuery({ ...trpc.overview.recentDenials.queryOptions(input), ...kept });
  const top = useQuery({ ...trpc.overview.topDenied.queryOptions(input), ...kept });
  const agents = useQuery({ ...trpc.overview.agents.queryOptions(input), ...kept });
  // A bar in the future is a gap. Until the browser's clock is known, the range's end is used as now.
  const nowMs = Math.min(useNow(10_000) ?? to.getTime(), to.getTime());
  const down = useDowntime(input);
  const marks = useMarks(input);
  const model = useMemo(
    () => (series.data ? decisionModel(series.data, nowMs, down) : null),
    [series.data, nowMs, down],
  );
  const failed = [start, sums, series, finals, denials, top, agents].filter((query) => query.isError);
  const again = () => {
    for (const query of failed) void query.refetch();
  };
  const hasNothing = failed.length > 0 && sums.data === undefined && start.data === undefined;
  return { start, sums, series, finals, denials, top, agents, nowMs, down, marks, model, failed, again, hasNothing };
}

interface FiguresProps {
  overview: ReturnType<typeof useOverview>;
  range: TimeRangeControl;
}

function Figures({ overview, range }: FiguresProps) {
  const { start, sums, series, finals, denials, top, agents, nowMs, down, marks, model, failed, again } = overview;
  const during = range.isLive ? `in the ${range.label.toLowerCase()}` : `in ${range.label}`;
  const short = presets.find((preset) => preset.text === range.text)?.short;
  const within = short === undefined ? "in the range" : `in ${short}`;
  return (
    <>
      <RenewalNotice failed={failed} onRetry={again} />
      <Gate sums={sums.data} start={start.data} during={during} />
      <Stats
        sums={sums.data}
        series={series.data}
        finals={finals.data}
        during={during}
        within={within}
        range={range.text}
        nowMs={nowMs}
        down={down}
      />
      <div className="grid gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <TimeSeries
          title="Decisions"
          aside={series.data ? `per ${barDurationText(series.data.bucketMs)}, each on its own scale` : null}
          model={model}
          kind="panels"
          {...marks}
          onRange={range.setBetween}
          height={290}
          emptyText={`No decisions ${during}`}
          error={series.isError ? failureSentence(series.error) : null}
          onRetry={() => void series.refetch()}
        />
        <Funnel sums={sums.data} finals={finals.data} during={during} range={range.text} />
      </div>
      <OverviewCoverage />
      <div className="grid gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <NewestDenials rows={denials.data} during={during} range={range.text} />
        <div className="flex min-w-0 flex-col gap-6">
          <AgentsSeen agents={agents.data} during={during} />
          <MostDenied top={top.data} range={range.text} />
        </div>
      </div>
    </>
  );
}

interface GateProps {
  sums: OverviewSummary | undefined;
  start: OverviewStart | undefined;
  during: string;
}

/** The first thing to read: the state of the gate. */
function Gate({ sums, start, during }: GateProps) {
  const trpc = useTRPC();
  const { data: halted } = useQuery(trpc.halts.inForce.queryOptions());
  const { data: gaps } = useQuery(trpc.overview.gaps.queryOptions());
  const heard = useGatewayStatus();
  const nowMs = useNow(1_000) ?? 0;
  const health = describeGateHealth(heard, nowMs);
  const isHalted = halted?.first?.scope === "workspace";
  const state = health ?? (sums && start && gaps && describeGateState(sums, start, during, isHalted, gaps));
  if (!state) return <Skeleton className="h-14" />;
  const { tone, word, sentence, action } = state;
  return (
    <section
      aria-label="The gate"
      className={cn(
        "flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md border px-4 py-3",
        toneLook[tone].tag,
        "text-text",
      )}
    >
      <Mark tone={tone} label={word} look="large" className="bg-surface" />
      <p className="min-w-60 flex-1 text-md">{sentence}</p>
      {action ? (
        <Button asChild>
          <Link href={action.href}>
            {action.label} <ArrowRight aria-hidden />
          </Link>
        </Button>
      ) : null}
    </section>
  );
}
