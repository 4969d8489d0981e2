"use client";

import { APPROVAL_SOURCE_KINDS } from "@quarterdeck/hooks/contract/approval-sources";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Split } from "lucide-react";
import { parseAsString, useQueryState } from "nuqs";
import { type ReactNode, useMemo } from "react";
import { BarList } from "@/components/charts/bar-list";
import { TimeSeries } from "@/components/charts/time-series";
import {
  approvalSourceColours,
  approvalSourcesModel,
  barWords,
} from "@/components/decisions/approval-sources/approval-sources-model";
import { useCallsHref } from "@/components/decisions/approval-sources/calls-href";
import { approvalSourceColumns } from "@/components/decisions/approval-sources/columns";
import { approvalSourceLabels } from "@/components/decisions/approval-sources/labels";
import { whichOf } from "@/components/decisions/query";
import { parseSort, printSort } from "@/components/decisions/sort-text";
import { useStaleSentence } from "@/components/layout/connection-state";
import { GatewayStatus } from "@/components/layout/gateway-status";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { RenewalNotice } from "@/components/layout/renewal-notice";
import { useTimeRange } from "@/components/layout/time-range/use-time-range";
import { useDowntime } from "@/components/layout/use-downtime";
import { useMarks } from "@/components/layout/use-marks";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { useNow } from "@/components/ui/format/clock";
import { formatCount, plural } from "@/components/ui/format/count";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Notice } from "@/components/ui/notice";
import { Card, Section } from "@/components/ui/section";
import { Segmented } from "@/components/ui/segmented";
import { Skeleton } from "@/components/ui/skeleton";
import { DataTable } from "@/components/ui/table/data-table";
import { type ApprovalSourcesInput, type ApprovalSourcesView as Settled, sourceWords } from "@/server/decisions/schema";

const WHICH = [
  { value: "passed", label: "Passed" },
  { value: "refused", label: "Not passed" },
  { value: "all", label: "All" },
] as const satisfies readonly { value: ApprovalSourcesInput["verdict"]; label: string }[];
const TITLES = {
  passed: "Approval paths of calls that passed",
  refused: "Approval paths of calls that were refused or canceled",
  all: "Approval paths of all calls",
} as const;

/** The sources that let calls pass: yolo mode, rules, hooks, judges, people or nobody; over time, by agent and tool. */
export function ApprovalSourcesView({ tabs }: { tabs: ReactNode }) {
  useLiveQueries(["decisions"]);
  const trpc = useTRPC();
  const range = useTimeRange();
  const stale = useStaleSentence();
  const hrefOf = useCallsHref();
  const [text, setWhich] = useQueryState("which", parseAsString);
  const [sortText, setSort] = useQueryState("sort", parseAsString);
  const which = whichOf(text);
  const { from, to } = range;
  const input = useMemo(() => ({ from, to, verdict: which }), [from, to, which]);
  const sums = useQuery({ ...trpc.decisions.approvalSources.queryOptions(input), placeholderData: keepPreviousData });
  const series = useQuery({
    ...trpc.decisions.approvalSourceSeries.queryOptions(input),
    placeholderData: keepPreviousData,
  });
  const nowMs = Math.min(useNow(10_000) ?? to.getTime(), to.getTime());
  const down = useDowntime(range);
  const marks = useMarks(range);
  const model = useMemo(
    () => (series.data ? approvalSourcesModel(series.data, nowMs, down) : null),
    [series.data, nowMs, down],
  );
  const settled = sums.data;
  const kinds = useMemo(() => APPROVAL_SOURCE_KINDS.filter((kind) => (settled?.kinds[kind] ?? 0) > 0), [settled]);
  const columns = useMemo(() => approvalSourceColumns(kinds, settled?.total ?? 0, hrefOf), [kinds, settled, hrefOf]);
  const sort = useMemo(
    () => parseSort(sortText, ["agent", "tool", "calls", ...APPROVAL_SOURCE_KINDS], CALLS),
    [sortText],
  );
  const rows = useMemo(() => sortedLines(settled?.lines ?? [], sort), [settled, sort]);
  const failed = [sums, series].filter((query) => query.isError);
  const again = () => {
    for (const query of failed) void query.refetch();
  };
  return (
    <>
      <PageHeader title="Decisions" range live views="decisions" />
      <PageBody>
        {stale ? <Notice kind="warning">{stale}</Notice> : null}
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
          {tabs}
          <Segmented
            label="Which calls"
            value={which}
            onChange={(next) => void setWhich(next === "passed" ? null : next)}
            options={WHICH}
          />
        </div>
        {sums.isError && !settled ? (
          <ErrorState
            title="The approval paths could not be loaded"
            reason={failureSentence(sums.error)}
            stillWorks={<GatewayStatus />}
            onRetry={again}
            retrying={sums.isFetching}
          />
        ) : settled?.total === 0 ? (
          <Card className="p-0">
            <EmptyState icon={Split} title={`${NONE[which]} ${during(range)}`}>
              Agents report how a call was approved with <code>on_tool_approval_decision</code>; enrolment sends it.
            </EmptyState>
          </Card>
        ) : (
          <>
            <RenewalNotice failed={failed} onRetry={again} />
            <TimeSeries
              title={TITLES[which]}
              aside={
                settled ? (
                  <span>
                    {plural(settled.total, "call")}
                    {series.data ? ` · per ${barWords(series.data.bucketMs)}` : null}
                  </span>
                ) : null
              }
              model={model}
              {...marks}
              onRange={range.setBetween}
              height={220}
              error={series.isError ? failureSentence(series.error) : null}
              onRetry={() => void series.refetch()}
            />
            <div className="grid gap-6 lg:grid-cols-2">
              <Section title="By kind" aside={settled ? `of ${plural(settled.total, "call")}` : null} framed>
                {settled ? <Kinds settled={settled} hrefOf={hrefOf} /> : <Skeleton className="h-40" />}
              </Section>
              <Section title="By source" aside={settled ? `of ${plural(settled.total, "call")}` : null} framed>
                {settled ? <Sources settled={settled} hrefOf={hrefOf} /> : <Skeleton className="h-40" />}
              </Section>
            </div>
            <Section
              title="By agent and tool"
              aside={
                settled && settled.rest > 0 ? `${formatCount(settled.rest)} calls of agents and tools not listed` : null
              }
            >
              <DataTable
                id="settled-lines"
                label="agents and tools"
                columns={columns}
                rows={rows}
                getRowId={lineId}
                status={sums.status}
                height="auto"
                sort={sort}
                onSort={(next) => void setSort(printSort(next))}
                bare
                empty={<EmptyState icon={Split} title="Nothing in this range" compact />}
              />
            </Section>
            <Known settled={settled} />
          </>
        )}
      </PageBody>
    </>
  );
}

const CALLS = { id: "calls", desc: true };
const NONE = {
  passed: "No call passed",
  refused: "No call was refused or canceled",
  all: "No call was decided",
} as const;
const lineId = ({ agent, tool }: Settled["lines"][number]) => `${agent}\0${tool}`;
const during = ({ label, isLive }: { label: string; isLive: boolean }) =>
  isLive ? `in the ${label.toLowerCase()}` : `in ${label}`;

function sortedLines(lines: Settled["lines"], { id, desc }: { id: string; desc: boolean }): Settled["lines"] {
  const kind = APPROVAL_SOURCE_KINDS.find((known) => known === id);
  const rank = (line: Settled["lines"][number]) => (kind ? (line.kinds[kind] ?? 0) : line.total);
  const order = (a: Settled["lines"][number], b: Settled["lines"][number]) =>
    id === "agent" ? a.agent.localeCompare(b.agent) : id === "tool" ? a.tool.localeCompare(b.tool) : rank(a) - rank(b);
  return lines.toSorted((a, b) => (desc ? -1 : 1) * order(a, b) || lineId(a).localeCompare(lineId(b)));
}

interface PartProps {
  settled: Settled;
  hrefOf: ReturnType<typeof useCallsHref>;
}

function Kinds({ settled, hrefOf }: PartProps) {
  const items = APPROVAL_SOURCE_KINDS.flatMap((kind) => {
    const count = settled.kinds[kind] ?? 0;
    if (count === 0) return [];
    const value = kind === "judge" ? "hook" : kind;
    const href = hrefOf([
      { key: "by", value: "final" },
      { key: "settled", value },
    ]);
    return [
      { name: kind, label: approvalSourceLabels[kind].label, value: count, colour: approvalSourceColours[kind], href },
    ];
  });
  return (
    <BarList label="Calls by kind" nameHeader="Decided by" valueHeader="Calls" items={items} unit="count" limit={7} />
  );
}

function Sources({ settled, hrefOf }: PartProps) {
  const items = settled.sources.map(({ source, byJudge, verdict, count }) => {
    const { label, tone } = sourceWords(source);
    return {
      name: `${source} ${verdict} ${byJudge}`,
      label: `${label}${tone === "unknown" ? "" : `, ${verdict}`}${byJudge ? ", by a judge" : ""}`,
      value: count,
      href: hrefOf([
        { key: "by", value: "final" },
        ...(source === "" ? [] : [{ key: "source", value: source }]),
        { key: "verdict", value: verdict },
      ]),
    };
  });
  return (
    <BarList label="Calls by source" nameHeader="Source" valueHeader="Calls" items={items} unit="count" limit={8} />
  );
}

/** A note on what the numbers can and cannot say. */
function Known({ settled }: { settled: Settled | undefined }) {
  return (
    <p className="text-faint text-sm">
      Counted in whole hours, from the final decisions that agents report. A hook counts as a judge when Quarterdeck ran
      it for the same call and it asked a model. Hooks beside agents, and calls without a session or an id, count as
      hooks.
      {settled?.judgesSince ? (
        <>
          {" "}
          Judges are counted apart since <RelativeTime at={settled.judgesSince} look="clock" />.
        </>
      ) : null}
    </p>
  );
}
