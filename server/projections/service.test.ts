import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { arbitraryDispatch } from "../../e2e/fixtures/arbitrary-dispatch.ts";
import {
  deliveryOf,
  type Owner,
  type RecordingRig,
  recordedSessionsAreThere,
  recordingRig,
  recordOf,
  recordSessions,
} from "../../e2e/fixtures/recording-rig.ts";
import * as ledger from "../costs/ledger/service.ts";
import { systemClock } from "../platform/clock.ts";
import { flight } from "../platform/db.ts";
import { uuidv7 } from "../platform/ids.ts";
import { createLog } from "../platform/log.ts";
import { inWorkspace } from "../platform/scope.ts";
import { createErasure } from "../record/erasure/erasure.ts";
import { requestErasure } from "../record/erasure/erasure-requests.ts";
import { createRetention } from "../record/retention/retention.ts";
import { type DispatchRecord, writeShadowJudgeCalls } from "../recording/index.ts";
import type { DayCheck, Difference } from "./schema.ts";
import * as projections from "./service.ts";

const START = Date.UTC(2026, 10, 3, 22);
let rig: RecordingRig;
let owner: Owner;
beforeAll(async () => {
  rig = await recordingRig();
});
afterAll(() => rig.close());
beforeEach(async () => {
  owner = await rig.addOwner();
});

type Given = typeof arbitraryDispatch extends fc.Arbitrary<infer T> ? T : never;
interface Recordable {
  readonly record: DispatchRecord;
  readonly isGate: boolean;
}

/** Around a midnight, so that sessions and sums are of two days; by two agents. */
async function recordsOf(given: readonly Given[]): Promise<Recordable[]> {
  const other = await rig.addOwner(owner.workspaceId);
  return given.map(({ event, text, minute, isGate, more }, at) => {
    const occurredAt = new Date(START + minute * 60_000);
    const by = at % 5 === 0 ? other : owner;
    return {
      record: recordOf(by, event, text, {
        ...more,
        ...(at % 3 > 0 && { principal: principalOf(by) }),
        occurredAt,
        delivery: deliveryOf(`${by.agentId}${at}`, text),
      }),
      isGate,
    };
  });
}

const principalOf = ({ agentId: id }: Owner) => ({ certainty: "stated", id, source: "console" }) as const;

const record = ({ record: one, isGate }: Recordable) => rig.recorder.record(one, isGate);
const some = (count: number) => fc.sample(arbitraryDispatch, { numRuns: count, seed: 20261103 });
const recordSome = async (count: number) => {
  for (const one of await recordsOf(some(count))) void record(one);
  await rig.recorder.flush();
};
const ask = (text: string, values: unknown[] = []) => rig.db.database.pool.query(text, [owner.workspaceId, ...values]);

async function checks(): Promise<DayCheck[]> {
  const { pool } = rig.db.database;
  const days = await projections.days(pool, owner.workspaceId, undefined);
  const all: DayCheck[] = [];
  for (const day of days) all.push(await projections.check(pool, owner.workspaceId, day));
  return all;
}
const differences = async (): Promise<Difference[]> => (await checks()).flatMap((check) => check.differences);
const stateOf = async () => (await checks()).map(({ state }) => state);

describe("figures of every kind of record", () => {
  test("are what the log gives, of every table", async () => {
    await recordSome(400);
    const all = await checks();
    expect(all.flatMap((check) => check.differences)).toEqual([]);
    expect(all.map(({ day, state }) => ({ day, state }))).toEqual([
      { day: "2026-11-03", state: "equal" },
      { day: "2026-11-04", state: "equal" },
    ]);
    expect(all.reduce((sum, { dispatches }) => sum + dispatches, 0)).toBe(400);
    const compared = new Map<string, number>();
    for (const { table, compared: count } of all.flatMap(({ tables }) => tables))
      compared.set(table, (compared.get(table) ?? 0) + count);
    expect(compared.size).toBe(21);
    for (const [table, count] of compared) expect(count, table).toBeGreaterThan(0);
  });

  test("are checked for two who ask at once; a third is told to wait, and is served when they are done", async () => {
    await recordSome(20);
    const check = () => projections.check(rig.db.database.pool, owner.workspaceId, "2026-11-04");
    const asked = await Promise.allSettled([check(), check(), check()]);
    expect(asked.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
    expect(asked[2]).toMatchObject({ reason: { code: "busy" } });
    expect(await check()).toMatchObject({ state: "equal" });
  });

  test("are equal in any order of arrival, and when deliveries come twice", async () => {
    const several = fc.array(arbitraryDispatch, { minLength: 5, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(several, fc.infiniteStream(fc.nat()), async (given, dice) => {
        owner = await rig.addOwner();
        const records = await recordsOf(given);
        const twice = [...records, ...records.filter((_, at) => at % 3 === 0)];
        const order = twice.map((one) => ({ one, at: dice.next().value ?? 0 })).sort((a, b) => a.at - b.at);
        for (const { one, at } of order) {
          const recorded = record(at % 2 === 0 ? one : { ...one, record: { ...one.record, id: uuidv7() } });
          // Some alone, some together with others in one batch.
          if (at % 4 === 0) await recorded;
        }
        await rig.recorder.flush();
        expect(await differences()).toEqual([]);
      }),
      { numRuns: 15 },
    );
  });

  test("are equal while others are recorded", async () => {
    const records = await recordsOf(some(200));
    const [first, ...rest] = records;
    if (first) await record(first);
    const recorded = rest.map(record);
    const seen = [await differences(), await differences(), await differences()];
    await Promise.all(recorded);
    expect([...seen, await differences()]).toEqual([[], [], [], []]);
  });

  test.skipIf(!recordedSessionsAreThere)("are equal for the recorded sessions", { timeout: 120_000 }, async () => {
    await recordSessions({ ...owner, recorder: rig.recorder }, new Date(START));
    await rig.recorder.flush();
    const all = await checks();
    expect(all.flatMap((check) => check.differences)).toEqual([]);
    expect(new Set(all.map(({ state }) => state))).toEqual(new Set(["equal"]));
    expect(all.reduce((sum, { dispatches }) => sum + dispatches, 0)).toBeGreaterThan(1_000);
  });
});

const call = (more: object, at = START) =>
  recordOf(owner, "after_llm_call", JSON.stringify({ session_id: "s", model_id: "a/m", ...more }), {
    occurredAt: new Date(at),
  });

describe("a stored row that is not what the log gives", () => {
  test("is named by its table and key, and nothing else is", async () => {
    await recordSome(400);
    const paid = call({ cost: 0.25, usage: { input_tokens: 7 } });
    await rig.recorder.record(paid, false);
    await ask("UPDATE llm_call SET cost_nano = cost_nano + 1 WHERE workspace_id = $1 AND dispatch_id = $2", [paid.id]);
    const at = "2026-11-03T22:00:00.000000Z";
    const { rows: before } = await ask(
      `UPDATE rollup_hour SET input_tokens = input_tokens + 1 WHERE workspace_id = $1 AND bucket = $2 AND model_id = 'a/m'
       RETURNING input_tokens`,
      [at],
    );
    const { rows: gone } = await ask(
      `DELETE FROM session WHERE workspace_id = $1 AND session_id = 'x' AND agent_id = $2 RETURNING session_id`,
      [owner.agentId],
    );
    const stray = uuidv7();
    await ask(
      `INSERT INTO tool_decision SELECT workspace_id, occurred_at, $2::uuid, 'gate', agent_id, agent_name, session_id, event,
         'shell', NULL, 'deny', 'x', '', '' FROM dispatch WHERE workspace_id = $1 AND id = $3`,
      [stray, paid.id],
    );
    expect([before.length, gone.length]).toEqual([1, 1]);
    const found = await differences();
    const instant = paid.occurredAt.toISOString().replace("Z", "000Z");
    expect(found.sort((a, b) => (a.table < b.table ? -1 : 1))).toEqual([
      {
        ...{ table: "llm_call", kind: "differs", column: "cost_nano", stored: "250000001", computed: "250000000" },
        key: `occurred_at=${instant} dispatch_id=${paid.id}`,
      },
      {
        ...{ table: "rollup_hour", kind: "differs", column: "input_tokens" },
        ...{ stored: before[0]?.input_tokens, computed: String(Number(before[0]?.input_tokens) - 1) },
        key: `bucket=${at} agent_id=${owner.agentId} agent_name=tester model_id=a/m`,
      },
      {
        ...{ table: "session", kind: "missing", column: null, stored: null, computed: null },
        key: `agent_id=${owner.agentId} session_id=x`,
      },
      {
        ...{ table: "tool_decision", kind: "extra", column: null, stored: null, computed: null },
        key: `occurred_at=${instant} dispatch_id=${stray}`,
      },
    ]);
  });

  test("is counted when there are more of them than are listed", async () => {
    await recordSome(200);
    const { rowCount } = await ask("UPDATE tool_decision SET source = 'nobody' WHERE workspace_id = $1");
    const all = await checks();
    expect(all.reduce((sum, { differing }) => sum + differing, 0)).toBe(rowCount);
    for (const { differences: first } of all) expect(first.length).toBeLessThanOrEqual(20);
  });

  test("may be the log's own: facts that cannot be read are named, and their day is not equal", async () => {
    const paid = call({ cost: 1 });
    await rig.recorder.record(paid, false);
    await ask("UPDATE dispatch SET facts = '{' WHERE workspace_id = $1");
    expect(await checks()).toMatchObject([
      { state: "different", differences: [{ table: "dispatch", kind: "unreadable", column: "facts" }] },
    ]);
  });
});

describe("what is done to figures and contents by right", () => {
  test("corrections of costs stay equal, also of calls that had no price or were free", async () => {
    const calls = [call({ cost: 0.5 }), call({ cost: 0 }), call({}), call({ cost: 0.1 }, START + 5 * 3_600_000)];
    for (const one of calls) await rig.recorder.record(one, false);
    const world = { db: rig.db.database, bus: rig.bus };
    const somebody = { kind: "script" as const, workspaceId: owner.workspaceId, id: "script", name: "ada" };
    for (const { occurredAt, id } of calls) {
      const of = { call: { occurredAt, id }, reason: "invoice" };
      const { entryId } = await ledger.correct(world, somebody, { ...of, usd: "0.3", corrects: null });
      await ledger.correct(world, somebody, { ...of, usd: "0", corrects: entryId });
    }
    expect(await differences()).toEqual([]);
    await ask("UPDATE rollup_day SET cost_nano = cost_nano - 1 WHERE workspace_id = $1");
    expect((await differences()).map(({ table, column }) => `${table}.${column}`)).toEqual([
      "rollup_day.cost_nano",
      "rollup_day.cost_nano",
    ]);
  });

  test("erased contents stay equal", async () => {
    await recordSome(300);
    const admin = { kind: "script", id: "s", name: "ada", workspaceId: owner.workspaceId } as const;
    const { pool } = rig.db.database;
    const erase = async (what: { sessionId?: string; agentName?: string }) => {
      const asked = { sessionId: null, agentName: null, reason: "request 12", ...what };
      await inWorkspace(owner.workspaceId, () => requestErasure(rig.db.database, rig.bus, admin, asked));
      await createErasure({ pool, log: createLog("silent"), clock: systemClock }).run();
      const { rows } = await pool.query("SELECT id FROM dispatch WHERE workspace_id = $1 AND erased_at IS NOT NULL", [
        owner.workspaceId,
      ]);
      return rows.length;
    };
    const ofSession = await erase({ sessionId: "x" });
    expect(ofSession).toBeGreaterThan(5);
    expect(await differences()).toEqual([]);

    // An agent's name stays in the log, and stands nowhere else any more.
    const { rows: named } = await pool.query<{ name: string }>(
      "SELECT agent_name AS name FROM dispatch WHERE workspace_id = $1 GROUP BY 1 ORDER BY count(*) DESC LIMIT 1",
      [owner.workspaceId],
    );
    expect(await erase({ agentName: named[0]?.name ?? "" })).toBeGreaterThan(ofSession);
    const { rows: kept } = await pool.query("SELECT FROM rollup_day WHERE workspace_id = $1 AND agent_name = $2", [
      owner.workspaceId,
      named[0]?.name,
    ]);
    expect(kept).toEqual([]);
    expect(await differences()).toEqual([]);
  });

  test("judges of observed policies are part of the sums, and of no difference", async () => {
    const judged = recordOf(owner, "pre_tool_use", '{"session_id":"s","tool_name":"shell"}', {
      occurredAt: new Date(START),
    });
    await rig.recorder.record(judged, true);
    const judge = { model: "openai/m", costNano: "1200", usage: { inputTokens: 9, outputTokens: 2 } };
    const hook = {
      ...{
        policy: "observed",
        revision: 1,
        path: "pre_tool_use/0",
        name: "check",
        type: "model",
        outcome: "completed",
      },
      ...{ said: "deny", startedMs: 0, durationMs: 1, stdout: "", stderr: "", judge },
    };
    await flight(rig.db.database.pool, async (send) =>
      writeShadowJudgeCalls(send, [{ record: { ...judged, hooks: [hook] }, place: 0 }]),
    );
    expect(await differences()).toEqual([]);
    await ask("UPDATE judge_hour SET calls = 2 WHERE workspace_id = $1");
    expect(await differences()).toMatchObject([{ table: "judge_hour", column: "calls", stored: "2", computed: "1" }]);
  });
});

describe("what cannot be rebuilt", () => {
  test("rows of the rule before facts are counted, and their buckets and sessions left out", async () => {
    const [old, young] = [call({ cost: 1, session_id: "old" }), call({ cost: 2 }, START + 7_200_000 + 60_000)];
    for (const one of [old, young]) await rig.recorder.record(one, false);
    await ask("UPDATE dispatch SET facts = NULL WHERE workspace_id = $1 AND id = $2", [old.id]);
    await ask("UPDATE llm_call SET cost_nano = 7 WHERE workspace_id = $1 AND dispatch_id = $2", [old.id]);
    await ask("UPDATE session SET cost_nano = 7 WHERE workspace_id = $1 AND session_id = 'old'");
    await ask("UPDATE rollup_minute SET cost_nano = 7 WHERE workspace_id = $1 AND bucket = $2", [old.occurredAt]);
    expect(await checks()).toMatchObject([
      {
        day: "2026-11-03",
        state: "older",
        older: { rows: 1, minutes: 1, hours: 1 },
        sessionsLeftOut: { incomplete: 1 },
      },
      { day: "2026-11-04", state: "equal", older: { rows: 0 }, differing: 0 },
    ]);
  });

  test("a day whose log is gone by retention is not compared, and never called equal", async () => {
    await recordSome(60);
    await ask("INSERT INTO retention (workspace_id, kind, days) VALUES ($1, 'dispatches', 10)");
    const clock = { now: () => START + 11 * 86_400_000, monotonic: () => 0 };
    const { pool } = rig.db.database;
    const retention = createRetention({ pool, log: createLog("silent"), clock });
    expect(await retention.run()).toBeGreaterThan(0);
    // As by a version that sealed nothing.
    await rig.db.owner.query("ALTER TABLE audit_entry DISABLE TRIGGER USER");
    await rig.db.owner.query(
      "UPDATE audit_entry SET kind = 'none' WHERE workspace_id = $1 AND kind = 'projections_sealed'",
      [owner.workspaceId],
    );
    await rig.db.owner.query("ALTER TABLE audit_entry ENABLE TRIGGER USER");
    await ask("UPDATE rollup_day SET dispatches = 0 WHERE workspace_id = $1");
    expect(await stateOf()).toContain("gone");
    expect(await projections.check(pool, owner.workspaceId, "2026-11-03")).toMatchObject({ state: "gone", tables: [] });
  });
});
