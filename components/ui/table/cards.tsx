"use client";

import type { RefObject } from "react";
import { cn } from "@/components/ui/cn";
import { Skeleton } from "@/components/ui/skeleton";
import type { Column } from "@/components/ui/table/types";
import type { VirtualRows } from "@/components/ui/table/use-virtual-rows";

export interface CardsProps<Row extends object> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  getRowId: (row: Row) => string;
  inSight: VirtualRows;
  openId: string | null;
  fresh: ReadonlySet<string>;
  onOpen?: ((row: Row) => void) | undefined;
  loading: boolean;
  listRef: RefObject<HTMLUListElement | null>;
}

/** The same rows on a phone: what matters most heads the card, the rest are labelled lines. */
export function Cards<Row extends object>(props: CardsProps<Row>) {
  const { label, columns, rows, getRowId, inSight, openId, fresh, onOpen, loading, listRef } = props;
  const heads = columns.filter((column) => column.priority === 1);
  const lines = columns.filter((column) => (column.priority ?? 2) === 2);
  return (
    <ul ref={listRef} aria-label={label} aria-busy={loading || undefined}>
      {loading
        ? Array.from({ length: 6 }, (_, line) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: identical lines
            <li key={line} aria-hidden className="flex flex-col gap-2 border-line border-b px-4 py-3">
              <Skeleton className="w-2/3" />
              <Skeleton className="w-1/2" />
            </li>
          ))
        : null}
      {loading || inSight.before === 0 ? null : <li aria-hidden style={{ height: inSight.before }} />}
      {(loading ? [] : inSight.indexes).map((index) => {
        const row = rows[index];
        if (!row) return null;
        const id = getRowId(row);
        return (
          <li
            key={id}
            data-row={id}
            data-index={index}
            ref={inSight.measure}
            className={cn(
              "relative border-line border-b px-4 py-2.5",
              openId === id && "bg-selected",
              fresh.has(id) && "animate-row",
            )}
          >
            <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
              {heads.map((column, at) => (
                <span
                  key={column.id}
                  className={cn(
                    "min-w-0 max-w-full break-words [&_.truncate]:whitespace-normal",
                    at > 0 && at === heads.length - 1 && "ml-auto text-right",
                  )}
                >
                  {column.cell(row)}
                </span>
              ))}
            </div>
            <dl className="mt-1 grid grid-cols-[minmax(88px,max-content)_minmax(0,1fr)] gap-x-3 text-sm">
              {lines.map((column) => {
                const value = column.cell(row);
                // The field does not apply to this kind of row; an unknown value is shown as such.
                if (value === null || value === undefined) return null;
                return (
                  <div key={column.id} className="contents">
                    <dt className="text-faint">{column.header}</dt>
                    <dd className="line-clamp-5 min-w-0 break-words [&_.truncate]:whitespace-normal">{value}</dd>
                  </div>
                );
              })}
            </dl>
            {onOpen ? (
              <button
                type="button"
                aria-label={`Open row ${index + 1}`}
                onClick={() => onOpen(row)}
                className="inset-focus absolute inset-0 w-full"
              />
            ) : null}
          </li>
        );
      })}
      {loading || inSight.after === 0 ? null : <li aria-hidden style={{ height: inSight.after }} />}
    </ul>
  );
}
