/** Rows that arrive at the top while the person reads further down: held back and counted, so that nothing moves. */

import isEqual from "fast-deep-equal";

export interface HeldRows<Row> {
  readonly shown: readonly Row[];
  /** The number of rows that wait above. */
  readonly waiting: number;
}

/** All rows from the anchor down. If the anchor is gone, no row is held back. */
export function holdBack<Row>(rows: readonly Row[], idOf: (row: Row) => string, anchor: string | null): HeldRows<Row> {
  const at = anchor === null ? 0 : rows.findIndex((row) => idOf(row) === anchor);
  return at <= 0 ? { shown: rows, waiting: 0 } : { shown: rows.slice(at), waiting: at };
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

/**
 * The rows in the order in which they are shown already. A new row is placed after the row that precedes it in `rows`;
 * the rows that lead `rows` are placed at the top.
 */
export function keepOrder<Row>(
  before: readonly string[],
  rows: readonly Row[],
  idOf: (row: Row) => string,
): readonly Row[] {
  const byId = new Map(rows.map((row) => [idOf(row), row]));
  const known = new Set(before.filter((id) => byId.has(id)));
  if (known.size === 0) return rows;
  const following = new Map<string | null, Row[]>();
  let last: string | null = null;
  for (const row of rows) {
    if (known.has(idOf(row))) last = idOf(row);
    else following.set(last, [...(following.get(last) ?? []), row]);
  }
  const ordered = [...known].flatMap((id) => [byId.get(id) as Row, ...(following.get(id) ?? [])]);
  return [...(following.get(null) ?? []), ...ordered];
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
