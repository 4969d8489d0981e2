/**
 * Rows as text for other programs. CSV is RFC 4180 with CRLF; a text that a spreadsheet would run as a formula is disarmed with an
 * apostrophe. Amounts are plain decimals to the last digit; what is unknown is empty, and null in JSON.
 */
export type Cell = string | number | bigint | Date | null;
export type Row = readonly (readonly [column: string, cell: Cell])[];

export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(cell: Cell): string {
  const text = textOf(cell);
  const safe = typeof cell === "string" && !isAmount(cell) && /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A decimal is no formula, also below zero. */
const isAmount = (text: string) => /^-?\d+(\.\d+)?$/.test(text);

function textOf(cell: Cell): string {
  if (cell === null) return "";
  return cell instanceof Date ? cell.toISOString() : String(cell);
}

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
