import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import type { Administrator } from "../access/actor.ts";
import { createLog } from "../platform/log.ts";
import * as policies from "../policies/index.ts";
import * as service from "./run-service.ts";
import { type BacktestsOptions, createBacktests } from "./runs.ts";

const rules = (...list: readonly string[]) => `profile: 2026-11
hooks:
  pre_tool_use:
    - matcher: "shell"
      hooks:
        - name: shell rules
          type: rules
          rules:
${list.map((one) => `            - ${one}`).join("\n")}
`;
const DENY_GIT = "{command: {program: git}, deny: no git}";
const DENY_RM = "{command: {program: rm}, deny: no deletes}";
const ASK_MAKE = "{command: {program: make}, ask: a build}";

let db: TestDatabase;
let server: TestGateway;
let policyId: string;
let key: string;

beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  key = await server.agent("one");
  await server.publish(rules(DENY_GIT), "guard");
  policyId = (await policies.list(server.database, server.admin.workspaceId))[0]?.id ?? "";
  for (const cmd of ["ls", "git push --force", "rm -rf build", "make all", "git status"])
    await dispatch("shell", { cmd });
  await dispatch("edit_file", { path: "a" });
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

async function dispatch(tool: string, args: object) {
  const response = await fetch(`${server.url}/api/v1/hooks/pre_tool_use`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ session_id: "s", tool_name: tool, tool_use_id: crypto.randomUUID(), tool_input: args }),
  });
  expect(response.status).toBe(200);
}

async function draft(source: string): Promise<number> {
  const { latestRevision: baseRevision, draftVersion: baseVersion } = await policies.get(
    server.database,
    server.admin.workspaceId,
    policyId,
  );
  const input = { policyId, source, baseVersion, baseRevision };
  return (await policies.saveDraft(server.database, server.running.app.bus, server.admin, input)).version;
}
const start = async (source: string, by: Administrator = server.admin, isQuick = false) => {
  const draftVersion = await draft(source);
  return (await service.start(server.database, by, { policyId, draftVersion, days: 7, isQuick })).id;
};
const jobs = (limits: BacktestsOptions["limits"] = {}) =>
  createBacktests({ db: server.database, log: createLog("silent"), limits });
async function runAll(job = jobs()) {
  while (await job.turn());
}
const view = (runId: string) => service.get(server.database, server.admin.workspaceId, { policyId, runId });
const flips = (runId: string, group?: { by: "family" | "rule"; value: string }) =>
  service.flips(server.database, server.admin.workspaceId, {
    ...{ policyId, runId, offset: 0, limit: 50 },
    ...(group && { group }),
  });

it("counts what the text stops and lets pass, names the rules, and lists looser calls first", async () => {
  const id = await start(rules(DENY_RM, ASK_MAKE));
  await runAll();
  const run = await view(id);
  expect(run).toMatchObject({ state: "finished", looked: 6, total: 6, isDraft: true, remainingMs: null });
  expect(run.tally).toMatchObject({ looser: 2, stricter: 2, unchanged: 2, unknown: {}, unread: 1 });
  expect(run.tally.unreadByTool).toEqual({ edit_file: 1 });
  expect(run.tally.newRules).toEqual({ "guard: shell rules": { caught: 2, agents: { one: 2 } } });
  const all = await flips(id);
  expect(all.map(({ family, from, to, isLooser }) => [family, from, to, isLooser])).toEqual([
    ["git status", "deny", "none", true],
    ["git push", "deny", "none", true],
    ["make", "none", "ask", false],
    ["rm", "none", "deny", false],
  ]);
  expect(all[3]).toMatchObject({ excerpt: "rm -rf build", agentName: "one", rule: "guard: shell rules" });
  expect(await flips(id, { by: "family", value: "rm" })).toHaveLength(1);
  const groups = await service.groups(server.database, server.admin.workspaceId, { policyId, runId: id, by: "family" });
  expect(groups[0]).toMatchObject({ looser: 1, stricter: 0 });
  expect(groups.map(({ value }) => value).sort()).toEqual(["git push", "git status", "make", "rm"]);
});

it("counts what cannot be known apart, and never as unchanged", async () => {
  const judge =
    "        - {name: judge, type: model, model: a/b, schema: pre_tool_use_decision, prompt: is this right}\n";
  const command = "        - {name: script, type: command, command: exit 2}\n";
  const judged = await start(rules(DENY_GIT) + judge);
  await runAll();
  // A denial stays one, whatever the judge says.
  expect((await view(judged)).tally).toMatchObject({ unknown: { judge: 3 }, unchanged: 3, looser: 0 });
  expect((await view(judged)).tally.judgeQuestions).toEqual({ inForce: 0, candidate: 5, addedByModel: { "a/b": 5 } });
  const scripted = await start(rules(DENY_GIT) + command);
  await runAll();
  expect((await view(scripted)).tally).toMatchObject({ unknown: { command: 3 }, unchanged: 3 });
});

it("counts masked and erased inputs apart", async () => {
  await dispatch("shell", { cmd: "curl -H 'Authorization: Bearer ghp_0123456789abcdefghijklmnopqrstuvwxyzAB' x.org" });
  await db.owner.query("UPDATE dispatch SET erased_at = now(), input = '{}' WHERE input LIKE '%make all%'");
  const id = await start(rules(DENY_RM));
  await runAll();
  expect((await view(id)).tally.unknown).toEqual({ masked: 1, erased: 1 });
});

it("resumes after the last stored chunk, and gives the same result in one turn and in many", async () => {
  const whole = await start(rules(DENY_RM));
  await runAll();
  const id = await start(rules(DENY_RM));
  const slow = jobs({ chunk: 2, turnMs: 0 });
  expect(await slow.turn()).toBe(true);
  expect(await view(id)).toMatchObject({ state: "running", looked: 2 });
  await runAll(jobs({ chunk: 3, turnMs: 0 }));
  const [a, b] = [await view(whole), await view(id)];
  expect(b).toMatchObject({ state: "finished", looked: 7 });
  expect({ ...b.tally, addedUs: {} }).toEqual({ ...a.tally, addedUs: {} });
  expect((await flips(id)).map((one) => one.id)).toEqual((await flips(whole)).map((one) => one.id));
});

it("begins again when the policies in force change while it runs", async () => {
  const id = await start(rules(DENY_RM));
  await jobs({ chunk: 2, turnMs: 0 }).turn();
  await server.publish(rules(DENY_GIT, ASK_MAKE), "guard");
  await runAll();
  expect(await view(id)).toMatchObject({ state: "finished", looked: 7 });
  await server.publish(rules(DENY_GIT), "guard");
});

it("gives two people turns, however many runs one of them starts", async () => {
  const other: Administrator = { ...server.admin, id: "other", name: "Other" };
  const mine = [await start(rules(DENY_RM)), await start(rules(DENY_RM)), await start(rules(DENY_RM))];
  const theirs = await start(rules(DENY_RM), other);
  const slow = jobs({ chunk: 1, turnMs: 0 });
  for (let turn = 0; turn < 6; turn += 1) await slow.turn();
  const looked = async (id: string) => (await view(id)).looked;
  expect(await looked(theirs)).toBe(3);
  const shares = await Promise.all(mine.map(looked));
  expect(shares.reduce((sum, one) => sum + one, 0)).toBe(3);
  await runAll();
});

it("is canceled between two chunks, and stays so", async () => {
  const id = await start(rules(DENY_RM));
  await jobs({ chunk: 1, turnMs: 0 }).turn();
  await service.cancel(server.database, server.admin.workspaceId, { policyId, runId: id });
  await runAll();
  expect(await view(id)).toMatchObject({ state: "canceled", looked: 1 });
  const unknown = { policyId, runId: crypto.randomUUID() };
  await expect(service.cancel(server.database, server.admin.workspaceId, unknown)).rejects.toThrow("does not exist");
});

it("ends well when retention removes days while it runs", async () => {
  const id = await start(rules(DENY_RM));
  await jobs({ chunk: 2, turnMs: 0 }).turn();
  await db.owner.query("DELETE FROM dispatch WHERE input LIKE '%\"ls\"%'");
  await runAll();
  expect(await view(id)).toMatchObject({ state: "finished", looked: 6, total: 7 });
});

it("takes no text with problems, and no draft that has changed", async () => {
  const version = await draft("hooks: [");
  const ask = (draftVersion: number) =>
    service.start(server.database, server.admin, { policyId, draftVersion, days: 7, isQuick: false });
  await expect(ask(version)).rejects.toMatchObject({ code: "policy_invalid" });
  await expect(ask(version - 1)).rejects.toMatchObject({ code: "policy_moved_on" });
});
