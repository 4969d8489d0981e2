/** CSV for spreadsheets. Loaded on demand: the library is larger than the rest of a page's code. */
import { stringify } from "csv-stringify/browser/esm/sync";

export type CsvCell = string | number | bigint | boolean | Date | null | undefined;

/**
 * RFC 4180 with CRLF; a text that a spreadsheet would run as a formula gets an apostrophe in front. Unknown values are
 * empty.
 */
export const csvText = (lines: readonly (readonly CsvCell[])[]): string =>
  stringify(
    lines.map((cells) => cells.map(cellText)),
    { record_delimiter: "windows", eof: false },
  );

function cellText(cell: CsvCell): string {
  if (cell === null || cell === undefined) return "";
  if (cell instanceof Date) return cell.toISOString();
  return typeof cell === "string" && isFormula(cell) ? `'${cell}` : String(cell);
}

/** A decimal is no formula, also below zero. */
const isFormula = (text: string) => /^[=+\-@\t\r\n]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text);
