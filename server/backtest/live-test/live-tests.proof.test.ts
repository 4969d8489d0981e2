/** Proof of live tests: a process that is killed in the middle doubles no call and loses none. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, expect, it } from "vitest";
import { fixtureProgram } from "../../../e2e/fixtures/built-program.ts";
import { type TestDatabase, testDatabase } from "../../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../../e2e/fixtures/gateway.ts";
import { repetitions } from "../../../e2e/fixtures/long-run.ts";
import { createLog } from "../../platform/log.ts";
import * as policies from "../../policies/index.ts";
import * as backtests from "../run-service.ts";
import { createBacktests } from "../runs.ts";
import * as service from "./live-service.ts";
import { createLiveTests } from "./live-tests.ts";

const policy = (rule: string) => `profile: 2026-11
hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
        - {name: shell rules, type: rules, rules: [${rule}]}
`;
const COMMANDS = ["ls", "git push", "rm -rf build", "make all"];
const CALLS_OF_ROUND = 60;

let db: TestDatabase;
let server: TestGateway;
let child: ChildProcess | undefined;
beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
});
afterAll(async () => {
  child?.kill("SIGKILL");
  await server?.stop();
  await db?.drop();
});

it("is killed in the middle of each round, and counts every call once", async () => {
  const { admin, database, running } = server;
  const key = await server.agent("one");
  await server.publish(policy("{command: {program: git}, deny: no git}"), "guard");
  const policyId = (await policies.list(database, admin.workspaceId))[0]?.id ?? "";
  const { latestRevision: baseRevision } = await policies.get(database, admin.workspaceId, policyId);
  const source = policy("{command: {program: rm}, deny: no deletes}");
  const saved = await policies.saveDraft(database, running.app.bus, admin, {
    ...{ policyId, source, baseVersion: 0, baseRevision },
  });
  const asked = { policyId, draftVersion: saved.version, percent: 50, until: null };
  const { id: runId } = await service.start(database, running.app.bus, admin, asked);
  const view = (id: string) => backtests.get(database, admin.workspaceId, { policyId, runId: id });
  const send = async (number: number) => {
    const args = { session_id: "s", tool_name: "shell", tool_use_id: `t${number}` };
    const response = await fetch(`${server.url}/api/v1/hooks/pre_tool_use`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ ...args, tool_input: { cmd: COMMANDS[number % COMMANDS.length] } }),
    });
    expect(response.status).toBe(200);
  };

  const rounds = repetitions(3, 20);
  const program = await fixtureProgram("live-test-until-killed");
  for (let round = 0; round < rounds; round += 1) {
    const before = (await view(runId)).looked;
    for (let call = 0; call < CALLS_OF_ROUND; call += 1) await send(round * CALLS_OF_ROUND + call);
    child = spawn(process.execPath, [program, db.url], { stdio: ["ignore", "ignore", 2] });
    await expect
      .poll(async () => (await view(runId)).looked, { timeout: 60_000, interval: 20 })
      .toBeGreaterThan(before + 5 + round);
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  const half = await view(runId);
  expect(half.looked).toBeLessThan(rounds * CALLS_OF_ROUND);
  const limits = { restMs: 0 };
  const job = createLiveTests({ db: database, log: createLog("silent"), meter: () => 0, limits });
  const resume = async () => {
    await job.turn();
    return (await view(runId)).looked;
  };
  await expect.poll(resume, { timeout: 60_000 }).toBe(rounds * CALLS_OF_ROUND);
  await job.turn();

  const { id: whole } = await backtests.start(database, admin, { ...asked, days: 1, isQuick: false });
  const backtest = createBacktests({ db: database, log: createLog("silent") });
  while (await backtest.turn());
  const [a, b] = [await view(whole), await view(runId)];
  expect([a.looked, b.looked, b.live?.skipped]).toEqual([rounds * CALLS_OF_ROUND, rounds * CALLS_OF_ROUND, 0]);
  expect({ ...b.tally, addedUs: {} }).toEqual({ ...a.tally, addedUs: {} });
  const flips = await db.owner.query("SELECT count(*)::int AS n FROM backtest_flip WHERE run_id = $1", [runId]);
  expect(flips.rows[0]?.n).toBe(a.tally.looser + a.tally.stricter);
}, 240_000);
