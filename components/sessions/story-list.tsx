"use client";

import { useVirtualizer } from "@tanstack/react-virtual";
import { type Ref, useRef, useState } from "react";
import { isUnfolded } from "@/components/sessions/story";
import { STORY_GRID, StoryRow } from "@/components/sessions/story-line";
import type { ListHandle } from "@/components/sessions/timeline-list";
import { PAGES_MAX, type PageWindow, useStory, useStoryWindow } from "@/components/sessions/use-story";
import type { Outline, Timeline } from "@/components/sessions/use-timeline";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { Skeleton } from "@/components/ui/skeleton";
import type { RowView } from "@/server/sessions/schema";

const LINE_PX = 32;
export interface StoryListProps {
  ref: Ref<ListHandle>;
  outline: Outline;
  timeline: Pick<Timeline, "rowsOf" | "see">;
  agentId: string;
  selected: string | null;
  onSight: (row: number) => void;
  onOpen: (row: RowView) => void;
}

/** A window of the session as a tree; more of it is loaded as one scrolls, another place opens another shown. */
export function StoryList({ ref, outline, timeline, agentId, selected, onSight, onOpen }: StoryListProps) {
  const [shown, setShown] = useState<PageWindow>({ first: 0, last: 0 });
  const pages = outline.pages.length;
  const story = useStory(shown, outline, timeline.rowsOf);
  const { lines, places, axis, toggled, toggle } = story;
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_PX,
    getItemKey: (index) => lines[index]?.id ?? index,
    overscan: 16,
    initialRect: { width: 1200, height: 800 },
  });
  // Also brings `virtual.range` up to date.
  const items = virtual.getVirtualItems();
  const at = selected === null ? undefined : places.get(selected);
  useStoryWindow({ ref, shown, setShown, pages, story, timeline, virtual, at, onSight });
  const isFull = shown.last - shown.first >= PAGES_MAX - 1 && shown.last < pages - 1;
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col overflow-hidden rounded-md border bg-surface max-sm:min-h-120">
      <Head />
      {shown.first > 0 ? (
        <More label="Load earlier events" onClick={() => setShown({ ...shown, first: shown.first - 1 })} />
      ) : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section ref={scroller} aria-label="Story" tabIndex={0} className="inset-focus min-h-0 flex-1 overflow-y-auto">
        {lines.length === 0 ? <Skeleton className="m-3 h-40" /> : null}
        <ol className="relative w-full" style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, key, start }) => {
            const line = lines[index];
            return line ? (
              <li
                key={key}
                aria-current={index === at ? "true" : undefined}
                className="absolute top-0 left-0 w-full"
                style={{ height: LINE_PX, transform: `translateY(${start}px)` }}
              >
                <StoryRow
                  line={line}
                  lane={outline.lanes[line.node.lane]}
                  agentId={agentId}
                  startMs={outline.from.getTime()}
                  axis={axis}
                  isSelected={index === at}
                  isUnfolded={isUnfolded(line.node, toggled)}
                  onOpen={onOpen}
                  onToggle={toggle}
                />
              </li>
            ) : null;
          })}
        </ol>
      </section>
      {isFull ? (
        <More label="Continue from here" onClick={() => setShown({ first: shown.last, last: shown.last + 1 })} />
      ) : null}
    </div>
  );
}

function More({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <div className="flex shrink-0 justify-center border-line border-b py-1">
      <Button size="sm" variant="ghost" onClick={onClick}>
        {label}
      </Button>
    </div>
  );
}

function Head() {
  return (
    <div
      aria-hidden
      className={cn(
        STORY_GRID,
        "h-8 shrink-0 border-line border-b bg-sunken px-3 font-medium text-muted text-xs max-sm:hidden",
      )}
    >
      <span className="text-right">After start</span>
      <span>Turns and calls</span>
      <span>Time</span>
      <span className="text-right">Duration</span>
      <span className="text-right">Cost</span>
    </div>
  );
}
