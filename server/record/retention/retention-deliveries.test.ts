/** For how long a name is remembered: over a month's end, for the retry window, and no longer than its dispatch. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  deliveryOf,
  type Owner,
  type RecordingRig,
  recordingRig,
  recordOf,
} from "../../../e2e/fixtures/recording-rig.ts";
import type { Administrator } from "../../access/actor.ts";
import { stoppedClock } from "../../platform/clock.ts";
import { createLog } from "../../platform/log.ts";
import { setRetention } from "../settings.ts";
import { createRetention } from "./retention.ts";
import { RETRY_WINDOW_DAYS } from "./retention-deliveries.ts";

const NOW = Date.parse("2026-11-20T12:00:00Z");
const DAY_MS = 86_400_000;
const log = createLog("silent");
let rig: RecordingRig;
let owner: Owner;
beforeAll(async () => {
  rig = await recordingRig();
});
beforeEach(async () => {
  owner = await rig.addOwner();
});
afterAll(() => rig?.close());

const report = (name: string, at: string, of: Owner = owner) =>
  rig.recorder.record(
    recordOf(of, "stop", `{"session_id":"${name}"}`, {
      occurredAt: new Date(at),
      delivery: deliveryOf(name, `{"session_id":"${name}"}`),
    }),
    false,
  );
const runRetention = () => createRetention({ pool: rig.db.database.pool, log, clock: stoppedClock(NOW) }).run();
/** The names came so many days before now. */
const date = (days: number, where = "true") =>
  rig.db.owner.query(`UPDATE delivery SET received_at = $2 WHERE workspace_id = $1 AND ${where}`, [
    owner.workspaceId,
    new Date(NOW - days * DAY_MS),
  ]);
const countOf = async (table: string, of: Owner = owner): Promise<number> =>
  (await rig.db.owner.query(`SELECT count(*)::int AS n FROM ${table} WHERE workspace_id = $1`, [of.workspaceId]))
    .rows[0].n;

test("an event that comes again on the other side of a month's end is the same event, whichever instant it is dated", async () => {
  const names = Array.from({ length: 40 }, (_, index) => `event ${index}`);
  const [before, after] = ["2026-10-31T23:59:59.999Z", "2026-11-01T00:00:00.000Z"];
  for (const name of names) expect(await report(name, before)).toEqual({ kind: "stored" });
  // At once, in one batch, and each by itself.
  const together = await Promise.all(names.map((name) => report(name, after)));
  for (const name of names) together.push(await report(name, "2027-01-01T00:00:00Z"));
  expect(new Set(together.map(({ kind }) => kind))).toEqual(new Set(["repeated"]));
  expect([await countOf("dispatch"), await countOf("delivery")]).toEqual([names.length, names.length]);
  const parts = await rig.db.owner.query("SELECT DISTINCT tableoid FROM delivery WHERE workspace_id = $1", [
    owner.workspaceId,
  ]);
  expect(parts.rowCount).toBeGreaterThan(8);
  // In either order.
  expect(await report("late", after)).toEqual({ kind: "stored" });
  expect(await report("late", before)).toMatchObject({ kind: "repeated" });
});

test("a name is remembered for the retry window after it came, however old its event, and then forgotten", async () => {
  await report("old event", "2020-01-01T00:00:00Z");
  await report("old name", "2026-11-01T00:00:00Z");
  await date(RETRY_WINDOW_DAYS, "true");
  await runRetention();
  expect(await report("old event", "2020-01-01T00:00:00Z")).toMatchObject({ kind: "repeated" });
  await date(RETRY_WINDOW_DAYS + 1, "occurred_at > '2026-01-01'");
  await runRetention();
  expect(await report("old event", "2020-01-01T00:00:00Z")).toMatchObject({ kind: "repeated" });
  expect(await report("old name", "2026-11-01T00:00:00Z")).toEqual({ kind: "stored" });
  expect(await countOf("dispatch")).toBe(3);
});

test("many go in steps, and none of those that are kept", async () => {
  const insert = (days: number, count: number) =>
    rig.db.owner.query(
      `INSERT INTO delivery (workspace_id, agent_id, event_id, body_sha256, occurred_at, dispatch_id, received_at)
       SELECT $1, $2, gen_random_uuid(), '', $3, gen_random_uuid(), $3 FROM generate_series(1, $4)`,
      [owner.workspaceId, owner.agentId, new Date(NOW - days * DAY_MS), count],
    );
  await insert(RETRY_WINDOW_DAYS + 30, 90_000);
  await insert(1, 500);
  await runRetention();
  expect(await countOf("delivery")).toBe(500);
});

test("it is forgotten with its dispatch, and nobody else's is", async () => {
  const other = await rig.addOwner();
  for (let index = 0; index < 30; index += 1) {
    await report(`aged ${index}`, "2026-08-10T00:00:00Z");
    await report(`aged ${index}`, "2026-08-10T00:00:00Z", other);
    await report(`recent ${index}`, "2026-11-19T00:00:00Z");
  }
  const admin: Administrator = { kind: "script", id: "s", name: "ada", workspaceId: owner.workspaceId };
  const forever = { dispatches: null, activity: null, judge_calls: null, figures: null };
  await setRetention(rig.db.database, admin, { ...forever, dispatches: 10 });
  await runRetention();
  await setRetention(rig.db.database, admin, forever);
  expect([await countOf("delivery"), await countOf("delivery", other)]).toEqual([30, 30]);
  expect(await report("aged 1", "2026-08-10T00:00:00Z")).toEqual({ kind: "stored" });
  expect(await report("recent 1", "2026-11-19T00:00:00Z")).toMatchObject({ kind: "repeated" });
});

test("sessions of one workspace go without those that stand at the same places of other partitions", async () => {
  const others = await Promise.all(Array.from({ length: 40 }, () => rig.addOwner()));
  for (const who of [owner, ...others]) await report("s", "2026-08-10T00:00:00Z", who);
  const admin: Administrator = { kind: "script", id: "s", name: "ada", workspaceId: owner.workspaceId };
  const forever = { dispatches: null, activity: null, judge_calls: null, figures: null };
  await setRetention(rig.db.database, admin, { ...forever, activity: 10 });
  await runRetention();
  await setRetention(rig.db.database, admin, forever);
  expect(await countOf("session")).toBe(0);
  for (const who of others) expect(await countOf("session", who)).toBe(1);
});
