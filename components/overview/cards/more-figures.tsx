"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Sparkline } from "@/components/charts/sparkline";
import { presets } from "@/components/layout/time-range/range";
import { useDowntime } from "@/components/layout/use-downtime";
import { type CardProps, withRange } from "@/components/overview/cards/card-props";
import { sparklineValues } from "@/components/overview/sparkline-values";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { ErrorState } from "@/components/ui/error-state";
import { useNow } from "@/components/ui/format/clock";
import { formatCount, formatShare, plural } from "@/components/ui/format/count";
import { Money } from "@/components/ui/format/money";
import { Stat, StatRow } from "@/components/ui/stat";
import { toneLook } from "@/components/ui/tone";
import type { OverviewPoint, OverviewSummary } from "@/server/overview/schema";

/** Events, hook failures, spend and compactions of the range, each with its total. */
export function MoreFigures({ range, input, during }: CardProps) {
  const trpc = useTRPC();
  const kept = { placeholderData: keepPreviousData };
  const found = useQuery({ ...trpc.overview.summary.queryOptions(input), ...kept });
  const series = useQuery({ ...trpc.overview.series.queryOptions(input), ...kept }).data;
  const nowMs = Math.min(useNow(10_000) ?? input.to.getTime(), input.to.getTime());
  const down = useDowntime(input);
  const sums = found.data;
  if (found.isError && sums === undefined)
    return (
      <ErrorState
        compact
        title="The figures could not be loaded"
        reason={failureSentence(found.error)}
        onRetry={() => void found.refetch()}
        retrying={found.isFetching}
      />
    );
  const loading = sums === undefined;
  const short = presets.find(({ text }) => text === range.text)?.short;
  const within = short === undefined ? "in the range" : `in ${short}`;
  const to = (path: string) => withRange(path, range.text);
  const spark = (label: string, countOf: (point: OverviewPoint) => number, colour?: string) =>
    series && series.points.length > 1 ? (
      <Sparkline
        values={sparklineValues(series, countOf, nowMs, down)}
        label={`${label} ${during}`}
        {...(colour === undefined ? {} : { colour })}
      />
    ) : null;
  const calls = sums ? sums.callsPriced + sums.callsFree + sums.callsUnpriced : 0;
  return (
    <StatRow>
      <Stat
        label={sums?.perMinuteNow === null ? "Events" : "Events per minute"}
        href={to("/activity/sessions")}
        loading={loading}
        value={sums && (sums.perMinuteNow === null ? formatCount(sums.dispatches) : rate(sums.perMinuteNow))}
        unit={sums?.perMinuteNow === null ? within : "now"}
        detail={sums && `${plural(sums.gates, "tool call")} among ${plural(sums.dispatches, "event")}`}
        aside={spark("Events", ({ dispatches }) => dispatches, "var(--line-strong)")}
      />
      <Stat
        label="Hook failures"
        href={to("/activity?q=by:gate+failed")}
        loading={loading}
        value={
          sums && <span className={sums.hooksFailed > 0 ? "text-error" : ""}>{formatCount(sums.hooksFailed)}</span>
        }
        detail={sums && `in ${plural(sums.dispatches, "event")}`}
        aside={
          sums && sums.hooksFailed > 0 ? spark("Hook failures", (point) => point.hooksFailed, toneLook.error.css) : null
        }
      />
      <Stat
        label="Spend"
        href={to("/spend")}
        loading={loading}
        value={sums && calls > 0 ? <Money nano={sums.costNano} /> : null}
        missing={`No model calls reported ${during}.`}
        detail={sums && (calls === 0 ? "no model calls" : coverage(sums, calls))}
        aside={spark("Spend", (point) => Number(point.costNano))}
      />
      <Stat
        label="Compactions"
        href={to("/activity/compactions")}
        loading={loading}
        value={sums && formatCount(sums.compactions)}
        detail={`applied ${within}`}
        aside={sums && sums.compactions > 0 ? spark("Compactions", (point) => point.compactions) : null}
      />
    </StatRow>
  );
}

/** A small rate is shown with one decimal. */
const rate = (perMinute: number): string =>
  perMinute > 0 && perMinute < 10 ? String(Number(perMinute.toFixed(1)) || "<0.1") : formatCount(Math.round(perMinute));

/** The part of the calls that the sum covers. A free call counts as priced: its price is zero. */
function coverage({ callsUnpriced }: OverviewSummary, calls: number): string {
  const share = formatShare(calls - callsUnpriced, calls);
  return callsUnpriced === 0 ? `all ${plural(calls, "call")} priced` : `${share} of ${plural(calls, "call")} priced`;
}
