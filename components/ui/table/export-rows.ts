/**
 * Rows as text to paste elsewhere: CSV for a spreadsheet, JSON for a program.
 */
import type { CellValue, Column } from "@/components/ui/table/types";

type Copied<Row> = Pick<Column<Row>, "id" | "header" | "value">;

/** With a header line. */
export async function rowsToCsv<Row>(columns: readonly Copied<Row>[], rows: readonly Row[]): Promise<string> {
  const { csvText } = await import("@/components/ui/csv");
  const copied = columns.filter((column) => column.value !== undefined);
  const lines = rows.map((row) => copied.map((column) => column.value?.(row)));
  return csvText([copied.map(({ header }) => header), ...lines]);
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
