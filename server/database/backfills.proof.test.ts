/** The long parts of a migration, with a planted migration and a planted backfill: the first release has none of its own. */
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { emptyDatabase } from "../../e2e/fixtures/database.ts";
import { createLog } from "../platform/log.ts";
import { type Backfill, backfill, pendingBackfills } from "./backfills.ts";
import { startBackfill } from "./background-backfill.ts";
import { migrate } from "./migrate.ts";
import { MIGRATIONS } from "./migration-book.ts";

const MIGRATION = "29991231000000_copied_notes";
const COPY = "INSERT INTO note_copy SELECT number FROM note;";
const NOTES = 5;

/** Copies one note a step. The row and the position share one transaction. */
const copyNotes: Backfill = {
  name: "copy_notes",
  migration: MIGRATION,
  replaces: COPY,
  async step(client) {
    await client.query("BEGIN");
    const { rows } = await client.query<{ number: number }>(
      `INSERT INTO note_copy SELECT number FROM note WHERE number > coalesce((SELECT position::text::integer FROM upgrade_step
       WHERE name = 'copy_notes'), 0) ORDER BY number LIMIT 1 RETURNING number`,
    );
    const last = rows[0]?.number;
    if (last !== undefined)
      await client.query("UPDATE upgrade_step SET position = $1 WHERE name = 'copy_notes'", [String(last)]);
    await client.query("COMMIT");
    return last === undefined;
  },
};
const PARTS = [copyNotes];

let database: Awaited<ReturnType<typeof emptyDatabase>>;
let client: pg.Client;
let directory: string;
beforeEach(async () => {
  database = await emptyDatabase();
  directory = await mkdtemp(join(tmpdir(), "quarterdeck-backfills-"));
  await cp(MIGRATIONS, directory, { recursive: true });
  await migrate(database.url, directory);
  client = new pg.Client(database.url);
  await client.connect();
  await client.query(`CREATE TABLE note AS SELECT number FROM generate_series(1, ${NOTES}) AS number`);
  await mkdir(join(directory, MIGRATION));
  await writeFile(
    join(directory, MIGRATION, "migration.sql"),
    `CREATE TABLE note_copy (number integer PRIMARY KEY);\n${COPY}\n`,
  );
});
afterEach(async () => {
  await client.end();
  await database.drop();
  await rm(directory, { recursive: true });
});

const copied = async () => (await client.query("SELECT FROM note_copy")).rowCount;
const pending = async () => (await pendingBackfills(client, PARTS)).map(({ name }) => name);

test("a migration leaves the long part out, and the backfill makes what the migration's own text would have made", async () => {
  expect(await migrate(database.url, directory, undefined, PARTS)).toEqual([MIGRATION]);
  expect([await copied(), await pending()]).toEqual([0, ["copy_notes"]]);
  await backfill(client, PARTS, new AbortController().signal);
  expect([await copied(), await pending()]).toEqual([NOTES, []]);
});

test("a statement that the migration does not hold is an error, and nothing is applied", async () => {
  const other = { ...copyNotes, replaces: "INSERT INTO note_copy SELECT 1;" };
  await expect(migrate(database.url, directory, undefined, [other])).rejects.toThrow(/a backfill replaces/);
  expect((await client.query("SELECT to_regclass('note_copy') AS made")).rows).toEqual([{ made: null }]);
});

test("a stopped backfill continues after its last step, and takes none twice", async () => {
  await migrate(database.url, directory, undefined, PARTS);
  for (let steps = 1; (await pending()).length > 0; steps += 1) {
    expect(steps).toBeLessThan(20);
    const once = new AbortController();
    const one = { ...copyNotes, step: (own: pg.Client) => copyNotes.step(own).finally(() => once.abort()) };
    await backfill(client, [one], once.signal);
    expect(await copied()).toBe(Math.min(steps, NOTES));
  }
});

test("a lost connection undoes the step under way, and the part is taken up again", async () => {
  await migrate(database.url, directory, undefined, PARTS);
  let isFirst = true;
  const losing: Backfill = {
    ...copyNotes,
    async step(own) {
      if (!isFirst) return copyNotes.step(own);
      isFirst = false;
      await own.query("BEGIN; INSERT INTO note_copy VALUES (1)");
      await own.query("SELECT pg_terminate_backend(pg_backend_pid())");
      return true;
    },
  };
  const running = startBackfill(database.url, createLog("silent"), [losing]);
  await running.finished;
  expect([await copied(), await pending()]).toEqual([NOTES, []]);
});

test("two nodes that start together take each step once", async () => {
  await migrate(database.url, directory, undefined, PARTS);
  const log = createLog("silent");
  const nodes = [startBackfill(database.url, log, PARTS), startBackfill(database.url, log, PARTS)];
  await Promise.race(nodes.map(({ finished }) => finished));
  expect([await copied(), await pending()]).toEqual([NOTES, []]);
  await Promise.all(nodes.map((node) => node.stop()));
});
