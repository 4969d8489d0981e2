import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Owner, type RecordingRig, recordingRig, recordOf } from "../../../e2e/fixtures/recording-rig.ts";
import type { Administrator } from "../../access/actor.ts";
import { parsePublicKey } from "../../audit/checkpoint.ts";
import { verificationReportText } from "../../audit/verification-report.ts";
import { stoppedClock, systemClock } from "../../platform/clock.ts";
import { createLog } from "../../platform/log.ts";
import { addressRule } from "../../platform/outgoing/address-rule.ts";
import { openSecrets, type Secrets } from "../../platform/secrets.ts";
import { checkpointFile, readCheckpoints } from "../checkpoints/checkpoint-file.ts";
import { createCheckpointer } from "../checkpoints/checkpoints.ts";
import { createRawCapture } from "../raw-capture.ts";
import { transaction } from "../repository.ts";
import { addHold, releaseHold, setCheckpoints, setRetention } from "../settings.ts";
import { verifyStored } from "../verification/verify-stored.ts";
import { createRetention } from "./retention.ts";
import { lockMonth, watchMonthForChanges } from "./retention-months.ts";
import { countRetention } from "./retention-preview.ts";
import { listFaults } from "./retention-repository.ts";

let rig: RecordingRig;
let owner: Owner;
let admin: Administrator;
let dir: string;
let secrets: Secrets;
const log = createLog("silent");
const NOW = Date.parse("2026-11-20T12:00:00Z");

beforeAll(async () => {
  rig = await recordingRig();
  dir = await mkdtemp("/tmp/quarterdeck-retention-");
  secrets = await openSecrets(dir, { token: undefined, sessionSecret: undefined, signingKey: undefined });
});
afterAll(async () => {
  await rig.close();
  await rm(dir, { recursive: true });
});
beforeEach(async () => {
  owner = await rig.addOwner();
  admin = { kind: "script", id: "s", name: "ada", workspaceId: owner.workspaceId };
});

// A run counts the rows that it drops from all workspaces.
afterEach(() => setRetention(rig.db.database, admin, FOREVER));

const pool = () => rig.db.database.pool;
const record = (at: string, session: string, text = "x") =>
  rig.recorder.record(
    recordOf(owner, "stop", JSON.stringify({ session_id: session, said: text }), { occurredAt: new Date(at) }),
    false,
  );
const countOf = async (where = "true") => {
  const found = await pool().query<{ count: number }>(
    `SELECT count(*)::int AS count FROM dispatch WHERE workspace_id = $1 AND ${where}`,
    [owner.workspaceId],
  );
  return found.rows[0]?.count;
};
const retention = () => createRetention({ pool: pool(), log, clock: stoppedClock(NOW) });
const LOCK = 7204;
const FOREVER = { dispatches: null, activity: null, judge_calls: null, figures: null };

async function verified() {
  const checkpointer = createCheckpointer({ pool: pool(), secrets, dir: join(dir, "points"), log, clock: systemClock });
  await checkpointer.tick(true);
  const key = parsePublicKey(secrets.signingPublicKey.export({ type: "spki", format: "pem" }).toString());
  const outside = await readCheckpoints(checkpointFile(checkpointer.dir, owner.workspaceId));
  const report = await verifyStored(rig.db.database, owner.workspaceId, { keys: key ? [key] : [], outside });
  return { report, ...verificationReportText(report) };
}

describe("what is older than it is kept", () => {
  test("goes, the record stays whole, and says what is not held any more", async () => {
    for (const at of ["2026-08-03T10:00:00Z", "2026-08-20T10:00:00Z", "2026-11-01T10:00:00Z", "2026-11-19T10:00:00Z"])
      await record(at, "s");
    await setRetention(rig.db.database, admin, { ...FOREVER, dispatches: 10 });
    const counted = await countRetention(pool(), owner.workspaceId, { ...FOREVER, dispatches: 10 }, NOW);
    expect(counted[0]).toEqual({ kind: "dispatches", drop: 3, held: 0, isMore: false });
    expect(await retention().run()).toBe(3);
    expect(await countOf()).toBe(1);
    const { report, altered, missing, notes } = await verified();
    expect(report.altered.count + report.missing.count).toBe(0);
    expect(altered[0]).toMatch(/^Nothing was altered/);
    expect(missing[0]).toMatch(/^Nothing is missing/);
    expect(notes).toContain("3 dispatches are not held any more, by retention.");
    // A dispatch that retention did not drop is still missed.
    await pool().query("DELETE FROM dispatch WHERE workspace_id = $1", [owner.workspaceId]);
    expect((await verified()).report.missing.count).toBe(1);
  });

  test("cannot hide one row more than was dropped", async () => {
    for (const at of ["2026-09-03T10:00:00Z", "2026-09-04T10:00:00Z"]) await record(at, "gone");
    await record("2026-09-05T10:00:00Z", "kept");
    await addHold(rig.db.database, admin, {
      reason: "case 7",
      agentId: null,
      sessionId: "kept",
      from: null,
      to: null,
    });
    await setRetention(rig.db.database, admin, { ...FOREVER, dispatches: 30 });
    expect(await retention().run()).toBe(2);
    expect((await verified()).report.missing.count).toBe(0);
    await pool().query("DELETE FROM dispatch WHERE workspace_id = $1 AND session_id = 'kept'", [owner.workspaceId]);
    const { report } = await verified();
    expect(report.missing.findings[0]?.says).toBe(
      "1 dispatches more are gone than the 2 that entries say were dropped",
    );
  });

  test("stays while a legal hold covers it, and goes when that is released", async () => {
    await record("2026-07-03T10:00:00Z", "held");
    await record("2026-07-03T10:00:00Z", "free");
    const { id } = await addHold(rig.db.database, admin, {
      reason: "case 8",
      agentId: owner.agentId,
      sessionId: "held",
      from: new Date("2026-07-01T00:00:00Z"),
      to: null,
    });
    await setRetention(rig.db.database, admin, { ...FOREVER, dispatches: 30 });
    const counted = await countRetention(pool(), owner.workspaceId, { ...FOREVER, dispatches: 30 }, NOW);
    expect(counted[0]).toEqual({ kind: "dispatches", drop: 1, held: 1, isMore: false });
    await retention().run();
    expect(await countOf("session_id = 'held'")).toBe(1);
    expect(await countOf()).toBe(1);
    await releaseHold(rig.db.database, admin, id);
    await retention().run();
    expect(await countOf()).toBe(0);
    expect((await verified()).report.missing.count).toBe(0);
  });

  test("is dropped by one node at a time: the other one leaves it alone", async () => {
    await record("2026-07-03T10:00:00Z", "old");
    await setRetention(rig.db.database, admin, { ...FOREVER, dispatches: 30 });
    const other = await rig.db.owner.connect();
    try {
      await other.query("SELECT pg_advisory_lock($1)", [LOCK]);
      expect(await retention().run()).toBe(0);
      expect(await countOf()).toBe(1);
    } finally {
      other.release(true);
    }
    await expect.poll(() => retention().run()).toBe(1);
  });

  test("of a month that is another workspace's too waits for both, and a late report still finds its month", async () => {
    await record("2026-05-03T10:00:00Z", "mine");
    const other = await rig.addOwner();
    await rig.recorder.record(
      recordOf(other, "stop", '{"session_id":"theirs"}', { occurredAt: new Date("2026-05-04T10:00:00Z") }),
      false,
    );
    await setRetention(rig.db.database, admin, { ...FOREVER, dispatches: 30 });
    await retention().run();
    expect(await countOf()).toBe(0);
    const theirs = await pool().query("SELECT 1 FROM dispatch WHERE workspace_id = $1", [other.workspaceId]);
    expect(theirs.rowCount).toBe(1);
    await record("2026-05-03T10:00:00Z", "late");
    expect(await countOf()).toBe(1);
  });
});

describe("a month of dispatches", () => {
  const monthExists = async (name: string) =>
    (await pool().query("SELECT to_regclass($1) IS NOT NULL AS there", [name])).rows[0]?.there as boolean;

  test("is dropped whole when nobody wants any of it, and what it held is in the record", async () => {
    for (const day of ["03", "17", "30"]) await record(`2025-03-${day}T10:00:00Z`, `s${day}`);
    const other = await rig.addOwner();
    await rig.recorder.record(
      recordOf(other, "stop", '{"session_id":"theirs"}', { occurredAt: new Date("2025-03-04T10:00:00Z") }),
      false,
    );
    await setRetention(rig.db.database, admin, { ...FOREVER, dispatches: 30 });
    const theirs = { ...admin, workspaceId: other.workspaceId };
    await setRetention(rig.db.database, theirs, { ...FOREVER, dispatches: 60 });
    expect(await retention().run()).toBe(4);
    expect(await monthExists("dispatch_2025_03")).toBe(false);
    const { rows } = await pool().query<{ workspace: string; count: number }>(
      `SELECT workspace_id AS workspace, (body::jsonb ->> 'count')::int AS count FROM audit_entry
       WHERE kind = 'dispatches_dropped' AND workspace_id = ANY ($1)`,
      [[owner.workspaceId, other.workspaceId]],
    );
    expect(new Map(rows.map(({ workspace, count }) => [workspace, count]))).toEqual(
      new Map([
        [owner.workspaceId, 3],
        [other.workspaceId, 1],
      ]),
    );
    const { report, notes } = await verified();
    expect(report.altered.count + report.missing.count).toBe(0);
    expect(notes).toContain("3 dispatches are not held any more, by retention.");
    // Nothing is repeated, and the month is made again for whoever still reports of it.
    expect(await retention().run()).toBe(0);
    await record("2025-03-05T10:00:00Z", "late");
    expect(await countOf()).toBe(1);
    await setRetention(rig.db.database, theirs, FOREVER);
  });

  test("stays while a hold reaches into it, without what the hold does not cover", async () => {
    await record("2025-04-03T10:00:00Z", "held");
    await record("2025-04-04T10:00:00Z", "free");
    const hold = { reason: "case 4", agentId: null, sessionId: "held", from: null, to: null };
    const { id } = await addHold(rig.db.database, admin, hold);
    await setRetention(rig.db.database, admin, { ...FOREVER, dispatches: 30 });
    expect(await retention().run()).toBe(1);
    expect(await monthExists("dispatch_2025_04")).toBe(true);
    expect(await countOf("session_id = 'held'")).toBe(1);
    await releaseHold(rig.db.database, admin, id);
    expect(await retention().run()).toBe(1);
    expect(await monthExists("dispatch_2025_04")).toBe(false);
    expect((await verified()).report.missing.count).toBe(0);
  });

  test("is not dropped while somebody reads it, and that is shown until it is", async () => {
    await record("2025-05-03T10:00:00Z", "s");
    await setRetention(rig.db.database, admin, { ...FOREVER, dispatches: 30 });
    const reader = await rig.db.owner.connect();
    try {
      await reader.query("BEGIN; LOCK TABLE dispatch_2025_05 IN ROW SHARE MODE");
      expect(await retention().run()).toBe(0);
      expect(await monthExists("dispatch_2025_05")).toBe(true);
      const [fault] = await listFaults(pool(), owner.workspaceId);
      expect(fault).toMatchObject({
        rule: "dispatches",
        says: "Another transaction held the data for longer than a second.",
        failures: 1,
      });
      await reader.query("COMMIT");
    } finally {
      reader.release(true);
    }
    expect(await retention().run()).toBe(1);
    expect(await monthExists("dispatch_2025_05")).toBe(false);
    expect(await listFaults(pool(), owner.workspaceId)).toEqual([]);
  });

  test("that was written to after it was closed is counted anew before it goes", async () => {
    await record("2025-06-03T10:00:00Z", "s");
    const month = { name: "dispatch_2025_06", from: new Date("2025-06-01"), to: new Date("2025-07-01") };
    const ask = (work: typeof lockMonth) => transaction(pool(), (client) => work(client, month));
    await transaction(pool(), (client) => watchMonthForChanges(client, month));
    expect(await ask(lockMonth)).toBe(true);
    await record("2025-06-04T10:00:00Z", "late");
    expect(await ask(lockMonth)).toBe(false);
    await setRetention(rig.db.database, admin, { ...FOREVER, dispatches: 30 });
    expect(await retention().run()).toBe(2);
    expect((await verified()).report.missing.count).toBe(0);
  });
});

describe("a rule that fails", () => {
  test("stops no other rule and no other workspace, is shown, and is tried again", async () => {
    const other = await rig.addOwner();
    const theirs = { ...admin, workspaceId: other.workspaceId };
    const fill = (workspaceId: string, at: string) =>
      pool().query(
        `INSERT INTO rollup_day (workspace_id, bucket, agent_id, agent_name, model_id)
         VALUES ($1, $2, gen_random_uuid(), 'a', '')`,
        [workspaceId, at],
      );
    await fill(owner.workspaceId, "2026-06-01T00:00:00Z");
    await fill(other.workspaceId, "2026-06-01T00:00:00Z");
    await record("2026-06-03T10:00:00Z", "old");
    for (const [who, kinds] of [
      [admin, { figures: 30, dispatches: 30 }],
      [theirs, { figures: 30 }],
    ] as const)
      await setRetention(rig.db.database, who, { ...FOREVER, ...kinds });
    await rig.db.owner.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF OLD.workspace_id = '${owner.workspaceId}' THEN RAISE EXCEPTION 'the disk is full'; END IF; RETURN OLD;
      END $$;
      CREATE TRIGGER refuse BEFORE DELETE ON rollup_day FOR EACH ROW EXECUTE FUNCTION refuse();`);
    const kept = async ({ workspaceId }: { workspaceId: string }) =>
      (await pool().query("SELECT FROM rollup_day WHERE workspace_id = $1 AND bucket < '2026-07-01'", [workspaceId]))
        .rowCount;
    await retention().run();
    await retention().run();
    expect(await countOf()).toBe(0);
    // Recording the dispatch made a second one.
    expect(await kept(owner)).toBe(2);
    expect(await kept(other)).toBe(0);
    expect(await listFaults(pool(), owner.workspaceId)).toEqual([
      {
        rule: "figures",
        says: "PostgreSQL answered: the disk is full",
        since: new Date(NOW),
        failedAt: new Date(NOW),
        failures: 2,
      },
    ]);
    expect(await listFaults(pool(), other.workspaceId)).toEqual([]);
    await rig.db.owner.query("DROP FUNCTION refuse CASCADE");
    await retention().run();
    expect(await kept(owner)).toBe(0);
    expect(await listFaults(pool(), owner.workspaceId)).toEqual([]);
    await setRetention(rig.db.database, theirs, FOREVER);
  });
});

test("what has a fixed period goes without a rule, in steps, and nothing younger does", async () => {
  const minutes = (from: string, count: number) =>
    pool().query(
      `INSERT INTO rollup_minute (workspace_id, bucket, agent_id, agent_name, model_id)
       SELECT $1, $2::timestamptz + interval '1 minute' * n, gen_random_uuid(), 'a', '' FROM generate_series(1, $3) AS n`,
      [owner.workspaceId, from, count],
    );
  await minutes("2026-08-01T00:00:00Z", 12_000);
  await minutes("2026-11-01T00:00:00Z", 10);
  await retention().run();
  const { rowCount } = await pool().query("SELECT FROM rollup_minute WHERE workspace_id = $1", [owner.workspaceId]);
  expect(rowCount).toBe(10);
});

test("counting what would go ends behind a bound", async () => {
  await rig.db.owner.query(
    `INSERT INTO hook_outcome SELECT $1, '2026-01-01', gen_random_uuid(), 0, gen_random_uuid(), 'a', 's', 'e', NULL, NULL, 'p', 1,
       'h', 'denied', false, false, NULL, NULL FROM generate_series(1, 100001)`,
    [owner.workspaceId],
  );
  const counted = await countRetention(pool(), owner.workspaceId, { ...FOREVER, activity: 30 }, NOW);
  expect(counted[1]).toEqual({ kind: "activity", drop: 100_000, held: 0, isMore: true });
});

test("raw capture is off, is on for as long as somebody said, and is off again by itself", async () => {
  const clock = stoppedClock(Date.now());
  const raw = createRawCapture({ db: rig.db.database, bus: rig.bus, log, clock });
  expect(raw.isOn(owner.workspaceId)).toBe(false);
  await raw.set(admin, { hours: 2, reason: "a bug in masking" });
  expect(raw.isOn(owner.workspaceId)).toBe(true);
  expect(raw.isOn(rig.workspaceId)).toBe(false);
  clock.advance(2 * 3_600_000);
  expect(raw.isOn(owner.workspaceId)).toBe(false);
  await raw.set(admin, { hours: null, reason: "found" });
  raw.close();
});

test("every setting is an entry with what was before; a webhook into the private network is refused", async () => {
  const rule = addressRule("none", "QUARTERDECK_ALLOW_PRIVATE_WEBHOOKS");
  const settings = { entries: 10, seconds: 60, webhookUrl: null };
  await setCheckpoints(rig.db.database, rule, admin, settings);
  await expect(
    setCheckpoints(rig.db.database, rule, admin, { ...settings, webhookUrl: "http://169.254.169.254/latest" }),
  ).rejects.toMatchObject({ code: "invalid_input" });
  for (const end of ["?token=hidden", "#hidden"])
    await expect(
      setCheckpoints(rig.db.database, rule, admin, { ...settings, webhookUrl: `https://example.com/hook${end}` }),
    ).rejects.toMatchObject({ code: "invalid_input", message: expect.stringContaining("from ? or # on") });
  const { rows } = await pool().query<{ changes: string }>(
    "SELECT changes FROM audit_entry WHERE workspace_id = $1 AND kind = 'checkpoints_configured'",
    [owner.workspaceId],
  );
  expect(rows.map(({ changes }) => JSON.parse(changes))).toEqual([
    { entries: { before: 1000, after: 10 }, seconds: { before: 300, after: 60 } },
  ]);
});
