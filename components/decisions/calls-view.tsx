"use client";

import { Gavel } from "lucide-react";
import { parseAsString, useQueryState } from "nuqs";
import { type ReactNode, useEffect, useMemo } from "react";
import { CallsChart } from "@/components/decisions/calls-chart";
import { decisionColumns } from "@/components/decisions/columns";
import { EvidenceButton } from "@/components/decisions/evidence-button";
import { FacetRail } from "@/components/decisions/facet-rail";
import { FeedSwitch } from "@/components/decisions/feed/feed-switch";
import { useFrozen } from "@/components/decisions/feed/use-frozen";
import { IgnoredDenials } from "@/components/decisions/ignored-denials";
import { decisionsInput, filterKeys, orderOf } from "@/components/decisions/query";
import { useDecisions, useFilterFields } from "@/components/decisions/use-decisions";
import { useStaleSentence } from "@/components/layout/connection-state";
import { GatewayStatus } from "@/components/layout/gateway-status";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { RecordList } from "@/components/layout/record-list";
import { type TimeRangeControl, useTimeRange } from "@/components/layout/time-range/use-time-range";
import { listQuestion, useAsking } from "@/components/layout/use-asking";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { useFilter } from "@/components/ui/filter/use-filter";
import { formatCount, plural } from "@/components/ui/format/count";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { type CallFacets, COUNTED_DECISIONS_MAX } from "@/server/decisions/schema";
import { eventKeyText } from "@/server/recording/event-key-schema";

const FrozenStrip = loadWhenOpened(() =>
  import("@/components/decisions/feed/frozen-strip").then((one) => one.FrozenStrip),
);

const DecisionDrawer = loadWhenOpened(() =>
  import("@/components/decisions/decision-drawer").then((one) => one.DecisionDrawer),
);

/** Every decision over a tool call, as it happens, or as it stood at one instant. */
export function CallsView({ tabs }: { tabs: ReactNode }) {
  const range = useTimeRange();
  const [filter, setFilter] = useFilter(filterKeys);
  const [sort, setSort] = useQueryState("sort", parseAsString);
  const stale = useStaleSentence();
  const order = orderOf(sort);
  const frozen = useFrozen(range);
  const { from, to } = frozen.range;
  const input = useMemo(() => decisionsInput({ from, to }, filter, order), [from, to, filter, order]);
  const { query, rows, searched, goesOn } = useDecisions(input, frozen.at !== null);
  const { fields, facets, isPlaceholder } = useFilterFields(input);
  const isCounting = useAsking(isPlaceholder, listQuestion(filter, null, range.label));
  const { fetchNextPage, isFetchingNextPage, hasNextPage } = query;

  useEffect(() => {
    // A rare match may lie deep: the first pages of a search that finds nothing follow by themselves.
    if (goesOn && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [goesOn, hasNextPage, isFetchingNextPage, fetchNextPage]);

  const zoom = (start: Date, end: Date) => {
    frozen.resume();
    range.setBetween(start, end);
  };
  return (
    <>
      <PageHeader
        title="Decisions"
        range
        views="decisions"
        actions={
          <>
            <EvidenceButton input={input} />
            <FeedSwitch frozen={frozen} />
          </>
        }
      />
      <PageBody width="fill">
        <div className="flex shrink-0 flex-wrap items-center justify-between gap-x-6 gap-y-2 pb-3">
          {tabs}
          {frozen.at === null ? null : <FrozenStrip frozen={frozen} at={frozen.at} filters={input.filters} />}
        </div>
        <IgnoredDenials range={input.range} isShown={input.filters.outcome.length === 0} />
        <CallsChart range={frozen.range} onRange={zoom} />
        <div className="flex min-h-0 flex-1 gap-4 max-xl:flex-col max-xl:gap-2">
          <FacetRail facets={facets} isCounting={isCounting} filter={filter} onFilter={setFilter} />
          <div className="flex min-h-0 min-w-0 flex-1 flex-col">
            <RecordList
              id="decisions"
              label="decisions"
              columns={decisionColumns}
              rows={rows}
              keyOf={eventKeyText}
              query={query}
              isSearching={rows.length === 0 && goesOn}
              stillWorks={<GatewayStatus />}
              stale={stale}
              sort={{ id: "at", desc: order === "newest" }}
              onSort={({ desc }) => void setSort(desc ? null : "oldest")}
              filter={filter}
              onFilter={setFilter}
              fields={fields}
              placeholder="verdict:deny tool:shell, or words of the input or reason"
              summary={<Summary facets={facets} searched={searched} />}
              rangeLabel={range.label}
              icon={Gavel}
              noMatch="No decision matches"
              face={
                searched ? (
                  <NoMatch searched={searched} isSearching={isFetchingNextPage} onSearch={() => void fetchNextPage()} />
                ) : undefined
              }
              empty={<NoDecisions range={range} />}
              drawer={(drives) => <DecisionDrawer {...drives} />}
            />
          </div>
        </div>
      </PageBody>
    </>
  );
}

interface Searched {
  readonly rows: number;
  readonly until: Date;
}

interface NoMatchProps {
  searched: Searched;
  isSearching: boolean;
  onSearch: () => void;
}

function NoMatch({ searched, isSearching, onSearch }: NoMatchProps) {
  return (
    <EmptyState
      icon={Gavel}
      title={`No match among the ${formatCount(searched.rows)} decisions read`}
      action={
        <Button busy={isSearching} onClick={onSearch}>
          Search further back
        </Button>
      }
    >
      The search came as far as <RelativeTime at={searched.until} look="clock" />. Name a tool, an agent or a session
      and it goes through at once.
    </EmptyState>
  );
}

function NoDecisions({ range }: { range: TimeRangeControl }) {
  return (
    <EmptyState
      icon={Gavel}
      title={`No decisions in ${range.isLive ? `the ${range.label.toLowerCase()}` : range.label}`}
      command={
        'curl -sS "$QUARTERDECK_URL/api/v1/hooks/pre_tool_use" -H "Authorization: Bearer $QUARTERDECK_KEY" -H \'Content-Type: application/json\' -d \'{"session_id":"s1","tool_name":"shell","tool_input":{"cmd":"rm -rf /"}}\''
      }
    >
      A decision appears when a hook of a published policy gives a verdict on a tool call, or when an agent reports how
      it decided one.
    </EmptyState>
  );
}

interface SummaryProps {
  facets: CallFacets | undefined;
  /** The progress of an unfinished search. */
  searched: Searched | null;
}

/** The number of calls in the list. */
function Summary({ facets, searched }: SummaryProps) {
  if (searched)
    return (
      <>
        read {formatCount(searched.rows)} decisions back to <RelativeTime at={searched.until} look="clock" />
      </>
    );
  if (!facets) return null;
  if (facets.isWhole) return plural(facets.calls, "call");
  return `${formatCount(facets.calls)}+ ${facets.calls === 1 ? "call" : "calls"}, counted over the newest ${formatCount(COUNTED_DECISIONS_MAX)} decisions`;
}
