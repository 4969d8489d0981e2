"use client";

import { type ReactNode, type UIEvent, useEffect, useMemo, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { ErrorState } from "@/components/ui/error-state";
import { formatCount } from "@/components/ui/format/count";
import { Notice } from "@/components/ui/notice";
import { Pill } from "@/components/ui/pill";
import { Spinner } from "@/components/ui/spinner";
import { Cards } from "@/components/ui/table/cards";
import { Grid } from "@/components/ui/table/grid";
import { arrivals, holdBack, keepEqual } from "@/components/ui/table/hold-rows";
import { TableMenu } from "@/components/ui/table/table-menu";
import type { Column, LoadMore, Sort, TableStatus } from "@/components/ui/table/types";
import { useRowKeys } from "@/components/ui/table/use-row-keys";
import { useTableModel } from "@/components/ui/table/use-table-model";
import { useVirtualRows } from "@/components/ui/table/use-virtual-rows";
import { useNarrow } from "@/components/ui/use-media";

export interface DataTableProps<Row extends object> {
  /** Stable: what is remembered about the columns hangs on it. */
  id: string;
  /** For a screen reader, and in sentences: "decisions". */
  label: string;
  /** A constant or memoised: a new array rebuilds the table. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  getRowId: (row: Row) => string;
  /** React Query's. With rows at hand an error is a notice above them. */
  status?: TableStatus;
  /** The reason for a failure, in words; what still works. */
  error?: ReactNode;
  stillWorks?: ReactNode;
  onRetry?: () => void;
  /** The empty face: an `EmptyState`. */
  empty: ReactNode;
  /** The rows answer another question than the one that stands on the page; its answer is on the way. */
  asking?: boolean;
  /** Since when the rows may be old: a sentence, shown above them. */
  stale?: ReactNode;
  sort?: Sort | null;
  onSort?: (next: Sort) => void;
  /** Enter, or a click on a row. */
  onOpen?: (row: Row) => void;
  /** The row a drawer shows. */
  openId?: string | null;
  loadMore?: LoadMore;
  /** `fill` scrolls within the room it is given (the parent is a flex column), `auto` takes the room it needs. */
  height?: "fill" | "auto";
  rowHeight?: 32 | 40;
  /** j and k, arrows, Home, End and Enter from anywhere on the page. One table a page; by default one that fills. */
  hotkeys?: boolean;
  /** Left above the rows: usually a `FilterBar`. */
  toolbar?: ReactNode;
  /** Above the rows at the right: "1,204 decisions". */
  summary?: ReactNode;
  /** No toolbar at all, for a small table inside a section. */
  bare?: boolean;
  className?: string;
}

const NONE: ReadonlySet<string> = new Set();
const HEAD = 32;
/** Rows that come faster than this are not faded in: the list would never stand still. */
const QUIET_MS = 1_000;

/** A list of things: dense, sortable, walked by keyboard, live without moving what is read; cards on a phone. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { id, label, columns, rows, getRowId, status = "success", onOpen, openId = null, loadMore } = props;
  const { height = "fill", rowHeight = 32, sort, onSort, asking = false } = props;
  const narrow = useNarrow();
  const scroller = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const [anchor, setAnchor] = useState<string | null>(null);
  const kept = useKept(rows, getRowId);
  const { shown, waiting } = holdBack(kept, getRowId, anchor);
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
    const first = shown[0];
    if (scrollTop > rowHeight / 2) {
      if (anchor === null && first) setAnchor(getRowId(first));
    } else if (anchor !== null) setAnchor(null);
    if (loadMore?.hasMore && !loadMore.loading && scrollHeight - scrollTop - clientHeight < 400) loadMore.onLoadMore();
  };
  const release = () => {
    setAnchor(null);
    scroller.current?.scrollTo({ top: 0 });
  };

  const loading = status === "pending" || (asking && rows.length === 0);
  const failed = status === "error" && rows.length === 0;
  const isEmpty = status === "success" && rows.length === 0 && !loading;
  const fills = height === "fill";
  return (
    <div className={cn("flex min-w-0 flex-col", fills && "min-h-0 flex-1", props.className)}>
      {props.bare ? null : (
        <div className="flex flex-wrap items-center gap-2 pb-2">
          <div className="flex min-w-0 flex-1 flex-wrap items-center gap-2 max-sm:basis-full">{props.toolbar}</div>
          {asking ? (
            <div role="status" className="flex items-center gap-1.5 text-muted text-sm">
              <Spinner /> Asking…
            </div>
          ) : props.summary ? (
            <div className="text-faint text-sm">{props.summary}</div>
          ) : null}
          <div className="ml-auto">
            <TableMenu id={id} columns={columns} rows={shown} model={model} cards={narrow} />
          </div>
        </div>
      )}
      {props.stale ? (
        <Notice kind="warning" className="mb-2">
          {props.stale}
        </Notice>
      ) : null}
      {status === "error" && rows.length > 0 ? (
        <Notice
          kind="danger"
          className="mb-2"
          action={
            props.onRetry ? (
              <Button size="sm" onClick={props.onRetry}>
                Try again
              </Button>
            ) : null
          }
        >
          The {label} could not be renewed; these may be out of date. {props.error}
        </Notice>
      ) : null}
      <div
        className={cn("relative min-h-0 overflow-hidden rounded-md border bg-surface", fills && "flex flex-1 flex-col")}
      >
        {waiting > 0 ? (
          <div className="absolute inset-x-0 top-10 z-20">
            <Pill onClick={release}>{formatCount(waiting)} new</Pill>
          </div>
        ) : null}
        <div
          ref={scroller}
          onScroll={onScroll}
          aria-busy={asking || undefined}
          className={cn("overflow-auto", fills && "min-h-0 flex-1", asking && "pointer-events-none opacity-40")}
          style={{ overflowAnchor: "none" }}
        >
          {failed ? (
            <ErrorState
              title={`The ${label} could not be loaded`}
              reason={props.error}
              stillWorks={props.stillWorks}
              {...(props.onRetry ? { onRetry: props.onRetry } : {})}
            />
          ) : isEmpty ? (
            props.empty
          ) : narrow ? (
            <Cards
              label={label}
              columns={columns}
              rows={shown}
              getRowId={getRowId}
              inSight={inSight}
              openId={openId}
              fresh={fresh}
              onOpen={onOpen}
              loading={loading}
              listRef={list}
            />
          ) : (
            <Grid
              label={label}
              columns={columns}
              model={model}
              inSight={inSight}
              cursor={keys.cursor}
              openId={openId}
              fresh={fresh}
              rowHeight={rowHeight}
              sort={sort}
              onSort={onSort}
              onOpen={onOpen}
              onPoint={keys.point}
              loading={loading}
              bodyRef={body}
            />
          )}
          {loadMore?.hasMore && rows.length > 0 ? (
            <div className="flex justify-center p-2">
              <Button size="sm" variant="ghost" busy={loadMore.loading} onClick={loadMore.onLoadMore}>
                {loadMore.loading ? "Loading more…" : "Load more"}
              </Button>
            </div>
          ) : null}
        </div>
      </div>
    </div>
  );
}

/** The same rows, those that are equal to what was drawn as the objects that were drawn. */
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
