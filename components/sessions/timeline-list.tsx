"use client";

import { useVirtualizer } from "@tanstack/react-virtual";
import { type Ref, useEffect, useImperativeHandle, useRef } from "react";
import { NARROW_ROW_PX, ROW_PX, TimelineRow } from "@/components/sessions/timeline-row";
import { Skeleton } from "@/components/ui/skeleton";
import { useNarrow } from "@/components/ui/use-media";
import { eventKeyText } from "@/server/recording/event-key-schema";
import type { LaneView, RowView } from "@/server/sessions/schema";

export interface ListHandle {
  /** Brings a row into the middle, unless it is in sight already. */
  show(row: number): void;
  /** The event of the next or the previous line, where a line is more than one event; null at an end. */
  near?(by: 1 | -1): RowView | null;
}

export interface TimelineListProps {
  ref: Ref<ListHandle>;
  count: number;
  rowAt: (row: number) => RowView | undefined;
  lanes: readonly LaneView[];
  startMs: number;
  folded: ReadonlySet<string>;
  selected: string | null;
  onSight: (first: number, last: number) => void;
  onOpen: (row: RowView) => void;
  onFold: (lane: LaneView) => void;
}

/** A virtual list with one row for each event; only the visible rows are rendered. */
export function TimelineList(props: TimelineListProps) {
  const { ref, count, rowAt, lanes, startMs, folded, selected, onSight, onOpen, onFold } = props;
  const height = useNarrow() ? NARROW_ROW_PX : ROW_PX;
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 16,
    // The size for the server and the first paint, before anything is measured.
    initialRect: { width: 1200, height: 800 },
  });
  const items = virtual.getVirtualItems();
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0];
  const { startIndex = first, endIndex = last } = virtual.range ?? {};
  useEffect(() => {
    // Synchronises the fetched pages with the visible rows.
    onSight(startIndex, endIndex);
  }, [startIndex, endIndex, onSight]);
  useEffect(() => {
    // Rows of another height after the window changed its width.
    virtual.measure();
    void height;
  }, [virtual, height]);
  useImperativeHandle(
    ref,
    () => ({
      show(row) {
        const range = virtual.range;
        if (range && row > range.startIndex && row < range.endIndex - 1) return;
        virtual.scrollToIndex(row, { align: "center" });
      },
    }),
    [virtual],
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section ref={scroller} aria-label="Events" tabIndex={0} className="inset-focus min-h-0 flex-1 overflow-y-auto">
      <ol className="relative w-full" style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const row = rowAt(index);
          const lane = row && lanes[row.lane];
          return (
            <li
              key={index}
              aria-setsize={count}
              aria-posinset={index + 1}
              aria-current={row && eventKeyText(row.key) === selected ? "true" : undefined}
              className="absolute top-0 left-0 w-full"
              style={{ height, transform: `translateY(${start}px)` }}
            >
              {row ? (
                <TimelineRow
                  row={row}
                  lane={lane}
                  startMs={startMs}
                  isSelected={eventKeyText(row.key) === selected}
                  isFolded={lane !== undefined && folded.has(lane.sessionId)}
                  onOpen={onOpen}
                  onFold={onFold}
                />
              ) : (
                <span className="flex h-full items-center gap-3 border-line border-b px-3">
                  <Skeleton className="w-16" />
                  <Skeleton className="w-1/3" />
                </span>
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
}
