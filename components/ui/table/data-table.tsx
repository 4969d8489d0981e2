"use client";

import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { ErrorState } from "@/components/ui/error-state";
import { formatCount } from "@/components/ui/format/count";
import { Notice } from "@/components/ui/notice";
import { Pill } from "@/components/ui/pill";
import { Spinner } from "@/components/ui/spinner";
import { Cards } from "@/components/ui/table/cards";
import { Grid } from "@/components/ui/table/grid";
import { type AllRows, TableMenu } from "@/components/ui/table/table-menu";
import type { Sort, TableStatus } from "@/components/ui/table/types";
import { CARD_HEIGHT, type TableRows, type TableRowsInput, useTableRows } from "@/components/ui/table/use-table-rows";

export interface DataTableProps<Row extends object> extends TableRowsInput<Row> {
  /** For a screen reader, and in sentences: "decisions". */
  label: string;
  /** React Query's status. If rows are loaded, an error is a notice above them. */
  status?: TableStatus;
  /** The reason for a failure, and what still works. */
  error?: ReactNode;
  stillWorks?: ReactNode;
  onRetry?: () => void;
  /** The empty face: an `EmptyState`. */
  empty: ReactNode;
  /** Since when the rows may be old: a sentence, shown above them. */
  stale?: ReactNode;
  onSort?: (next: Sort) => void;
  /** Left above the rows: usually a `FilterBar`. */
  toolbar?: ReactNode;
  /** Downloads all rows, not only those that are loaded. */
  allRows?: AllRows;
  /** Above the rows at the right: "1,204 decisions". */
  summary?: ReactNode;
  /** No toolbar at all, for a small table inside a section. */
  bare?: boolean;
  className?: string;
}

/**
 * A list of records: dense, sortable, with keyboard navigation, live without moving the rows being read; cards on a
 * phone.
 */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { height = "fill", asking = false, loadMore } = props;
  const table = useTableRows(props);
  const fills = height === "fill";
  return (
    <div className={cn("flex min-w-0 flex-col", fills && "min-h-0 flex-1", props.className)}>
      {props.bare ? null : <Bar {...props} table={table} />}
      <Notices {...props} />
      <div
        {...table.inUse}
        className={cn("relative min-h-0 overflow-hidden rounded-md border bg-surface", fills && "flex flex-1 flex-col")}
      >
        {table.waiting > 0 ? (
          <div className="absolute inset-x-0 top-10 z-20">
            <Pill onClick={table.release} isQuiet={props.holdsInUse}>
              {formatCount(table.waiting)} new
            </Pill>
          </div>
        ) : null}
        <div
          ref={table.scroller}
          onScroll={table.onScroll}
          aria-busy={asking || undefined}
          className={cn("overflow-auto", fills && "min-h-0 flex-1", asking && "pointer-events-none opacity-40")}
          style={{ overflowAnchor: "none" }}
        >
          <Rows {...props} table={table} />
          {loadMore?.hasMore && props.rows.length > 0 ? (
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

type PartProps<Row extends object> = DataTableProps<Row> & { table: TableRows<Row> };

/** Above the rows: filters, a count, and the table's own menu. */
function Bar<Row extends object>({ id, columns, toolbar, asking, summary, allRows, table }: PartProps<Row>) {
  return (
    <div className="flex flex-wrap items-center gap-2 pb-2">
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-2 max-sm:basis-full">{toolbar}</div>
      {asking ? (
        <div role="status" className="flex items-center gap-1.5 text-muted text-sm">
          <Spinner /> Loading…
        </div>
      ) : summary ? (
        <div className="text-faint text-sm">{summary}</div>
      ) : null}
      <div className="ml-auto">
        <TableMenu {...{ id, columns, allRows }} rows={table.shown} model={table.model} cards={table.narrow} />
      </div>
    </div>
  );
}

/** The reasons that the rows may be old. */
function Notices<Row extends object>({ label, rows, status, error, stale, onRetry }: DataTableProps<Row>) {
  return (
    <>
      {stale ? (
        <Notice kind="warning" className="mb-2">
          {stale}
        </Notice>
      ) : null}
      {status === "error" && rows.length > 0 ? (
        <Notice
          kind="danger"
          className="mb-2"
          action={
            onRetry ? (
              <Button size="sm" onClick={onRetry}>
                Try again
              </Button>
            ) : null
          }
        >
          The {label} could not be refreshed and may be out of date. {error}
        </Notice>
      ) : null}
    </>
  );
}

/** The rows as a table or as cards, or the reason for their absence. */
function Rows<Row extends object>(props: PartProps<Row>) {
  const { label, columns, rows, getRowId, status = "success", asking = false, onOpen, openId = null, table } = props;
  const { shown, fresh, model, inSight, keys, narrow, body, list } = table;
  const loading = status === "pending" || (asking && rows.length === 0);
  if (status === "error" && rows.length === 0)
    return (
      <ErrorState
        title={`The ${label} could not be loaded`}
        reason={props.error}
        stillWorks={props.stillWorks}
        {...(props.onRetry ? { onRetry: props.onRetry } : {})}
      />
    );
  if (status === "success" && rows.length === 0 && !loading) return props.empty;
  const shared = { label, columns, inSight, openId, fresh, onOpen, loading };
  if (narrow) return <Cards {...shared} rows={shown} getRowId={getRowId} listRef={list} />;
  return (
    <>
      <CardRoom rows={shown.length} />
      <Grid
        {...shared}
        model={model}
        cursor={keys.cursor}
        rowHeight={props.rowHeight ?? 32}
        sort={props.sort}
        onSort={props.onSort}
        onPoint={keys.point}
        bodyRef={body}
      />
    </>
  );
}

/** Cards in sight on a phone. */
const CARDS_SHOWN = 8;

/**
 * The room of the cards on a phone until the script runs. The server does not know the width of the screen and sends the
 * table, which is wider than a phone and hidden there.
 */
function CardRoom({ rows }: { rows: number }) {
  return <div aria-hidden className="sm:hidden" style={{ height: Math.min(rows, CARDS_SHOWN) * CARD_HEIGHT }} />;
}
