"use client";

import { Gavel } from "lucide-react";
import dynamic from "next/dynamic";
import { CallSelection } from "@/components/decisions/batch/selection";
import { callColumns } from "@/components/decisions/columns";
import type { Searched } from "@/components/decisions/empty-calls";
import type { ListPace } from "@/components/decisions/feed/use-list-pace";
import { type DecisionsInput, downloadHref } from "@/components/decisions/query";
import type { useDecisions } from "@/components/decisions/use-decisions";
import { useStaleSentence } from "@/components/layout/connection-state";
import { GatewayStatus } from "@/components/layout/gateway-status";
import { RecordList } from "@/components/layout/record-list";
import type { TimeRangeControl } from "@/components/layout/time-range/use-time-range";
import { useNextPage } from "@/components/trpc/use-next-page";
import type { Filter } from "@/components/ui/filter/filter-text";
import type { FilterField } from "@/components/ui/filter/suggest";
import { formatCount, plural } from "@/components/ui/format/count";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { Loading } from "@/components/ui/skeleton";
import { EXPORT_CALLS_MAX } from "@/server/decisions/calls-export-schema";
import { READ_AGAIN_MS } from "@/server/decisions/live-calls/schema";
import { type CallFacets, type CallView, COUNTED_DECISIONS_MAX } from "@/server/decisions/schema";
import { eventKeyText } from "@/server/recording/event-key-schema";

const BatchBar = loadWhenOpened(() => import("@/components/decisions/batch/batch-bar").then((one) => one.BatchBar));
/** Drawn by the server when a page opens empty; a page with calls does not load it. */
const loading = () => <Loading label="calls">{null}</Loading>;
const NoMatch = dynamic(() => import("@/components/decisions/empty-calls").then((one) => one.NoMatch), { loading });
const NoFirstPage = dynamic(() => import("@/components/decisions/empty-calls").then((one) => one.NoFirstPage), {
  loading,
});
const NoCallsThen = dynamic(() => import("@/components/decisions/empty-calls").then((one) => one.NoCallsThen), {
  loading,
});
const NoCalls = dynamic(() => import("@/components/decisions/empty-calls").then((one) => one.NoCalls), { loading });
const DecisionDrawer = loadWhenOpened(() =>
  import("@/components/decisions/decision-drawer").then((one) => one.DecisionDrawer),
);

interface CallListProps {
  calls: ReturnType<typeof useDecisions>;
  input: DecisionsInput;
  range: TimeRangeControl;
  /** The list is of an instant, not of the page's range. */
  isPaused: boolean;
  filter: Filter;
  onFilter: (next: Filter) => void;
  fields: readonly FilterField[];
  facets: CallFacets | undefined;
  onOldest: (isOldest: boolean) => void;
}

/** The calls as rows, with the acts on those that are selected. */
export function CallList(props: CallListProps) {
  const { calls, input, range, filter, onFilter, fields, facets, onOldest } = props;
  const { query, rows, searched, goesOn, pace } = calls;
  const { fetchNextPage, isFetchingNextPage, hasNextPage } = query;
  const stale = useStaleSentence();

  // A rare match may lie deep: the first pages of a search that finds nothing follow without a click.
  useNextPage(query, goesOn);

  return (
    <CallSelection rows={rows}>
      {(selected, clear, isAny) => (
        <>
          {isAny ? <BatchBar selected={selected} onClear={clear} /> : null}
          <RecordList
            id="calls"
            label="calls"
            columns={callColumns}
            rows={rows}
            keyOf={eventKeyText}
            query={query}
            isSearching={rows.length === 0 && goesOn}
            stillWorks={<GatewayStatus />}
            stale={stale}
            holdsInUse
            allRows={{ href: downloadHref(input), label: ALL_MATCHES }}
            sort={{ id: "at", desc: input.order === "newest" }}
            onSort={({ desc }) => onOldest(!desc)}
            filter={filter}
            onFilter={onFilter}
            fields={fields}
            placeholder="outcome:denied tool:shell, or words of the input or reason"
            summary={
              <>
                <Summary facets={facets} searched={searched} />
                <Pace pace={pace} />
              </>
            }
            rangeLabel={range.label}
            icon={Gavel}
            noMatch="No matching calls"
            face={
              searched ? (
                <NoMatch searched={searched} isSearching={isFetchingNextPage} onSearch={() => void fetchNextPage()} />
              ) : hasNextPage ? (
                <NoFirstPage isLoading={isFetchingNextPage} onLoad={() => void fetchNextPage()} />
              ) : undefined
            }
            empty={props.isPaused ? <NoCallsThen /> : <NoCalls range={range} />}
            drawer={(drives) => <DecisionDrawer {...drives} held={heldIn(rows)} />}
          />
        </>
      )}
    </CallSelection>
  );
}

const ALL_MATCHES = `Download all matching calls as CSV, at most ${formatCount(EXPORT_CALLS_MAX)}`;

/** The calls that agents hold open, by their key: they have no record to open yet. */
const heldIn = (rows: readonly CallView[]): ReadonlyMap<string, CallView> =>
  new Map(rows.filter(({ isRecorded }) => !isRecorded).map((row) => [eventKeyText(row), row]));

/** The time after which changes appear, where it is more than a moment. */
function Pace({ pace }: { pace: ListPace }) {
  if (pace === "live") return null;
  const why = pace === "filter" ? "With this filter or order, changes" : "Some changes";
  return (
    <span role="status" className="ml-2 text-muted">
      {why} appear every {READ_AGAIN_MS / 1_000} seconds.
    </span>
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
