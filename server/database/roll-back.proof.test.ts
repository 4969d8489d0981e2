import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { quarterdeck } from "../../e2e/fixtures/command-line.ts";
import { emptyDatabase } from "../../e2e/fixtures/database.ts";
import { testGateway } from "../../e2e/fixtures/gateway.ts";
import { type OldInstallation, oldInstallation } from "../../e2e/fixtures/old-installation.ts";
import { retire } from "../agents/service.ts";
import { restoreBackup, writeBackup } from "../backup/service.ts";
import { openDatabase } from "../platform/db.ts";
import { createLog } from "../platform/log.ts";
import { INSTALLATION } from "../platform/scope.ts";
import { verifyStored } from "../record/verification/verify-stored.ts";
import { startBackfill } from "./background-backfill.ts";
import { migrate, readMigrations } from "./migrate.ts";
import { FORMER_RELEASE, rollBackUpgrade } from "./roll-back.ts";

let old: OldInstallation;
let newer: string[];
beforeAll(async () => {
  old = await oldInstallation();
  await migrate(old.url);
  await startBackfill(old.url, createLog("silent")).finished;
  newer = (await readMigrations()).map(({ name }) => name).filter((name) => name > FORMER_RELEASE);
});
afterAll(async () => {
  await old?.drop();
  await rm(old?.dataDir ?? "", { recursive: true, force: true });
});

let database: Awaited<ReturnType<OldInstallation["copy"]>>;
beforeEach(async () => {
  database = await old.copy();
});
afterEach(() => database.drop());

/** Serves the database for as long as it takes to ask some gates and to retire an agent. */
async function workOn(url: string, count: number): Promise<void> {
  const gateway = await testGateway(url, { kept: old.dataDir });
  for (let number = 0; number < count; number += 1) {
    const headers = { authorization: `Bearer ${old.answers.keys.builder}`, "content-type": "application/json" };
    const body = JSON.stringify({
      session_id: "between",
      tool_name: "shell",
      tool_input: { cmd: `forbidden ${number}` },
    });
    const answer = await fetch(`${gateway.url}/api/v1/hooks/pre_tool_use`, { method: "POST", headers, body });
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining("not allowed")]);
  }
  const { rows } = await gateway.database.pool.query<{ id: string; workspace: string }>(
    "SELECT id, workspace_id AS workspace FROM agent WHERE name = 'deployer' AND retired_at IS NULL",
  );
  for (const { id, workspace } of rows)
    await retire(
      gateway.database,
      gateway.running.app.bus,
      { ...gateway.admin, workspaceId: workspace },
      { agentId: id },
    );
  await gateway.projected();
  await gateway.stop();
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query("SELECT set_config('quarterdeck.workspace', '*', false)");
  const { rows } = await client.query({ text: sql, rowMode: "array" });
  await client.end();
  return rows.flat();
}

/** The whole chain as each release reads it: number and hash. */
const CHAIN = "SELECT workspace_id || ' ' || seq || ' ' || encode(hash, 'hex') FROM";
const BATCHES = `SELECT count(*)::int FROM chain_batch`;

/** Findings of every workspace's verification. */
async function findingsOf(url: string): Promise<number[]> {
  const read = openDatabase(url, { connectionsMax: 2, outside: INSTALLATION });
  const { rows } = await read.pool.query<{ id: string }>("SELECT workspace_id AS id FROM audit_head");
  const counts = [];
  for (const { id } of rows) {
    const { altered, missing } = await verifyStored(read, id, { keys: [], outside: null });
    counts.push(altered.count + missing.count);
  }
  await read.close();
  return counts;
}

test("after a roll back the former release finds the whole chain where it looks, and its own migrations in the book", async () => {
  await workOn(database.url, 3);
  const chain = await query(database.url, `${CHAIN} chain_entry ORDER BY workspace_id, seq`);
  const batches = await query(database.url, BATCHES);
  expect(batches).not.toEqual([0]);
  expect(await rollBackUpgrade(database.url)).toEqual([...newer].reverse());

  expect(await query(database.url, `${CHAIN} audit_entry ORDER BY workspace_id, seq`)).toEqual(chain);
  const book = `SELECT migration_name FROM "_prisma_migrations" WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY 1`;
  expect((await query(database.url, book)).at(-1)).toBe(FORMER_RELEASE);
  expect(await query(database.url, "SELECT to_regproc('quarterdeck_empty_month') IS NULL")).toEqual([false]);
  // To the former release an agent is never retired: its keys must not open again.
  const open = `SELECT count(*)::int FROM agent_key JOIN agent ON agent.id = agent_id WHERE name = 'deployer' AND revoked_at IS NULL`;
  expect(await query(database.url, open)).toEqual([0]);
  await expect(rollBackUpgrade(database.url)).rejects.toThrow(/Nothing was done/);
});

test("figures that are behind the log are made before the former release may go on", async () => {
  await workOn(database.url, 2);
  const place = "(SELECT workspace_id, max(seq) AS seq FROM chain_batch GROUP BY 1) AS last";
  await query(
    database.url,
    `UPDATE projection_cursor SET seq = last.seq - 1 FROM ${place} WHERE last.workspace_id = projection_cursor.workspace_id`,
  );
  await expect(rollBackUpgrade(database.url)).rejects.toThrow(/figures are behind the log.*Nothing was done/);
  expect(await migrate(database.url)).toEqual([]);
});

test("the next start takes the upgrade up again, and nothing is lost or stored twice", async () => {
  await workOn(database.url, 3);
  const chain = await query(database.url, `${CHAIN} chain_entry ORDER BY workspace_id, seq`);
  const numbers = await query(database.url, "SELECT value FROM policy_sequence ORDER BY workspace_id");
  await rollBackUpgrade(database.url);
  expect(await migrate(database.url)).toEqual(newer);
  expect(await query(database.url, `${CHAIN} chain_entry ORDER BY workspace_id, seq`)).toEqual(chain);
  const behind = `SELECT count(*)::int FROM audit_head JOIN projection_cursor AS cursor USING (workspace_id)
    WHERE cursor.seq < audit_head.seq`;
  expect(await query(database.url, behind)).toEqual([0]);
  // Policies that the former release put in force meanwhile are newer than those that agents saw.
  const raised = await query(database.url, "SELECT value FROM policy_sequence ORDER BY workspace_id");
  for (const [index, value] of raised.entries()) expect(Number(value)).toBeGreaterThan(Number(numbers[index]));
  await workOn(database.url, 1);
  expect(await findingsOf(database.url)).toEqual([0, 0, 0]);
  expect(await migrate(database.url)).toEqual([]);
});

test("the command line does it, says so, and refuses it where there is nothing to go back from", async () => {
  const place = await mkdtemp("/tmp/quarterdeck-rolled-back-");
  const env = { DATABASE_URL: database.url, QUARTERDECK_DATA_DIR: place };
  const run = () => quarterdeck(["upgrade", "rollback"], place, env);
  const said = `quarterdeck: ${newer.length} migrations were set aside. Start the former release now.\n`;
  expect(await run()).toEqual({ code: 0, stdout: "", stderr: said });
  expect(await run()).toMatchObject({ code: 2, stderr: expect.stringContaining("Nothing was done") });
  await rm(place, { recursive: true });
});

test("it is all or nothing, and never beside a server", async () => {
  const server = new pg.Client({ connectionString: database.url, application_name: "quarterdeck" });
  await server.connect();
  await expect(rollBackUpgrade(database.url)).rejects.toThrow(/Stop every node first/);
  await server.end();
  // The last of its steps fails: what the ones before it did is undone.
  await query(
    database.url,
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'planted'; END $$`,
  );
  const planted = `FOR EACH ROW WHEN (NEW.migration_name = '${newer[0]}') EXECUTE FUNCTION refuse()`;
  await query(database.url, `CREATE TRIGGER refuse BEFORE UPDATE ON "_prisma_migrations" ${planted}`);
  await expect(rollBackUpgrade(database.url)).rejects.toThrow(/planted/);
  expect(await migrate(database.url)).toEqual([]);
});

test("a backup of an upgrade that was rolled back is restored by this release, and brought up to date", async () => {
  await workOn(database.url, 2);
  const chain = await query(database.url, `${CHAIN} chain_entry ORDER BY workspace_id, seq`);
  await rollBackUpgrade(database.url);
  const [folder, target] = [await mkdtemp("/tmp/quarterdeck-rolled-back-"), await emptyDatabase()];
  const file = join(folder, "backup.tar");
  await writeBackup({ url: database.url, file, dataDir: folder, files: [] });
  await restoreBackup({ file, url: target.url, dataDir: folder });
  expect(await migrate(target.url)).toEqual([]);
  expect(await query(target.url, `${CHAIN} chain_entry ORDER BY workspace_id, seq`)).toEqual(chain);
  await target.drop();
  await rm(folder, { recursive: true });
});
