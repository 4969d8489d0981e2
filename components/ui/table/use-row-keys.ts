"use client";

import { type RefObject, useEffect, useRef, useState } from "react";
import { useHotkey } from "@/components/ui/hotkeys/use-hotkey";

export interface RowKeysInput {
  ids: readonly string[];
  openId: string | null;
  /** Holds elements with `data-row`. */
  root: RefObject<HTMLElement | null>;
  scrollTo: (index: number) => void;
  hotkeys: boolean;
  onOpen: (index: number) => void;
}

export interface RowKeys {
  /** The row with the keyboard cursor; an open row is always the cursor. */
  cursor: string | null;
  point: (id: string) => void;
}

/** Navigates a list with j and k, arrows, Home and End; Enter opens. The cursor is an id, so it stays on its row. */
export function useRowKeys({ ids, openId, root, scrollTo, hotkeys, onOpen }: RowKeysInput): RowKeys {
  const [pointed, setPointed] = useState<string | null>(null);
  const sought = useRef<{ id: string; focus: boolean } | null>(null);
  const known = useRef(ids);
  const opened = useRef(openId);
  const jump = useRef(scrollTo);
  const cursor = openId ?? (pointed !== null && ids.includes(pointed) ? pointed : null);
  const at = cursor === null ? -1 : ids.indexOf(cursor);

  const go = (index: number) => {
    const id = ids[Math.max(0, Math.min(ids.length - 1, index))];
    if (id === undefined) return;
    sought.current = { id, focus: true };
    setPointed(id);
    scrollTo(ids.indexOf(id));
  };
  const on = { group: "List", enabled: hotkeys };
  useHotkey("j", () => go(at + 1), { ...on, label: "Next row" });
  useHotkey("k", () => go(at - 1), { ...on, label: "Previous row" });
  useHotkey("arrowdown", () => go(at + 1), on);
  useHotkey("arrowup", () => go(at - 1), on);
  useHotkey("home", () => go(0), { ...on, label: "First row" });
  useHotkey("end", () => go(ids.length - 1), { ...on, label: "Last row" });
  useHotkey(
    "enter",
    (event) => {
      const target = event.target;
      // Enter on a link or a button is its own.
      if (target instanceof HTMLElement && target.matches("a,button,summary")) target.click();
      else if (at >= 0) onOpen(at);
    },
    { ...on, label: "Open" },
  );

  useEffect(() => {
    // A row opened from elsewhere (a link, a drawer's arrows) is scrolled into view; when it closes, it gets the focus
    // back.
    const wanted = openId ?? opened.current;
    opened.current = openId;
    if (wanted === null) return;
    sought.current = { id: wanted, focus: openId === null };
    if (openId === null) setPointed(wanted);
    const index = known.current.indexOf(wanted);
    if (index >= 0) jump.current(index);
  }, [openId]);
  useEffect(() => {
    // Synchronises the browser's focus and scroll position with the row sought, once it is drawn.
    known.current = ids;
    jump.current = scrollTo;
    const { current: want } = sought;
    const rows = [...(root.current?.querySelectorAll<HTMLElement>("[data-row]") ?? [])];
    const row = want && rows.find((each) => each.dataset.row === want.id);
    if (!want || !row) return;
    sought.current = null;
    row.scrollIntoView({ block: "nearest" });
    if (want.focus) row.focus({ preventScroll: true });
  });

  return { cursor, point: setPointed };
}
