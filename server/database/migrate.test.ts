import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { emptyDatabase } from "../../e2e/fixtures/database.ts";
import { StartupError } from "../platform/env.ts";
import { migrate } from "./migrate.ts";

let database: Awaited<ReturnType<typeof emptyDatabase>>;
let directory: string;

beforeEach(async () => {
  database = await emptyDatabase();
  directory = await mkdtemp(join(tmpdir(), "quarterdeck-migrations-"));
});

afterEach(async () => {
  await database.drop();
  await rm(directory, { recursive: true });
});

async function write(name: string, sql: string): Promise<void> {
  await mkdir(join(directory, name), { recursive: true });
  await writeFile(join(directory, name, "migration.sql"), sql);
}

async function query(sql: string): Promise<unknown[]> {
  const client = new pg.Client(database.url);
  await client.connect();
  const { rows } = await client.query({ text: sql, rowMode: "array" });
  await client.end();
  return rows.flat();
}

test("migrations run in the order of their names, once", async () => {
  await write("2_fill", "INSERT INTO note VALUES ('x');");
  await write("1_create", "CREATE TABLE note (text text); CREATE INDEX ON note (text);");
  expect(await migrate(database.url, directory)).toEqual(["1_create", "2_fill"]);
  expect(await migrate(database.url, directory)).toEqual([]);
  expect(await query("SELECT count(*)::int FROM note")).toEqual([1]);
});

test("nodes that start together apply each migration once", async () => {
  await write("1_create", "CREATE TABLE note (text text); SELECT pg_sleep(0.1);");
  const runs = await Promise.all([1, 2, 3, 4].map(() => migrate(database.url, directory)));
  expect(runs.flat()).toEqual(["1_create"]);
});

test("a failing migration leaves nothing behind and names itself", async () => {
  await write("1_good", "CREATE TABLE good ();");
  await write("2_bad", "CREATE TABLE half (); SELECT 1/0;");
  const failure = await migrate(database.url, directory).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(StartupError);
  expect(String(failure)).toContain("2_bad failed and was undone: division by zero");
  expect(await query("SELECT tablename::text FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")).toEqual([
    "_prisma_migrations",
    "good",
  ]);
});

test("a node that is lost in the middle of a migration leaves nothing behind, and the next start applies it", async () => {
  await write("1_long", "CREATE TABLE half (); SELECT pg_sleep(60);");
  const lost = migrate(database.url, directory);
  const refused = expect(lost).rejects.toThrow(/1_long failed and was undone/);
  const end = `SELECT count(pg_terminate_backend(pid))::int FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'quarterdeck migrate' AND wait_event = 'PgSleep'`;
  await expect.poll(() => query(end), { timeout: 30_000 }).toEqual([1]);
  await refused;
  expect(await query("SELECT to_regclass('half') IS NULL")).toEqual([true]);
  await write("1_long", "CREATE TABLE half ();");
  expect(await migrate(database.url, directory)).toEqual(["1_long"]);
});

test("a migration that waits for a reader lets others have their turn, and is applied when the reader is gone", async () => {
  await write("1_create", "CREATE TABLE note (text text);");
  await migrate(database.url, directory);
  await write("2_change", "ALTER TABLE note ADD COLUMN more text;");
  const reader = new pg.Client(database.url);
  await reader.connect();
  await reader.query("BEGIN; LOCK TABLE note IN ACCESS SHARE MODE");
  const migrated = migrate(database.url, directory);
  const waits = "SELECT count(*)::int FROM pg_locks WHERE relation = 'note'::regclass AND NOT granted";
  await expect.poll(() => query(waits), { timeout: 30_000 }).toEqual([1]);
  // Behind the migration in line, and answered all the same.
  expect(await query("SELECT count(*)::int FROM note")).toEqual([0]);
  await reader.query("COMMIT");
  expect(await migrated).toEqual(["2_change"]);
  await reader.end();
});

test("an applied migration that was edited is refused", async () => {
  await write("1_create", "CREATE TABLE note ();");
  await migrate(database.url, directory);
  await write("1_create", "CREATE TABLE note (text text);");
  await expect(migrate(database.url, directory)).rejects.toThrow(/1_create was edited after this database applied it/);
});

test("a database of a newer version is refused, not downgraded", async () => {
  await write("1_create", "CREATE TABLE note ();");
  await write("2_newer", "CREATE TABLE newer ();");
  await migrate(database.url, directory);
  await rm(join(directory, "2_newer"), { recursive: true });
  await expect(migrate(database.url, directory)).rejects.toThrow(/newer Quarterdeck .*2_newer/);
});

test("the book holds what prisma migrate expects: sha256 of the file, finished, one step", async () => {
  await write("1_create", "SELECT 1;\n");
  await migrate(database.url, directory);
  const [checksum, finished, steps] = await query(
    `SELECT checksum, finished_at >= started_at, applied_steps_count FROM "_prisma_migrations"`,
  );
  expect([checksum, finished, steps]).toEqual([
    "b4e0497804e46e0a0b0b8c31975b062152d551bac49c3c2e80932567b4085dcd",
    true,
    1,
  ]);
});

test("the project's own migrations apply to an empty database", async () => {
  expect((await migrate(database.url)).length).toBeGreaterThan(0);
});
