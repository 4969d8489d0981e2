"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { gapSentences, seenShare } from "@/components/coverage/gap-text";
import { useTimeRange } from "@/components/layout/time-range/use-time-range";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { formatCount, plural } from "@/components/ui/format/count";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { Skeleton } from "@/components/ui/skeleton";
import type { CoverageView } from "@/server/sessions/schema";

/** The coverage of agents' activity: the share, its total, and the gaps. */
export function OverviewCoverage() {
  useLiveQueries(["coverage"]);
  const trpc = useTRPC();
  const { from, to, text } = useTimeRange();
  const found = useQuery({ ...trpc.coverage.sums.queryOptions({ from, to }), placeholderData: keepPreviousData });
  return (
    <section
      aria-label="Event coverage"
      className="flex flex-wrap items-baseline gap-x-3 gap-y-1 rounded-md border bg-surface px-4 py-2.5"
    >
      {found.data ? (
        <Words unseen={found.data} range={text} />
      ) : found.isError ? (
        <span className="text-muted">Missing events could not be counted: {failureSentence(found.error)}</span>
      ) : (
        <Skeleton className="my-1 h-4 w-2/3" />
      )}
    </section>
  );
}

function Words({ unseen, range }: { unseen: CoverageView; range: string }) {
  const { gaps, sessions, waiting } = unseen;
  const sentences = gapSentences(gaps);
  const wait = waiting === 0 ? "" : ` ${formatCount(waiting)} of ${plural(sessions, "session")} not checked yet.`;
  if (gaps.implied === 0)
    return (
      <span className="text-muted">
        {sessions === 0 ? "No active sessions." : `No event coverage data yet.${wait}`}
      </span>
    );
  return (
    <>
      <span className="font-semibold text-lg">{seenShare(gaps)}</span>
      <span>event coverage</span>
      {gaps.missing === 0 ? null : <Mark tone="unknown" label={`${formatCount(gaps.missing)} missing`} />}
      <span className="min-w-60 flex-1 text-muted text-sm">
        {sentences.length === 0
          ? `No event is missing among ${plural(gaps.implied, "expected event")}.`
          : `${sentences.join(", ")}.`}
        {gaps.underWay > 0 ? ` ${formatCount(gaps.underWay)} under way, not counted as missing.` : ""}
        {wait}
      </span>
      <Link className="link text-sm" href={`/activity/sessions?range=${encodeURIComponent(range)}`}>
        Sessions
      </Link>
    </>
  );
}
