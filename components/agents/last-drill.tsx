"use client";

import { isDrillOverdue } from "@/components/agents/drill-text";
import { cn } from "@/components/ui/cn";
import { useAging } from "@/components/ui/format/clock";
import { calendarDate, exactTime } from "@/components/ui/format/instant";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Tooltip } from "@/components/ui/tooltip";

/** An agent's newest drill, "last drill DATE" once it no longer counts, "no drill yet" without one. */
export function LastDrill({ at, className }: { at: Date | null; className?: string }) {
  const age = useAging(60_000, (now) => (at !== null && isDrillOverdue(at, now) ? "overdue" : "recent"));
  if (at === null) return <span className="whitespace-nowrap">no drill yet</span>;
  if (age !== "overdue") return <RelativeTime at={at} className="text-muted" />;
  // Two lines where the cell is narrow, and each of them whole.
  return (
    <span className={cn("inline-block whitespace-normal", className)}>
      <span className="whitespace-nowrap">last drill</span> <DrillDate at={at} />
    </span>
  );
}

/** The day of a drill, with the instant on hover. */
export function DrillDate({ at }: { at: Date }) {
  return (
    <Tooltip content={exactTime(at)}>
      <time dateTime={at.toISOString()} className="whitespace-nowrap">
        {calendarDate(at)}
      </time>
    </Tooltip>
  );
}
