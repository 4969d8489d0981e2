import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Owner, type RecordingRig, recordingRig, recordOf } from "../../e2e/fixtures/recording-rig.ts";
import { projections as lookAt } from "../doctor/projections.ts";
import { transaction } from "../platform/db.ts";
import { createLog } from "../platform/log.ts";
import { LOCK } from "./check-repository.ts";
import { createProjectionChecks } from "./nightly.ts";

const NIGHT = Date.UTC(2026, 10, 5, 1);
let rig: RecordingRig;
let owner: Owner;
beforeAll(async () => {
  rig = await recordingRig();
});
afterAll(() => rig.close());
beforeEach(async () => {
  owner = await rig.addOwner();
});

const ask = async (text: string) => (await rig.db.database.pool.query(text, [owner.workspaceId])).rows;
const at = (nowMs: number) =>
  createProjectionChecks({
    pool: rig.db.database.pool,
    log: createLog("silent"),
    clock: { now: () => nowMs, monotonic: () => 0 },
  });
const audited = async () =>
  (await ask("SELECT body FROM audit_entry WHERE workspace_id = $1 AND kind = 'projections_checked' ORDER BY seq")).map(
    ({ body }) => JSON.parse(body),
  );
const finding = (nowMs: number) => lookAt(rig.db.database, owner.workspaceId, new Date(nowMs));
const recordAt = (day: number) =>
  rig.recorder.record(
    recordOf(owner, "pre_tool_use", '{"session_id":"s","tool_name":"shell"}', {
      ...{ verdict: "deny", occurredAt: new Date(Date.UTC(2026, 10, day, 12)) },
    }),
    true,
  );

test("a closed day is checked once, with an entry in the chain when anything happened on it", async () => {
  await recordAt(4);
  await recordAt(5);
  expect(await finding(NIGHT)).toMatchObject({ state: "ok" });
  // Half an hour after midnight the day is not closed.
  await at(NIGHT - 1_800_000).run();
  expect(await audited()).toEqual([]);
  await at(NIGHT).run();
  await at(NIGHT).run();
  expect(await audited()).toMatchObject([{ day: "2026-11-04", state: "equal", dispatches: 1, differing: 0, older: 0 }]);
  const rows = await ask(
    "SELECT day::text, state FROM projection_check WHERE workspace_id = $1 ORDER BY day DESC LIMIT 2",
  );
  expect(rows).toEqual([
    { day: "2026-11-04", state: "equal" },
    { day: "2026-11-03", state: "equal" },
  ]);
  expect(await finding(NIGHT)).toMatchObject({ state: "ok", says: expect.stringContaining("2026-11-04") });
  expect(await finding(NIGHT + 4 * 86_400_000)).toMatchObject({ state: "warning" });
});

test("a difference is said in the chain and by the doctor, until it is gone", async () => {
  await recordAt(4);
  await ask("UPDATE rollup_day SET dispatches = 2 WHERE workspace_id = $1");
  await at(NIGHT).run();
  expect(await finding(NIGHT)).toMatchObject({
    state: "failure",
    says: "1 row of figures differs from the log: 2026-11-04.",
  });
  const next = NIGHT + 86_400_001;
  await at(next).run();
  expect(await audited()).toMatchObject([{ state: "different", differing: 1 }]);
  await ask("UPDATE rollup_day SET dispatches = 1 WHERE workspace_id = $1");
  await at(next + 86_400_001).run();
  expect(await audited()).toMatchObject([{ state: "different" }, { day: "2026-11-04", state: "equal", differing: 0 }]);
  expect(await finding(next + 86_400_001)).toMatchObject({ state: "ok" });
});

test("one node at a time checks", async () => {
  await recordAt(4);
  const checked = await transaction(rig.db.database.pool, async (client) => {
    await client.query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
    return at(NIGHT).run();
  });
  expect(checked).toBe(0);
  expect(await at(NIGHT).run()).toBeGreaterThan(0);
});
