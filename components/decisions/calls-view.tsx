"use client";

import { parseAsString, useQueryState } from "nuqs";
import { useMemo } from "react";
import { CallList } from "@/components/decisions/call-list";
import { CallsChart } from "@/components/decisions/calls-chart";
import { EvidenceButton } from "@/components/decisions/evidence-button";
import { FacetRail } from "@/components/decisions/facet-rail";
import { AnnounceCalls } from "@/components/decisions/feed/announce-calls";
import { FeedSwitch } from "@/components/decisions/feed/feed-switch";
import { useFrozen } from "@/components/decisions/feed/use-frozen";
import { IgnoredDenials } from "@/components/decisions/ignored-denials";
import { Presets } from "@/components/decisions/presets";
import { decisionsInput, filterKeys, orderOf } from "@/components/decisions/query";
import { useDecisions, useFilterFields } from "@/components/decisions/use-decisions";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { useTimeRange } from "@/components/layout/time-range/use-time-range";
import { listQuestion, useAsking } from "@/components/layout/use-asking";
import { COUNTS_EVERY_MS } from "@/components/trpc/refresher";
import { usePaceWords } from "@/components/trpc/use-pace-words";
import { useFilter } from "@/components/ui/filter/use-filter";
import { loadWhenOpened } from "@/components/ui/load-when-opened";

const FrozenStrip = loadWhenOpened(() =>
  import("@/components/decisions/feed/frozen-strip").then((one) => one.FrozenStrip),
);

/** Every tool call of every client, as it happens, or as it stood at one instant. */
export function CallsView() {
  const range = useTimeRange();
  const [filter, setFilter] = useFilter(filterKeys);
  const [sort, setSort] = useQueryState("sort", parseAsString);
  const order = orderOf(sort);
  const frozen = useFrozen(range);
  const { from, to } = frozen.range;
  const input = useMemo(() => decisionsInput({ from, to }, filter, order), [from, to, filter, order]);
  const calls = useDecisions(input, frozen.at !== null);
  const { fields, facets, isPlaceholder, isMissing } = useFilterFields(input);
  const isCounting = useAsking(isPlaceholder, listQuestion(filter, null, range.label));
  const isLive = range.isLive && frozen.at === null;
  const pace = usePaceWords(isLive, COUNTS_EVERY_MS);
  const isFollowing = order === "newest" && frozen.at === null;
  const zoom = (start: Date, end: Date) => {
    frozen.resume();
    range.setBetween(start, end);
  };
  return (
    <>
      <PageHeader
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
          <Presets filter={filter} />
          {frozen.at === null ? null : (
            // Its place is held while its script loads.
            <div className="min-h-7 basis-full max-sm:min-h-16">
              <FrozenStrip frozen={frozen} at={frozen.at} filters={input.filters} />
            </div>
          )}
        </div>
        <IgnoredDenials range={input.range} isShown={input.filters.outcome.length === 0} />
        <CallsChart range={frozen.range} isLive={isLive} filters={input.filters} onRange={zoom} />
        {isFollowing ? (
          <AnnounceCalls
            rows={calls.query.isPlaceholderData ? null : calls.rows}
            question={JSON.stringify([input.filters, range.label])}
          />
        ) : null}
        <div className="flex min-h-0 flex-1 gap-4 max-xl:flex-col max-xl:gap-2">
          <FacetRail {...{ facets, isMissing, isCounting, pace, filter }} onFilter={setFilter} />
          <div className="flex min-h-0 min-w-0 flex-1 flex-col">
            <CallList
              {...{ calls, input, range, filter, fields, facets }}
              isPaused={frozen.at !== null}
              onFilter={setFilter}
              onOldest={(isOldest) => void setSort(isOldest ? "oldest" : null)}
            />
          </div>
        </div>
      </PageBody>
    </>
  );
}
