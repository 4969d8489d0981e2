import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import type { Administrator } from "../access/actor.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { createBus } from "../events/index.ts";
import { stoppedClock } from "../platform/clock.ts";
import { uuidv7 } from "../platform/ids.ts";
import { createLog } from "../platform/log.ts";
import { inWorkspace } from "../platform/scope.ts";
import { LATENCY_ERROR, latencyBucket } from "../recording/latency.ts";
import { measure } from "./measure.ts";
import { preview } from "./preview.ts";
import { type SaveAlert, saveAlert } from "./schema.ts";
import * as service from "./service.ts";

let at: TestDatabase;
let actor: Administrator;
let bus: ReturnType<typeof createBus>;
const log = createLog("silent");
const MINUTE = 60_000;
/** A whole minute, well before now. */
const start = Math.floor(Date.now() / MINUTE) * MINUTE - 300 * MINUTE;
let clock = stoppedClock(start);

beforeAll(async () => {
  at = await testDatabase();
  bus = createBus(at.url, log);
  const workspaceId = uuidv7();
  await at.database.pool.query("INSERT INTO workspace (id, name) VALUES ($1, 'test')", [workspaceId]);
  await at.database.pool.query("INSERT INTO audit_head (workspace_id) VALUES ($1)", [workspaceId]);
  actor = { kind: "script", workspaceId, id: "test", name: "ada" };
});
afterAll(async () => {
  await bus.close();
  await at.drop();
});
beforeEach(async () => {
  clock = stoppedClock(start);
  for (const table of ["alert_rule", "rollup_minute", "webhook"]) await at.database.pool.query(`DELETE FROM ${table}`);
  await at.database.pool.query(
    `INSERT INTO webhook (workspace_id, id, url, kinds, is_enabled, secret, secret_set_at, updated_by)
     VALUES ($1, $2, 'https://example.com', '{alert.fired,alert.resolved}', true, '', now(), 'ada')`,
    [actor.workspaceId, uuidv7()],
  );
});

const mailer = { send: async () => false };
const node = () => service.createAlerts({ db: at.database, bus, log, mailer, url: "http://here", clock });
const rule = (over: Partial<SaveAlert> = {}): SaveAlert =>
  saveAlert.parse({
    name: "denials",
    measure: "gate_denied",
    agentId: null,
    groupId: null,
    modelId: null,
    windowMinutes: 5,
    comparison: "above",
    threshold: 10n,
    forMinutes: 0,
    severity: "warning",
    emails: [],
    isEnabled: true,
    ...over,
  });
const agent = uuidv7();
/** Stores the counts of the minute that begins `offset` minutes after the start. */
async function happened(offset: number, counts: Readonly<Record<string, number>>): Promise<void> {
  const names = Object.keys(counts);
  await at.database.pool.query(
    `INSERT INTO rollup_minute (workspace_id, bucket, agent_id, agent_name, model_id, ${names.join(", ")})
     VALUES ($1, $2, $3, 'a', '', ${Object.values(counts).join(", ")})`,
    [actor.workspaceId, new Date(start + offset * MINUTE), agent],
  );
}
const toMinute = (offset: number) => clock.advance(start + offset * MINUTE - clock.now());
const notified = async () =>
  (await at.database.pool.query<{ kind: string }>("SELECT kind FROM webhook_delivery ORDER BY at, kind")).rows.map(
    ({ kind }) => kind,
  );
const listed = async () => (await service.list(at.database, actor.workspaceId)).rows[0];

test("an alert fires once and resolves once, however many nodes look", async () => {
  await service.save({ db: at.database, bus }, actor, rule({ forMinutes: 1 }));
  for (let minute = 0; minute < 20; minute += 1)
    await happened(minute, { gate_denied: minute < 4 ? 6 : 0, dispatches: 9 });
  const nodes = [node(), node(), node()];
  for (let minute = 1; minute <= 15; minute += 1) {
    toMinute(minute);
    const looked = await Promise.all(nodes.map((one) => one.tick()));
    expect(looked.reduce((sum, count) => sum + count, 0)).toBe(1);
  }
  expect(await notified()).toEqual(["alert.fired", "alert.resolved"]);
  const { rows } = await service.history(at.database, actor.workspaceId, { limit: 30 });
  expect(rows.map(({ state }) => state)).toEqual(["ok", "firing", "pending", "ok"]);
  expect(rows[1]?.says).toBe("Calls denied by hooks: 18 in 5 minutes; threshold: above 10.");
  const { rows: bodies } = await at.database.pool.query<{ body: string }>(
    "SELECT body FROM webhook_delivery WHERE kind = 'alert.fired'",
  );
  expect(JSON.parse(bodies[0]?.body ?? "")).toMatchObject({
    type: "alert.fired",
    data: { value: "18", alert: { name: "denials", threshold: "10", severity: "warning" } },
  });
});

test("without data a rule is not fine, and one that fired does not resolve", async () => {
  await service.save({ db: at.database, bus }, actor, rule());
  toMinute(1);
  await node().tick();
  expect(await listed()).toMatchObject({ state: "no_data", value: null });
  await happened(1, { gate_denied: 50, dispatches: 50 });
  for (const [minute, state] of [
    [2, "firing"],
    [6, "firing"],
    [7, "no_data"],
  ] as const) {
    toMinute(minute);
    await node().tick();
    expect((await listed())?.state).toBe(state);
  }
  expect(await notified()).toEqual(["alert.fired"]);
  expect((await service.summary(at.database, actor.workspaceId)).noData).toBe(1);
});

test("a snoozed alert is quiet until the snooze ends, and removing a notified one resolves it", async () => {
  const world = { db: at.database, bus };
  const { id } = await service.save(world, actor, rule({ measure: "dispatches", comparison: "below", threshold: 1n }));
  await service.snooze(world, actor, { id, hours: 1 });
  toMinute(1);
  await node().tick();
  expect([(await listed())?.state, await notified()]).toEqual(["firing", []]);
  await service.snooze(world, actor, { id, hours: null });
  toMinute(2);
  await node().tick();
  toMinute(3);
  await node().tick();
  expect(await notified()).toEqual(["alert.fired"]);
  await service.remove(world, actor, { id });
  expect(await notified()).toEqual(["alert.fired", "alert.resolved"]);
});

test("the preview comes to the same firings as looking every minute did", async () => {
  const shape = rule({ measure: "gate_denied_share", threshold: 40_000n, forMinutes: 2 });
  await service.save({ db: at.database, bus }, actor, shape);
  const minutes = 60;
  for (let minute = 0; minute < minutes; minute += 1) {
    if (minute % 17 > 13) continue;
    await happened(minute, { gate_denied: minute % 13 < 6 ? 3 : 0, gates: 5, dispatches: 9 });
  }
  for (let minute = 1; minute <= minutes; minute += 1) {
    toMinute(minute);
    await node().tick();
  }
  const { id: _id, name, severity, emails, isEnabled, ...condition } = shape;
  const seen = await preview(at.database.pool, actor.workspaceId, condition, clock.now());
  const { rows } = await at.database.pool.query<{ kind: string; at: string }>(
    "SELECT kind, body::json->>'timestamp' AS at FROM webhook_delivery ORDER BY 2",
  );
  const starts = rows.filter(({ kind }) => kind === "alert.fired").map((row) => row.at);
  expect(starts.length).toBeGreaterThan(1);
  expect(seen.firings.map(({ from }) => from.toISOString())).toEqual(starts);
  const ends = rows.filter(({ kind }) => kind === "alert.resolved").map((row) => row.at);
  expect(seen.firings.flatMap(({ to }) => to?.toISOString() ?? [])).toEqual(ends);
});

test("a letter waits in the row of its change, and says so when there is no mail server", async () => {
  await service.save({ db: at.database, bus }, actor, rule({ emails: ["a@example.com"] }));
  await happened(0, { gate_denied: 50, dispatches: 50 });
  toMinute(1);
  await node().tick();
  const { rows } = await service.history(at.database, actor.workspaceId, { limit: 5 });
  expect(rows[0]).toMatchObject({ state: "firing", mail: "failed", mailError: "No mail server is set." });
});

test("what has records of its own is counted within the window: thresholds, budgets used up, requests turned away", async () => {
  const { pool } = at.database;
  const budget = uuidv7();
  const minute = (offset: number) => new Date(start + offset * MINUTE);
  await pool.query(
    `INSERT INTO budget (workspace_id, id, name, scope, target, period, amount_nano, thresholds, is_hard, unpriced, created_by, updated_by)
     VALUES ($1, $2, 'team', 'workspace', '', 'day', 1000, '{50,100}', false, 'pass', 'ada', 'ada')`,
    [actor.workspaceId, budget],
  );
  for (const [threshold, used, offset] of [
    [50, 500, 1],
    [100, 1_000, 3],
  ])
    await pool.query(
      `INSERT INTO budget_alert (workspace_id, budget_id, period_start, subject, threshold, used_nano, amount_nano, at)
       VALUES ($1, $2, '2026-01-01', '', $3, $4, 1000, $5)`,
      [actor.workspaceId, budget, threshold, used, minute(offset ?? 0)],
    );
  await pool.query("INSERT INTO load_shed VALUES ($1, $2, 'node', 'report', $3, $3, 7)", [
    actor.workspaceId,
    uuidv7(),
    minute(2),
  ]);
  const read = (measureName: SaveAlert["measure"], to: number) =>
    measure(pool, actor.workspaceId, rule({ measure: measureName }), minute(to)).then(({ value }) => value);
  expect(await Promise.all([read("budget_thresholds", 5), read("budgets_used_up", 5), read("load_shed", 5)])).toEqual([
    2n,
    1n,
    7n,
  ]);
  expect(await Promise.all([read("budget_thresholds", 2), read("budgets_used_up", 60)])).toEqual([1n, 0n]);
  expect(await read("denied_but_ran", 5)).toBe(0n);

  // In force since before the window, bound to the workspace, and no hook of it ran.
  const policyId = uuidv7();
  await pool.query("INSERT INTO agent (workspace_id, id, name) VALUES ($1, $2, 'bound')", [
    actor.workspaceId,
    uuidv7(),
  ]);
  await pool.query(
    "INSERT INTO policy (workspace_id, id, name, latest_revision, live_revision) VALUES ($1, $2, 'quiet', 1, 1)",
    [actor.workspaceId, policyId],
  );
  await pool.query(
    `INSERT INTO policy_revision (workspace_id, policy_id, number, profile, source, hooks, sha256, note, author, created_at)
     VALUES ($1, $2, 1, '2026-07', '', '{"stop": []}', '', '', 'ada', $3)`,
    [actor.workspaceId, policyId, minute(-60)],
  );
  expect(await read("policies_unreached", 5)).toBe(0n);
  await pool.query("INSERT INTO assignment (workspace_id, id, policy_id, scope) VALUES ($1, $2, $3, 'workspace')", [
    actor.workspaceId,
    uuidv7(),
    policyId,
  ]);
  expect(await read("policies_unreached", 5)).toBe(1n);
});

test("errors, reached iteration limits and notifications of agents are measured", async () => {
  await happened(1, { dispatches: 5, errors: 2, iteration_limits: 1, notifications: 3 });
  await happened(3, { dispatches: 1, errors: 1, notifications: 1 });
  const read = async (name: SaveAlert["measure"], over: Partial<SaveAlert> = {}) =>
    (await measure(at.database.pool, actor.workspaceId, rule({ measure: name, ...over }), new Date(start + 5 * MINUTE)))
      .value;
  const names = ["errors", "iteration_limits", "notifications"] as const;
  expect(await Promise.all(names.map((name) => read(name)))).toEqual([3n, 1n, 4n]);
  expect(await read("errors", { agentId: uuidv7() })).toBeNull();
});

test("what slows or blinds the console is measured: latencies, events unseen, checkpoints overdue, records that wait", async () => {
  const { pool } = at.database;
  const workspaceId = uuidv7();
  await pool.query("INSERT INTO workspace (id, name) VALUES ($1, 'measured')", [workspaceId]);
  await pool.query("INSERT INTO audit_head (workspace_id) VALUES ($1)", [workspaceId]);
  const minute = (offset: number) => new Date(start + offset * MINUTE);
  const read = async (name: SaveAlert["measure"], over: Partial<SaveAlert> = {}, recordsWaiting = 3n) => {
    const gauges = { recordsWaiting: async () => recordsWaiting };
    return (await measure(pool, workspaceId, rule({ measure: name, ...over }), minute(5), gauges)).value;
  };
  const all = ["hook_latency", "judge_latency", "events_unseen_share"] as const;
  expect(await Promise.all(all.map((name) => read(name)))).toEqual([null, null, null]);
  expect([await read("checkpoints_overdue"), await read("records_waiting")]).toEqual([0n, 3n]);

  for (const [ms, count] of [
    [10, 90],
    [800, 10],
  ] as const)
    await pool.query(
      "INSERT INTO hook_hour VALUES ($1, date_trunc('hour', $2::timestamptz, 'UTC'), 'p', 'pre_tool_use', 'h', 'allow', $3, $4)",
      [workspaceId, minute(1), latencyBucket(ms), count],
    );
  const hooks = Number(await read("hook_latency"));
  expect(hooks).toBeGreaterThan(800 / LATENCY_ERROR);
  expect(hooks).toBeLessThan(800 * LATENCY_ERROR);

  for (const [offset, ms] of [
    [1, 100],
    [2, 900],
    [-60, 60_000],
  ] as const)
    await pool.query(
      `INSERT INTO judge_call (workspace_id, occurred_at, dispatch_id, place, agent_id, agent_name, session_id, event, policy,
         revision, hook, model, provider, verdict, cause, pricing, latency_ms)
       VALUES ($1, $2, $3, 0, $4, 'a', 's', 'pre_tool_use', 'p', 1, 'h', 'm', 'openai', 'allow', '', 'free', $5)`,
      [workspaceId, minute(offset), uuidv7(), agent, ms],
    );
  expect(await read("judge_latency")).toBe(900n);

  const columns = `under_way, is_cut, turns, turn_starts, turn_ends, turns_without_end, turns_without_start, calls, answers,
    calls_without_answer, tool_calls, tool_decisions, tool_results, tools_without_decision, tools_without_result, iterations_skipped`;
  await pool.query(
    `INSERT INTO session_seen (workspace_id, agent_id, session_id, first_at, last_at, events, checked_at, ${columns})
     VALUES ($1, $2, 's', $3, $3, 9, $3, 0, false, 8, 8, 6, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)`,
    [workspaceId, agent, minute(2)],
  );
  // Two ends of eight turns are missing; their beginnings are all there.
  expect(await read("events_unseen_share")).toBe(12_500n);
  expect(await read("events_unseen_share", { agentId: uuidv7() })).toBeNull();

  await inWorkspace(workspaceId, () =>
    at.database.prisma.$transaction((tx) =>
      recordAudit(tx, { ...actor, workspaceId }, { kind: "estimation_begun", version: 1, by: "ada", list: 1 }),
    ),
  );
  await pool.query("UPDATE audit_entry SET at = $2 WHERE workspace_id = $1", [workspaceId, minute(-5)]);
  expect(await read("checkpoints_overdue")).toBe(0n);
  await pool.query("UPDATE audit_entry SET at = $2 WHERE workspace_id = $1", [workspaceId, minute(-11)]);
  expect(await read("checkpoints_overdue")).toBe(1n);
});

test("a judge's question failed when it came to no verdict, whether or not its reply had a price", async () => {
  const { pool } = at.database;
  const minute = (offset: number) => new Date(start + offset * MINUTE);
  for (const [cause, calls, unanswered] of [
    ["", 5, 0],
    ["timeout", 2, 2],
    ["unclear", 3, 0],
  ])
    await pool.query(
      `INSERT INTO judge_minute (workspace_id, bucket, policy, hook, model, cause, calls, priced, free, unpriced, unanswered,
         cost_nano, input_tokens, output_tokens)
       VALUES ($1, $2, 'p', 'h', 'm', $3, $4::int, $4::int - $5::int, 0, 0, $5::int, 0, 0, 0)`,
      [actor.workspaceId, minute(1), cause, calls, unanswered],
    );
  const asked = rule({ measure: "judge_unanswered" });
  expect(await measure(pool, actor.workspaceId, asked, minute(5))).toMatchObject({ value: 5n });
  const firing = await service.preview(
    at.database,
    actor.workspaceId,
    rule({ measure: "judge_unanswered", threshold: 4n }),
  );
  expect(firing.isKept).toBe(true);
});

test("a tool that the workspace has never seen fires within a minute of its first call", async () => {
  await service.save({ db: at.database, bus }, actor, rule({ measure: "inventory_first_seen", threshold: 0n }));
  const { pool } = at.database;
  const names = [uuidv7(), uuidv7()];
  for (const id of names)
    await pool.query("INSERT INTO agent (workspace_id, id, name) VALUES ($1, $2::uuid, $2::text)", [
      actor.workspaceId,
      id,
    ]);
  const seen = (id: string | undefined, seconds: number) =>
    pool.query(
      `INSERT INTO tool_seen (workspace_id, agent_id, client, tool_name, skill, kind, first_seen_at, last_seen_at, added_at, calls)
       VALUES ($1, $2, '', 'send_mail', '', 'other', $3, $3, $3, 1)`,
      [actor.workspaceId, id, new Date(start + seconds * 1_000)],
    );
  toMinute(1);
  await node().tick();
  expect(await notified()).toEqual([]);
  await seen(names[0], 90);
  toMinute(2);
  await node().tick();
  expect(await notified()).toEqual(["alert.fired"]);
  // Another agent's call of the same tool is nothing new, once the window has passed.
  await seen(names[1], 6 * 60);
  for (const minute of [7, 8]) {
    toMinute(minute);
    await node().tick();
  }
  expect(await notified()).toEqual(["alert.fired", "alert.resolved"]);
});
