/** Commands and judges in a backtest, with a real sandbox and a provider on loopback. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../../e2e/fixtures/gateway.ts";
import { type ModelStub, modelStub } from "../../../e2e/fixtures/model-stub.ts";
import * as judges from "../../judges/index.ts";
import { saveConnection } from "../../judges/schema.ts";
import { createLog } from "../../platform/log.ts";
import { inWorkspace } from "../../platform/scope.ts";
import * as policies from "../../policies/index.ts";
import * as service from "../run-service.ts";
import { type BacktestsOptions, createBacktests } from "../runs.ts";
import { forecast } from "./forecast.ts";
import { type BacktestSample, listSampled } from "./sample-schema.ts";
import { sumSpend } from "./sample-views.ts";

/** The stub reports 100 input, 20 cached and 20 output tokens: 0.3 million nano-dollars at these prices. */
const PRICE = { input: 1_000_000_000n, output: 10_000_000_000n, cachedInput: null, cacheWrite: null };
const ANSWER_NANO = 320_000n;

const hooks = (...list: readonly string[]) => `profile: 2026-11
hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
${list.map((one) => `        - ${one}`).join("\n")}
`;
const RULES = "{name: rules, type: rules, rules: [{command: {program: git}, deny: no git}]}";
const COMMAND = `{name: script, type: command, command: 'grep -q "rm -rf" && exit 2; exit 0'}`;
const CURL = `{name: online, type: command, command: "exit 2", network: true}`;
const judge = (prompt: string) =>
  `{name: judge, type: model, model: local/tiny, schema: pre_tool_use_decision, prompt: "${prompt}"}`;
const JUDGE = judge("{{ toJSON .ToolInput }}");

let db: TestDatabase;
let server: TestGateway;
let stub: ModelStub;
let policyId: string;
let key: string;

beforeAll(async () => {
  [db, stub] = [await testDatabase(), await modelStub()];
  server = await testGateway(db.url);
  key = await server.agent("one");
  await judges.save(
    { ...server.running.app, db: server.database },
    server.admin,
    saveConnection.parse({
      ...{ name: "local", provider: "openai-compatible", baseUrl: stub.url, callsPerDay: null, nanoPerDay: null },
      prices: [{ model: "tiny", ...PRICE }],
    }),
  );
  await server.publish(hooks(RULES), "guard");
  policyId = (await policies.list(server.database, server.admin.workspaceId))[0]?.id ?? "";
  for (const cmd of [
    "ls stub:allow",
    "rm -rf stub:deny",
    "make stub:ask",
    "ls stub:allow",
    "git push",
    "cat stub:failing",
  ])
    await dispatch(cmd);
});
afterAll(async () => {
  await server?.stop();
  await stub?.stop();
  await db?.drop();
});

async function dispatch(cmd: string) {
  const response = await fetch(`${server.url}/api/v1/hooks/pre_tool_use`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({
      ...{ session_id: "s", tool_name: "shell", tool_use_id: crypto.randomUUID(), tool_input: { cmd } },
    }),
  });
  expect(response.status).toBe(200);
}

async function draft(source: string): Promise<number> {
  const { workspaceId } = server.admin;
  const { latestRevision, draftVersion } = await policies.get(server.database, workspaceId, policyId);
  const input = { policyId, source, baseVersion: draftVersion, baseRevision: latestRevision };
  return (await policies.saveDraft(server.database, server.running.app.bus, server.admin, input)).version;
}
async function start(source: string, sample: BacktestSample): Promise<string> {
  const draftVersion = await draft(source);
  return (await service.start(server.database, server.admin, { policyId, draftVersion, days: 7, sample })).id;
}
const jobs = (limits: BacktestsOptions["limits"] = {}) =>
  createBacktests({
    ...{ db: server.database, log: createLog("silent"), limits, tools: server.running.app.sampleTools },
  });
async function runAll(job = jobs()) {
  while (await job.turn());
}
const view = (runId: string) => service.get(server.database, server.admin.workspaceId, { policyId, runId });
const sampled = (runId: string) =>
  service.sampled(server.database, server.admin.workspaceId, listSampled.parse({ policyId, runId }));
const judged = (calls: number, nanoMax: bigint): BacktestSample => ({ commands: null, judges: { calls, nanoMax } });
const DOLLAR = 1_000_000_000n;

it("runs no command without a sample", async () => {
  const id = await start(hooks(RULES, COMMAND), { commands: null, judges: null });
  await runAll();
  expect(await view(id)).toMatchObject({ sample: null, tally: { unknown: { command: 5 }, stricter: 0 } });
  expect(await sampled(id)).toEqual([]);
});

it("runs the commands of the sample, and counts their calls as they end", async () => {
  const id = await start(hooks(RULES, COMMAND), { commands: 200, judges: null });
  await runAll();
  const run = await view(id);
  expect(run).toMatchObject({ state: "finished", looked: 6 });
  expect(run.tally).toMatchObject({ looser: 0, stricter: 1, unchanged: 5, unknown: { command: 0 } });
  const [counts] = run.sample?.kinds ?? [];
  expect(counts).toMatchObject({ kind: "command", of: 5, size: 5, done: 5, results: { stricter: 1, unchanged: 4 } });
  const [first] = await sampled(id);
  expect(first).toMatchObject({
    ...{ excerpt: "rm -rf stub:deny", result: "stricter", from: "none", to: "deny", commandsRun: 1, why: null },
  });
  const before = await db.owner.query("SELECT count(*)::int AS count FROM dispatch");
  expect(before.rows).toEqual([{ count: 6 }]);
});

it("leaves the calls outside of the sample unknown, and those whose commands use the network", async () => {
  const id = await start(hooks(RULES, COMMAND), { commands: 2, judges: null });
  await runAll();
  const { tally, sample } = await view(id);
  expect(tally.unknown).toMatchObject({ command: 0, not_sampled: 3 });
  expect(sample?.kinds[0]).toMatchObject({ of: 5, size: 2, done: 2 });
  const online = await start(hooks(RULES, CURL), { commands: 5, judges: null });
  await runAll();
  expect((await view(online)).tally).toMatchObject({ stricter: 0, unknown: { network: 5 } });
});

it("asks each question once, counts known answers apart, and never takes one answer as unchanged", async () => {
  const asked = stub.asked.length;
  const id = await start(hooks(RULES, JUDGE), judged(200, DOLLAR));
  await runAll();
  const { tally, sample } = await view(id);
  expect(tally).toMatchObject({ looser: 2, stricter: 2, unchanged: 1, unknown: { judge: 0, unanswered: 1 } });
  expect(sample?.answers).toMatchObject({ asked: 4, reused: 1, nano: 3n * ANSWER_NANO, nanoMax: DOLLAR });
  // The provider fails, and is asked again within the question's time.
  expect(new Set(stub.asked.slice(asked).map(({ user }) => user)).size).toBe(4);
  const range = { from: new Date(0), to: new Date(Date.now() + 60_000) };
  const spend = await inWorkspace(server.admin.workspaceId, () =>
    sumSpend(server.database.pool, server.admin.workspaceId, range),
  );
  expect(spend).toMatchObject({ asked: 4, nano: 3n * ANSWER_NANO });
});

it("says of a call that ends the same with one answer that the next may differ", async () => {
  const id = await start(hooks(RULES, COMMAND, judge("stub:ask {{ toJSON .ToolInput }}")), judged(200, DOLLAR));
  await runAll();
  await server.publish(hooks(RULES, judge("stub:deny once")), "guard");
  const changed = await start(hooks(RULES, judge("stub:deny twice")), judged(200, DOLLAR));
  await runAll();
  expect((await view(changed)).tally).toMatchObject({ unchanged: 1, unknown: { judge_once: 5 } });
  expect((await view(id)).tally.unknown).toMatchObject({ command: 5 });
  await server.publish(hooks(RULES), "guard");
});

it("never passes its budget, and says which calls it left out", async () => {
  // Room for the reservation of one question at a time.
  const nanoMax = 45_000_000n;
  const id = await start(hooks(RULES, judge("budget {{ toJSON .ToolInput }} {{ .ToolUseID }}")), judged(200, nanoMax));
  await runAll();
  const { sample, tally } = await view(id);
  expect(sample?.answers?.nano).toBeLessThanOrEqual(nanoMax);
  const { rows } = await db.owner.query("SELECT nano FROM judge_spend_day WHERE account = $1", [`backtest ${id}`]);
  expect(BigInt(rows[0]?.nano ?? 0)).toBeLessThanOrEqual(nanoMax);
  expect(sample?.kinds[0]?.size).toBe(5);
  const none = await start(hooks(RULES, judge("none {{ toJSON .ToolInput }}")), judged(200, 1_000n));
  const asked = stub.asked.length;
  await runAll();
  expect(stub.asked.length).toBe(asked);
  expect((await view(none)).tally.unknown).toMatchObject({ judge: 0, not_sampled: 5 });
  expect(tally.unknown.judge).toBe(0);
});

it("resumes without asking a question twice", async () => {
  const id = await start(hooks(RULES, judge("resumed {{ toJSON .ToolInput }}")), judged(200, DOLLAR));
  const first = stub.asked.length;
  // A process that is lost before it stores a result: the answers are stored already.
  const lost = jobs({ chunk: 2, turnMs: 0 });
  for (let turn = 0; turn < 5; turn += 1) await lost.turn();
  await db.owner.query(
    "UPDATE backtest_sample SET state = 'waiting', result = NULL, why = NULL WHERE run_id = $1 AND kind = 'judge'",
    [id],
  );
  const { rows } = await db.owner.query("SELECT tally FROM backtest_run WHERE id = $1", [id]);
  const unknown = { judge: 5 };
  await db.owner.query("UPDATE backtest_run SET state = 'running', tally = $2 WHERE id = $1", [
    id,
    JSON.stringify({ ...rows[0].tally, looser: 0, stricter: 0, unchanged: 1, unknown }),
  ]);
  await db.owner.query("DELETE FROM backtest_flip WHERE run_id = $1", [id]);
  const answered = stub.asked.slice(first).filter(({ user }) => !user.includes("failing")).length;
  await runAll(jobs());
  const users = stub.asked
    .slice(first)
    .map(({ user }) => user)
    .filter((user) => !user.includes("failing"));
  expect(users.length).toBe(answered);
  expect(new Set(users).size).toBe(users.length);
  expect((await view(id)).tally).toMatchObject({ stricter: 2, looser: 2 });
});

it("says before the start how long it takes and what it costs", async () => {
  const world = { db: server.database, tools: server.running.app.sampleTools };
  const of = async (source: string, more: object) =>
    forecast(world, server.admin, {
      ...{ policyId, draftVersion: await draft(source), days: 7, commands: null, judges: null, ...more },
    });
  const plain = await of(hooks(RULES), {});
  expect(plain).toMatchObject({ calls: 6, measured: "now", commands: null, judges: null });
  expect(plain.callsPerSecond).toBeGreaterThan(0);
  const { commands } = await of(hooks(RULES, COMMAND), { commands: 3 });
  expect(commands).toMatchObject({ of: 5, size: 3, measured: "now", canRun: true });
  expect(commands?.msPerCall).toBeGreaterThan(0);
  const priced = (await of(hooks(RULES, JUDGE), { judges: 200 })).judges;
  expect(priced).toMatchObject({ of: 5, size: 5, measured: "prices" });
  expect(priced?.nanoPerCall).toBeGreaterThan(ANSWER_NANO);
  const unpriced = judge("x").replace("local/tiny", "local/other");
  expect((await of(hooks(RULES, unpriced), { judges: 200 })).judges).toMatchObject({ nanoPerCall: null });

  // Hooks that have run for agents have recorded durations, and their models a mean cost.
  await server.publish(hooks(RULES, COMMAND), "guard");
  await dispatch("uname stub:allow");
  const changed = COMMAND.replace("exit 0", "exit 3");
  expect((await of(hooks(RULES, changed), { commands: 5 })).commands).toMatchObject({ measured: "recorded" });
  await server.publish(hooks(RULES, JUDGE), "guard");
  await dispatch("uname stub:allow");
  await server.projected();
  const asked = (await of(hooks(RULES, judge("again {{ toJSON .ToolInput }}")), { judges: 5 })).judges;
  // Both texts have a judge of their own.
  expect(asked).toMatchObject({ measured: "ledger", nanoPerCall: 2n * ANSWER_NANO });
});

it("runs its threads at the lowest priority", async () => {
  const { readThreadPriority } = await import("../replay-pool.ts");
  expect(await readThreadPriority()).toBe(19);
});
