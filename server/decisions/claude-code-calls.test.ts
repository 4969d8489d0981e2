/** Calls of Claude Code, as its hooks send them: each is one row, also when no rule ran or none had anything to say. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import * as approvals from "../approvals/index.ts";
import { callOutcomeOf } from "./call-outcome-schema.ts";
import { listCallsWithHeld } from "./calls.ts";
import { callPage, listDecisions } from "./schema.ts";

const vector = new URL("../dialects/vectors/claude-code.PreToolUse.Bash.json", import.meta.url);
const { payload } = JSON.parse(readFileSync(vector, "utf8"));
const POLICY = `hooks:
  pre_tool_use:
    - matcher: Bash
      hooks:
        - name: no reset
          type: command
          command: "if grep -q 'reset --hard'; then echo 'Keep the work.' >&2; exit 2; fi"
    - matcher: Deploy
      hooks:
        - { type: builtin, command: ask_a_person, args: ["For production?"] }
`;

let db: TestDatabase;
let server: TestGateway;
let key: string;
beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  key = await server.agent("laptop");
  await server.publish(POLICY);
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

const send = (id: string, tool_name: string, command: string, headers: Record<string, string> = {}) =>
  fetch(`${server.url}/api/v1/hooks/claude-code/pre_tool_use`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    body: JSON.stringify({ ...payload, tool_name, tool_use_id: id, tool_input: { command } }),
  });

const find = async (filters: object = {}) => {
  await server.projected();
  const range = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 3_600_000) };
  const asked = listDecisions.parse({ range, filters, order: "oldest" });
  return callPage.parse(await listCallsWithHeld(server.database, server.admin.workspaceId, asked)).rows;
};

it("lists every call once with its command, its outcome and the request that people answer", async () => {
  for (const [id, tool, command] of [
    ["1", "Bash", "git reset --hard"],
    ["2", "Bash", "git status"],
    ["3", "Read", "notes.md"],
    ["4", "Deploy", "v1.2.3"],
  ] as const)
    expect((await send(id, tool, command)).status).toBe(200);
  const rows = await find();
  expect(rows.map((row) => [row.tool, row.excerpt, callOutcomeOf(row.chain)])).toEqual([
    ["Bash", "git reset --hard", "denied"],
    ["Bash", "git status", "silent"],
    ["Read", "notes.md", "no_rule"],
    ["Deploy", "v1.2.3", "asked"],
  ]);
  expect(rows.map(({ request }) => request?.state ?? null)).toEqual([null, null, null, "pending"]);
  expect((await find({ outcome: ["waiting"] })).map(({ excerpt }) => excerpt)).toEqual(["v1.2.3"]);
});

it("lists a call that is held open while people can answer it, and as an allowed one afterwards", async () => {
  const answered = send("5", "Deploy", "v2.0.0", { "quarterdeck-wait-seconds": "60" });
  const row = await vi.waitUntil(async () => (await find()).find(({ excerpt }) => excerpt === "v2.0.0"), {
    timeout: 10_000,
    interval: 100,
  });
  expect(row).toMatchObject({ isRecorded: false, tool: "Deploy", agentName: "laptop", request: { state: "pending" } });
  expect((await find({ outcome: ["waiting"], tool: ["Deploy"], text: "v2.0" })).length).toBe(1);
  expect((await find({ outcome: ["denied"] })).map(({ isRecorded }) => isRecorded)).not.toContain(false);
  const context = { db: server.database, bus: server.running.app.bus };
  const id = row.request?.id ?? "";
  await approvals.answer(context, server.admin, { id, verdict: "allow", words: "", confirmed: false });
  expect((await answered).status).toBe(200);
  const done = (await find()).filter(({ excerpt }) => excerpt === "v2.0.0");
  expect(done.map(({ isRecorded, chain }) => [isRecorded, callOutcomeOf(chain)])).toEqual([[true, "allowed"]]);
  expect(done[0]?.reason).toMatch(/^Allowed by test \(QD-\d+\)/);
});
