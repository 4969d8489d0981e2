"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { customRangeText } from "@/components/layout/time-range/range";
import { type CardProps, withRange } from "@/components/overview/cards/card-props";
import { activityHref } from "@/components/overview/outcome-model";
import { spendChangeText, spendCoverageText } from "@/components/overview/spend-text";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { formatCount, formatShare, plural } from "@/components/ui/format/count";
import { Money } from "@/components/ui/format/money";
import { Stat } from "@/components/ui/stat";

/** Three figures: calls that were denied, calls that no rule ran for, and the spend of today. */
export function HomeFigures({ range, input, during }: CardProps) {
  const trpc = useTRPC();
  const found = useQuery({ ...trpc.overview.summary.queryOptions(input), placeholderData: keepPreviousData });
  const sums = found.data;
  const loading = sums === undefined && !found.isError;
  const spend = useQuery(trpc.overview.spendToday.queryOptions());
  const missing = found.isError ? failureSentence(found.error) : `No tool calls reached a gate ${during}.`;
  const ofCalls = (count: number, look: string) =>
    sums && sums.gates > 0 ? <span className={count > 0 ? look : ""}>{formatCount(count)}</span> : null;
  const today = spend.data?.today;
  return (
    <div className="grid grid-cols-2 gap-3 sm:grid-cols-3 max-sm:*:last:col-span-2">
      <Stat
        label="Denied by a rule"
        href={activityHref(range.text, "denied")}
        loading={loading}
        value={ofCalls(sums?.gatesDenied ?? 0, "text-deny")}
        missing={missing}
        unit={sums && `of ${plural(sums.gates, "tool call")}`}
        detail={sums && (sums.gates === 0 ? "no tool calls" : `and ${formatCount(sums.gatesAsked)} sent to a person`)}
      />
      <Stat
        label="No rule ran"
        href={activityHref(range.text, "no_rule")}
        loading={loading}
        value={ofCalls(sums?.gatesWithoutRule ?? 0, "text-ask")}
        missing={missing}
        unit={sums && `of ${plural(sums.gates, "tool call")}`}
        detail={sums && (formatShare(sums.gatesWithoutRule, sums.gates) ?? "no tool calls")}
      />
      <Stat
        label="Spend today"
        href={withRange("/spend", today ? customRangeText(today.from, today.to) : "24h")}
        loading={spend.data === undefined && !spend.isError}
        value={today && today.calls > 0 ? <Money nano={today.costNano} /> : null}
        missing={spend.isError ? failureSentence(spend.error) : "No model calls reported today."}
        unit={today && spendCoverageText(today)}
        detail={spend.data && spendChangeText(spend.data)}
      />
    </div>
  );
}
