"use client";

import {
  type FocusEvent,
  type PointerEvent,
  type RefObject,
  type UIEvent,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { arrivals, holdBack, keepEqual, keepOrder } from "@/components/ui/table/hold-rows";
import type { Column, LoadMore } from "@/components/ui/table/types";
import { useRowKeys } from "@/components/ui/table/use-row-keys";
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
  /** True to hold new rows back while the pointer or the focus is in the list, as when it is scrolled. */
  holdsInUse?: boolean;
  /**
   * The question that the rows answer: the filter and the sort. While it is the same, rows keep the order in which they
   * are shown, whatever becomes of the figures that they are sorted by. Absent: the order follows the rows.
   */
  keepsOrderOf?: string | undefined;
  /**
   * True to handle j and k, arrows, Home, End and Enter from anywhere on the page. One table per page; by default the
   * one that fills it.
   */
  hotkeys?: boolean;
}

const NONE: ReadonlySet<string> = new Set();
const HEAD = 32;
/** Rows that come faster than this are not faded in: the list would never stand still. */
const QUIET_MS = 1_000;

/** The rows that a table draws: those held where they are read, those in sight, and the one under the keyboard. */
export function useTableRows<Row extends object>(props: TableRowsInput<Row>) {
  const { id, columns, rows, getRowId, onOpen, openId = null, loadMore, height = "fill", rowHeight = 32 } = props;
  const narrow = useNarrow();
  const scroller = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const { holdsInUse = false } = props;
  const steady = useSteadyOrder(rows, getRowId, props.keepsOrderOf);
  const { shown, waiting, holdFrom, release, inUse } = useHeldRows(steady, getRowId, scroller, holdsInUse);
  const fresh = useArrivals(shown, getRowId);
  const model = useTableModel(id, columns, shown, getRowId);
  const inSight = useVirtualRows({
    count: shown.length,
    rowHeight: narrow ? 96 : rowHeight,
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
    holdFrom(scrollTop > rowHeight / 2 ? shown[0] : null);
    if (loadMore?.hasMore && !loadMore.loading && scrollHeight - scrollTop - clientHeight < 400) loadMore.onLoadMore();
  };
  return { narrow, scroller, body, list, shown, waiting, release, inUse, fresh, model, inSight, keys, onScroll };
}

export type TableRows<Row extends object> = ReturnType<typeof useTableRows<Row>>;

/** Holds back rows that arrive above the top row of a list that is scrolled or in use. */
function useHeldRows<Row>(
  rows: readonly Row[],
  idOf: (row: Row) => string,
  scroller: RefObject<HTMLElement | null>,
  holdsInUse: boolean,
) {
  const [anchor, setAnchor] = useState<string | null>(null);
  const kept = useKept(rows, idOf);
  const use = useRef({ pointer: false, focus: false });
  const isInUse = () => holdsInUse && (use.current.pointer || use.current.focus);
  const first = kept[0] === undefined ? null : idOf(kept[0]);
  const isKnown = anchor !== null && kept.some((row) => idOf(row) === anchor);
  useEffect(() => {
    // Synchronises with the list: one that answers another question is held from its own first row.
    if (anchor === null ? isInUse() && first !== null : !isKnown) setAnchor(isInUse() ? first : null);
  });
  /** Null: the list is at its top. */
  const holdFrom = (row: Row | null | undefined) => {
    if (row === null) {
      if (anchor !== null && !isInUse()) setAnchor(null);
    } else if (anchor === null && row !== undefined) setAnchor(idOf(row));
  };
  const release = () => {
    setAnchor(isInUse() ? first : null);
    scroller.current?.scrollTo({ top: 0 });
  };
  const setUse = (part: "pointer" | "focus", isOn: boolean) => {
    use.current[part] = isOn;
    if (isInUse()) holdFrom(kept[0]);
    else if ((scroller.current?.scrollTop ?? 0) <= AT_TOP) holdFrom(null);
  };
  return { ...holdBack(kept, idOf, anchor), holdFrom, release, inUse: holdsInUse ? handlersOf(setUse) : {} };
}

/** Pixels: a list scrolled by less is at its top. */
const AT_TOP = 16;

/** A finger that taps does not rest on the list. */
const handlersOf = (setUse: (part: "pointer" | "focus", isOn: boolean) => void) => ({
  onPointerEnter: ({ pointerType }: PointerEvent) => pointerType !== "touch" && setUse("pointer", true),
  onPointerLeave: ({ currentTarget }: PointerEvent) => {
    // A button that is gone with its press took the focus along, and no event says so.
    setUse("focus", currentTarget.contains(document.activeElement));
    setUse("pointer", false);
  },
  onFocus: () => setUse("focus", true),
  onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setUse("focus", false);
  },
});

/** The rows in the order of the list before, while the question is the same. */
function useSteadyOrder<Row>(
  rows: readonly Row[],
  idOf: (row: Row) => string,
  question: string | undefined,
): readonly Row[] {
  const before = useRef<{ question: string | undefined; ids: readonly string[] }>({ question, ids: [] });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a list is compared with the one before it, when it changes
  const steady = useMemo(() => {
    const { ids } = before.current;
    return question === undefined || before.current.question !== question ? rows : keepOrder(ids, rows, idOf);
  }, [rows, question]);
  useEffect(() => {
    before.current = { question, ids: steady.map(idOf) };
  });
  return steady;
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
