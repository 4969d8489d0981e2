/**
 * Rows as text for other programs. CSV follows RFC 4180 with CRLF; a text that a spreadsheet would run as a formula
 * gets a leading apostrophe. Amounts are plain decimals with every digit. An unknown value is empty in CSV, and null in
 * JSON.
 */
import { stringify } from "csv-stringify/sync";

export type Cell = string | number | bigint | Date | null;
export type Row = readonly (readonly [column: string, cell: Cell])[];

/** Each with its line break. */
export const csvLines = (lines: readonly (readonly Cell[])[]): string =>
  stringify(
    lines.map((cells) => cells.map(cellText)),
    { record_delimiter: "windows" },
  );

function cellText(cell: Cell): string {
  if (cell === null) return "";
  if (cell instanceof Date) return cell.toISOString();
  return typeof cell === "string" && isFormula(cell) ? `'${cell}` : String(cell);
}

/** A decimal is no formula, also below zero. */
const isFormula = (text: string) => /^[=+\-@\t\r\n]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text);

/** One JSON object; big integers are their digits. */
export const jsonObject = (row: Row): string =>
  JSON.stringify(
    Object.fromEntries(
      row.map(([column, cell]) => [
        column,
        cell instanceof Date ? cell.toISOString() : typeof cell === "bigint" ? cell.toString() : cell,
      ]),
    ),
  );
