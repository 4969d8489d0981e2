"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useMemo } from "react";
import type { TimeModel } from "@/components/charts/prepare/time-model";
import { TimeSeries } from "@/components/charts/time-series";
import { customRangeText } from "@/components/layout/time-range/range";
import { useDowntime } from "@/components/layout/use-downtime";
import { useMarks } from "@/components/layout/use-marks";
import { barDurationText } from "@/components/overview/bar-duration";
import type { CardProps } from "@/components/overview/cards/card-props";
import { activityHref, OUTCOME_TEXTS, OUTCOMES, outcomeModel } from "@/components/overview/outcome-model";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { useNow } from "@/components/ui/format/clock";
import { formatCount } from "@/components/ui/format/count";
import { Link } from "@/components/ui/link";
import { toneLook } from "@/components/ui/tone";

/** The calls of all clients over time; a bar, a stretch and each outcome open Activity. */
export function OutcomeChart({ range, input, during }: CardProps) {
  const trpc = useTRPC();
  const router = useRouter();
  const series = useQuery({ ...trpc.overview.series.queryOptions(input), placeholderData: keepPreviousData });
  // A bar in the future is a gap. Until the browser's clock is known, the range's end is used as now.
  const nowMs = Math.min(useNow(10_000) ?? input.to.getTime(), input.to.getTime());
  const down = useDowntime(input);
  const marks = useMarks(input);
  const model = useMemo(
    () => (series.data ? outcomeModel(series.data, nowMs, down) : null),
    [series.data, nowMs, down],
  );
  const open = (from: Date, to: Date, outcome: string | null) =>
    router.push(activityHref(customRangeText(from, to), outcome));
  return (
    <TimeSeries
      title="Tool calls by outcome"
      aside={series.data ? `per ${barDurationText(series.data.bucketMs)}` : null}
      model={model}
      {...marks}
      onRange={(from, to) => open(from, to, null)}
      onPick={({ series, from, to }) => open(from, to, series)}
      legend={<OutcomeLegend model={model} range={range.text} />}
      height={220}
      emptyText={`No tool calls ${during}`}
      error={series.isError ? failureSentence(series.error) : null}
      onRetry={() => void series.refetch()}
    />
  );
}

/** The outcomes in the order of the bars, with their icons and totals; each opens its calls. */
function OutcomeLegend({ model, range }: { model: TimeModel | null; range: string }) {
  return (
    <ul aria-label="Outcomes" className="flex flex-wrap gap-x-1 gap-y-0.5 px-3 pt-1 pb-2">
      {OUTCOMES.map((outcome) => {
        const { label, tone } = OUTCOME_TEXTS[outcome];
        const { icon: Icon, text } = toneLook[tone];
        const total = model?.series.find(({ name }) => name === outcome)?.total;
        return (
          <li key={outcome}>
            <Link
              href={activityHref(range, outcome)}
              className="flex h-6 items-center gap-1.5 rounded-sm px-1.5 text-sm hover:bg-hover"
            >
              <span aria-hidden className="size-2 rounded-full" style={{ background: toneLook[tone].css }} />
              <Icon aria-hidden className={`size-3 ${text}`} strokeWidth={2.5} />
              {label}
              <span className="text-faint tabular-nums">{total === undefined ? "" : formatCount(total)}</span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
