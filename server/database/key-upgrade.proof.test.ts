/** An installation of before gets its keys while it works: in steps, from wherever it was interrupted, and with every row. */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { emptyDatabase } from "../../e2e/fixtures/database.ts";
import { projecting } from "../../e2e/fixtures/projecting.ts";
import { deliveryOf, type Owner, recordOf } from "../../e2e/fixtures/recording-rig.ts";
import { restoreBackup, writeBackup } from "../backup/service.ts";
import { type Bus, createBus } from "../events/service.ts";
import { type Database, openDatabase } from "../platform/db.ts";
import { createLog } from "../platform/log.ts";
import { INSTALLATION } from "../platform/scope.ts";
import { verifyStored } from "../record/verification/verify-stored.ts";
import { createRecorder, type Recorder } from "../recording/service.ts";
import { type KeyUpgradeStep, startKeyUpgrade, upgradeKeys } from "./key-upgrade.ts";
import { migrate, readMigrations } from "./migrate.ts";

const NEW = "20261123040000_workspace_keys";
const MONTHS = ["2026-08", "2026-09", "2026-10"];
const log = createLog("silent");

let empty: Awaited<ReturnType<typeof emptyDatabase>>;
let db: Database;
let owner: pg.Pool;
let bus: Bus;
let recorder: Recorder;
let agents: Owner[];
let reported = 0;

/** Rows under the keys of before, in tables that have all else; then the migration. */
beforeEach(async () => {
  empty = await emptyDatabase();
  const before = (await readMigrations()).map(({ name }) => name).filter((name) => name !== NEW);
  await migrate(empty.url, undefined, new Set(before));
  owner = new pg.Pool({ connectionString: empty.url, max: 3 }).on("error", () => undefined);
  db = openDatabase(empty.url, { connectionsMax: 4, outside: INSTALLATION });
  bus = createBus(empty.url, log);
  ({ recorder } = projecting(createRecorder(db.pool, bus, log), db, bus));
  agents = [];
  for (let index = 0; index < 3; index += 1) {
    const one = { workspaceId: randomUUID(), agentId: randomUUID() };
    agents.push(one);
    await owner.query("INSERT INTO workspace (id, name) VALUES ($1, 'w')", [one.workspaceId]);
    await owner.query("INSERT INTO audit_head (workspace_id) VALUES ($1)", [one.workspaceId]);
    await owner.query("INSERT INTO agent (workspace_id, id, name) VALUES ($1, $2, 'a')", [
      one.workspaceId,
      one.agentId,
    ]);
  }
  reported = 0;
  await Promise.all(Array.from({ length: 90 }, () => report()));
  expect(await migrate(empty.url)).toContain(NEW);
});
afterEach(async () => {
  await recorder.flush();
  await bus.close();
  await Promise.all([db.close(), owner.end()]);
  await empty.drop();
});

/** One more delivered event: of the next workspace, in the next month, of one of ten sessions. */
function report(number = reported++) {
  const who = agents[number % agents.length];
  if (!who) throw new Error("there is no agent");
  const text = JSON.stringify({ session_id: `s${number % 10}`, said: number });
  const month = Number(MONTHS[number % MONTHS.length]?.slice(5));
  const occurredAt = new Date(Date.UTC(2026, month - 1, 1 + (number % 20), 0, 0, 0, number));
  const delivery = deliveryOf(`event ${number}`, text);
  return recorder.record(recordOf(who, "stop", text, { occurredAt, delivery }), false);
}

const valueAt = async <T>(sql: string, values: unknown[] = []): Promise<T> =>
  Object.values((await owner.query({ text: sql, values })).rows[0] ?? {})[0] as T; // the one column that was asked for
const count = (from: string) => valueAt<number>(`SELECT count(*)::int FROM ${from}`);
const keyOf = (table: string) =>
  valueAt<string>(`SELECT pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid = $1::regclass AND indisprimary`, [
    table,
  ]);
const kindOf = (table: string) =>
  valueAt<string>("SELECT relkind::text FROM pg_class WHERE oid = $1::regclass", [table]);
const differing = async (table: string) =>
  (await count(`(TABLE ${table} EXCEPT TABLE ${table}_next) AS one`)) +
  (await count(`(TABLE ${table}_next EXCEPT TABLE ${table}) AS one`));

/** Every table, index, constraint, policy, trigger and function, as PostgreSQL writes it. */
async function catalogueOf(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ line: string }>(`
    SELECT format('column %s.%s %s %s %s', attrelid::regclass, attname, format_type(atttypid, atttypmod), attnotnull,
      pg_get_expr(adbin, adrelid)) AS line
    FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v') AND attnum > 0 AND NOT attisdropped
    UNION ALL SELECT format('index %s %s', indexdef, indisvalid) FROM pg_indexes
      JOIN pg_index ON indexrelid = format('public.%I', indexname)::regclass WHERE schemaname = 'public'
    UNION ALL SELECT format('constraint %s %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid), coninhcount)
      FROM pg_constraint WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT format('policy %s %s %s', tablename, policyname, qual) FROM pg_policies
    UNION ALL SELECT format('table %s %s %s %s %s', relname, relkind, relrowsecurity, relforcerowsecurity,
      pg_get_expr(relpartbound, oid)) FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v')
    UNION ALL SELECT 'trigger ' || pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL SELECT 'function ' || oid::regprocedure FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    ORDER BY 1`);
  return rows.map(({ line }) => line);
}

/** Everything is there once, under the new keys, and the record is whole. */
async function expectUpgraded(): Promise<void> {
  expect(await keyOf("dispatch")).toMatch(/\(workspace_id, occurred_at, id\)$/);
  for (const table of ["session", "delivery"]) {
    expect(await kindOf(table), table).toBe("p");
    expect(await count(`pg_class WHERE relname LIKE '${table}_next%'`)).toBe(0);
  }
  const months = await owner.query<{ key: string; valid: boolean }>(
    `SELECT pg_get_indexdef(indexrelid) AS key, indisvalid AS valid FROM pg_inherits JOIN pg_index ON indrelid = inhrelid
     WHERE inhparent = 'dispatch'::regclass AND indisunique`,
  );
  expect(months.rows.length).toBeGreaterThanOrEqual(MONTHS.length);
  for (const { key, valid } of months.rows)
    expect({ key, valid }).toEqual({ key: expect.stringMatching(/\(workspace_id, occurred_at, id\)$/), valid: true });
  expect(await valueAt("SELECT indisvalid FROM pg_index WHERE indexrelid = 'dispatch_pkey'::regclass")).toBe(true);
  expect([await count("dispatch"), await count("delivery")]).toEqual([reported, reported]);
  expect(await valueAt("SELECT sum(events)::int FROM session")).toBe(reported);
  for (let number = 0; number < reported; number += 7) expect(await report(number)).toMatchObject({ kind: "repeated" });
  expect(await count("dispatch")).toBe(reported);
  for (const { workspaceId } of agents) {
    const verified = await verifyStored(db, workspaceId, { keys: [], outside: null });
    expect(verified.altered.findings).toEqual([]);
    expect(verified.missing.findings).toEqual([]);
  }
}

test("goes on while events come, are repeated, and sessions change and go; every copy is equal before it takes its place", async () => {
  expect(await keyOf("dispatch")).toMatch(/\(occurred_at, id\)$/);
  const steps: KeyUpgradeStep[] = [];
  const result = await upgradeKeys({
    ...{ url: empty.url, log, stepRows: 4 },
    async onStep(step) {
      steps.push(step);
      if (step.kind === "copied") {
        expect(await report()).toEqual({ kind: "stored" });
        expect(await report(reported - 30)).toMatchObject({ kind: "repeated" });
        await owner.query(`UPDATE session SET agent_name = 'renamed' WHERE session_id = 's${reported % 10}'`);
      }
      if (step.kind === "indexed") {
        expect(await differing("session")).toBe(0);
        expect(await differing("delivery")).toBe(0);
        await report();
        // A month that is made meanwhile has its index made too.
        await owner.query("SELECT quarterdeck_add_month('2026-12-01')");
      }
    },
  });
  expect(result).toBe("done");
  expect(steps.filter(({ kind }) => kind === "copied").length).toBeGreaterThan(20);
  expect(steps.flatMap((step) => (step.kind === "switched" ? [step.table] : []))).toEqual([
    "delivery",
    "session",
    "dispatch",
  ]);
  expect(steps.flatMap((step) => (step.kind === "indexed" ? [step.month] : []))).toContain("dispatch_2026_12");
  await report();
  await owner.query("SELECT quarterdeck_add_month('2027-01-01')");
  await expectUpgraded();
  expect(await upgradeKeys({ url: empty.url, log })).toBe("done");
});

test("what it comes to is what a new installation has, name by name", async () => {
  expect(await upgradeKeys({ url: empty.url, log })).toBe("done");
  const fresh = await emptyDatabase();
  const other = new pg.Pool({ connectionString: fresh.url, max: 1 });
  try {
    await migrate(fresh.url);
    for (const pool of [owner, other]) {
      for (const month of [...MONTHS, "2026-11", "2026-12"])
        await pool.query("SELECT quarterdeck_add_month($1), quarterdeck_add_chain_month($1)", [`${month}-01`]);
      // As retention drops one.
      await pool.query("DROP TABLE dispatch_2026_12");
    }
    expect(await catalogueOf(owner)).toEqual(await catalogueOf(other));
  } finally {
    await other.end();
    await fresh.drop();
  }
});

test("whoever is ended behind any step is followed by one that goes on there", async () => {
  let runs = 0;
  let rows = 0;
  for (let result = "waiting"; result !== "done"; runs += 1) {
    const ending = new AbortController();
    const run = upgradeKeys({
      ...{ url: empty.url, log, stepRows: 20, signal: ending.signal },
      onStep(step) {
        if (step.kind === "copied") rows += step.rows;
        // Its session ends as with the process.
        ending.abort();
        return report().then(() => undefined);
      },
    });
    result = await run.catch(() => "waiting");
    // The lock of the one that ended goes with its session.
    await expect.poll(() => count("pg_locks WHERE locktype = 'advisory' AND objsubid = 1")).toBe(0);
  }
  expect(runs).toBeGreaterThan(8);
  // No step was taken twice.
  expect(rows).toBeLessThanOrEqual(reported + 30);
  await expectUpgraded();
});

test("an index that was interrupted while it was made is made anew", async () => {
  const reader = await owner.connect();
  await reader.query("BEGIN ISOLATION LEVEL REPEATABLE READ");
  await reader.query("SELECT count(*) FROM workspace");
  await reader.query("SELECT count(*) FROM dispatch");
  const ending = new AbortController();
  const interrupted = expect(upgradeKeys({ url: empty.url, log, signal: ending.signal })).rejects.toThrow();
  const half = "pg_index JOIN pg_class ON oid = indexrelid WHERE relname LIKE 'dispatch_%_key' AND NOT indisvalid";
  await expect.poll(() => count(half)).toBe(1);
  // It waits for the reader.
  await owner.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'quarterdeck key upgrade'",
  );
  await interrupted;
  await reader.query("COMMIT");
  reader.release();
  expect(await count(half)).toBe(1);
  expect(await upgradeKeys({ url: empty.url, log })).toBe("done");
  await expectUpgraded();
});

test("nothing is switched while a node of the version before is at work, or somebody reads for long", async () => {
  const former = new pg.Client({ connectionString: empty.url, application_name: "quarterdeck bus" });
  await former.connect();
  expect(await upgradeKeys({ url: empty.url, log })).toBe("nodes");
  expect(await kindOf("session")).toBe("r");
  await former.end();
  const reader = await owner.connect();
  await reader.query("BEGIN");
  await reader.query("SELECT count(*) FROM delivery");
  await reader.query("SELECT count(*) FROM dispatch");
  await expect.poll(() => count("pg_stat_activity WHERE application_name = 'quarterdeck bus'")).toBe(0);
  expect(await upgradeKeys({ url: empty.url, log })).toBe("waiting");
  expect(await report()).toEqual({ kind: "stored" });
  expect(await keyOf("dispatch")).toMatch(/\(occurred_at, id\)$/);
  await reader.query("COMMIT");
  reader.release();
  const upgrade = startKeyUpgrade({ url: empty.url, log });
  await expect.poll(() => keyOf("dispatch"), { timeout: 20_000 }).toMatch(/\(workspace_id, occurred_at, id\)$/);
  await upgrade.stop();
  await expectUpgraded();
});

test("a step gives way to whoever holds a row, and copies what they made of it", async () => {
  const writer = await owner.connect();
  await writer.query("BEGIN");
  await writer.query("UPDATE session SET agent_name = 'held' WHERE session_id = 's3'");
  const waits = () =>
    count("pg_stat_activity WHERE application_name = 'quarterdeck key upgrade' AND wait_event_type = 'Lock'");
  const upgrade = upgradeKeys({ url: empty.url, log, stepRows: 5 });
  await expect.poll(waits).toBe(1);
  await writer.query("UPDATE session SET agent_name = 'held' WHERE session_id = 's1'");
  await writer.query("COMMIT");
  writer.release();
  expect(await upgrade).toBe("done");
  expect(await count("session WHERE session_id IN ('s1', 's3') AND agent_name <> 'held'")).toBe(0);
  await expectUpgraded();
});

test("a backup that was written in between is restored whole, under the new keys", async () => {
  const dir = await mkdtemp(join(tmpdir(), "quarterdeck-key-upgrade-"));
  const target = await emptyDatabase();
  try {
    const ending = new AbortController();
    await upgradeKeys({
      ...{ url: empty.url, log, stepRows: 7, signal: ending.signal },
      onStep: () => ending.abort(),
    }).catch(() => undefined);
    expect(await count("delivery_next")).toBeGreaterThan(0);
    await writeBackup({ url: empty.url, file: join(dir, "backup.tar"), dataDir: dir, files: [] });
    const restored = await restoreBackup({ file: join(dir, "backup.tar"), url: target.url, dataDir: dir });
    expect(restored.tables.find(({ name }) => name === "dispatch")?.rows).toBe(reported);
    expect(await upgradeKeys({ url: target.url, log })).toBe("done");
    const client = new pg.Client(target.url);
    await client.connect();
    const { rows } = await client.query(
      "SELECT (SELECT count(*)::int FROM delivery) AS reported, (SELECT sum(events)::int FROM session) AS events, count(*)::int AS dispatches FROM dispatch",
    );
    await client.end();
    expect(rows).toEqual([{ reported, events: reported, dispatches: reported }]);
  } finally {
    await target.drop();
    await rm(dir, { recursive: true });
  }
});
