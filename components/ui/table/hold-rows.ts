/** Rows that arrive at the top while the person reads further down: held back and counted, so that nothing moves. */

import isEqual from "fast-deep-equal";

export interface HeldRows<Row> {
  readonly shown: readonly Row[];
  /** The number of rows that wait above. */
  readonly waiting: number;
}

/**
 * The held rows in the order in which they are held, then the rows below all of them. New rows between or above wait.
 * If every held row is gone, no row is held back.
 */
export function holdBack<Row>(
  rows: readonly Row[],
  idOf: (row: Row) => string,
  held: readonly string[] | null,
): HeldRows<Row> {
  if (held === null) return { shown: rows, waiting: 0 };
  const placeOf = new Map(held.map((id, place) => [id, place]));
  const last = rows.findLastIndex((row) => placeOf.has(idOf(row)));
  if (last < 0) return { shown: rows, waiting: 0 };
  const place = (row: Row) => placeOf.get(idOf(row)) ?? held.length;
  const known = rows.filter((row) => placeOf.has(idOf(row))).sort((a, b) => place(a) - place(b));
  const below = rows.slice(last + 1);
  return { shown: [...known, ...below], waiting: rows.length - known.length - below.length };
}

/** The rows that are loaded, and the held rows that newer ones pushed past the end of the loaded pages. */
export interface LoadedRows<Row> {
  readonly loaded: readonly Row[];
  readonly pushedOut: readonly Row[];
}

/**
 * The loaded rows with those pushed out. They came after the last row that is still loaded, and the list did not become
 * shorter; any other missing row has left the list.
 */
export function withPushedOut<Row>(
  before: LoadedRows<Row>,
  loaded: readonly Row[],
  idOf: (row: Row) => string,
  held: readonly string[] | null,
): LoadedRows<Row> {
  if (held === null) return { loaded, pushedOut: [] };
  const [known, now, kept] = [new Set(before.loaded.map(idOf)), new Set(loaded.map(idOf)), new Set(held)];
  const isOut = (row: Row) => kept.has(idOf(row)) && !now.has(idOf(row));
  const earlier = before.pushedOut.filter(isOut);
  if (loaded.length < before.loaded.length) return { loaded, pushedOut: earlier };
  const last = loaded.findLast((row) => known.has(idOf(row)));
  const end = before.loaded.findIndex((row) => last !== undefined && idOf(row) === idOf(last));
  return { loaded, pushedOut: [...before.loaded.slice(end + 1).filter(isOut), ...earlier] };
}

/** The new rows above all earlier rows. A completely different list has no arrivals: it answers a new question. */
export function arrivals<Row>(
  before: ReadonlySet<string>,
  rows: readonly Row[],
  idOf: (row: Row) => string,
): Set<string> {
  const known = rows.findIndex((row) => before.has(idOf(row)));
  return new Set(known <= 0 ? [] : rows.slice(0, known).map(idOf));
}

/** The list with the very rows of the list before, where they are equal: what did not change is not drawn again. */
export function keepEqual<Row>(
  before: ReadonlyMap<string, Row>,
  rows: readonly Row[],
  idOf: (row: Row) => string,
): readonly Row[] {
  return rows.map((row) => {
    const known = before.get(idOf(row));
    return known !== undefined && isEqual(known, row) ? known : row;
  });
}

/** The ids before and after one row, for walking a list from a drawer. */
export function neighbours<Row>(
  rows: readonly Row[],
  idOf: (row: Row) => string,
  id: string | null,
): { previous: string | null; next: string | null } {
  const at = id === null ? -1 : rows.findIndex((row) => idOf(row) === id);
  const idAt = (index: number) => {
    const row = rows[index];
    return at < 0 || row === undefined ? null : idOf(row);
  };
  return { previous: idAt(at - 1), next: idAt(at + 1) };
}
