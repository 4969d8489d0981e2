"use client";

import { type RefObject, type UIEvent, useEffect, useMemo, useRef, useState } from "react";
import { arrivals, holdBack, keepEqual } from "@/components/ui/table/hold-rows";
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
  const { shown, waiting, holdFrom, release } = useHeldRows(rows, getRowId, scroller);
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
  return { narrow, scroller, body, list, shown, waiting, release, fresh, model, inSight, keys, onScroll };
}

export type TableRows<Row extends object> = ReturnType<typeof useTableRows<Row>>;

/** Holds back rows that arrive above the top row of a scrolled list. */
function useHeldRows<Row>(rows: readonly Row[], idOf: (row: Row) => string, scroller: RefObject<HTMLElement | null>) {
  const [anchor, setAnchor] = useState<string | null>(null);
  const kept = useKept(rows, idOf);
  /** Null: the list is at its top. */
  const holdFrom = (first: Row | null | undefined) => {
    if (first === null) {
      if (anchor !== null) setAnchor(null);
    } else if (anchor === null && first !== undefined) setAnchor(idOf(first));
  };
  const release = () => {
    setAnchor(null);
    scroller.current?.scrollTo({ top: 0 });
  };
  return { ...holdBack(kept, idOf, anchor), holdFrom, release };
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
