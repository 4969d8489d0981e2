/** A halt reaches an agent whose hooks run beside it, and the command line halts and resumes. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { quarterdeck } from "../../e2e/fixtures/command-line.ts";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { type LocalExecutor, localExecutor } from "../../e2e/fixtures/local-executor.ts";
import * as halts from "./service.ts";

const ALLOWS = `
hooks:
  pre_tool_use:
    - hooks: [{ type: command, run_on: agent, command: 'echo {}' }]
`;
const INPUT = { session_id: "halted", tool_name: "shell", tool_input: { cmd: "ls" } };

let db: TestDatabase;
let server: TestGateway;
let local: LocalExecutor;
beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  await server.publish(ALLOWS);
  const key = await server.agent("laptop");
  const trustKey = server.secrets.signingPublicKey.export({ type: "spki", format: "der" }).toString("base64");
  local = await localExecutor({ QUARTERDECK_URL: server.url, QUARTERDECK_KEY: key, QUARTERDECK_TRUST_KEY: trustKey });
}, 120_000);
afterAll(async () => {
  await local?.remove();
  await server?.stop();
  await db?.drop();
});

const run = (...args: string[]) =>
  quarterdeck(args, local.repository, {
    QUARTERDECK_URL: server.url,
    QUARTERDECK_TOKEN: server.secrets.adminToken,
  });

const gate = async () => {
  const { code, stdout } = await local.run(["pre_tool_use"], INPUT);
  expect(code).toBe(0);
  return JSON.parse(stdout === "" ? "{}" : stdout) as { decision?: string; reason?: string };
};

it("binds the next call of an agent whose hooks run beside it, and lets go of the one after the resume", async () => {
  expect(await gate()).toEqual({});
  const halted = await run("halt", "--agent", "laptop", "--quarantine", "--reason", "odd commands");
  expect(halted).toMatchObject({ code: 0, stdout: expect.stringMatching(/^[0-9a-f-]{36}\n$/) });
  const denied = await gate();
  expect(JSON.stringify(denied)).toContain("is in quarantine since");
  const again = await run("halt", "--agent", "laptop", "--reason", "again");
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("is already halted") });
  const resumed = await run("resume", "--agent", "laptop", "--reason", "reviewed");
  expect(resumed).toMatchObject({ code: 0, stdout: halted.stdout });
  expect(await gate()).toEqual({});
}, 120_000);

it("has not followed a halt until its next call", async () => {
  const [agent] = (await db.owner.query<{ id: string }>("SELECT id FROM agent WHERE name = 'laptop'")).rows;
  const reach = async () =>
    (await halts.ofAgent(db.database, server.admin.workspaceId, { agentId: agent?.id ?? "" })).reach[0];
  expect(await gate()).toEqual({});
  await run("halt", "--agent", "laptop", "--reason", "odd commands");
  expect(await reach()).toMatchObject({ executors: 1, followed: 0, waiting: [{ name: "laptop" }] });
  expect(JSON.stringify(await gate())).toContain("is halted since");
  await expect.poll(reach).toMatchObject({ executors: 1, followed: 1, waiting: [] });
  await run("resume", "--agent", "laptop", "--reason", "reviewed");
  expect(await reach()).toBeUndefined();
}, 120_000);

it("says what is missing or unknown", async () => {
  expect(await run("halt", "--reason", "x")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Say one of --workspace, --group <name> and --agent <name>."),
  });
  expect(await run("halt", "--agent", "nobody", "--reason", "x")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no agent named "nobody".'),
  });
  expect(await run("resume", "--workspace", "--reason", "x")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("No halt in force is of this."),
  });
}, 120_000);
