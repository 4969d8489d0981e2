"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import type { ListHandle } from "@/components/sessions/timeline-list";
import { pageOfKey, rowOfKey, slotOfRow } from "@/components/sessions/timeline-pages";
import type { Outline, Timeline } from "@/components/sessions/use-timeline";
import type { TimelineAddress } from "@/components/sessions/use-timeline-address";
import { useHotkey } from "@/components/ui/hotkeys/use-hotkey";
import { type EventKey, eventKeyText } from "@/server/recording/event-key-schema";
import { PAGE_ROWS, type RowView } from "@/server/sessions/schema";

/** The position in a timeline: the rows in sight, the selected one, and the ways from one to another. */
export function useTimelinePosition({ url, setUrl, isRaw, selected }: TimelineAddress, timeline: Timeline) {
  const { outline, rowAt, rowsOf, see } = timeline;
  const list = useRef<ListHandle>(null);
  const [first, setFirst] = useState(0);
  const slots = outline.data?.slots;
  const pages = outline.data?.pages;
  const total = outline.data?.rows ?? 0;
  const select = (row: RowView) => void setUrl({ event: eventKeyText(row.key) });

  // The story fetches the pages of its own window.
  const fetchRows = isRaw ? see : fetchNothing;
  const selectedRow = useSelectedRow({ text: url.event, selected, pages, rowsOf, see: fetchRows, list });
  const onTop = useCallback(
    // The strip has one position per slot: scrolling within a slot renders only the list.
    (row: number) => setFirst((now) => (slots && slotOfRow(slots, now) === slotOfRow(slots, row) ? now : row)),
    [slots],
  );
  const onSight = useCallback(
    (firstRow: number, lastRow: number) => {
      see(firstRow, lastRow);
      onTop(firstRow);
    },
    [see, onTop],
  );
  const jumpTo = useJump({ total, rowAt, see: fetchRows, list, select });
  const step = (by: 1 | -1) => () => {
    if (list.current?.near) {
      const next = list.current.near(by);
      if (next) select(next);
      return;
    }
    const from = selectedRow ?? first;
    jumpTo(Math.min(Math.max(from + (selectedRow === null ? 0 : by), 0), total - 1));
  };
  useHotkey("j", step(1), { label: "Next event", group: "Timeline" });
  useHotkey("k", step(-1), { label: "Previous event", group: "Timeline" });
  useHotkey("enter", () => url.event && void setUrl({ details: "1" }), { label: "Open the event", group: "Timeline" });
  /** Selects the row that many below the selected one; undefined if that row does not exist. */
  const walk = (by: number) => {
    const row = selectedRow === null ? undefined : rowAt(selectedRow + by);
    return row ? () => select(row) : undefined;
  };
  return { list, first, selectedRow, onTop, onSight, jumpTo, walk };
}

export type TimelinePosition = ReturnType<typeof useTimelinePosition>;

const fetchNothing = () => undefined;

interface SelectedInput {
  text: string | null;
  selected: EventKey | null;
  pages: Outline["pages"] | undefined;
  rowsOf: (page: number) => readonly RowView[] | undefined;
  see: (first: number, last: number) => void;
  list: React.RefObject<ListHandle | null>;
}

/** The row of the selected event, which is brought into sight when another is selected; null while it is not known. */
function useSelectedRow({ text, selected: key, pages, rowsOf, see, list }: SelectedInput): number | null {
  const shown = useRef<string | null>(null);
  const page = key && pages && pages.length > 0 ? pageOfKey(pages, key) : null;
  const rows = page === null ? undefined : rowsOf(page);
  const row = key && page !== null && rows ? rowOfKey(page, rows, key) : null;
  useEffect(() => {
    // Synchronises the scroller with the address: its page first, then the row itself.
    if (text === null || page === null || shown.current === text) return;
    if (row === null) {
      see(page * PAGE_ROWS, page * PAGE_ROWS);
      list.current?.show(page * PAGE_ROWS);
      return;
    }
    list.current?.show(row);
    shown.current = text;
  }, [text, page, row, see, list]);
  return row;
}

interface JumpInput {
  total: number;
  rowAt: (row: number) => RowView | undefined;
  see: (first: number, last: number) => void;
  list: React.RefObject<ListHandle | null>;
  select: (row: RowView) => void;
}

/** Goes to a row and selects it, at once or as soon as it is here. */
function useJump({ total, rowAt, see, list, select }: JumpInput): (row: number) => void {
  const [wanted, setWanted] = useState<number | null>(null);
  const found = wanted === null ? undefined : rowAt(wanted);
  useEffect(() => {
    // Synchronises the address with a jump whose row had to be fetched first.
    if (!found) return;
    select(found);
    setWanted(null);
  }, [found, select]);
  return (row) => {
    if (row < 0 || row >= total) return;
    see(row, row);
    list.current?.show(row);
    setWanted(row);
  };
}
