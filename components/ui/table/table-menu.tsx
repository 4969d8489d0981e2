"use client";

import { Columns3, Copy, Download } from "lucide-react";
import { copyText } from "@/components/ui/copy-button";
import { IconButton } from "@/components/ui/icon-button";
import { Menu } from "@/components/ui/menu";
import { downloadFrom, saveFile } from "@/components/ui/save-file";
import type { Column } from "@/components/ui/table/types";
import type { TableModel } from "@/components/ui/table/use-table-model";
import { toast } from "@/components/ui/toast";

export interface AllRows {
  readonly href: string;
  /** "CSV of all matches, at most 100,000". */
  readonly label: string;
}

export interface TableMenuProps<Row extends object> {
  id: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  model: TableModel<Row>;
  allRows?: AllRows | undefined;
  /** Columns cannot be chosen while the rows are cards. */
  cards: boolean;
}

/** Null, and a notice says so, if the script cannot be loaded. */
async function textOf<Row extends object>(as: "JSON" | "CSV", columns: readonly Column<Row>[], rows: readonly Row[]) {
  try {
    const { rowsToCsv, rowsToJson } = await import("@/components/ui/table/export-rows");
    return as === "JSON" ? rowsToJson(columns, rows) : await rowsToCsv(columns, rows);
  } catch {
    toast.error("The rows could not be exported", {
      description: "A script could not be loaded. Try again, or reload the page.",
    });
    return null;
  }
}

/** Copies the loaded rows, and selects the visible columns. */
export function TableMenu<Row extends object>({ id, columns, rows, model, allRows, cards }: TableMenuProps<Row>) {
  const shown = columns.filter((column) => model.table.getColumn(column.id)?.getIsVisible() !== false);
  const copy = async (as: "JSON" | "CSV") => {
    const text = await textOf(as, shown, rows);
    if (text === null) return;
    await copyText(text)
      .then(() => toast.success(`${rows.length} rows copied as ${as}`))
      .catch(() => toast.error("The browser blocked copying"));
  };
  const download = async () => {
    const text = await textOf("CSV", shown, rows);
    if (text !== null) saveFile(`${id}.csv`, new Blob([text], { type: "text/csv" }));
  };
  const copies = [
    { kind: "label", label: `${rows.length} loaded rows` },
    { label: "Copy as JSON", icon: Copy, onSelect: () => copy("JSON") },
    { label: "Copy as CSV", icon: Copy, onSelect: () => copy("CSV") },
    { label: "Download CSV", icon: Download, onSelect: download },
    ...(allRows
      ? ([
          { kind: "separator" },
          { label: allRows.label, icon: Download, onSelect: () => downloadFrom(allRows.href) },
        ] as const)
      : []),
  ] as const;
  return (
    <div className="flex shrink-0 items-center" data-no-print>
      <Menu trigger={<IconButton icon={Copy} label="Copy rows" />} items={copies} />
      {cards ? null : (
        <Menu
          trigger={<IconButton icon={Columns3} label="Choose columns" />}
          items={[
            { kind: "label", label: "Columns" },
            ...columns.map((column) => ({
              kind: "check" as const,
              label: column.header || column.id,
              checked: model.table.getColumn(column.id)?.getIsVisible() !== false,
              disabled: column.fixed === true,
              onChange: (checked: boolean) => model.table.getColumn(column.id)?.toggleVisibility(checked),
            })),
            { kind: "separator" },
            { label: "Reset columns and widths", onSelect: model.resetColumns },
          ]}
        />
      )}
    </div>
  );
}
