"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { parseAsString, useQueryState } from "nuqs";
import { useMemo } from "react";
import { agentField } from "@/components/costs/agent-field";
import { BreakdownView } from "@/components/costs/breakdown-view";
import { filterKeys, type View, viewOf } from "@/components/costs/query";
import { SessionsView } from "@/components/costs/sessions-view";
import { Totals } from "@/components/costs/totals";
import { useStaleSentence } from "@/components/layout/connection-state";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { duringWords } from "@/components/layout/time-range/range";
import { useTimeRange } from "@/components/layout/time-range/use-time-range";
import { useTRPC } from "@/components/trpc/client";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { parseFilter, valuesOf } from "@/components/ui/filter/filter-text";
import { Notice } from "@/components/ui/notice";
import { Segmented } from "@/components/ui/segmented";
import { Loading, SkeletonText } from "@/components/ui/skeleton";

const loading = () => (
  <Loading label="the costs">
    <SkeletonText lines={4} />
  </Loading>
);
/** The other views are loaded when they are opened. */
const CallsView = dynamic(() => import("@/components/costs/calls-view").then((one) => one.CallsView), { loading });
const GroupsView = dynamic(() => import("@/components/costs/groups-view").then((one) => one.GroupsView), { loading });
const StatementsView = dynamic(() => import("@/components/costs/statements-view").then((one) => one.StatementsView), {
  loading,
});

const VIEWS = [
  { value: "breakdown", label: "Breakdown" },
  { value: "groups", label: "Groups" },
  { value: "sessions", label: "Sessions" },
  { value: "calls", label: "Calls" },
  { value: "statements", label: "Statements" },
] as const satisfies readonly { value: View; label: string }[];

/** The amount spent, on what, by whom, and the calls that no total speaks for. */
export function CostsPage() {
  useLiveQueries(["costs", "judges"]);
  const trpc = useTRPC();
  const range = useTimeRange("24h", true);
  const stale = useStaleSentence();
  const [viewText, setView] = useQueryState("view", parseAsString.withOptions({ history: "push" }));
  const [filterText] = useQueryState("q", parseAsString);
  const view = viewOf(viewText, filterText);
  const isFiltered =
    view === "sessions"
      ? valuesOf(parseFilter(filterText ?? "", filterKeys), "agent").length > 0
      : (filterText ?? "").trim() !== "";
  const { from, to } = range;
  const input = useMemo(() => ({ from, to }), [from, to]);
  const kept = { placeholderData: keepPreviousData };
  const summary = useQuery({ ...trpc.costs.summary.queryOptions(input), ...kept });
  const models = useQuery({ ...trpc.costs.byModel.queryOptions(input), ...kept });
  const agents = useQuery({ ...trpc.costs.byAgent.queryOptions(input), ...kept });
  const during = duringWords(range);
  const hasFailed = summary.isError && !summary.data;
  const tabs = (
    <Segmented
      label="View"
      value={view}
      onChange={(next) => void setView(next === "breakdown" ? null : next)}
      options={VIEWS}
      className="w-fit max-w-full overflow-x-auto"
    />
  );
  return (
    <>
      {/* A statement covers its month, independent of the range. */}
      <PageHeader {...(view === "statements" ? {} : { range: RANGE })} live views="costs" />
      {view === "breakdown" ? (
        <BreakdownView
          range={range}
          during={during}
          stale={stale}
          summary={summary}
          models={models}
          agents={agents}
          tabs={tabs}
        />
      ) : view === "statements" ? (
        <PageBody>
          {stale ? <Notice kind="warning">{stale}</Notice> : null}
          {tabs}
          <StatementsView />
        </PageBody>
      ) : view === "groups" ? (
        <PageBody>
          {stale ? <Notice kind="warning">{stale}</Notice> : null}
          <div className="flex flex-col gap-3">
            {tabs}
            {hasFailed ? null : <Totals summary={summary.data} during={during} isLive={range.isLive} />}
          </div>
          <GroupsView range={range} during={during} />
        </PageBody>
      ) : (
        <PageBody width="fill">
          <div className="flex shrink-0 flex-wrap items-center justify-between gap-x-6 gap-y-2 pb-3">
            {tabs}
            {/* A filtered list shows its own total. */}
            {hasFailed || isFiltered ? null : (
              <Totals summary={summary.data} during={during} isLive={range.isLive} compact />
            )}
          </div>
          {view === "calls" ? (
            <CallsView range={range} during={during} models={models.data} agents={agents.data} stale={stale} />
          ) : (
            <SessionsView input={input} agents={agentField(agents.data)} during={during} stale={stale} />
          )}
        </PageBody>
      )}
    </>
  );
}

const RANGE = { all: true } as const;
