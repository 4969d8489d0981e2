/** The newest run of exactly one text, and the verdicts that it would add. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { createLog } from "../platform/log.ts";
import * as policies from "../policies/index.ts";
import * as service from "./run-service.ts";
import { createBacktests } from "./runs.ts";

const rules = (...list: readonly string[]) => `profile: 2026-11
hooks:
  pre_tool_use:
    - matcher: shell
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

beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  const key = await server.agent("one");
  await server.publish(rules(DENY_GIT), "guard");
  policyId = (await policies.list(server.database, server.admin.workspaceId))[0]?.id ?? "";
  for (const cmd of ["git push", "rm -rf build", "make all", "ls"]) {
    const response = await fetch(`${server.url}/api/v1/hooks/pre_tool_use`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ session_id: "s", tool_name: "shell", tool_use_id: cmd, tool_input: { cmd } }),
    });
    expect(response.status).toBe(200);
  }
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

async function draft(source: string): Promise<number> {
  const { latestRevision, draftVersion } = await policies.get(server.database, server.admin.workspaceId, policyId);
  const input = { policyId, source, baseVersion: draftVersion, baseRevision: latestRevision };
  return (await policies.saveDraft(server.database, server.running.app.bus, server.admin, input)).version;
}
const ofDraft = (version: number) =>
  service.startIfMissing(server.database, server.admin, { policyId, of: { kind: "draft", version } });
const view = (runId: string) => service.get(server.database, server.admin.workspaceId, { policyId, runId });
async function runAll() {
  const job = createBacktests({ db: server.database, log: createLog("silent") });
  while (await job.turn());
}

it("finds the run of a text, until the text or what is in force changes", async () => {
  const version = await draft(rules(DENY_RM, ASK_MAKE));
  const { id } = await ofDraft(version);
  expect(await view(id)).toMatchObject({ state: "waiting", callsMax: 5_000, days: 30 });
  expect(await ofDraft(version)).toEqual({ id });
  await runAll();
  expect(await view(id)).toMatchObject({ state: "finished", looked: 4, isCurrent: true, reviewedBy: null });
  expect(await ofDraft(version)).toEqual({ id });
  await expect(ofDraft(version - 1)).rejects.toMatchObject({ code: "policy_moved_on" });
  const { workspaceId } = server.admin;
  expect(await service.newVerdicts(server.database, workspaceId, { policyId, runId: id })).toEqual({
    ...{ asked: 1, denied: 1, deniedOfDay: 1 },
  });

  await server.publish(rules(DENY_GIT, ASK_MAKE), "guard");
  expect(await view(id)).toMatchObject({ isCurrent: false });
  const { draftVersion } = await policies.get(server.database, workspaceId, policyId);
  expect((await ofDraft(draftVersion)).id).not.toBe(id);
});

it("finds a run again after a restart, which raises the counter of changes", async () => {
  const { id } = await ofDraft(await draft(rules(DENY_RM)));
  await runAll();
  await db.owner.query("UPDATE policy_sequence SET value = value + 1");
  expect(await view(id)).toMatchObject({ isCurrent: true });
});

it("does not find a canceled run, and runs a published revision", async () => {
  const version = await draft(rules(ASK_MAKE));
  const { id } = await ofDraft(version);
  await service.cancel(server.database, server.admin.workspaceId, { policyId, runId: id });
  expect((await ofDraft(version)).id).not.toBe(id);
  const of = { kind: "revision", number: 1 } as const;
  const first = await service.startIfMissing(server.database, server.admin, { policyId, of });
  await runAll();
  expect(await view(first.id)).toMatchObject({ state: "finished", looked: 4 });
  const none = { kind: "revision", number: 99 } as const;
  await expect(service.startIfMissing(server.database, server.admin, { policyId, of: none })).rejects.toMatchObject({
    code: "revision_not_found",
  });
});
