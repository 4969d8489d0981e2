"use client";

import { keepPreviousData, useQueries, useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import { pageOfKey, pageOfRow } from "@/components/sessions/timeline-pages";
import { useTRPC } from "@/components/trpc/client";
import type { EventKey } from "@/server/recording/event-key-schema";
import { type OutlineView, PAGE_ROWS, type RowView, type TimelineInput } from "@/server/sessions/schema";

/** Pages fetched before and after the visible ones, so that they are loaded when the person scrolls. */
const AROUND = 1;

/** The outline of a timeline, the rows of the pages around the visible ones, and the page of the selected event. */
export function useTimeline(input: TimelineInput, selected: EventKey | null) {
  const trpc = useTRPC();
  const outline = useQuery({
    ...trpc.sessions.outline.queryOptions(input),
    placeholderData: keepPreviousData,
  });
  const [sight, setSight] = useState({ first: 0, last: 0 });
  const pages = outline.data?.pages;
  const pinned = selected && pages && pages.length > 0 ? pageOfKey(pages, selected) : null;
  const wanted = useMemo(() => pagesAround(pages?.length ?? 0, sight, pinned), [pages?.length, sight, pinned]);
  const found = useQueries({
    queries: wanted.flatMap((page) => {
      const from = pages?.[page];
      if (!from) return [];
      return [{ ...trpc.sessions.rows.queryOptions({ ...input, from, to: pages[page + 1] ?? null }) }];
    }),
  });
  const byPage = new Map(found.map((query, index) => [wanted[index] ?? -1, query]));
  const rowAt = (row: number): RowView | undefined => byPage.get(pageOfRow(row))?.data?.rows[row % PAGE_ROWS];
  const see = useCallback((firstRow: number, lastRow: number) => {
    const next = { first: pageOfRow(firstRow), last: pageOfRow(lastRow) };
    setSight((now) => (now.first === next.first && now.last === next.last ? now : next));
  }, []);
  return {
    outline,
    rowAt,
    rowsOf: (page: number): readonly RowView[] | undefined => byPage.get(page)?.data?.rows,
    /** Tells which rows are in sight. */
    see,
    failed: found.find((query) => query.isError && !query.data),
  };
}

export type Timeline = ReturnType<typeof useTimeline>;
export type Outline = OutlineView;

function pagesAround(count: number, { first, last }: { first: number; last: number }, pinned: number | null): number[] {
  const from = Math.max(0, first - AROUND);
  const to = Math.min(count - 1, last + AROUND);
  const around = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
  return pinned === null || around.includes(pinned) ? around : [...around, pinned];
}
