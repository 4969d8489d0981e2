/** Bulk inserts: one array per column, one statement per table, prepared once per connection. */
import type { PoolClient } from "../platform/db.ts";

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

/** Inserts `rows`; answers what the tail's RETURNING gives. No rows, no query. */
export async function insertRows<Row>(
  client: PoolClient,
  table: Table<Row>,
  rows: readonly Row[],
): Promise<readonly unknown[]> {
  if (rows.length === 0) return [];
  const columns = Object.values(table.columns);
  const values = columns.map(([, value]) => rows.map(value));
  const result = await client.query<Record<string, unknown>>({ ...preparedOf(table), values });
  return result.rows;
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
