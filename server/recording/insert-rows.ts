/** Bulk inserts: one array per column, or plain values for a lone row; each statement prepared once per connection. */
import type { Send } from "../platform/db.ts";

export interface Table<Row> {
  readonly name: string;
  readonly columns: { readonly [column: string]: readonly [type: string, value: (row: Row) => unknown] };
  /** The clauses that follow the SELECT: a conflict clause, RETURNING. */
  readonly tail?: string;
}

interface Prepared {
  readonly name: string;
  readonly text: string;
}
interface Statements {
  readonly many: Prepared;
  readonly one: Prepared;
}
const prepared = new WeakMap<object, Statements>();

/** Sends the insert of `rows`; the result holds the rows of the tail's RETURNING. No rows, no query. */
export function insertRows<Row>(send: Send, table: Table<Row>, rows: readonly Row[]): ReturnType<Send> | null {
  const [only] = rows;
  if (only === undefined) return null;
  const columns = Object.values(table.columns);
  const { many, one } = statementsOf(table);
  // A single row, the usual case for sums, is sent without arrays: unpacking each column costs PostgreSQL more than the
  // row itself.
  if (rows.length === 1) return send({ ...one, values: columns.map(([, value]) => value(only)) });
  return send({ ...many, values: columns.map(([, value]) => rows.map(value)) });
}

function statementsOf<Row>(table: Table<Row>): Statements {
  const known = prepared.get(table);
  if (known) return known;
  const types = Object.values(table.columns).map(([type]) => type);
  const arrays = types.map((type, index) => `$${index + 1}::${type}[]`);
  const scalars = types.map((type, index) => `$${index + 1}::${type}`);
  const into = `INSERT INTO ${table.name} (${Object.keys(table.columns).join(", ")})`;
  const tail = table.tail ?? "";
  const made = {
    many: { name: `insert_${table.name}`, text: `${into} SELECT * FROM unnest(${arrays.join(", ")}) ${tail}` },
    one: { name: `insert_one_${table.name}`, text: `${into} VALUES (${scalars.join(", ")}) ${tail}` },
  };
  prepared.set(table, made);
  return made;
}
