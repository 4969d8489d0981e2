"use client";

import {
  type ColumnDef,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  functionalUpdate,
  type ReactTable,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import { useMemo } from "react";
import type { Column } from "@/components/ui/table/types";
import { useLocalStorage } from "@/components/ui/use-local-storage";

const features = tableFeatures({ columnSizingFeature, columnResizingFeature, columnVisibilityFeature });

export type Model<Row extends object> = ReactTable<typeof features, Row>;

const NO_SIZES: Record<string, number> = {};
const NO_CHOICE: Record<string, boolean> = {};
const areSizes = (stored: unknown): stored is Record<string, number> => holdsOnly(stored, "number");
const areChoices = (stored: unknown): stored is Record<string, boolean> => holdsOnly(stored, "boolean");
const holdsOnly = (stored: unknown, type: string): boolean =>
  typeof stored === "object" && stored !== null && Object.values(stored).every((each) => typeof each === type);

export interface TableModel<Row extends object> {
  table: Model<Row>;
  /** Widths set by the person; until then, a column grows with its content. */
  sizes: Readonly<Record<string, number>>;
  resetColumns: () => void;
}

/** The columns as this person arranged them, remembered under the table's id. */
export function useTableModel<Row extends object>(
  id: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  getRowId: (row: Row) => string,
): TableModel<Row> {
  const [sizes, setSizes] = useLocalStorage(`table.${id}.widths`, NO_SIZES, areSizes);
  const [choice, setChoice] = useLocalStorage(`table.${id}.columns`, NO_CHOICE, areChoices);
  const definitions = useMemo(
    () =>
      columns.map(
        (column): ColumnDef<typeof features, Row> => ({
          id: column.id,
          header: column.header,
          cell: ({ row }) => column.cell(row.original),
          size: column.width ?? 140,
          minSize: column.minWidth ?? 48,
          enableHiding: column.fixed !== true,
        }),
      ),
    [columns],
  );
  const visibility = useMemo(
    () => ({
      ...Object.fromEntries(columns.filter((column) => column.hidden).map((column) => [column.id, false])),
      ...choice,
    }),
    [columns, choice],
  );
  const table = useTable({
    features,
    columns: definitions,
    // The model only reads its rows; its type does not say so.
    data: rows as Row[],
    getRowId,
    columnResizeMode: "onChange",
    state: { columnSizing: sizes, columnVisibility: visibility },
    onColumnSizingChange: (change) => setSizes(functionalUpdate(change, sizes)),
    onColumnVisibilityChange: (change) => setChoice(functionalUpdate(change, visibility)),
  });
  return {
    table,
    sizes,
    resetColumns: () => {
      setSizes({});
      setChoice({});
    },
  };
}
