"use client";

import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import type { ListDrawerProps } from "@/components/layout/record-drawer";
import { labelInSentence } from "@/components/layout/time-range/range";
import { listQuestion, useAsking } from "@/components/layout/use-asking";
import { useOpenRecord } from "@/components/layout/use-open-record";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { FilterBar } from "@/components/ui/filter/filter-bar";
import { type Filter, isEmptyFilter, noFilter } from "@/components/ui/filter/filter-text";
import type { FilterField } from "@/components/ui/filter/suggest";
import { DataTable, type DataTableProps } from "@/components/ui/table/data-table";

/** The part of React Query's infinite query that is read. */
export interface RecordPages {
  readonly isError: boolean;
  readonly isPending: boolean;
  readonly isFetchingNextPage: boolean;
  /** True while the shown rows answer the previous query. */
  readonly isPlaceholderData: boolean;
  readonly hasNextPage: boolean;
  readonly error: unknown;
  refetch(): unknown;
  fetchNextPage(): unknown;
}

type OfTheTable =
  | "id"
  | "columns"
  | "rows"
  | "className"
  | "rowHeight"
  | "sort"
  | "onSort"
  | "summary"
  | "stale"
  | "allRows"
  | "holdsInUse";

export interface RecordListProps<Row extends object> extends Pick<DataTableProps<Row>, OfTheTable> {
  /** The noun for the rows: "model calls". */
  label: string;
  keyOf: (row: Row) => string;
  query: RecordPages;
  /** True while the loaded pages hold no match and the next page is loading. */
  isSearching?: boolean;
  /** The functions that still work although the list cannot be shown. */
  stillWorks: ReactNode;
  filter: Filter;
  onFilter: (next: Filter) => void;
  fields: readonly FilterField[];
  placeholder: string;
  /** "Last 24 hours". */
  rangeLabel: string;
  icon: LucideIcon;
  /** Shown when the list is empty without a filter. */
  empty: ReactNode;
  /** "No call matches". */
  noMatch: string;
  /** Replaces the two, when there is more to say. */
  face?: ReactNode;
  drawer: (drives: ListDrawerProps) => ReactNode;
}

/** Recorded things, newest first: filtered by chips, walked by keyboard, one of them open in a drawer. */
export function RecordList<Row extends object>(props: RecordListProps<Row>) {
  const { label, rows, keyOf, query, isSearching = false, stillWorks, ...rest } = props;
  const { filter, onFilter, fields, placeholder, rangeLabel, icon, empty, noMatch, face, drawer, ...table } = rest;
  const record = useOpenRecord(rows, keyOf);
  const question = listQuestion(filter, table.sort, rangeLabel);
  const asking = useAsking(query.isPlaceholderData, question);
  return (
    <>
      <DataTable
        {...table}
        rows={rows}
        label={label}
        getRowId={keyOf}
        status={query.isError ? "error" : query.isPending || isSearching ? "pending" : "success"}
        error={query.isError ? failureSentence(query.error) : null}
        stillWorks={stillWorks}
        asking={asking}
        question={question}
        onRetry={() => void query.refetch()}
        onOpen={(row) => record.show(keyOf(row))}
        openId={record.open}
        loadMore={{
          hasMore: query.hasNextPage,
          loading: query.isFetchingNextPage,
          onLoadMore: () => void query.fetchNextPage(),
        }}
        toolbar={
          <FilterBar label={label} fields={fields} value={filter} onChange={onFilter} placeholder={placeholder} />
        }
        empty={
          face ??
          (isEmptyFilter(filter) ? (
            empty
          ) : (
            <EmptyState
              icon={icon}
              title={noMatch}
              action={<Button onClick={() => onFilter(noFilter)}>Clear the filter</Button>}
            >
              Same filter: any value. Different filters: all must match. Time range: {labelInSentence(rangeLabel)}.
            </EmptyState>
          ))
        }
      />
      {drawer(record.drawer)}
    </>
  );
}
