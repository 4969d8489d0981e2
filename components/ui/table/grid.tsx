"use client";

import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide-react";
import { type MouseEvent, memo, type ReactNode, type RefObject, useMemo } from "react";
import { cn } from "@/components/ui/cn";
import { Skeleton } from "@/components/ui/skeleton";
import type { Column, Sort } from "@/components/ui/table/types";
import type { TableModel } from "@/components/ui/table/use-table-model";
import type { VirtualRows } from "@/components/ui/table/use-virtual-rows";
import { Tooltip } from "@/components/ui/tooltip";

export interface GridProps<Row extends object> {
  label: string;
  columns: readonly Column<Row>[];
  model: TableModel<Row>;
  inSight: VirtualRows;
  /** Row under the keyboard, or open in a drawer. */
  cursor: string | null;
  openId: string | null;
  fresh: ReadonlySet<string>;
  rowHeight: number;
  sort?: Sort | null | undefined;
  onSort?: ((next: Sort) => void) | undefined;
  onOpen?: ((row: Row) => void) | undefined;
  onPoint: (id: string) => void;
  /** Skeleton rows instead of data. */
  loading: boolean;
  bodyRef: RefObject<HTMLTableSectionElement | null>;
}

/** The rows as a table: sticky header, widths the person set, only the rows in sight. */
export function Grid<Row extends object>(props: GridProps<Row>) {
  const { label, columns, model, inSight, rowHeight, loading, bodyRef } = props;
  const { table, sizes } = model;
  const leaves = table.getVisibleLeafColumns();
  const byId = useMemo(() => new Map(columns.map((column) => [column.id, column])), [columns]);
  const visible = useMemo(() => leaves.flatMap(({ id }) => byId.get(id) ?? []), [leaves, byId]);
  const rows = table.getRowModel().rows;
  const width = leaves.reduce((sum, leaf) => sum + leaf.getSize(), 0);
  return (
    <table
      // A row that opens can take the keyboard focus, so a screen reader needs a grid.
      role={props.onOpen ? "grid" : undefined}
      aria-label={label}
      aria-rowcount={loading ? undefined : rows.length + 1}
      aria-busy={loading || undefined}
      className="w-full table-fixed border-separate border-spacing-0 text-sm max-sm:hidden"
      style={{ minWidth: width }}
    >
      <colgroup>
        {leaves.map((leaf) => (
          <col
            key={leaf.id}
            style={byId.get(leaf.id)?.grow && sizes[leaf.id] === undefined ? undefined : { width: leaf.getSize() }}
          />
        ))}
      </colgroup>
      <Header {...props} byId={byId} />
      <tbody ref={bodyRef}>
        {loading ? <SkeletonRows leafIds={leaves.map(({ id }) => id)} rowHeight={rowHeight} /> : null}
        <Spacer height={loading ? 0 : inSight.before} span={leaves.length} />
        {(loading ? [] : inSight.indexes).map((index) => {
          const row = rows[index];
          return row ? <GridRow key={row.id} {...props} index={index} row={row} visible={visible} /> : null;
        })}
        <Spacer height={loading ? 0 : inSight.after} span={leaves.length} />
      </tbody>
    </table>
  );
}

type HeaderProps<Row extends object> = GridProps<Row> & { byId: ReadonlyMap<string, Column<Row>> };

function Header<Row extends object>({ model, sort, onSort, byId }: HeaderProps<Row>) {
  return (
    <thead>
      {model.table.getHeaderGroups().map((group) => (
        <tr key={group.id}>
          {group.headers.map((header) => {
            const column = byId.get(header.column.id);
            return column ? (
              <HeaderCell
                key={header.id}
                column={column}
                sort={sort}
                onSort={onSort}
                onResize={header.getResizeHandler()}
                onResetSize={() => header.column.resetSize()}
              />
            ) : null;
          })}
        </tr>
      ))}
    </thead>
  );
}

function SkeletonRows({ leafIds, rowHeight }: { leafIds: readonly string[]; rowHeight: number }) {
  return Array.from({ length: 10 }, (_, line) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: identical lines
    <tr key={line} aria-hidden style={{ height: rowHeight }}>
      {leafIds.map((id, index) => (
        <td key={id} className="border-line border-b px-3">
          <Skeleton className={["w-3/4", "w-1/2", "w-2/3"][(line + index) % 3] ?? "w-1/2"} />
        </td>
      ))}
    </tr>
  ));
}

interface GridRowProps<Row extends object> extends GridProps<Row> {
  index: number;
  row: { readonly id: string; readonly original: Row };
  visible: readonly Column<Row>[];
}

function GridRow<Row extends object>(props: GridRowProps<Row>) {
  const { index, row, visible, cursor, openId, fresh, rowHeight, onOpen, onPoint } = props;
  const opens = onOpen !== undefined;
  const current = cursor === row.id || (cursor === null && index === 0);
  return (
    <tr
      data-row={row.id}
      aria-rowindex={index + 2}
      aria-selected={opens ? openId === row.id : undefined}
      tabIndex={opens ? (current ? 0 : -1) : undefined}
      style={{ height: rowHeight }}
      onClick={opens ? (event) => clickOpens(event) && onOpen(row.original) : undefined}
      onFocus={opens ? () => onPoint(row.id) : undefined}
      className={cn(
        "group/row",
        opens && "inset-focus scroll-mt-8 cursor-pointer hover:bg-hover",
        cursor === row.id && "bg-hover",
        openId === row.id && "bg-selected hover:bg-selected",
        fresh.has(row.id) && "animate-row",
      )}
    >
      <Cells columns={visible} row={row.original} />
    </tr>
  );
}

interface CellsProps<Row> {
  columns: readonly Column<Row>[];
  row: Row;
}

/** Drawn again only for a row that changed: a list that follows moves all its rows with each new one. */
const Cells = memo(function Cells<Row>({ columns, row }: CellsProps<Row>) {
  return columns.map((column) => (
    <td key={column.id} className={cn("truncate border-line border-b px-3", column.align === "right" && "text-right")}>
      {column.cell(row)}
    </td>
  ));
}) as <Row>(props: CellsProps<Row>) => ReactNode; // memo forgets the type of the row

function Spacer({ height, span }: { height: number; span: number }) {
  return height > 0 ? (
    <tr aria-hidden>
      <td colSpan={span} style={{ height, padding: 0 }} />
    </tr>
  ) : null;
}

/** A click on a link or a button inside a row is theirs; so is the end of selecting text. */
function clickOpens(event: MouseEvent): boolean {
  const target = event.target;
  if (target instanceof Element && target.closest("a,button,input,label") !== null) return false;
  return (window.getSelection()?.toString() ?? "") === "";
}

interface HeaderCellProps<Row> {
  column: Column<Row>;
  sort?: Sort | null | undefined;
  onSort?: ((next: Sort) => void) | undefined;
  onResize: (event: unknown) => void;
  onResetSize: () => void;
}

function HeaderCell<Row>({ column, sort, onSort, onResize, onResetSize }: HeaderCellProps<Row>) {
  const sorted = sort?.id === column.id ? (sort.desc ? "descending" : "ascending") : undefined;
  const Arrow = sorted === undefined ? ChevronsUpDown : sorted === "descending" ? ArrowDown : ArrowUp;
  const words = <span className="truncate">{column.header}</span>;
  return (
    <th
      scope="col"
      aria-sort={sorted}
      className={cn(
        "group/head sticky top-0 z-10 h-8 border-line border-b bg-sunken px-3 text-left font-medium text-muted text-xs",
        column.align === "right" && "text-right",
      )}
    >
      <Tooltip content={column.hint}>
        {column.sortable && onSort ? (
          <button
            type="button"
            onClick={() => onSort({ id: column.id, desc: sorted !== "descending" })}
            className={cn(
              "flex w-full items-center gap-1 rounded-sm hover:text-text",
              sorted && "text-text",
              column.align === "right" && "flex-row-reverse",
            )}
          >
            {words}
            <Arrow aria-hidden className={cn("size-3 shrink-0", !sorted && "opacity-0 group-hover/head:opacity-60")} />
          </button>
        ) : (
          <span className={column.hasHiddenHeader ? "sr-only" : "block truncate"}>{column.header}</span>
        )}
      </Tooltip>
      <span
        aria-hidden
        onMouseDown={onResize}
        onTouchStart={onResize}
        onDoubleClick={onResetSize}
        className="absolute inset-y-1.5 right-0 w-2 cursor-col-resize touch-none border-line border-r hover:border-accent hover:border-r-2 active:border-accent"
      />
    </th>
  );
}
