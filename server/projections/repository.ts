/**
 * A read of the log and of all derived data, as of one instant.
 *
 * Rows and sums are committed together with the cursor that marks the counted part of the log, and so is a correction
 * with its sums. One repeatable-read transaction therefore sees each completely or not at all. It reads the log up to
 * the cursor, so later arrivals make no difference.
 */
import type { QueryResultRow } from "pg";
import { type Pool, type PoolClient, transaction } from "../platform/db.ts";
import type { DerivedTable, TextRow } from "../recording/index.ts";

export { transaction };

const STATEMENT_MS = 60_000;
/** A page is parsed and compared in one turn of the loop. */
const PAGE_ROWS = 500;

export interface Snapshot {
  all<Row extends QueryResultRow>(sql: string, values: unknown[]): Promise<Row[]>;
  /** Through a cursor: never more than a page is in memory. */
  pages<Row extends QueryResultRow>(sql: string, values: unknown[]): AsyncGenerator<Row[]>;
  /** Rows of a derived table; `which` follows the condition on the workspace ($1). */
  stored(table: Stored, which: string, values: unknown[]): AsyncGenerator<TextRow[]>;
}

type Stored = Omit<DerivedTable<never>, "rowsOf">;

export interface SnapshotOptions {
  readonly lock?: number;
  readonly signal?: AbortSignal | undefined;
  /** Waited for before each page. */
  readonly pace?: () => Promise<void>;
}

/** The result of `work`; null when another node holds `lock`. */
export function withLogSnapshot<T>(
  pool: Pool,
  work: (reader: Snapshot) => Promise<T>,
  { lock, signal, pace }: SnapshotOptions = {},
): Promise<T | null> {
  return transaction(pool, async (client) => {
    await client.query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
    await client.query(`SET LOCAL statement_timeout = ${STATEMENT_MS}`);
    if (lock !== undefined) {
      const { rows } = await client.query<{ taken: boolean }>("SELECT pg_try_advisory_xact_lock($1) AS taken", [lock]);
      if (rows[0]?.taken !== true) return null;
    }
    return work(readerOf(client, signal, pace));
  });
}

function readerOf(client: PoolClient, signal: AbortSignal | undefined, pace: SnapshotOptions["pace"]): Snapshot {
  let cursors = 0;
  async function* pages<Row>(sql: string, values: unknown[], fetch: (query: string) => Promise<Row[]>) {
    cursors += 1;
    const name = `page_${cursors}`;
    await client.query(patient(`DECLARE ${name} NO SCROLL CURSOR FOR ${sql}`, values));
    for (;;) {
      await pace?.();
      signal?.throwIfAborted();
      const rows = await fetch(`FETCH ${PAGE_ROWS} FROM ${name}`);
      if (rows.length > 0) yield rows;
      if (rows.length < PAGE_ROWS) break;
    }
    await client.query(`CLOSE ${name}`);
  }
  const asObjects = async <Row extends QueryResultRow>(query: string) => (await client.query<Row>(patient(query))).rows;
  const asLists = async (query: string) =>
    (await client.query<(string | null)[]>({ ...patient(query), rowMode: "array" })).rows;
  return {
    all: async <Row extends QueryResultRow>(sql: string, values: unknown[]) =>
      (await client.query<Row>(patient(sql, values))).rows,
    pages: <Row extends QueryResultRow>(sql: string, values: unknown[]) => pages<Row>(sql, values, asObjects),
    async *stored(table, which, values) {
      const floats = table.columns.flatMap(({ type }, at) => (type === "float8" ? [at] : []));
      for await (const rows of pages(storedSql(table, which), values, asLists)) {
        for (const row of rows) for (const at of floats) row[at] = floatText(row[at] ?? null);
        yield rows;
      }
    },
  };
}

function storedSql({ name, key, columns, condition, isSummed }: Stored, which: string): string {
  const texts = columns.map(({ name: column, type }) => {
    if (type === "timestamptz") return instantSql(column);
    return isSummed && !key.includes(column) ? `sum(${column})::text` : `${column}::text`;
  });
  const sql = `SELECT ${texts.join(", ")} FROM ${name} WHERE workspace_id = $1 AND ${condition} AND ${which}`;
  return isSummed ? `${sql} GROUP BY ${key.join(", ")}` : sql;
}

/** PostgreSQL writes an exponent with more digits than JavaScript. */
const floatText = (text: string | null): string | null => (text === null ? null : String(Number(text)));

export const instantSql = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

// pg honours a time limit per query; its types do not know yet.
const patient = (text: string, values: unknown[] = []) => ({ text, values, query_timeout: STATEMENT_MS + 500 });
