/**
 * Rows as text to paste elsewhere: CSV for a spreadsheet, JSON for a program.
 */
import type { CellValue, Column } from "@/components/ui/table/types";

type Copied<Row> = Pick<Column<Row>, "id" | "header" | "value">;

/** RFC 4180 with a header line; a text that a spreadsheet would run as a formula is disarmed with an apostrophe. */
export function rowsToCsv<Row>(columns: readonly Copied<Row>[], rows: readonly Row[]): string {
  const copied = columns.filter((column) => column.value !== undefined);
  const lines = rows.map((row) => copied.map((column) => csvCell(column.value?.(row))).join(","));
  return [copied.map((column) => csvCell(column.header)).join(","), ...lines].join("\r\n");
}

/** An array of objects keyed by column id; missing values are null, big integers their digits. */
export function rowsToJson<Row>(columns: readonly Copied<Row>[], rows: readonly Row[]): string {
  const copied = columns.filter((column) => column.value !== undefined);
  const objects = rows.map((row) =>
    Object.fromEntries(copied.map((column) => [column.id, plain(column.value?.(row))])),
  );
  return JSON.stringify(objects, null, 2);
}

function plain(value: CellValue): string | number | boolean | null {
  if (value === undefined || value === null) return null;
  if (value instanceof Date) return value.toISOString();
  return typeof value === "bigint" ? value.toString() : value;
}

function csvCell(value: CellValue): string {
  const text = String(plain(value) ?? "");
  const safe = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
