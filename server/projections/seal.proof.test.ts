/** Figures whose log is gone, held against what was sealed of them. */
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { arbitraryDispatch } from "../../e2e/fixtures/arbitrary-dispatch.ts";
import { deliveryOf, type Owner, type RecordingRig, recordingRig, recordOf } from "../../e2e/fixtures/recording-rig.ts";
import * as ledger from "../costs/ledger/service.ts";
import { systemClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { inWorkspace } from "../platform/scope.ts";
import { createErasure } from "../record/erasure/erasure.ts";
import { requestErasure } from "../record/erasure/erasure-requests.ts";
import { createRetention } from "../record/retention/retention.ts";
import { checkDay } from "./check-day.ts";
import { noteFoldVersions } from "./fold-versions.ts";
import { withLogSnapshot } from "./repository.ts";
import type { DayCheck } from "./schema.ts";
import * as projections from "./service.ts";

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 8, 3, 22);
const DAYS = ["2026-09-03", "2026-09-04"] as const;
let rig: RecordingRig;
let owner: Owner;
beforeAll(async () => {
  rig = await recordingRig();
});
afterAll(() => rig.close());
beforeEach(async () => {
  owner = await rig.addOwner();
  await ask("INSERT INTO retention (workspace_id, kind, days) VALUES ($1, 'dispatches', 10)");
});

const log = createLog("silent");
const pool = () => rig.db.database.pool;
const ask = (text: string, values: unknown[] = []) => pool().query(text, [owner.workspaceId, ...values]);
/** As the owner, past what keeps the record from being changed. */
async function change(text: string, values: unknown[] = []): Promise<number> {
  return (await rig.db.owner.query(text, [owner.workspaceId, ...values])).rowCount ?? 0;
}

async function recordSome(count = 120): Promise<void> {
  for (const [at, { event, text, minute, isGate, more }] of fc
    .sample(arbitraryDispatch, { numRuns: count, seed: 20261103 })
    .entries()) {
    const delivery = deliveryOf(`${owner.agentId}${at}`, text);
    const occurredAt = new Date(START + minute * 60_000);
    void rig.recorder.record(recordOf(owner, event, text, { ...more, occurredAt, delivery }), isGate);
  }
  await rig.recorder.flush();
}
const call = (more: object, at = START) =>
  recordOf(owner, "after_llm_call", JSON.stringify({ session_id: "s", model_id: "a/m", ...more }), {
    occurredAt: new Date(at),
  });

async function retain(daysLater = 12): Promise<number> {
  const clock = { now: () => START + daysLater * DAY_MS, monotonic: () => 0 };
  return createRetention({ pool: pool(), log, clock }).run();
}
async function check(day: string = DAYS[0], nowMs?: number): Promise<DayCheck> {
  const checked = await withLogSnapshot(pool(), (reader) => checkDay(reader, owner.workspaceId, day, nowMs));
  if (checked === null) throw new Error("a check without a lock was refused one");
  return checked;
}
const states = async () => Promise.all(DAYS.map(async (day) => (await check(day)).state));
const kept = async () => (await ask("SELECT FROM dispatch WHERE workspace_id = $1")).rowCount;
async function seals() {
  const { rows } = await ask(
    "SELECT body FROM audit_entry WHERE workspace_id = $1 AND kind = 'projections_sealed' ORDER BY seq",
  );
  return rows.map(({ body }) => JSON.parse(body) as { day: string; state: string; tables: { rows: number }[] }); // its entry
}

describe("a day whose log retention took", () => {
  test("is as it was sealed, and never called equal to its log", async () => {
    await recordSome();
    expect(await states()).toEqual(["equal", "equal"]);
    await retain();
    expect(await kept()).toBe(0);
    expect(await seals()).toMatchObject(DAYS.map((day) => ({ day, state: "equal" })));
    expect((await seals()).flatMap(({ tables }) => tables).reduce((sum, { rows }) => sum + rows, 0)).toBeGreaterThan(
      300,
    );
    expect(await states()).toEqual(["sealed", "sealed"]);
    expect(await check()).toMatchObject({ seal: { state: "equal", differing: 0 }, differences: [], differing: 0 });
    expect(await projections.days(pool(), owner.workspaceId, "2026-09")).toEqual([...DAYS]);
    // A second run seals nothing again.
    await retain();
    expect(await seals()).toHaveLength(2);
  });

  test("names each row that is not as it was sealed, of rows, sums and sessions", async () => {
    await recordSome();
    const paid = call({ cost: 0.25, session_id: "paid" });
    await rig.recorder.record(paid, false);
    await retain();
    const instant = paid.occurredAt.toISOString().replace("Z", "000Z");
    const found = async () => (await check()).differences.map(({ table, kind, key }) => ({ table, kind, key }));
    await change("UPDATE llm_call SET cost_nano = cost_nano + 1 WHERE workspace_id = $1 AND dispatch_id = $2", [
      paid.id,
    ]);
    expect(await found()).toEqual([
      { table: "llm_call", kind: "differs", key: `occurred_at=${instant} dispatch_id=${paid.id}` },
    ]);
    await change("UPDATE llm_call SET cost_nano = cost_nano - 1 WHERE workspace_id = $1 AND dispatch_id = $2", [
      paid.id,
    ]);
    expect(await found()).toEqual([]);

    await change(
      "UPDATE rollup_day SET gates = gates + 1 WHERE workspace_id = $1 AND bucket = '2026-09-03' AND model_id = 'a/m'",
    );
    await change("DELETE FROM session WHERE workspace_id = $1 AND session_id = 'paid'");
    await change(
      `INSERT INTO tool_decision SELECT workspace_id, occurred_at, gen_random_uuid(), 'gate', agent_id, agent_name, session_id,
         'x', 'shell', NULL, 'deny', 'x', '', '' FROM llm_call WHERE workspace_id = $1 AND dispatch_id = $2`,
      [paid.id],
    );
    expect(await check()).toMatchObject({ state: "different", differing: 3 });
    expect(await found()).toEqual([
      { table: "tool_decision", kind: "extra", key: expect.stringContaining(`occurred_at=${instant}`) },
      {
        table: "rollup_day",
        kind: "differs",
        key: `bucket=2026-09-03T00:00:00.000000Z agent_id=${owner.agentId} model_id=a/m`,
      },
      { table: "session", kind: "missing", key: expect.stringMatching(/^sealed row [0-9a-f]{16}$/) },
    ]);
  });

  test("is named by the table where no list of its rows is left", async () => {
    await recordSome();
    await retain();
    await change("DELETE FROM projection_seal WHERE workspace_id = $1");
    expect((await check()).state).toBe("sealed");
    await change("UPDATE rollup_day SET gates = gates + 1 WHERE workspace_id = $1 AND bucket = '2026-09-03'");
    expect((await check()).differences).toMatchObject([
      { table: "rollup_day", key: "the table as a whole", stored: expect.stringContaining("SHA-256") },
    ]);
  });

  test("is a day still when all of its rows are gone", async () => {
    await recordSome();
    await retain();
    for (const table of ["rollup_minute", "rollup_hour", "rollup_day"])
      await change(`DELETE FROM ${table} WHERE workspace_id = $1`);
    expect(await projections.days(pool(), owner.workspaceId, undefined)).toEqual([...DAYS]);
    expect((await check()).state).toBe("different");
  });

  test("that differed from its log when it was sealed stays different", async () => {
    await recordSome();
    await change("UPDATE rollup_day SET gates = gates + 1 WHERE workspace_id = $1 AND bucket = '2026-09-03'");
    await retain();
    expect((await seals()).map(({ state }) => state)).toEqual(["different", "equal"]);
    const checked = await check();
    expect(checked).toMatchObject({ state: "different", differences: [], seal: { state: "different" } });
    expect(checked.differing).toBe(checked.seal?.differing);
  });
});

describe("what is done to sealed figures by right", () => {
  test("a correction of a cost leaves them sealed", async () => {
    const [paid, free] = [call({ cost: 0.5 }), call({}, START + 60_000)];
    for (const one of [paid, free]) await rig.recorder.record(one, false);
    await retain();
    const world = { db: rig.db.database, bus: rig.bus };
    const somebody = { kind: "script" as const, workspaceId: owner.workspaceId, id: "script", name: "ada" };
    for (const { occurredAt, id } of [paid, free])
      await ledger.correct(world, somebody, {
        call: { occurredAt, id },
        reason: "invoice",
        usd: "0.3",
        corrects: null,
      });
    expect(await check()).toMatchObject({ state: "sealed", differences: [] });
    await change("UPDATE rollup_hour SET cost_nano = cost_nano - 1 WHERE workspace_id = $1");
    expect((await check()).differences.map(({ table }) => table)).toEqual(["rollup_hour"]);
  });

  test("an erasure of a name or a session leaves them sealed", async () => {
    await recordSome(300);
    await retain();
    const admin = { kind: "script", id: "s", name: "ada", workspaceId: owner.workspaceId } as const;
    const names = async () =>
      (await ask("SELECT DISTINCT agent_name AS name FROM rollup_day WHERE workspace_id = $1")).rows;
    const before = await names();
    for (const what of [{ sessionId: "x" }, ...before.map(({ name }) => ({ agentName: String(name) }))]) {
      const asked = { sessionId: null, agentName: null, reason: "request 12", ...what };
      await inWorkspace(owner.workspaceId, () => requestErasure(rig.db.database, rig.bus, admin, asked));
      await createErasure({ pool: pool(), log, clock: systemClock }).run();
    }
    expect(await names()).not.toEqual(before);
    expect(await states()).toEqual(["sealed", "sealed"]);
  });

  test("a session that goes on is compared with a later day", async () => {
    await recordSome();
    await rig.recorder.record(call({ session_id: "long" }), false);
    await retain();
    await rig.recorder.record(call({ session_id: "long" }, START + 11 * DAY_MS), false);
    expect(await check()).toMatchObject({ state: "sealed", sessionsLeftOut: { continuing: 1 } });
  });

  test("an event that comes late is told apart, and sealed before it goes", async () => {
    await recordSome();
    await retain();
    for (const at of [0, 60_000]) await rig.recorder.record(call({ cost: 1, session_id: "late" }, START + at), false);
    expect(await check()).toMatchObject({ state: "sealed", dispatches: 2 });
    expect(await kept()).toBe(2);
    await retain();
    expect(await kept()).toBe(0);
    expect((await seals()).map(({ day }) => day)).toEqual([...DAYS, DAYS[0]]);
    expect(await check()).toMatchObject({ state: "sealed", dispatches: 0, seal: { state: "equal" } });
    await change("DELETE FROM llm_call WHERE workspace_id = $1 AND session_id = 'late'");
    expect(await check()).toMatchObject({ state: "different", differing: 2 });
    // Another late one does not make that good.
    await rig.recorder.record(call({ session_id: "later" }, START), false);
    await retain();
    expect(await seals()).toHaveLength(3);
    expect((await check()).state).toBe("different");
  });

  test("late runs of newer revisions leave the sums by revision sealed, and a changed count does not", async () => {
    const run = (revision: number) =>
      rig.recorder.record(
        recordOf(owner, "pre_tool_use", JSON.stringify({ session_id: "s", tool_name: "shell" }), {
          occurredAt: new Date(START),
          hooks: [
            {
              ...{ policy: "guard", revision, path: "hooks.pre_tool_use[0]", name: "no deletes", type: "command" },
              ...{ outcome: "completed", said: "nothing", startedMs: 0, durationMs: 5, stdout: "", stderr: "" },
            },
          ],
        }),
        false,
      );
    for (const revision of [1, 2, 2]) await run(revision);
    await retain();
    // Two of them take the slots of the sealed ones.
    for (const revision of [17, 33, 18, 2]) await run(revision);
    expect(await check()).toMatchObject({ state: "sealed", differences: [], dispatches: 4 });
    await change("UPDATE hook_revision_day SET earlier = earlier + 1 WHERE workspace_id = $1 AND slot = 1");
    expect((await check()).differences.map(({ table }) => table)).toEqual(["hook_revision_day"]);
  });

  test("sums that are kept for a while only are not missed, nor what another rule takes", async () => {
    await recordSome();
    await ask("INSERT INTO retention (workspace_id, kind, days) VALUES ($1, 'activity', 40)");
    const reasons = async (daysLater: number) => {
      await retain(daysLater);
      const { state, notCompared } = await check(DAYS[0], START + daysLater * DAY_MS);
      return [state, notCompared.map(({ table }) => table).sort()];
    };
    expect(await reasons(12)).toEqual(["sealed", []]);
    expect(await reasons(60)).toEqual([
      "sealed",
      ["compaction", "hook_outcome", "llm_call", "session", "tool_decision"],
    ]);
    const hours = ["decision_hour", "hook_hour", "judge_hour", "rollup_hour"];
    expect(await reasons(500)).toEqual([
      "sealed",
      [
        "compaction",
        ...hours.slice(0, 1),
        ...hours.slice(1, 2),
        "hook_outcome",
        "hook_revision_hour",
        "judge_hour",
        "llm_call",
        "rollup_hour",
        "session",
        "spend_hour",
        "tool_decision",
      ].sort(),
    ]);
    await change("UPDATE rollup_day SET gates = gates + 1 WHERE workspace_id = $1 AND bucket = '2026-09-03'");
    expect((await check(DAYS[0], START + 500 * DAY_MS)).state).toBe("different");
  });
});

test("what could not be sealed stays, and the settings page says why", async () => {
  await recordSome();
  await rig.db.owner.query(`
    CREATE FUNCTION refuse_seal() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the disk is full'; END $$;
    CREATE TRIGGER refuse_seal BEFORE INSERT ON projection_seal FOR EACH ROW EXECUTE FUNCTION refuse_seal();`);
  await retain();
  expect(await kept()).toBe(120);
  const { rows } = await ask("SELECT rule, says FROM retention_fault WHERE workspace_id = $1");
  expect(rows).toEqual([{ rule: "dispatches", says: "PostgreSQL answered: the disk is full" }]);
  await rig.db.owner.query("DROP FUNCTION refuse_seal CASCADE");
  await retain();
  expect(await kept()).toBe(0);
  expect(await states()).toEqual(["sealed", "sealed"]);
});

describe("a rule that changed", () => {
  test("makes rows from before it older, never altered ones; rows from behind it are compared", async () => {
    await recordSome();
    await change("UPDATE llm_call SET cost_nano = 1 WHERE workspace_id = $1");
    const changed = async () => (await check()).differences.map(({ table }) => table);
    expect(await changed()).toContain("llm_call");
    const since = (instant: string) =>
      rig.db.owner.query(
        `INSERT INTO projection_fold (table_name, version, since) VALUES ('llm_call', 1, $1)
         ON CONFLICT (table_name, version) DO UPDATE SET since = excluded.since`,
        [instant],
      );
    await since("2100-01-01");
    expect(await check()).toMatchObject({
      ...{ state: "older", differences: [], differing: 0 },
      notCompared: expect.arrayContaining([{ table: "llm_call", reason: expect.stringContaining("older rule") }]),
    });
    await since("2000-01-01");
    expect(await changed()).toContain("llm_call");
    await rig.db.owner.query("DELETE FROM projection_fold");
  });

  test("is noted once, at the start of whoever makes the rows", async () => {
    const versions = { rollup_day: 2, rollup_hour: 3, rollup_minute: 1 };
    await noteFoldVersions(pool(), versions);
    await noteFoldVersions(pool(), versions);
    const { rows } = await pool().query("SELECT table_name, version FROM projection_fold ORDER BY table_name");
    expect(rows).toEqual([
      { table_name: "rollup_day", version: 2 },
      { table_name: "rollup_hour", version: 3 },
    ]);
  });
});
