"use client";

import { useVirtualizer } from "@tanstack/react-virtual";
import { type Ref, useEffect, useImperativeHandle, useMemo, useRef, useState } from "react";
import { foldStory, isUnfolded, lineByEvent, linesOf, mainRow, type StoryNode } from "@/components/sessions/story";
import { STORY_GRID, StoryRow } from "@/components/sessions/story-line";
import type { ListHandle } from "@/components/sessions/timeline-list";
import { pageOfRow } from "@/components/sessions/timeline-pages";
import type { Outline, Timeline } from "@/components/sessions/use-timeline";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { Skeleton } from "@/components/ui/skeleton";
import { keyText, PAGE_ROWS, type RowView } from "@/server/sessions/schema";

const LINE_PX = 32;
/** More pages than these are not folded into one tree. */
const PAGES_MAX = 20;

export interface StoryListProps {
  ref: Ref<ListHandle>;
  outline: Outline;
  timeline: Pick<Timeline, "rowsOf" | "see">;
  agentId: string;
  selected: string | null;
  onSight: (row: number) => void;
  onOpen: (row: RowView) => void;
}

interface PageWindow {
  readonly first: number;
  readonly last: number;
}

/** A window of the session as a tree; more of it is loaded as one scrolls, another place opens another shown. */
export function StoryList({ ref, outline, timeline, agentId, selected, onSight, onOpen }: StoryListProps) {
  const { rowsOf, see } = timeline;
  const pages = outline.pages.length;
  const [shown, setShown] = useState<PageWindow>({ first: 0, last: 0 });
  const [wanted, setWanted] = useState<number | null>(null);
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const { rows: found, isWhole } = loadedRows(shown, rowsOf);
  // biome-ignore lint/correctness/useExhaustiveDependencies: its ends and its length tell one window from another
  const loaded = useMemo(() => found, [found.length, found[0], found.at(-1)]);
  const roots = useMemo(() => foldStory(loaded, outline.lanes), [loaded, outline.lanes]);
  const lines = useMemo(() => linesOf(roots, toggled), [roots, toggled]);
  const places = useMemo(() => lineByEvent(lines), [lines]);
  const axis = useMemo(
    () => ({
      fromMs: roots[0]?.fromMs ?? 0,
      toMs: roots.reduce((most, { toMs }) => Math.max(most, toMs), roots[0]?.fromMs ?? 0),
    }),
    [roots],
  );
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_PX,
    getItemKey: (index) => lines[index]?.id ?? index,
    overscan: 16,
    initialRect: { width: 1200, height: 800 },
  });
  const items = virtual.getVirtualItems();
  const { startIndex = 0, endIndex = 0 } = virtual.range ?? {};
  const at = selected === null ? undefined : places.get(selected);

  useEffect(() => {
    // Synchronises the pages that are fetched with the shown.
    see(shown.first * PAGE_ROWS, shown.last * PAGE_ROWS);
  }, [shown, see]);
  useEffect(() => {
    // Loads the next page as the end of what is here comes into sight.
    const isNear = lines.length > 0 && endIndex >= lines.length - 8 && isWhole;
    if (isNear && shown.last < pages - 1 && shown.last - shown.first < PAGES_MAX - 1)
      setShown({ ...shown, last: shown.last + 1 });
  }, [endIndex, lines.length, isWhole, shown, pages]);
  useEffect(() => {
    // Brings a wanted row into sight as soon as its page is here.
    if (wanted === null) return;
    const row = rowsOf(pageOfRow(wanted))?.[wanted % PAGE_ROWS];
    const line = row && places.get(keyText(row.key));
    if (line === undefined) return;
    const range = virtual.range;
    if (!range || line <= range.startIndex || line >= range.endIndex - 1)
      virtual.scrollToIndex(line, { align: "center" });
    setWanted(null);
  }, [wanted, places, rowsOf, virtual]);
  const top = lines[startIndex];
  const topRow = top ? (top.row ?? mainRow(top.node)) : null;
  const topKey = topRow ? keyText(topRow.key) : null;
  useEffect(() => {
    // Tells the strip where one is.
    const index = topKey === null ? -1 : loaded.findIndex((row) => keyText(row.key) === topKey);
    if (index >= 0) onSight(shown.first * PAGE_ROWS + index);
  }, [topKey, loaded, onSight, shown.first]);
  useImperativeHandle(
    ref,
    () => ({
      show(row) {
        const page = pageOfRow(row);
        setShown((now) => (page >= now.first && page <= now.last ? now : { first: page, last: page }));
        setWanted(row);
      },
      near(by) {
        const line = lines[(at ?? startIndex) + (at === undefined ? 0 : by)];
        return line ? (line.row ?? mainRow(line.node)) : null;
      },
    }),
    [lines, at, startIndex],
  );
  const toggle = (node: StoryNode) =>
    setToggled((now) => new Set(now.has(node.id) ? [...now].filter((id) => id !== node.id) : [...now, node.id]));
  const more = (next: PageWindow, label: string) => (
    <div className="flex shrink-0 justify-center border-line border-b py-1">
      <Button size="sm" variant="ghost" onClick={() => setShown(next)}>
        {label}
      </Button>
    </div>
  );

  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col overflow-hidden rounded-md border bg-surface max-sm:min-h-120">
      <Head />
      {shown.first > 0 ? more({ ...shown, first: shown.first - 1 }, "Load earlier events") : null}
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
      {shown.last - shown.first >= PAGES_MAX - 1 && shown.last < pages - 1
        ? more({ first: shown.last, last: shown.last + 1 }, "Continue from here")
        : null}
    </div>
  );
}

/** The rows of the window's pages, up to the first that is not loaded yet. */
function loadedRows({ first, last }: PageWindow, rowsOf: Timeline["rowsOf"]) {
  const rows: RowView[] = [];
  for (let page = first; page <= last; page += 1) {
    const found = rowsOf(page);
    if (!found) return { rows, isWhole: false };
    for (const row of found) rows.push(row);
  }
  return { rows, isWhole: true };
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
