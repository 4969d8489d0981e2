/** The server's own process is killed in the middle of each step of an upgrade, and the next start goes on. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { builtProgram } from "../../e2e/fixtures/built-program.ts";
import { emptyDatabase } from "../../e2e/fixtures/database.ts";
import { longRun } from "../../e2e/fixtures/long-run.ts";
import { createLog } from "../platform/log.ts";
import { BACKFILLS, pendingBackfills } from "./backfills.ts";
import { upgradeKeys } from "./key-upgrade.ts";
import { migrate, readMigrations } from "./migrate.ts";
import { FORMER_RELEASE } from "./roll-back.ts";

const LOCK = 4_711;
const names = (await readMigrations()).map(({ name }) => name);
const newer = names.filter((name) => name > FORMER_RELEASE);
/** `npm test` takes one of each, the long run all. */
const parts = BACKFILLS.filter(({ name }) => longRun || name === "audit_entry_batch");
const migrations = longRun ? newer : newer.filter((name) => name.endsWith("_erasure_requests"));

let database: Awaited<ReturnType<typeof emptyDatabase>>;
let owner: pg.Client;
let dataDir: string;
const left: ChildProcess[] = [];
beforeEach(async () => {
  [database, dataDir] = [await emptyDatabase(), await mkdtemp("/tmp/quarterdeck-killed-")];
  await migrate(database.url, undefined, new Set(names.filter((name) => name <= FORMER_RELEASE)));
  owner = new pg.Client(database.url);
  await owner.connect();
  await owner.query("SELECT set_config('quarterdeck.workspace', '*', false)");
  await fill();
});
afterEach(async () => {
  for (const child of left.splice(0)) if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  await owner.end();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

/** A workspace with batches as the former release wrote them, and a month of dispatches. */
async function fill(): Promise<void> {
  const workspace = "01900000-0000-7000-8000-000000000001";
  await owner.query("SELECT quarterdeck_add_month('2026-10-01')");
  await owner.query("INSERT INTO workspace (id, name) VALUES ($1, 'old')", [workspace]);
  await owner.query(
    `INSERT INTO audit_entry (workspace_id, seq, kind, chain_version, hash, body)
     SELECT $1, n, 'dispatches_recorded', 2, '\\x00', '{"batch":"' || gen_random_uuid() || '","count":1}'
     FROM generate_series(1, 5000) AS n`,
    [workspace],
  );
}

/** Every process of it is in a group of its own, which is killed as one. */
async function startJobs(): Promise<ChildProcess> {
  const env = { ...process.env, DATABASE_URL: database.url, QUARTERDECK_DATA_DIR: dataDir, LOG_LEVEL: "silent" };
  const child = spawn(process.execPath, [await builtProgram("main"), "--role", "jobs"], {
    env,
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    detached: true,
  });
  left.push(child);
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  await ended;
  left.splice(left.indexOf(child), 1);
}

/** A process that writes this row of `table` waits until `release` is called: its transaction is open, its work done. */
async function holdAt(table: string, name: string): Promise<{ reached(): Promise<void>; release(): Promise<void> }> {
  const column = table === "upgrade_step" ? "name" : "migration_name";
  const events = table === "upgrade_step" ? "UPDATE" : "INSERT";
  await owner.query("SELECT pg_advisory_lock($1)", [LOCK]);
  await owner.query(`CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_advisory_xact_lock(${LOCK}); RETURN NEW; END $$`);
  await owner.query(`CREATE TRIGGER hold BEFORE ${events} ON "${table}" FOR EACH ROW WHEN (NEW.${column} = '${name}')
    EXECUTE FUNCTION hold()`);
  return {
    async reached() {
      const waits = () =>
        owner.query("SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND NOT granted", [LOCK]);
      await expect.poll(async () => (await waits()).rowCount, { timeout: 30_000 }).toBe(1);
    },
    async release() {
      await owner.query(
        "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND NOT granted",
        [LOCK],
      );
      await owner.query("SELECT pg_advisory_unlock($1)", [LOCK]);
      await owner.query("DROP FUNCTION hold CASCADE");
    },
  };
}

async function expectUpgraded(): Promise<void> {
  const child = await startJobs();
  await expect.poll(() => pendingBackfills(owner).catch(() => ["upgrade_step"]), { timeout: 60_000 }).toEqual([]);
  await kill(child);
  expect(await migrate(database.url)).toEqual([]);
  const noted = await owner.query("SELECT count(*)::int AS count FROM audit_entry_batch");
  expect(noted.rows).toEqual([{ count: 5_000 }]);
  const indexes = await owner.query(`SELECT relname FROM pg_index JOIN pg_class ON oid = indexrelid WHERE indisvalid
    AND relname IN ('dispatch_ran', 'dispatch_2026_10_ran', 'delivery_by_time') ORDER BY 1`);
  expect(indexes.rowCount).toBe(3);
}

/** Starts a server, waits until it is at that step, and kills it. */
async function killAt(table: string, name: string): Promise<void> {
  const held = await holdAt(table, name);
  const child = await startJobs();
  await held.reached();
  await kill(child);
  await held.release();
}

/** The same in the middle of building an index, which waits for a transaction that began before it. */
async function killWhileIndexing(): Promise<void> {
  const reader = new pg.Client(database.url);
  await reader.connect();
  await reader.query("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM dispatch");
  const child = await startJobs();
  const isHalf = async () =>
    (
      await owner.query(
        "SELECT FROM pg_index WHERE NOT indisvalid AND indexrelid = to_regclass('dispatch_2026_10_ran')",
      )
    ).rowCount === 1;
  await expect.poll(isHalf, { timeout: 30_000 }).toBe(true);
  await kill(child);
  await owner.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'quarterdeck backfill'",
  );
  await reader.query("COMMIT");
  await reader.end();
  expect(await isHalf()).toBe(true);
}

test("killed in each step, a server goes on at its next start", { timeout: 300_000 }, async () => {
  for (const name of migrations) {
    await killAt("_prisma_migrations", name);
    const { rowCount } = await owner.query(`SELECT FROM "_prisma_migrations" WHERE migration_name = $1`, [name]);
    expect(rowCount, name).toBe(0);
  }
  await migrate(database.url);
  // The upgrade of keys takes turns with these steps (key-upgrade.proof.test.ts): it is not to be in the way.
  await expect
    .poll(() => upgradeKeys({ url: database.url, log: createLog("silent") }), { timeout: 30_000 })
    .toBe("done");
  await killWhileIndexing();
  for (const { name } of parts) {
    await killAt("upgrade_step", name);
    expect(await pendingBackfills(owner)).toContain(name);
  }
  await expectUpgraded();
});
