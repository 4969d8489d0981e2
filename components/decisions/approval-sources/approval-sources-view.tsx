"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Split } from "lucide-react";
import { parseAsString, useQueryState } from "nuqs";
import { useMemo } from "react";
import { TimeSeries } from "@/components/charts/time-series";
import { approvalSourcesModel, barWords } from "@/components/decisions/approval-sources/approval-sources-model";
import { ApprovalSourcesTables } from "@/components/decisions/approval-sources/approval-sources-tables";
import { whichOf } from "@/components/decisions/query";
import { useStaleSentence } from "@/components/layout/connection-state";
import { GatewayStatus } from "@/components/layout/gateway-status";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { RenewalNotice } from "@/components/layout/renewal-notice";
import { duringWords } from "@/components/layout/time-range/range";
import { type TimeRangeControl, useTimeRange } from "@/components/layout/time-range/use-time-range";
import { useDowntime } from "@/components/layout/use-downtime";
import { useMarks } from "@/components/layout/use-marks";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { useNow } from "@/components/ui/format/clock";
import { plural } from "@/components/ui/format/count";
import { Notice } from "@/components/ui/notice";
import { Card } from "@/components/ui/section";
import { Segmented } from "@/components/ui/segmented";
import type { ApprovalSourcesInput } from "@/server/decisions/schema";

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

/**
 * The sources that let calls pass: yolo mode, rules, hooks, judges, people, or no approver; over time, by agent and by
 * tool.
 */
export function ApprovalSourcesView() {
  useLiveQueries(["decisions", "calls"]);
  const range = useTimeRange();
  const stale = useStaleSentence();
  const [text, setWhich] = useQueryState("which", parseAsString);
  const which = whichOf(text);
  const { sums, series, model } = useApprovalSources(range, which);
  const marks = useMarks(range);
  const settled = sums.data;
  const failed = [sums, series].filter((query) => query.isError);
  const again = () => {
    for (const query of failed) void query.refetch();
  };
  return (
    <>
      <PageHeader range live views="approval-paths" />
      <PageBody>
        {stale ? <Notice kind="warning">{stale}</Notice> : null}
        <Segmented
          label="Which calls"
          value={which}
          onChange={(next) => void setWhich(next === "passed" ? null : next)}
          options={WHICH}
          className="w-fit"
        />
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
            <EmptyState icon={Split} title={`${NONE[which]} ${duringWords(range)}`}>
              Agents report how a call was approved in the event <code>on_tool_approval_decision</code>; enrolled agents
              send it.
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
            <ApprovalSourcesTables settled={settled} status={sums.status} />
          </>
        )}
      </PageBody>
    </>
  );
}

/** The numbers of the calls in a range, and their course as a model ready to draw. */
function useApprovalSources(range: TimeRangeControl, which: ApprovalSourcesInput["verdict"]) {
  const trpc = useTRPC();
  const { from, to } = range;
  const input = useMemo(() => ({ from, to, verdict: which }), [from, to, which]);
  const sums = useQuery({ ...trpc.decisions.approvalSources.queryOptions(input), placeholderData: keepPreviousData });
  const series = useQuery({
    ...trpc.decisions.approvalSourceSeries.queryOptions(input),
    placeholderData: keepPreviousData,
  });
  const nowMs = Math.min(useNow(10_000) ?? to.getTime(), to.getTime());
  const down = useDowntime(range);
  const model = useMemo(
    () => (series.data ? approvalSourcesModel(series.data, nowMs, down) : null),
    [series.data, nowMs, down],
  );
  return { sums, series, model };
}

const NONE = {
  passed: "No call passed",
  refused: "No call was refused or canceled in the end",
  all: "No call has a final decision",
} as const;
