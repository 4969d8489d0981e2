"use client";

import {
  type FocusEvent,
  type PointerEvent,
  type RefObject,
  type UIEvent,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from "react";
import { arrivals, holdBack, keepEqual, type LoadedRows, withPushedOut } from "@/components/ui/table/hold-rows";
import type { Column, LoadMore, Sort } from "@/components/ui/table/types";
import { useRowKeys } from "@/components/ui/table/use-row-keys";
import { useRowSlide } from "@/components/ui/table/use-row-slide";
import { useTableModel } from "@/components/ui/table/use-table-model";
import { useVirtualRows } from "@/components/ui/table/use-virtual-rows";
import { useNarrow } from "@/components/ui/use-media";

export interface TableRowsInput<Row extends object> {
  /** A stable id: the stored column settings depend on it. */
  id: string;
  /** A constant or memoised: a new array rebuilds the table. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  getRowId: (row: Row) => string;
  /** Enter, or a click on a row. */
  onOpen?: (row: Row) => void;
  /** The row a drawer shows. */
  openId?: string | null;
  loadMore?: LoadMore;
  /** `fill` scrolls within the room it is given (the parent is a flex column), `auto` takes the room it needs. */
  height?: "fill" | "auto";
  rowHeight?: 32 | 40;
  /**
   * True to hold new rows back while the pointer or the focus is in the list, as when it is scrolled. Cards hold them
   * always: each is a large part of a small screen.
   */
  holdsInUse?: boolean;
  /** The question that the rows answer. Rows of another question are not held in the order of this one. */
  question?: string;
  sort?: Sort | null;
  /** True while the rows answer an earlier question than the page's current one. */
  asking?: boolean;
  /**
   * True to handle j and k, arrows, Home, End and Enter from anywhere on the page. One table per page; by default the
   * one that fills it.
   */
  hotkeys?: boolean;
}

const NONE: ReadonlySet<string> = new Set();
const HEAD = 32;
/** Pixels: the height of a card before it is measured. */
export const CARD_HEIGHT = 96;
/** Rows that come faster than this are not faded in: the list would never stand still. */
const QUIET_MS = 1_000;

/** The rows that a table draws: those held where they are read, those in sight, and the one under the keyboard. */
export function useTableRows<Row extends object>(props: TableRowsInput<Row>) {
  const { id, columns, rows, getRowId, onOpen, openId = null, loadMore, height = "fill", rowHeight = 32 } = props;
  const narrow = useNarrow();
  const scroller = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const { holdsInUse = false, asking = false } = props;
  const question = JSON.stringify([props.question, props.sort?.id, props.sort?.desc]);
  const { shown, waiting, hold, release, inUse } = useHeldRows(rows, getRowId, scroller, {
    ...{ holdsInUse, alwaysInUse: narrow, question: asking ? null : question },
  });
  const fresh = useArrivals(shown, getRowId);
  useRowSlide(body, shown, asking ? null : question);
  const model = useTableModel(id, columns, shown, getRowId);
  const inSight = useVirtualRows({
    count: shown.length,
    rowHeight: narrow ? CARD_HEIGHT : rowHeight,
    headHeight: narrow ? 0 : HEAD,
    scroller,
    keyOf: (index) => {
      const row = shown[index];
      return row === undefined ? String(index) : getRowId(row);
    },
    enabled: height === "fill",
  });
  const keys = useRowKeys({
    ids: shown.map(getRowId),
    openId,
    root: narrow ? list : body,
    scrollTo: inSight.scrollTo,
    hotkeys: props.hotkeys ?? (height === "fill" && onOpen !== undefined),
    onOpen: (index) => {
      const row = shown[index];
      if (row) onOpen?.(row);
    },
  });
  const onScroll = (event: UIEvent<HTMLDivElement>) => {
    const { scrollTop, clientHeight, scrollHeight } = event.currentTarget;
    hold(scrollTop > rowHeight / 2);
    if (loadMore?.hasMore && !loadMore.loading && scrollHeight - scrollTop - clientHeight < 400) loadMore.onLoadMore();
  };
  return { narrow, scroller, body, list, shown, waiting, release, inUse, fresh, model, inSight, keys, onScroll };
}

export type TableRows<Row extends object> = ReturnType<typeof useTableRows<Row>>;

interface Held {
  readonly ids: readonly string[];
  readonly question: string | null;
}

interface HoldOptions {
  readonly holdsInUse: boolean;
  readonly alwaysInUse: boolean;
  /** Null while the rows answer an earlier question. */
  readonly question: string | null;
}

/** Holds back rows that arrive among the rows of a list that is scrolled or in use, and keeps the order of those. */
function useHeldRows<Row>(
  rows: readonly Row[],
  idOf: (row: Row) => string,
  scroller: RefObject<HTMLElement | null>,
  { holdsInUse, alwaysInUse, question }: HoldOptions,
) {
  const [held, setHeld] = useState<Held | null>(null);
  const kept = useKept(rows, idOf);
  const use = useRef({ pointer: false, focus: false });
  const isInUse = () => holdsInUse && (alwaysInUse || use.current.pointer || use.current.focus);
  const ids = held !== null && held.question === question ? held.ids : null;
  const all = useWithPushedOut(kept, idOf, ids);
  // biome-ignore lint/correctness/useExhaustiveDependencies: how a row is named does not change
  const { shown, waiting } = useMemo(() => holdBack(all, idOf, ids), [all, ids]);
  const holdRows = (read: readonly Row[]) => setHeld({ ids: read.map(idOf), question });
  const isHeld = (row: Row | undefined) => row === undefined || ids === null || ids.includes(idOf(row));
  useEffect(() => {
    // Synchronises with the list: a list of other rows is held anew, and rows that were loaded below are held too.
    if (ids === null ? isInUse() && kept.length > 0 : !isHeld(shown.at(-1))) {
      if (isHeld(shown[0]) || isInUse()) holdRows(shown);
      else setHeld(null);
    }
  });
  const hold = (isOn: boolean) => {
    if (isOn && ids === null) holdRows(shown);
    else if (!isOn && ids !== null && !isInUse()) setHeld(null);
  };
  const release = () => {
    if (isInUse()) holdRows(kept);
    else setHeld(null);
    scroller.current?.scrollTo({ top: 0 });
  };
  const setUse = (part: "pointer" | "focus", isOn: boolean) => {
    use.current[part] = isOn;
    if (isInUse()) hold(true);
    else if ((scroller.current?.scrollTop ?? 0) <= AT_TOP) hold(false);
  };
  const root = useRef<HTMLDivElement>(null);
  const look = useEffectEvent(() => {
    use.current = { pointer: root.current?.matches(":hover") ?? false, focus: hasFocus(root.current) };
    if (isInUse() && shown.length > 0) hold(true);
  });
  useEffect(() => {
    // Synchronises with the browser: a mouse that rested before the script came sends no event. For an element that is
    // new, the browser knows some frames later what is under the mouse; on a busy machine that takes longer.
    const untilMs = performance.now() + SETTLED_MS;
    let frame = 0;
    const again = () => {
      look();
      if (!use.current.pointer && performance.now() < untilMs) frame = requestAnimationFrame(again);
    };
    again();
    return () => cancelAnimationFrame(frame);
  }, []);
  return { shown, waiting, hold, release, inUse: holdsInUse ? { ref: root, ...handlersOf(setUse) } : {} };
}

const hasFocus = (root: HTMLElement | null): boolean => root?.contains(document.activeElement) ?? false;

/** Milliseconds in which a new list looks for a resting mouse. */
const SETTLED_MS = 1_000;
/** Pixels: a list scrolled by less is at its top. */
const AT_TOP = 16;

/** A finger that taps does not rest on the list. */
const handlersOf = (setUse: (part: "pointer" | "focus", isOn: boolean) => void) => ({
  onPointerEnter: ({ pointerType }: PointerEvent) => pointerType !== "touch" && setUse("pointer", true),
  onPointerLeave: ({ currentTarget }: PointerEvent<HTMLElement>) => {
    // A button that is gone with its press took the focus along, and no event says so.
    setUse("focus", hasFocus(currentTarget));
    setUse("pointer", false);
  },
  onFocus: () => setUse("focus", true),
  onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setUse("focus", false);
  },
});

/** The rows, and the held ones that are no longer on the loaded pages. */
function useWithPushedOut<Row>(rows: readonly Row[], idOf: (row: Row) => string, held: readonly string[] | null) {
  const before = useRef<LoadedRows<Row>>({ loaded: rows, pushedOut: [] });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a list is compared with the one before it, when it changes
  const all = useMemo(() => withPushedOut(before.current, rows, idOf, held), [rows, held]);
  useEffect(() => {
    before.current = all;
  });
  return useMemo(() => (all.pushedOut.length === 0 ? all.loaded : [...all.loaded, ...all.pushedOut]), [all]);
}

/** The same rows; those equal to rendered ones are the same objects as before. */
function useKept<Row>(rows: readonly Row[], idOf: (row: Row) => string): readonly Row[] {
  const before = useRef<ReadonlyMap<string, Row>>(new Map());
  // biome-ignore lint/correctness/useExhaustiveDependencies: a list is compared with the one before it, when it changes
  const kept = useMemo(() => keepEqual(before.current, rows, idOf), [rows]);
  useEffect(() => {
    before.current = new Map(kept.map((row) => [idOf(row), row]));
  });
  return kept;
}

/** The ids that came in at the top with this list; they fade in once, unless rows come without a pause. */
function useArrivals<Row>(rows: readonly Row[], idOf: (row: Row) => string): ReadonlySet<string> {
  const before = useRef<ReadonlySet<string>>(NONE);
  const lastMs = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a list is compared with the one before it, when it changes
  const fresh = useMemo(() => (before.current.size === 0 ? NONE : arrivals(before.current, rows, idOf)), [rows]);
  const isQuiet = useMemo(() => fresh.size > 0 && performance.now() - lastMs.current > QUIET_MS, [fresh]);
  useEffect(() => {
    before.current = new Set(rows.map(idOf));
  });
  useEffect(() => {
    if (fresh.size > 0) lastMs.current = performance.now();
  }, [fresh]);
  return isQuiet ? fresh : NONE;
}
