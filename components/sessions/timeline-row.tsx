"use client";

import { eventTitle } from "@quarterdeck/hooks/contract/event-titles";
import { ChevronDown, ChevronRight, Webhook } from "lucide-react";
import { memo } from "react";
import { EventTitle } from "@/components/layout/event-title";
import { kindWords, markOf, sourceText } from "@/components/sessions/labels";
import { cn } from "@/components/ui/cn";
import { formatCount } from "@/components/ui/format/count";
import { formatDuration } from "@/components/ui/format/duration";
import { exactMoney, leastMoney, shortMoney } from "@/components/ui/format/nano";
import { Mark } from "@/components/ui/mark";
import { kindOf, type LaneView, type RowView, type SpentView } from "@/server/sessions/schema";

export const ROW_PX = 32;
export const NARROW_ROW_PX = 56;

export interface TimelineRowProps {
  row: RowView;
  lane: LaneView | undefined;
  /** The start of the timeline, in milliseconds since 1970. */
  startMs: number;
  isSelected: boolean;
  isFolded: boolean;
  onOpen: (row: RowView) => void;
  onFold: (lane: LaneView) => void;
}

/** One event in one line. Hints are titles: forty rows change with every frame, and a hint for each would be felt. */
export const TimelineRow = memo(function TimelineRow(props: TimelineRowProps) {
  const { row, lane, startMs, isSelected, isFolded, onOpen, onFold } = props;
  const { icon: Icon, label } = kindWords[kindOf(row.event)];
  const mark = markOf(row);
  const depth = lane?.depth ?? 0;
  const opens = lane !== undefined && depth > 0 && lane.firstId === row.key.id ? lane : null;
  return (
    <div
      data-event={row.key.id}
      className={cn(
        "relative grid h-full items-center gap-x-3 border-line border-b px-3 text-sm",
        "grid-cols-[84px_minmax(0,1fr)_88px_96px] max-sm:grid-cols-[minmax(0,1fr)_auto] max-sm:grid-rows-[24px_24px] max-sm:content-center",
        isSelected ? "bg-selected" : "hover:bg-hover",
      )}
    >
      <span className="text-right text-faint max-sm:order-3 max-sm:text-left" title={row.key.occurredAt.toISOString()}>
        +{formatDuration(Math.max(0, row.key.occurredAt.getTime() - startMs))}
      </span>
      <span className="flex h-full min-w-0 items-center gap-2 max-sm:order-1">
        <Lanes depth={depth} />
        <Icon aria-label={label} className="size-3.5 shrink-0 text-muted" strokeWidth={1.75} />
        <EventTitle event={row.event} className="shrink-0 max-lg:shrink max-lg:truncate" />
        {row.tool ? <span className="max-w-40 shrink-0 truncate font-medium max-sm:hidden">{row.tool}</span> : null}
        {row.call?.modelId ? (
          <span className="max-w-56 shrink-0 truncate text-muted max-lg:shrink max-sm:hidden">{row.call.modelId}</span>
        ) : null}
        {mark ? (
          <span
            className="shrink-0"
            title={row.final?.source ? `Decided by ${sourceText(row.final.source)}` : undefined}
          >
            <Mark tone={mark.tone} label={mark.label} />
          </span>
        ) : null}
        {opens ? <Opens lane={opens} isFolded={isFolded} onFold={onFold} /> : null}
        <span className="min-w-0 flex-1 truncate text-muted max-sm:hidden">{row.words}</span>
        {row.hasHooks ? (
          <span className="relative ml-auto flex shrink-0 items-center gap-1 text-faint" title="Hooks ran">
            <Webhook aria-label="Hooks ran" className="size-3" /> {formatDuration(row.durationUs / 1000)}
          </span>
        ) : null}
      </span>
      <span className="text-right max-sm:order-2">{row.call ? <Cost nano={row.call.nano} /> : null}</span>
      <Running nano={row.spentNano} unpriced={row.unpriced} />
      <button
        type="button"
        tabIndex={-1}
        aria-label={`Open ${eventTitle(row.event)}${row.tool ? ` of ${row.tool}` : ""}`}
        onClick={() => onOpen(row)}
        className="inset-focus absolute inset-0"
      />
    </div>
  );
});

/** One line down for each session above. */
function Lanes({ depth }: { depth: number }) {
  return Array.from({ length: Math.min(depth, 8) }, (_, level) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a lane is its level
    <span key={level} aria-hidden className="ml-1 h-full w-2 shrink-0 border-line-strong border-l-2" />
  ));
}

/** The start of a sub-session: its agent, its cost, and the control to fold it. */
function Opens({ lane, isFolded, onFold }: { lane: LaneView; isFolded: boolean; onFold: (lane: LaneView) => void }) {
  const Icon = isFolded ? ChevronRight : ChevronDown;
  const hasMore = lane.tree.calls > lane.own.calls;
  const words = `${formatCount(lane.events)} events, own cost ${amountText(lane.own)}${
    hasMore ? `, with its own sub-sessions ${amountText(lane.tree)}` : ""
  }`;
  return (
    <button
      type="button"
      aria-expanded={!isFolded}
      aria-label={`${isFolded ? "Unfold" : "Fold"} the sub-session of ${lane.agentName}: ${words}`}
      title={words}
      onClick={() => onFold(lane)}
      className="relative z-10 flex h-5 min-w-0 shrink items-center gap-1 rounded-sm border border-accent-line bg-accent-soft px-1.5 text-accent-text text-xs"
    >
      <Icon aria-hidden className="size-3 shrink-0" />
      <span className="truncate font-medium">{lane.agentName}</span>
      <span className="truncate">
        {amountText(lane.own)}
        {hasMore ? ` · tree ${amountText(lane.tree)}` : ""} · {formatCount(lane.events)} events
      </span>
    </button>
  );
}

export const amountText = ({ calls, free, unpriced, nano }: SpentView): string =>
  calls === 0
    ? "no calls"
    : unpriced === calls
      ? "unpriced"
      : free === calls
        ? "free"
        : unpriced > 0
          ? `≥ ${leastMoney(nano)}`
          : shortMoney(nano);

function Cost({ nano }: { nano: bigint | null }) {
  if (nano === null) return <span className="text-muted italic">unpriced</span>;
  return <span title={exactMoney(nano)}>{nano === 0n ? <i className="text-muted">free</i> : shortMoney(nano)}</span>;
}

/** The amount that the tree had spent with this event. */
function Running({ nano, unpriced }: { nano: bigint; unpriced: number }) {
  const says =
    unpriced > 0
      ? `${exactMoney(nano)} so far, without ${formatCount(unpriced)} unpriced ${unpriced === 1 ? "call" : "calls"}`
      : `${exactMoney(nano)} so far`;
  return (
    <span className="text-right text-muted tabular-nums max-sm:order-4" title={says}>
      {nano === 0n ? (
        unpriced > 0 ? (
          <i>unpriced</i>
        ) : (
          <span className="text-faint">—</span>
        )
      ) : unpriced > 0 ? (
        `≥ ${leastMoney(nano)}`
      ) : (
        shortMoney(nano)
      )}
    </span>
  );
}
