/** A database whose batches all stand among the acts, as the version before `chain_batch` left it. */
import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import { emptyDatabase } from "../../../e2e/fixtures/database.ts";
import { recordOf } from "../../../e2e/fixtures/record-of.ts";
import { contentDigest, dispatchLeafOf } from "../../audit/leaf.ts";
import { auditStatement, recordAudit } from "../../audit/record-audit.ts";
import { verifyExport } from "../../audit/verify-export.ts";
import { migrate, readMigrations } from "../../database/service.ts";
import { createBus } from "../../events/service.ts";
import { type Database, openDatabase } from "../../platform/db.ts";
import { createLog } from "../../platform/log.ts";
import { INSTALLATION } from "../../platform/scope.ts";
import { createRecorder } from "../../recording/service.ts";
import { exportPage, startExport } from "../export/export.ts";
import { verifyStored } from "./verify-stored.ts";

const NEW = "20261123000000_chain_batches";
const owner = { workspaceId: randomUUID(), agentId: randomUUID() };
let empty: Awaited<ReturnType<typeof emptyDatabase>>;
let db: Database;
/** The entries before the migration. */
let before: object[];

beforeEach(async () => {
  empty = await emptyDatabase();
  const names = (await readMigrations()).map(({ name }) => name);
  await migrate(empty.url, undefined, new Set(names.filter((name) => name < NEW)));
  db = openDatabase(empty.url, { connectionsMax: 4, outside: INSTALLATION });
  const { pool } = db;
  await pool.query("INSERT INTO workspace (id, name) VALUES ($1, 'old')", [owner.workspaceId]);
  await pool.query("INSERT INTO audit_head (workspace_id) VALUES ($1)", [owner.workspaceId]);
  await pool.query("INSERT INTO agent (workspace_id, id, name) VALUES ($1, $2, 'old')", [
    owner.workspaceId,
    owner.agentId,
  ]);
  await pool.query("SELECT quarterdeck_add_month('2026-11-01')");
  for (let count = 0; count < 3; count += 1) await recordAsBefore();
  before = await chain("audit_entry");
  expect(await migrate(empty.url)).toContain(NEW);
});
afterEach(async () => {
  await db?.close();
  await empty?.drop();
});

/** One batch of one dispatch, written as that version did. */
async function recordAsBefore(): Promise<void> {
  const [id, batch, salt, at] = [randomUUID(), randomUUID(), randomUUID(), "2026-11-20T10:00:00.000Z"];
  await db.pool.query(
    `INSERT INTO dispatch (workspace_id, id, occurred_at, received_at, agent_id, agent_name, session_id, event, lane, origin,
       verdict, revision, duration_us, input, answer, hooks, batch, place, salt)
     VALUES ($1, $2, $3, $3, $4, 'old', 's', 'stop', 'default', 'report', 'none', '', 0, '{}', '{}', '[]', $5, 0, $6)`,
    [owner.workspaceId, id, at, owner.agentId, batch, salt],
  );
  const row = { ...owner, id, occurredAt: at, receivedAt: at, agentName: "old", sessionId: "s", event: "stop" };
  const how = { lane: "default", origin: "report", toolName: null, toolUseId: null, toolError: null, verdict: "none" };
  const content = contentDigest({ salt, input: "{}", answer: "{}", hooks: "[]", detail: null, reason: null });
  const leaves = dispatchLeafOf({ ...row, ...how, revision: "", durationUs: 0, facts: null }, content);
  const about = { kind: "dispatches_recorded", version: 2, batch, count: 1, leaves, earliest: at, latest: at } as const;
  await db.pool.query(auditStatement(owner.workspaceId, about));
}

const chain = async (table: string) =>
  (await db.pool.query(`SELECT seq, body, encode(hash, 'hex') AS hash FROM ${table} ORDER BY seq`)).rows;
const verified = () => verifyStored(db, owner.workspaceId, { keys: [], outside: null });

test("goes on under the same chain, and no entry of before is touched", async () => {
  expect(await chain("audit_entry")).toEqual(before);
  expect(await chain("chain_entry")).toEqual(before);

  const bus = createBus(empty.url, createLog("silent"));
  const recorder = createRecorder(db.pool, bus, createLog("silent"));
  await recorder.record(recordOf(owner, "stop", "{}"), false);
  // A node of the version before, while the others are brought up to date.
  await recordAsBefore();
  await recorder.record(recordOf(owner, "stop", "{}"), false);
  await bus.close();

  expect((await chain("chain_entry")).map(({ seq }) => Number(seq))).toEqual([1, 2, 3, 4, 5, 6]);
  expect((await db.pool.query("SELECT FROM chain_batch")).rowCount).toBe(2);
  const report = await verified();
  expect(report.altered.findings).toEqual([]);
  expect(report.missing.findings).toEqual([]);
  expect(report.dispatches).toMatchObject({ batches: 6, rows: 6, held: 6 });
});

test("names of people are kept apart from the upgrade on, and the whole verifies", async () => {
  const ada = { kind: "person", id: randomUUID(), name: "Ada", workspaceId: owner.workspaceId } as const;
  await db.prisma.$transaction((tx) => recordAudit(tx, ada, { kind: "retention_set", version: 1, by: ada.name }));
  expect((await chain("audit_entry")).slice(0, before.length)).toEqual(before);
  expect((await db.pool.query("SELECT seq::int, names FROM audit_name")).rows).toEqual([
    { seq: 4, names: { name: "Ada", address: null } },
  ]);
  expect(await verified()).toMatchObject({
    ...{ altered: { count: 0 }, missing: { count: 0 }, names: { held: 1, erased: 0 } },
    dispatches: { rows: 3, held: 3 },
  });
});

test("is proven from an export that the version before wrote", async () => {
  const started = await startExport(db, owner.workspaceId, { dispatches: "rows" });
  let text = started.text;
  for (let next = started.next; next !== null; ) {
    const page = await exportPage(db, owner.workspaceId, { ...next, dispatches: "rows", isWhole: true });
    text += page.text;
    next = page.next;
  }
  expect(text).toContain('"version":2');
  const before = text
    .replace('"type":"export","version":2', '"type":"export","version":1')
    .replaceAll(',"facts":null', "");
  expect(before.split("\n").filter((line) => line.includes("facts"))).toEqual([]);
  const proven = (exported: string) => verifyExport(Readable.from(exported.split("\n")), { keys: [], outside: null });
  expect((await proven(before)).altered.findings).toEqual([]);
  expect((await proven(before)).dispatches).toMatchObject({ held: 3 });
  const added = before.replace('"content":', '"facts":"{}","content":');
  expect((await proven(added)).altered.count).toBe(1);
});

test("names a batch of before that is gone, and one that is changed", async () => {
  await db.pool.query("UPDATE audit_entry SET body = replace(body, '2026-11-20', '2026-11-21') WHERE seq = 2");
  await db.pool.query("DELETE FROM audit_entry WHERE seq = 3");
  const { altered, missing } = await verified();
  expect(altered.findings).toContainEqual(expect.objectContaining({ seq: 2, kind: "dispatches_recorded" }));
  expect(missing.findings).toEqual([{ seq: 3, kind: null, says: "entry 3 is missing" }]);
});
