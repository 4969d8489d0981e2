/** Batches of dispatches in a table of their own: whatever is changed there is named, and what an older node wrote verifies beside it. */
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type RecordingRig, recordingRig, recordOf } from "../../../e2e/fixtures/recording-rig.ts";
import { entryHashOf, FIRST_HASH } from "../../audit/chain.ts";
import { parsePublicKey } from "../../audit/checkpoint.ts";
import { exportLine } from "../../audit/export-lines.ts";
import { CONTENT_SQL } from "../../audit/leaf.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { verificationReportText } from "../../audit/verification-report.ts";
import type { VerificationReport } from "../../audit/verify.ts";
import { verifyExport } from "../../audit/verify-export.ts";
import { systemClock } from "../../platform/clock.ts";
import { createLog } from "../../platform/log.ts";
import { openSecrets, type Secrets } from "../../platform/secrets.ts";
import { checkpointFile, readCheckpoints } from "../checkpoints/checkpoint-file.ts";
import { createCheckpointer } from "../checkpoints/checkpoints.ts";
import { exportPage, startExport } from "../export/export.ts";
import { listEntries } from "../repository.ts";
import { verifyStored } from "./verify-stored.ts";

let rig: RecordingRig;
let dir: string;
let secrets: Secrets;
/** Entries: an act, batches 2 and 3, an act, batch 5, the checkpoint, batch 6. */
const [BATCH, CHECKPOINT, LAST] = [3, 5, 6];
const TABLES = ["audit_entry", "chain_batch", "audit_head", "dispatch"];

const act = (name: string) =>
  rig.db.database.prisma.$transaction((tx) =>
    recordAudit(tx, rig.workspaceId, { kind: "policy_deleted", version: 1, by: "ada", policy: name, name }),
  );
const record = (text: string) => rig.recorder.record(recordOf(rig, "stop", JSON.stringify({ said: text })), false);
const checkpointer = () =>
  createCheckpointer({
    pool: rig.db.database.pool,
    secrets,
    dir: join(dir, "points"),
    log: createLog("silent"),
    clock: systemClock,
  });

beforeAll(async () => {
  rig = await recordingRig();
  dir = await mkdtemp("/tmp/quarterdeck-chain-batches-");
  secrets = await openSecrets(dir, { token: undefined, sessionSecret: undefined, signingKey: undefined });
  await act("first");
  await record("a");
  await record("b");
  await act("second");
  await record("c");
  await checkpointer().tick(true);
  await record("d");
  for (const table of TABLES) await rig.db.owner.query(`CREATE TABLE kept_${table} AS SELECT * FROM ${table}`);
});
beforeEach(async () => {
  for (const table of TABLES) {
    await rig.db.owner.query(`DELETE FROM ${table}`);
    await rig.db.owner.query(`INSERT INTO ${table} SELECT * FROM kept_${table}`);
  }
});
afterAll(async () => {
  await rig.close();
  await rm(dir, { recursive: true });
});

/** As whoever may write everything in the database. */
const harm = (sql: string, ...values: unknown[]) => rig.db.owner.query(sql, [rig.workspaceId, ...values]);
const where = "WHERE workspace_id = $1";

async function proofs() {
  const key = parsePublicKey(secrets.signingPublicKey.export({ type: "spki", format: "pem" }).toString());
  return {
    keys: key ? [key] : [],
    outside: await readCheckpoints(checkpointFile(join(dir, "points"), rig.workspaceId)),
  };
}
const verified = async (): Promise<VerificationReport> =>
  verifyStored(rig.db.database, rig.workspaceId, await proofs());

async function exported(): Promise<string> {
  const started = await startExport(rig.db.database, rig.workspaceId, { dispatches: "rows" });
  let text = started.text;
  for (let next = started.next; next !== null; ) {
    const asked = { ...next, dispatches: "rows" as const, isWhole: true };
    const page = await exportPage(rig.db.database, rig.workspaceId, asked);
    text += page.text;
    next = page.next;
  }
  return text;
}

async function* linesOf(text: string): AsyncGenerator<string> {
  yield* text.split("\n");
}

test("a chain of acts and batches is whole, in the database and exported", async () => {
  const report = await verified();
  expect(report.entries).toEqual({ from: 1, to: LAST, count: LAST, oldRule: 0 });
  expect(verificationReportText(report).altered).toEqual([
    "Nothing was altered: 6 entries hold together, 4 dispatches as recorded.",
  ]);
  expect(report.missing).toMatchObject({ state: "nothing", count: 0, unvouched: 1 });
  expect(await verifyExport(linesOf(await exported()), await proofs())).toEqual(report);
});

test("an exported chain whose hashes were all made anew contradicts the signature that travels in it", async () => {
  let previous = FIRST_HASH;
  const forged = (await exported())
    .split("\n")
    .filter((text) => text !== "")
    .map((text) => {
      const line = exportLine.parse(JSON.parse(text));
      if (line.type === "end") return JSON.stringify({ ...line, hash: previous });
      if (line.type !== "entry") return text;
      const { hash: _, ...entry } = line.seq === 1 ? { ...line, at: "2026-01-01T00:00:00.000000Z" } : line;
      previous = entryHashOf(entry, previous) ?? "";
      return JSON.stringify({ ...entry, hash: previous });
    });
  const { keys } = await proofs();
  const { altered } = await verifyExport(linesOf(forged.join("\n")), { keys, outside: null });
  expect(altered.findings).toEqual([
    { seq: CHECKPOINT, kind: "dispatches_recorded", says: expect.stringContaining("the chain was replaced") },
  ]);
});

test("batches that an older node wrote among the acts verify as before, and export the same bytes", async () => {
  const before = await exported();
  await harm(
    `WITH moved AS (SELECT * FROM chain_entry ${where} AND seq IN (2, $2)),
       gone AS (DELETE FROM chain_batch ${where} AND seq IN (2, $2))
     INSERT INTO audit_entry (workspace_id, seq, at, kind, body, hash, chain_version)
     SELECT workspace_id, seq, at, kind, body, hash, chain_version FROM moved`,
    CHECKPOINT,
  );
  const after = await exported();
  const entries = (text: string) => text.split("\n").filter((line) => line.startsWith('{"type":"entry"'));
  expect(entries(before)).toHaveLength(LAST);
  expect(entries(after)).toEqual(entries(before));
  expect((await verified()).altered.count + (await verified()).missing.count).toBe(0);
  // Both nodes go on under the same numbers.
  await record("e");
  await act("third");
  const report = await verified();
  expect(report.entries.count).toBe(LAST + 2);
  expect(report.altered.count + report.missing.count).toBe(0);
});

describe("a dispatch", () => {
  const first = "id = (SELECT id FROM dispatch ORDER BY id LIMIT 1)";
  const COLUMNS =
    "workspace_id, agent_id, agent_name, session_id, received_at, event, lane, origin, verdict, revision, duration_us, input, answer, hooks, salt, batch, place";

  test("moved in time is not what was recorded, and lies outside of its batch", async () => {
    await harm(`UPDATE dispatch SET occurred_at = occurred_at + interval '1 hour' ${where} AND ${first}`);
    const says = (await verified()).altered.findings.map((finding) => finding.says.replace(/[0-9a-f-]{36}/, "ID"));
    expect(says).toEqual(["dispatch ID belongs to no batch that was recorded", "dispatch ID is not what was recorded"]);
  });

  test("slipped into a batch, at another time than the batch's, is named", async () => {
    await harm(
      `INSERT INTO dispatch (${COLUMNS}, id, occurred_at) SELECT ${COLUMNS}, gen_random_uuid(), occurred_at + interval '1 hour'
       FROM dispatch ${where} AND ${first}`,
    );
    expect((await verified()).altered.findings.map(({ says }) => says)).toEqual([
      expect.stringContaining("belongs to no batch that was recorded"),
    ]);
  });

  test("is missed with all others of its month when the month is emptied", async () => {
    await rig.db.owner.query("TRUNCATE dispatch");
    const { missing, dispatches } = await verified();
    expect(missing.findings.map(({ says }) => says)).toEqual(Array(4).fill("1 of its 1 dispatches is missing"));
    expect(dispatches).toMatchObject({ held: 0, rows: 4, dropped: 0 });
  });
});

describe("a batch", () => {
  const columns: [column: string, value: string][] = [
    ["recorded_at", "recorded_at + interval '1 microsecond'"],
    ["batch", "gen_random_uuid()"],
    ["count", "count + 1"],
    ["count", "0"],
    ["earliest", "earliest + interval '1 millisecond'"],
    ["latest", "latest - interval '1 millisecond'"],
    ["leaves", "overlay(leaves placing (CASE left(leaves, 1) WHEN 'A' THEN 'B' ELSE 'A' END) from 1 for 1)"],
    ["leaves", "leaves || leaves"],
    ["leaves", "''"],
    ["leaves", `leaves || '","x":"'`],
    ["version", "1"],
    ["version", "2"],
    ["version", "4"],
    ["hash", "set_byte(hash, 5, (get_byte(hash, 5) + 1) % 256)"],
    ["chain_version", "1"],
    ["chain_version", "3"],
  ];
  test.each(columns)("changed in its %s (%s) is named by its entry", async (column, value) => {
    await harm(`UPDATE chain_batch SET ${column} = ${value} ${where} AND seq = $2`, BATCH);
    const { altered } = await verified();
    const named = altered.findings.filter(({ seq }) => seq !== null);
    expect(named.map(({ seq, kind }) => ({ seq, kind }))).toContainEqual({ seq: BATCH, kind: "dispatches_recorded" });
    expect(new Set(named.map(({ seq }) => seq))).toEqual(new Set([BATCH]));
  });

  test("has times as precise as what is hashed: no other value passes for the same", async () => {
    const { rows } = await harm(
      `UPDATE chain_batch SET earliest = earliest + interval '0.4 milliseconds' ${where} AND seq = $2
       RETURNING earliest = (SELECT earliest FROM kept_chain_batch AS kept WHERE kept.seq = $2) AS same`,
      BATCH,
    );
    expect(rows).toEqual([{ same: true }]);
  });

  test("that is gone is a gap, and its dispatches belong to nothing", async () => {
    await harm(`DELETE FROM chain_batch ${where} AND seq = $2`, BATCH);
    const { missing, altered } = await verified();
    expect(missing.findings).toEqual([{ seq: BATCH, kind: null, says: `entry ${BATCH} is missing` }]);
    expect(altered.findings.map(({ says }) => says)).toEqual([
      expect.stringMatching(/^dispatch [0-9a-f-]{36} belongs to no batch that was recorded$/),
    ]);
  });

  test.each([
    ["number", "seq = 4000"],
    ["workspace", "workspace_id = '00000000-0000-7000-8000-00000000dead'"],
  ])("given another %s leaves a gap where it was", async (_, change) => {
    await harm(`UPDATE chain_batch SET ${change} ${where} AND seq = $2`, BATCH);
    const { missing } = await verified();
    expect(missing.findings[0]).toMatchObject({ seq: BATCH, says: `entry ${BATCH} is missing` });
  });

  test("whose dispatch is gone misses it", async () => {
    await harm(
      `DELETE FROM dispatch ${where} AND batch = (SELECT batch FROM chain_batch ${where} AND seq = $2)`,
      BATCH,
    );
    const { missing, altered } = await verified();
    expect(altered.count).toBe(0);
    expect(missing.findings).toEqual([
      { seq: BATCH, kind: "dispatches_recorded", says: "1 of its 1 dispatches is missing" },
    ]);
  });

  test.each([
    ["another cost", "jsonb_set(facts::jsonb, '{call,cost}', '\"0.5\"')::text"],
    ["another spelling", "replace(facts, ':', ': ')"],
    ["none", "NULL"],
  ])("whose dispatch has %s in its facts is named, erased or not", async (_, value) => {
    const text = '{"model_id":"m","cost":1.5}';
    await rig.recorder.record(recordOf(rig, "after_llm_call", text), false);
    const { rows } = await harm(
      `UPDATE dispatch SET facts = ${value} ${where} AND event = 'after_llm_call' RETURNING id`,
    );
    const [{ id } = { id: "" }] = rows;
    const says = [`dispatch ${id} is not what was recorded`];
    expect((await verified()).altered.findings.map((finding) => finding.says)).toEqual(says);
    const exportedToo = await verifyExport(linesOf(await exported()), await proofs());
    expect(exportedToo.altered.findings.map((finding) => finding.says)).toEqual(says);
    await harm(
      `UPDATE dispatch SET content_sha256 = ${CONTENT_SQL}, erased_at = now(), input = '{}' ${where} AND id = $2`,
      id,
    );
    expect((await verified()).altered.findings.map((finding) => finding.says)).toEqual(says);
  });

  test("at the end that is cut off is known to the head, and with the head to the checkpoint outside", async () => {
    await harm(`DELETE FROM chain_batch ${where} AND seq = $2`, LAST);
    expect((await verified()).missing.findings[0]?.says).toBe(`entry ${LAST} is missing`);
    await harm(
      `DELETE FROM dispatch ${where} AND batch NOT IN (SELECT batch FROM chain_batch ${where} AND seq < $2)`,
      5,
    );
    await harm(`DELETE FROM chain_batch ${where} AND seq >= $2`, CHECKPOINT);
    await harm(`UPDATE audit_head SET seq = 4, hash = (SELECT hash FROM audit_entry ${where} AND seq = 4) ${where}`);
    const { altered, missing } = await verified();
    expect(altered.count).toBe(0);
    expect(missing.findings.map(({ says }) => says)).toEqual([
      expect.stringMatching(/^the chain ends at entry 4, before checkpoint 5 \(.*\): 1 entry is cut off$/),
    ]);
  });

  test.each([
    [
      "beside it",
      "chain_batch",
      `SELECT (jsonb_populate_record(b, '{"recorded_at":"2026-11-01T00:00:00Z"}')).* FROM chain_batch AS b`,
    ],
    ["among the acts", "audit_entry", "SELECT * FROM kept_entries"],
  ])("that is there a second time, %s, is named, and no page hides it", async (_, table, copy) => {
    await rig.db.owner.query("SELECT quarterdeck_add_chain_month('2026-11-01')");
    await rig.db.owner.query(
      `CREATE TABLE kept_entries AS SELECT workspace_id, seq, at, kind, body, hash, chain_version FROM chain_entry`,
    );
    const into =
      table === "audit_entry" ? "audit_entry (workspace_id, seq, at, kind, body, hash, chain_version)" : table;
    await harm(`INSERT INTO ${into} SELECT * FROM (${copy}) AS copies ${where} AND seq = $2`, BATCH);
    await rig.db.owner.query("DROP TABLE kept_entries");
    const { altered } = await verified();
    expect(altered.findings.some(({ seq, says }) => seq === BATCH && says === "is there twice")).toBe(true);
    const page = await listEntries(rig.db.database.pool, rig.workspaceId, { after: 1, to: LAST, limit: 2 });
    expect(page.map(({ seq }) => seq)).toEqual([2, BATCH, BATCH]);
  });

  test("that was changed since the last checkpoint is not signed over", async () => {
    await harm(`UPDATE chain_batch SET leaves = reverse(leaves) ${where} AND seq = $2`, LAST);
    expect(await checkpointer().tick(true)).toBe(0);
    const { rows } = await harm(`SELECT checkpoint_fault AS fault FROM record_setting ${where}`);
    expect(rows).toEqual([{ fault: expect.stringContaining(`Entry ${LAST} (dispatches_recorded)`) }]);
  });
});
