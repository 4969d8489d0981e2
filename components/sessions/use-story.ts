"use client";

import type { Virtualizer } from "@tanstack/react-virtual";
import { type Dispatch, type Ref, type SetStateAction, useEffect, useImperativeHandle, useMemo, useState } from "react";
import { foldStory, lineByEvent, linesOf, mainRow, type StoryLine, type StoryNode } from "@/components/sessions/story";
import type { ListHandle } from "@/components/sessions/timeline-list";
import { pageOfRow } from "@/components/sessions/timeline-pages";
import type { Outline, Timeline } from "@/components/sessions/use-timeline";
import { eventKeyText } from "@/server/recording/event-key-schema";
import { PAGE_ROWS, type RowView } from "@/server/sessions/schema";

/** More pages than these are not folded into one tree. */
export const PAGES_MAX = 20;

export interface PageWindow {
  readonly first: number;
  readonly last: number;
}

/** The tree of the pages that are shown, as lines. */
export function useStory(shown: PageWindow, outline: Outline, rowsOf: Timeline["rowsOf"]) {
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
  const toggle = (node: StoryNode) =>
    setToggled((now) => new Set(now.has(node.id) ? [...now].filter((id) => id !== node.id) : [...now, node.id]));
  return { loaded, isWhole, lines, places, axis, toggled, toggle };
}

interface StoryWindowInput {
  ref: Ref<ListHandle>;
  shown: PageWindow;
  setShown: Dispatch<SetStateAction<PageWindow>>;
  /** Pages of the session. */
  pages: number;
  story: ReturnType<typeof useStory>;
  timeline: Pick<Timeline, "rowsOf" | "see">;
  virtual: Virtualizer<HTMLDivElement, Element>;
  /** The selected line. */
  at: number | undefined;
  onSight: (row: number) => void;
}

/** Keeps the pages that are fetched, the rows in sight and the strip in step; lets the page show a row and walk. */
export function useStoryWindow(input: StoryWindowInput): void {
  const { ref, shown, setShown, pages, story, timeline, virtual, at, onSight } = input;
  const { rowsOf, see } = timeline;
  const [wanted, setWanted] = useState<number | null>(null);
  const { lines, loaded, places, isWhole } = story;
  const { startIndex = 0, endIndex = 0 } = virtual.range ?? {};
  useEffect(() => {
    // Synchronises the pages that are fetched with the shown.
    see(shown.first * PAGE_ROWS, shown.last * PAGE_ROWS);
  }, [shown, see]);
  useEffect(() => {
    // Loads the next page when the end of the loaded rows becomes visible.
    const isNear = lines.length > 0 && endIndex >= lines.length - 8 && isWhole;
    if (isNear && shown.last < pages - 1 && shown.last - shown.first < PAGES_MAX - 1)
      setShown({ ...shown, last: shown.last + 1 });
  }, [endIndex, lines.length, isWhole, shown, setShown, pages]);
  useEffect(() => {
    // Brings a wanted row into sight as soon as its page is here.
    if (wanted === null) return;
    const row = rowsOf(pageOfRow(wanted))?.[wanted % PAGE_ROWS];
    const line = row && places.get(eventKeyText(row.key));
    if (line === undefined) return;
    const range = virtual.range;
    if (!range || line <= range.startIndex || line >= range.endIndex - 1)
      virtual.scrollToIndex(line, { align: "center" });
    setWanted(null);
  }, [wanted, places, rowsOf, virtual]);
  const topRow = rowOf(lines[startIndex]);
  const topKey = topRow ? eventKeyText(topRow.key) : null;
  useEffect(() => {
    // Tells the strip where one is.
    const index = topKey === null ? -1 : loaded.findIndex((row) => eventKeyText(row.key) === topKey);
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
      near: (by) => rowOf(lines[(at ?? startIndex) + (at === undefined ? 0 : by)]),
    }),
    [lines, at, startIndex, setShown],
  );
}

const rowOf = (line: StoryLine | undefined): RowView | null => (line ? (line.row ?? mainRow(line.node)) : null);

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
