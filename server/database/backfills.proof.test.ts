import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { emptyDatabase } from "../../e2e/fixtures/database.ts";
import { createLog } from "../platform/log.ts";
import { backfill, pendingBackfills } from "./backfills.ts";
import { startBackfill } from "./background-backfill.ts";
import { migrate, readMigrations } from "./migrate.ts";

const BEFORE = "20261122130100_binding_changes";

let database: Awaited<ReturnType<typeof emptyDatabase>>;
let client: pg.Client;
beforeEach(async () => {
  database = await emptyDatabase();
  const names = (await readMigrations()).map(({ name }) => name);
  await migrate(database.url, undefined, new Set(names.filter((name) => name < BEFORE)));
  client = new pg.Client(database.url);
  await client.connect();
  await client.query("SELECT set_config('quarterdeck.workspace', '*', false)");
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

/** So many batches in each of two workspaces, as the former release wrote them. */
async function oldBatches(count: number): Promise<void> {
  for (const workspace of [randomUUID(), randomUUID()]) {
    await client.query("INSERT INTO workspace (id, name) VALUES ($1, 'old')", [workspace]);
    await client.query(
      `INSERT INTO audit_entry (workspace_id, seq, kind, chain_version, hash, body)
       SELECT $1, n, CASE n % 7 WHEN 0 THEN 'policy_published' ELSE 'dispatches_recorded' END, 2, '\\x00',
         '{"batch":"' || gen_random_uuid() || '","count":1}' FROM generate_series(1, $2::int) AS n`,
      [workspace, count],
    );
  }
}

const countOf = async (table: string): Promise<number> =>
  Number((await client.query(`SELECT count(*) FROM ${table}`)).rows[0]?.count);

/** Each index of a month: its name, and true when it serves. */
async function ranIndexes(): Promise<(string | boolean)[][]> {
  const { rows } = await client.query(
    `SELECT relname::text, indisvalid FROM pg_index JOIN pg_class ON oid = indexrelid WHERE relname ~ '_ran$' ORDER BY 1`,
  );
  return rows.map(({ relname, indisvalid }) => [relname, indisvalid]);
}

test("a migration leaves the long parts out, and the backfill makes what the migration's own text would have made", async () => {
  await client.query("SELECT quarterdeck_add_month('2026-10-01'), quarterdeck_add_month('2026-11-01')");
  await oldBatches(5_000);
  await migrate(database.url);
  expect(await pendingBackfills(client)).toEqual(["dispatch_ran", "audit_entry_batch", "delivery_by_time"]);
  expect([await countOf("audit_entry_batch"), await ranIndexes()]).toEqual([0, []]);

  const steps: string[] = [];
  await backfill(client, new AbortController().signal, (name) => steps.push(name));
  expect(await pendingBackfills(client)).toEqual([]);
  expect(await countOf("audit_entry_batch")).toBe(await countOf("audit_entry WHERE kind = 'dispatches_recorded'"));
  expect(steps.filter((name) => name === "audit_entry_batch")).toHaveLength(6);
  expect(await ranIndexes()).toEqual([
    ["dispatch_2026_10_ran", true],
    ["dispatch_2026_11_ran", true],
    ["dispatch_ran", true],
  ]);
  expect(await countOf("pg_class WHERE relname = 'delivery_by_time'")).toBe(1);
  // A month to come has its own from the whole.
  await client.query("SELECT quarterdeck_add_month('2026-12-01')");
  expect(await countOf("pg_inherits WHERE inhparent = 'dispatch_ran'::regclass")).toBe(3);
});

test("a stopped backfill goes on where it was, and notes no batch twice", async () => {
  await oldBatches(5_000);
  await migrate(database.url);
  for (let tries = 0; (await pendingBackfills(client)).length > 0; tries += 1) {
    expect(tries).toBeLessThan(20);
    const once = new AbortController();
    await backfill(client, once.signal, () => once.abort());
    const { rows } = await client.query("SELECT count(*) FROM upgrade_step WHERE position IS NOT NULL");
    expect(Number(rows[0]?.count)).toBeLessThanOrEqual(1);
  }
  expect(await countOf("audit_entry_batch")).toBe(await countOf("audit_entry WHERE kind = 'dispatches_recorded'"));
});

test("two nodes that start together make each part once", async () => {
  await oldBatches(100);
  await migrate(database.url);
  const log = createLog("silent");
  const nodes = [startBackfill(database.url, log), startBackfill(database.url, log)];
  await Promise.race(nodes.map(({ finished }) => finished));
  expect(await pendingBackfills(client)).toEqual([]);
  await Promise.all(nodes.map((node) => node.stop()));
});

test("a migration that waits for a reader lets others have their turn, and comes through when the reader is gone", async () => {
  const reader = new pg.Client(database.url);
  const other = new pg.Client(database.url);
  await Promise.all([reader.connect(), other.connect()]);
  await reader.query("BEGIN; LOCK TABLE dispatch IN ACCESS SHARE MODE");
  const migrated = migrate(database.url);
  const waits = async () =>
    (await client.query("SELECT FROM pg_locks WHERE relation = 'dispatch'::regclass AND NOT granted")).rowCount !== 0;
  await expect.poll(waits, { timeout: 30_000 }).toBe(true);
  // Behind the migration in line, and served all the same.
  await other.query("SET quarterdeck.workspace = '*'; SELECT count(*) FROM dispatch");
  await reader.query("COMMIT");
  expect((await migrated).length).toBeGreaterThan(5);
  await Promise.all([reader.end(), other.end()]);
});
