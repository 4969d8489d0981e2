import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Owner, type RecordingRig, recordingRig, recordOf } from "../../e2e/fixtures/recording-rig.ts";
import type { Administrator } from "../access/actor.ts";
import { publicKeyOf } from "../audit/checkpoint.ts";
import { tell } from "../audit/report.ts";
import { stoppedClock, systemClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { addressRule } from "../platform/outgoing/address-rule.ts";
import { openSecrets, type Secrets } from "../platform/secrets.ts";
import { checkpointFile, readCheckpoints } from "./checkpoint-file.ts";
import { createCheckpointer } from "./checkpoints.ts";
import { erase } from "./erase.ts";
import { createRawCapture } from "./raw-capture.ts";
import { countRetention, createRetention } from "./retention.ts";
import { placeHold, releaseHold, setCheckpoints, setRetention } from "./settings.ts";
import { verifyStored } from "./verify-stored.ts";

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
  const key = publicKeyOf(secrets.signingPublicKey.export({ type: "spki", format: "pem" }).toString());
  const outside = await readCheckpoints(checkpointFile(checkpointer.dir, owner.workspaceId));
  const report = await verifyStored(rig.db.database, owner.workspaceId, { keys: key ? [key] : [], outside });
  return { report, ...tell(report) };
}

describe("what is older than it is kept", () => {
  test("goes, the record stays whole, and says what is not held any more", async () => {
    for (const at of ["2026-08-03T10:00:00Z", "2026-08-20T10:00:00Z", "2026-11-01T10:00:00Z", "2026-11-19T10:00:00Z"])
      await record(at, "s");
    await setRetention(rig.db.database, admin, { ...FOREVER, dispatches: 10 });
    const counted = await countRetention(pool(), owner.workspaceId, { ...FOREVER, dispatches: 10 }, NOW);
    expect(counted[0]).toEqual({ kind: "dispatches", drop: 3, held: 0 });
    expect(await retention().run()).toBe(3);
    expect(await countOf()).toBe(1);
    const { report, altered, missing, notes } = await verified();
    expect(report.altered.count + report.missing.count).toBe(0);
    expect(altered[0]).toMatch(/^Nothing was altered/);
    expect(missing[0]).toMatch(/^Nothing is missing/);
    expect(notes).toContain("3 dispatches are not held any more, by retention.");
    // What retention did not drop is still missed.
    await pool().query("DELETE FROM dispatch WHERE workspace_id = $1", [owner.workspaceId]);
    expect((await verified()).report.missing.count).toBe(1);
  });

  test("cannot hide one row more than was dropped", async () => {
    for (const at of ["2026-09-03T10:00:00Z", "2026-09-04T10:00:00Z"]) await record(at, "gone");
    await record("2026-09-05T10:00:00Z", "kept");
    await placeHold(rig.db.database, admin, {
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
    const { id } = await placeHold(rig.db.database, admin, {
      reason: "case 8",
      agentId: owner.agentId,
      sessionId: "held",
      from: new Date("2026-07-01T00:00:00Z"),
      to: null,
    });
    await setRetention(rig.db.database, admin, { ...FOREVER, dispatches: 30 });
    const counted = await countRetention(pool(), owner.workspaceId, { ...FOREVER, dispatches: 30 }, NOW);
    expect(counted[0]).toEqual({ kind: "dispatches", drop: 1, held: 1 });
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

describe("erasing a session", () => {
  test("takes every word of it, keeps the chain whole, and is decided anew when it is sent again", async () => {
    const when = "2026-11-18T10:00:00Z";
    await record(when, "person", "a name and an address");
    await record(when, "other", "stays");
    const done = await erase(rig.db.database, admin, { sessionId: "person", agentName: null, reason: "request 12" });
    expect(done).toEqual({ erased: 1, held: 0 });
    const { rows } = await pool().query<{ text: string }>(
      "SELECT dispatch::text AS text FROM dispatch WHERE workspace_id = $1",
      [owner.workspaceId],
    );
    expect(rows.map(({ text }) => text).join()).not.toContain("a name and an address");
    expect(rows.map(({ text }) => text).join()).toContain("stays");
    const { report, notes } = await verified();
    expect(report.altered.count + report.missing.count).toBe(0);
    expect(notes).toContain("1 dispatch has no content any more: it was erased on request.");
    // Erased or not, what is left of the row is still under its leaf.
    await pool().query("UPDATE dispatch SET verdict = 'allow' WHERE session_id = 'person' AND workspace_id = $1", [
      owner.workspaceId,
    ]);
    expect((await verified()).report.altered.findings[0]?.says).toContain("is not what was recorded");
  });

  test("leaves alone what a hold covers, and says so", async () => {
    await record("2026-11-18T10:00:00Z", "both");
    await placeHold(rig.db.database, admin, {
      reason: "case 9",
      agentId: null,
      sessionId: "both",
      from: null,
      to: null,
    });
    const done = await erase(rig.db.database, admin, { sessionId: "both", agentName: null, reason: "request 13" });
    expect(done).toEqual({ erased: 0, held: 1 });
  });

  test("of nobody is refused", async () => {
    const asked = erase(rig.db.database, admin, { sessionId: null, agentName: null, reason: "x" });
    await expect(asked).rejects.toMatchObject({ code: "invalid_input" });
  });
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
