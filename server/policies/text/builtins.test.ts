/** Builtins through the agent API: those of the server run there, those of the agent are left to it and exported. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import { type TestDatabase, testDatabase } from "../../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../../e2e/fixtures/gateway.ts";
import { readPolicy } from "./source.ts";

const POLICY = `
hooks:
  before_llm_call:
    - { type: builtin, command: max_iterations, args: ["2"] }
  session_start:
    - { type: builtin, command: add_environment_info }
    - { type: builtin, command: add_date, run_on: server }
  turn_start:
    - { type: builtin, command: add_date }
    - { type: builtin, command: add_git_status, run_on: agent }
  tool_response_transform:
    - hooks: [{ type: builtin, command: limit_large_tool_results }]
`;

let db: TestDatabase;
let server: TestGateway;
let key: string;
beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  key = await server.agent("tester");
  await server.publish(POLICY);
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

const headers = () => ({ authorization: `Bearer ${key}`, "content-type": "application/json" });
async function answer(event: string, input: object): Promise<unknown> {
  const response = await fetch(`${server.url}/api/v1/hooks/${event}`, {
    method: "POST",
    headers: headers(),
    body: JSON.stringify({ session_id: "s", cwd: "/", ...input }),
  });
  return response.json();
}

it("a builtin of the server runs there", async () => {
  expect(await answer("before_llm_call", { iteration: 2 })).toEqual({});
  expect(await answer("before_llm_call", { iteration: 3 })).toMatchObject({ decision: "block" });
  const started = await answer("session_start", {});
  expect(JSON.stringify(started)).toMatch(/Today's date: \d{4}-\d{2}-\d{2}/);
});

it("a builtin of the agent never runs on the server, and is not said to have", async () => {
  expect(await answer("before_llm_call", { iteration: 1 })).toEqual({});
  expect(JSON.stringify(await answer("session_start", {}))).not.toContain("<env>");
  expect(await answer("turn_start", {})).toEqual({});
  const large = { tool_name: "shell", tool_category: "shell", tool_response: "x".repeat(60_000) };
  expect(await answer("tool_response_transform", large)).toEqual({});
  const { rows } = await db.database.pool.query<{ event: string; hooks: string }>("SELECT event, hooks FROM dispatch");
  const ran = rows.flatMap(({ hooks }) => (JSON.parse(hooks) as { name: string }[]).map(({ name }) => name)); // what the recorder stores
  expect([...new Set(ran)].sort()).toEqual(["add_date", "max_iterations"]);
});

it("docker-agent gets every builtin in its own words", async () => {
  const response = await fetch(`${server.url}/api/v1/policy`, {
    headers: { ...headers(), accept: "application/yaml" },
  });
  const native = parse(await response.text());
  expect(native.hooks.turn_start).toEqual([
    { type: "builtin", command: "add_date" },
    { type: "builtin", command: "add_git_status" },
  ]);
  expect(native.hooks.tool_response_transform[0].hooks).toEqual([
    { type: "builtin", command: "limit_large_tool_results" },
  ]);
});

it("a policy that places one where it cannot run is refused, at its line, with the reason", () => {
  const source =
    "hooks:\n  turn_start:\n    - { type: builtin, command: add_prompt_files, args: [A.md], run_on: server }\n";
  const { hooks, problems } = readPolicy(source);
  expect(hooks).toBeNull();
  expect(problems).toMatchObject([
    {
      line: 3,
      message: expect.stringContaining("add_prompt_files cannot run on the server: it reads the agent's own files"),
    },
  ]);
});
