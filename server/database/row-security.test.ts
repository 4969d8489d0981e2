/** The wall between workspaces, as PostgreSQL's catalogue tells of it, and around an operator's own database. */
import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { emptyDatabase, type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { restoreBackup, writeBackup } from "../backup/index.ts";
import { ensureFirstRun } from "../people/index.ts";
import { openDatabase } from "../platform/db.ts";
import { createLog } from "../platform/log.ts";
import { inWorkspace } from "../platform/scope.ts";
import { createChainPartition, createDispatchPartition } from "../recording/repository.ts";
import { startDatabase } from "./service.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
  await createDispatchPartition(db.database.pool, "2031-07");
  await createChainPartition(db.database.pool, "2031-07");
});
afterAll(() => db?.drop());

/** Tables and partitions with a workspace, and what PostgreSQL keeps to there. */
async function walls(client: { query: pg.Pool["query"] }) {
  const { rows } = await client.query<{ name: string; isOn: boolean; isForced: boolean; policies: string[] }>(`
    SELECT relname AS name, relrowsecurity AS "isOn", relforcerowsecurity AS "isForced", ARRAY(
      SELECT concat_ws(' ', polname, polcmd, polpermissive, polroles,
        regexp_replace(pg_get_expr(polqual, polrelid), '\\s+', ' ', 'g'), pg_get_expr(polwithcheck, polrelid))
      FROM pg_policy WHERE polrelid = pg_class.oid) AS policies
    FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attname = 'workspace_id' AND NOT attisdropped
    WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace ORDER BY 1`);
  return rows;
}
const SETTING = "current_setting('quarterdeck.workspace'::text, true)";
/** For every command and role; without a check of its own, what is written is held to the same. */
const POLICY =
  `workspace_wall * t {0} (((SELECT CASE ${SETTING} WHEN '*'::text THEN 'all'::text ELSE 'one'::text END AS "case") <> 'one'::text)` +
  ` OR (workspace_id = (SELECT (NULLIF(${SETTING.replace(", true", "")}, '*'::text))::uuid AS "nullif")))`;

describe("every table with a workspace", () => {
  test("is walled, a month made while the server runs too", async () => {
    const found = await walls(db.owner);
    expect(found.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["chain_batch", "chain_batch_2031_07", "dispatch", "dispatch_2031_07", "policy"]),
    );
    for (const { name, isOn, isForced, policies } of found)
      expect
        .soft({ isOn, isForced, policies: policies.map((one) => one.replaceAll("( SELECT", "(SELECT")) }, name)
        .toEqual({ isOn: true, isForced: true, policies: [POLICY] });
  });

  test("would be noticed without its wall", async () => {
    await db.owner.query("CREATE TABLE planted (workspace_id uuid)");
    expect((await walls(db.owner)).find(({ name }) => name === "planted")).toMatchObject({ isOn: false, policies: [] });
    await db.owner.query("DROP TABLE planted");
  });
});

describe("the application", () => {
  test("cannot pass the wall, tear it down, or become who can", async () => {
    const { rows } = await db.database.pool.query(
      `SELECT rolsuper, rolbypassrls, rolcreaterole, rolcreatedb,
         (SELECT count(*)::int FROM pg_class WHERE relowner = pg_roles.oid) AS owned,
         (SELECT count(*)::int FROM pg_auth_members WHERE member = pg_roles.oid) AS memberships
       FROM pg_roles WHERE rolname = current_user`,
    );
    const none = { rolsuper: false, rolbypassrls: false, rolcreaterole: false, rolcreatedb: false };
    expect(rows).toEqual([{ ...none, owned: 0, memberships: 0 }]);
    for (const sql of [
      "ALTER TABLE policy DISABLE ROW LEVEL SECURITY",
      "DROP POLICY workspace_wall ON policy",
      "SELECT quarterdeck_wall('policy')",
      "SET ROLE quarterdeck",
      "TRUNCATE dispatch",
      "TRUNCATE chain_batch_2031_07",
      "CREATE TABLE mine ()",
      'DELETE FROM "_prisma_migrations"',
    ])
      await expect.soft(db.database.pool.query(sql), sql).rejects.toMatchObject({ code: "42501" });
  });

  test("reads of the chain, through its view too, the entries of its own workspace", async () => {
    const served = openDatabase(db.url, { connectionsMax: 1 });
    const [mine, theirs] = [randomUUID(), randomUUID()];
    const count = async () =>
      (await served.pool.query("SELECT FROM chain_entry UNION ALL SELECT FROM chain_batch")).rowCount;
    const insert = (workspaceId: string) =>
      served.pool.query(
        `INSERT INTO chain_batch (workspace_id, seq, recorded_at, batch, count, earliest, latest, leaves, version, hash, chain_version)
         VALUES ($1, 1, '2031-07-01', gen_random_uuid(), 0, now(), now(), '', 2, '', 2)`,
        [workspaceId],
      );
    try {
      await inWorkspace(theirs, () => insert(theirs));
      expect(await inWorkspace(theirs, count)).toBe(2);
      expect(await inWorkspace(mine, count)).toBe(0);
      await expect(count()).rejects.toThrow(/outside of every scope/);
      await expect(inWorkspace(mine, () => insert(theirs))).rejects.toMatchObject({ code: "42501" });
      await inWorkspace(mine, () => served.pool.query("DELETE FROM chain_batch"));
      expect(await inWorkspace(theirs, count)).toBe(2);
    } finally {
      await served.close();
    }
  });

  test.each(["close", "lock", "drop"])(
    "may %s a month for all workspaces alone, and nothing that is no month",
    async (act) => {
      const served = openDatabase(db.url, { connectionsMax: 1 });
      const sql = `SELECT quarterdeck_${act}_month($1)`;
      try {
        const theirs = inWorkspace(randomUUID(), () => served.pool.query(sql, ["dispatch_2031_07"]));
        await expect(theirs).rejects.toMatchObject({ code: "42501" });
        for (const table of ["policy", "chain_batch_2031_07"])
          await expect(db.database.pool.query(sql, [table])).rejects.toThrow(`${table} is no month`);
      } finally {
        await served.close();
      }
    },
  );

  test("drops no month that is not closed", async () => {
    const drop = db.database.pool.query("SELECT quarterdeck_drop_month('dispatch_2031_07')");
    await expect(drop).rejects.toThrow("dispatch_2031_07 is not closed");
  });
});

describe("a database of the operator's own", () => {
  /** An empty database that belongs to a role of its own. */
  async function ownedDatabase(as: string) {
    const empty = await emptyDatabase();
    const role = `plain_${randomUUID().replaceAll("-", "")}`;
    const admin = new pg.Client(empty.url);
    await admin.connect();
    await admin.query(`CREATE ROLE ${role} LOGIN ${as}`);
    await admin.query(`ALTER DATABASE ${new URL(empty.url).pathname.slice(1)} OWNER TO ${role}`);
    await admin.end();
    return { ...empty, role, url: empty.url.replace("quarterdeck@", `${role}@`) };
  }

  test("keeps workspaces apart for a plain owner, who can back it up and restore it", async () => {
    const dir = await mkdtemp("/tmp/quarterdeck-walls-");
    const [from, to] = [await ownedDatabase("NOSUPERUSER"), await ownedDatabase("NOSUPERUSER")];
    const opened: { close(): Promise<void> }[] = [];
    try {
      const place = { dataDir: dir, socketDir: dir };
      await startDatabase({ databaseUrl: from.url }, createLog("silent"), place);
      const one = openDatabase(from.url, { connectionsMax: 2 });
      opened.push(one);
      const { workspaceId } = await ensureFirstRun(one);
      await createDispatchPartition(one.pool, "2031-07");
      const entries = async ({ pool }: typeof one) => (await pool.query("SELECT 1 FROM audit_entry")).rowCount;
      expect(await inWorkspace(workspaceId, () => entries(one))).toBe(1);
      expect(await inWorkspace(randomUUID(), () => entries(one))).toBe(0);

      const file = join(dir, "all.tar");
      await writeBackup({ url: from.url, file, dataDir: dir, files: [] });
      await restoreBackup({ file, url: to.url, dataDir: dir });
      const other = openDatabase(to.url, { connectionsMax: 2 });
      opened.push(other);
      expect(await inWorkspace(workspaceId, () => entries(other))).toBe(1);
      await expect(entries(other)).rejects.toThrow(/outside of every scope/);
      const restored = await walls(other.pool);
      expect(restored.filter(({ isOn, isForced }) => !isOn || !isForced)).toEqual([]);
      expect(restored).toEqual(await walls(one.pool));
    } finally {
      await Promise.all(opened.map((one) => one.close()));
      await Promise.all([from.drop(), to.drop()]);
      await rm(dir, { recursive: true });
    }
  });

  test.each(["SUPERUSER", "BYPASSRLS"])("is warned of when its role has %s", async (right) => {
    const dir = await mkdtemp("/tmp/quarterdeck-walls-");
    const owned = await ownedDatabase(right);
    try {
      const said: unknown[] = [];
      const log = createLog("silent");
      log.warn = ((...told: unknown[]) => void said.push(told)) as typeof log.warn; // only listens
      await startDatabase({ databaseUrl: owned.url }, log, { dataDir: dir, socketDir: dir });
      expect(said).toEqual([[{ role: owned.role }, expect.stringContaining("passes row-level security")]]);
    } finally {
      await owned.drop();
      await rm(dir, { recursive: true });
    }
  });
});

test("no repository asks for one row in the way that Prisma gathers from several requests", async () => {
  // Within a tick it puts them into one query, in the scope of whoever came first: the others would find nothing.
  const all = await readdir("server", { recursive: true });
  const files = all.filter((file) => /\.ts$/.test(file) && !/\.test\.ts$/.test(file));
  expect(files.length).toBeGreaterThan(300);
  const gathering: string[] = [];
  for (const file of files)
    if (/\.findUnique(OrThrow)?\(/.test(await readFile(join("server", file), "utf8"))) gathering.push(file);
  expect(gathering).toEqual([]);
});
