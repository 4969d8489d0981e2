/** A process that is killed in the middle of a run of known calls: the next one asks only the rest. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fixtureProgram } from "../../../e2e/fixtures/built-program.ts";
import { type TestDatabase, testDatabase } from "../../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../../e2e/fixtures/gateway.ts";
import { type ModelStub, modelStub } from "../../../e2e/fixtures/model-stub.ts";
import * as judges from "../../judges/index.ts";
import { saveConnection } from "../../judges/schema.ts";
import { systemClock } from "../../platform/clock.ts";
import { inWorkspace } from "../../platform/scope.ts";
import * as prompts from "../service.ts";
import * as promptViews from "../views.ts";
import { addKnownCalls } from "./known-calls.ts";
import { startRun } from "./plan-run.ts";
import { createKnownCallsJob } from "./runner.ts";
import { knownCalls } from "./views.ts";

let db: TestDatabase;
let server: TestGateway;
let stub: ModelStub;
let child: ChildProcess | undefined;
beforeAll(async () => {
  [db, stub] = [await testDatabase(), await modelStub()];
  server = await testGateway(db.url);
});
afterAll(async () => {
  child?.kill("SIGKILL");
  await server?.stop();
  await stub?.stop();
  await db?.drop();
});

/** Calls that are answered at once, and calls that never are: the run stops in its middle. */
const ANSWERED = 8;
const CALLS = 12;

test("a run whose process was killed is continued by another one, which repeats no answered call", async () => {
  const app = { ...server.running.app, db: server.database };
  const { workspaceId } = server.admin;
  const within = <T>(work: () => Promise<T>) => inWorkspace(workspaceId, work);
  const connection = { name: "local", provider: "openai-compatible", baseUrl: stub.url, prices: [] };
  await judges.save(app, server.admin, saveConnection.parse({ ...connection, callsPerDay: null, nanoPerDay: null }));
  const { promptId } = await prompts.create(app, server.admin, { name: "killed" });
  const text = { template: "{{ .ToolInput.cmd }}", model: "local/tiny", schema: "pre_tool_use_decision" };
  const { draftVersion } = await promptViews.get(db.database, workspaceId, promptId);
  await prompts.publish(app, server.admin, { promptId, ...text, note: "", baseRevision: 0, draftVersion });
  for (let at = 0; at < CALLS; at += 1) {
    const cmd = at < ANSWERED ? `stub:deny ${at}` : `stub:hangs_once ${at}`;
    const input = { tool_name: "shell", tool_input: { cmd } };
    const calls = { from: "hand", kind: "bad", event: "pre_tool_use", input } as const;
    await within(() => addKnownCalls(app, server.admin, { promptId, note: "", calls }));
  }
  await within(() => startRun({ ...app, clock: systemClock }, server.admin, promptId));
  const run = async () => (await within(() => knownCalls(db.database, workspaceId, promptId))).runs[0];

  const program = await fixtureProgram("known-calls-until-killed");
  const key = app.models.credentialKey.toString("base64");
  child = spawn(process.execPath, [program, db.url, key], { stdio: ["ignore", 2, 2] });
  await expect.poll(async () => (await run())?.asked, { timeout: 60_000, interval: 50 }).toBe(ANSWERED);
  // The stub leaves the first four of the others unanswered: it must have them before the process dies.
  const askedOf = (word: string) => stub.asked.filter(({ user }) => user.startsWith(word)).length;
  await expect.poll(() => askedOf("stub:hangs_once"), { timeout: 60_000, interval: 50 }).toBe(CALLS - ANSWERED);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(await run()).toMatchObject({ state: "running", asked: ANSWERED });

  // Until its heartbeat is old, the run belongs to the killed process.
  let aheadMs = 0;
  const job = createKnownCallsJob({ ...app, db: db.database, clock: { now: () => Date.now() + aheadMs } });
  const attempt = async () => {
    await job.tick();
    await job.idle();
    return (await run())?.state;
  };
  expect(askedOf("stub:deny")).toBe(ANSWERED);
  expect(await attempt()).toBe("running");
  aheadMs = 91_000;
  expect(await attempt()).toBe("finished");
  expect(askedOf("stub:deny")).toBe(ANSWERED);
  expect(await run()).toMatchObject({ asked: CALLS, recall: { hits: CALLS, of: CALLS } });
}, 180_000);
