/** Bulk inserts: one array per column, one statement per table, prepared once per connection. */
import type { Send } from "../platform/db.ts";

export interface Table<Row> {
  readonly name: string;
  readonly columns: { readonly [column: string]: readonly [type: string, value: (row: Row) => unknown] };
  /** What follows the SELECT: a conflict clause, RETURNING. */
  readonly tail?: string;
}

interface Prepared {
  readonly name: string;
  readonly text: string;
}
const prepared = new WeakMap<object, Prepared>();

/** Sends the insert of `rows` on its way; the answer holds what the tail's RETURNING gives. No rows, no query. */
export function sendRows<Row>(send: Send, table: Table<Row>, rows: readonly Row[]): ReturnType<Send> | null {
  if (rows.length === 0) return null;
  const columns = Object.values(table.columns);
  const values = columns.map(([, value]) => rows.map(value));
  return send({ ...preparedOf(table), values });
}

function preparedOf<Row>(table: Table<Row>): Prepared {
  const known = prepared.get(table);
  if (known) return known;
  const names = Object.keys(table.columns);
  const arrays = Object.values(table.columns).map(([type], index) => `$${index + 1}::${type}[]`);
  const made = {
    name: `insert_${table.name}`,
    text: `INSERT INTO ${table.name} (${names.join(", ")}) SELECT * FROM unnest(${arrays.join(", ")}) ${table.tail ?? ""}`,
  };
  prepared.set(table, made);
  return made;
}
