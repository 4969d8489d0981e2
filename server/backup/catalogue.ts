/** The parts of a database, read from its own catalogue, so that a new table is backed up the day it is made. */
import pg, { type Client } from "pg";
import type { Manifest } from "./manifest.ts";

export interface Table {
  readonly name: string;
  /** Without generated columns, which are computed again. */
  readonly columns: readonly string[];
  /**
   * The primary key's columns: the order in which rows are written and hashed, independent of the database's language.
   */
  readonly key: readonly { readonly name: string; readonly isText: boolean }[];
  /** The columns that sort by a language. */
  readonly texts: readonly string[];
}

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** Opens a connection on which a value is always written the same way. */
export async function connectPlainly(url: string, as: string): Promise<Client> {
  const client = new pg.Client({ connectionString: url, application_name: `quarterdeck ${as}` });
  client.on("error", () => undefined); // the failing query reports it
  await client.connect();
  await client.query(
    "SET TIME ZONE 'UTC'; SET datestyle = 'ISO'; SET bytea_output = 'hex'; SET extra_float_digits = 3",
  );
  await client.query("SELECT set_config('quarterdeck.workspace', '*', false)");
  return client;
}

/** Row-level security does without COPY into a table: it steps aside for the owner, in this transaction. */
export async function suspendRowSecurity(client: Client): Promise<void> {
  await client.query(`DO $$ DECLARE walled regclass; BEGIN
    FOR walled IN SELECT oid FROM pg_class WHERE relforcerowsecurity LOOP
      EXECUTE format('ALTER TABLE %s NO FORCE ROW LEVEL SECURITY', walled);
    END LOOP; END $$`);
  await turnGuards(client, "DISABLE");
}

/**
 * Switches the triggers that guard append-only tables. A restore disables them only inside the transaction that fills
 * the tables, so the tables are restored completely or not at all.
 */
async function turnGuards(client: Client, how: "DISABLE" | "ENABLE"): Promise<void> {
  await client.query(`DO $$ DECLARE guarded regclass; BEGIN
    FOR guarded IN SELECT DISTINCT tgrelid FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
      WHERE NOT tgisinternal AND relnamespace = 'public'::regnamespace LOOP
      EXECUTE format('ALTER TABLE %s ${how} TRIGGER USER', guarded);
    END LOOP; END $$`);
}

/**
 * Enables the triggers, and restores row-level security on every table and partition if the backup's migrations include
 * it.
 */
export async function restoreRowSecurity(client: Client): Promise<void> {
  await turnGuards(client, "ENABLE");
  const { rows } = await client.query(`SELECT to_regprocedure('quarterdeck_wall(regclass)') AS wall`);
  if (rows[0]?.wall === null) return;
  await client.query(`SELECT quarterdeck_wall(attrelid) FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    WHERE attname = 'workspace_id' AND NOT attisdropped AND relkind IN ('r', 'p')
      AND relnamespace = 'public'::regnamespace`);
}

/** Every table that is not a partition; referenced tables come first. */
export async function listTables(client: Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `
    SELECT c.relname AS name,
      (SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_attribute a
       WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns,
      coalesce((SELECT json_agg(json_build_object('name', a.attname, 'isText', a.attcollation <> 0)
                                ORDER BY array_position(i.indkey::int2[], a.attnum))
       FROM pg_index i JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY (i.indkey)
       WHERE i.indrelid = c.oid AND i.indisprimary), '[]') AS key,
      (SELECT coalesce(array_agg(a.attname::text), '{}') FROM pg_attribute a
       WHERE a.attrelid = c.oid AND a.attnum > 0 AND a.attcollation <> 0) AS texts
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND c.relname <> '_prisma_migrations'
    ORDER BY c.relname`,
  );
  return referredFirst(rows, await listReferences(client));
}

async function listReferences(client: Client): Promise<{ from: string; to: string }[]> {
  const { rows } = await client.query<{ from: string; to: string }>(`
    SELECT DISTINCT f.relname AS "from", t.relname AS "to" FROM pg_constraint c
    JOIN pg_class f ON f.oid = c.conrelid JOIN pg_class t ON t.oid = c.confrelid
    WHERE c.contype = 'f' AND c.conrelid <> c.confrelid AND NOT f.relispartition`);
  return rows;
}

/** Errors: when tables refer to each other in a circle, which no order satisfies. */
export function referredFirst<T extends { readonly name: string }>(
  tables: readonly T[],
  references: readonly { readonly from: string; readonly to: string }[],
): T[] {
  const ordered: T[] = [];
  let left = [...tables];
  while (left.length > 0) {
    const waiting = new Set(left.map(({ name }) => name));
    const ready = left.filter((table) => !references.some(({ from, to }) => from === table.name && waiting.has(to)));
    if (ready.length === 0) throw new Error(`tables refer to each other in a circle: ${[...waiting].join(", ")}`);
    ordered.push(...ready);
    left = left.filter((table) => !ready.includes(table));
  }
  return ordered;
}

export async function listPartitions(client: Client): Promise<Manifest["partitions"]> {
  const { rows } = await client.query<Manifest["partitions"][number]>(`
    SELECT c.relname AS name, p.relname AS of, pg_get_expr(c.relpartbound, c.oid) AS bound
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
    JOIN pg_partitioned_table t ON t.partrelid = p.oid
    WHERE c.relispartition AND c.relkind = 'r' AND t.partstrat = 'r' ORDER BY c.relname`);
  return rows;
}

export async function listSequences(client: Client): Promise<Manifest["sequences"]> {
  const { rows } = await client.query<Manifest["sequences"][number]>(`
    SELECT sequencename AS name, last_value::text AS value FROM pg_sequences
    WHERE schemaname = 'public' AND last_value IS NOT NULL ORDER BY sequencename`);
  return rows;
}

/** The migrations this database has, as its own book says; null for a database without tables of ours. */
export async function listApplied(client: Client): Promise<Manifest["migrations"] | null> {
  const { rows: found } = await client.query(`SELECT 1 FROM pg_tables WHERE schemaname = 'public' LIMIT 1`);
  if (found.length === 0) return null;
  const { rows } = await client.query<Manifest["migrations"][number]>(`
    SELECT migration_name AS name, checksum FROM "_prisma_migrations"
    WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name`);
  return rows;
}

/** The functions that belong to no extension, by their signatures. */
export async function listFunctions(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    SELECT p.oid::regprocedure::text AS name FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')`);
  return rows.map(({ name }) => name);
}

/** Removes every table of ours with its dependents, and every function that is not in `kept`. */
export async function dropEverything(client: Client, kept: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ drop: string }>(`
    SELECT format(CASE relkind WHEN 'v' THEN 'DROP VIEW IF EXISTS %s CASCADE' WHEN 'c' THEN 'DROP TYPE IF EXISTS %s CASCADE'
      WHEN 'S' THEN 'DROP SEQUENCE IF EXISTS %s CASCADE' ELSE 'DROP TABLE IF EXISTS %s CASCADE' END, oid::regclass) AS drop
    FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'c', 'S') AND NOT relispartition
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = pg_class.oid
        AND (d.deptype = 'e' OR relkind = 'S' AND d.deptype IN ('i', 'a')))
    ORDER BY relkind = 'S', relkind = 'c'`);
  await client.query("BEGIN");
  for (const { drop } of rows) await client.query(drop);
  const made = (await listFunctions(client)).filter((name) => !kept.includes(name));
  for (const name of made) await client.query(`DROP ROUTINE IF EXISTS ${name} CASCADE`);
  await client.query("COMMIT");
}
