import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { EXECUTOR_POLICY_TYPE, LOCAL_DISPATCH_TYPE } from "../access/local-executor-schema.ts";

const POLICY = `
hooks:
  pre_tool_use:
    - matcher: shell
      hooks: [{ type: command, command: "echo never >&2; exit 2" }]
    - matcher: read_file
      hooks: [{ type: command, command: 'echo ''{"hook_specific_output":{"permission_decision":"ask"}}''' }]
`;
const HOOK = {
  policy: "policy",
  revision: 1,
  path: "hooks.pre_tool_use[2].hooks[0]",
  name: "beside",
  type: "command",
  outcome: "refused",
  said: "block",
  startedMs: 0,
  durationMs: 3,
  exitCode: 2,
  stdout: "",
  stderr: "not here",
};
const local = (verdict: string, more: object = {}) => ({
  revision: "r",
  verdict,
  reason: `${verdict} beside the agent`,
  durationMs: 4,
  hooks: [HOOK],
  ...more,
});

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

function send(path: string, body: string, type: string): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, "content-type": type };
  return fetch(`${server.url}${path}`, { method: "POST", headers, body });
}

async function stored(session: string) {
  const { rows } = await server.database.pool.query<{
    verdict: string;
    input: string;
    hooks: string;
    reason: string | null;
  }>(
    `SELECT d.verdict, d.input, d.hooks, t.reason FROM dispatch d LEFT JOIN tool_decision t ON t.dispatch_id = d.id
      WHERE d.session_id = $1 ORDER BY d.received_at`,
    [session],
  );
  return rows.map((row) => ({ ...row, hooks: JSON.parse(row.hooks) as { name: string; ranOn?: string }[] }));
}

describe("a dispatch that tells what ran beside the agent", () => {
  const dispatch = (tool: string, told: unknown) =>
    send(
      "/api/v1/hooks/pre_tool_use",
      `{"input":{"session_id":"${tool}","tool_name":"${tool}","exact":0.10000000000000001},"local":${JSON.stringify(told)}}`,
      LOCAL_DISPATCH_TYPE,
    );

  it.each([
    ["shell", "allow", "deny"],
    ["shell", "none", "deny"],
    ["read_file", "deny", "deny"],
    ["read_file", "allow", "ask"],
    ["write_file", "none", "none"],
    ["write_file", "ask", "ask"],
  ])("about %s: %s there makes %s, the stricter of both", async (tool, there, verdict) => {
    expect((await dispatch(tool, local(there))).status).toBe(200);
    const row = (await stored(tool)).at(-1);
    expect(row).toMatchObject({ verdict, input: expect.stringContaining("0.10000000000000001") });
    expect(row?.hooks[0]).toMatchObject({ name: "beside", ranOn: "agent" });
    if (verdict === there && verdict !== "none") expect(row?.reason).toBe(`${there} beside the agent`);
  });

  it("answers with the console's own hooks alone, and the hooks never see what was told", async () => {
    const answer = await dispatch("other", local("deny"));
    expect(await answer.json()).toEqual({});
    expect((await stored("other"))[0]?.input).not.toContain("beside");
  });

  it.each([
    [undefined, "/local"],
    [local("perhaps"), "/local/verdict"],
    [local("deny", { hooks: [{ ...HOOK, ranOn: "server" }] }), "/local/hooks/0"],
    [local("deny", { hooks: [{ ...HOOK, stdout: "x".repeat(20_000) }] }), "/local/hooks/0/stdout"],
    [local("deny", { hooks: Array.from({ length: 201 }, () => HOOK) }), "/local/hooks"],
  ])("is refused with the place of what is wrong", async (told, pointer) => {
    const answer = await dispatch("bad", told ?? null);
    expect([answer.status, (await answer.json()).error.pointer]).toEqual([400, pointer]);
    expect(await stored("bad")).toEqual([]);
  });

  it("without an input is refused", async () => {
    const answer = await send("/api/v1/hooks/stop", JSON.stringify({ local: local("none") }), LOCAL_DISPATCH_TYPE);
    expect([answer.status, (await answer.json()).error.pointer]).toEqual([400, "/input"]);
  });
});

it("a report may tell it too", async () => {
  const event = { event: "pre_tool_use", input: { session_id: "reported", tool_name: "shell" }, local: local("deny") };
  const line = JSON.stringify({ event_id: "00000000-0000-4000-8000-00000000000a", ...event });
  expect((await send("/api/v1/events", line, "application/x-ndjson")).status).toBe(200);
  expect(await stored("reported")).toMatchObject([
    { verdict: "deny", reason: "deny beside the agent", hooks: [{ name: "beside", ranOn: "agent" }] },
  ]);
});

it("a policy for an executor names its agent and keeps each policy apart, and says so in its type", async () => {
  const get = (accept: string) =>
    fetch(`${server.url}/api/v1/policy`, { headers: { authorization: `Bearer ${key}`, accept } });
  const answer = await get(EXECUTOR_POLICY_TYPE);
  expect(answer.headers.get("content-type")).toBe(EXECUTOR_POLICY_TYPE);
  const { rows } = await db.database.pool.query<{ id: string }>("SELECT id FROM agent WHERE name = 'tester'");
  expect(await answer.json()).toMatchObject({
    version: 2,
    agent: rows[0]?.id,
    sources: [
      { policy: "policy", revision: 1, hooks: { pre_tool_use: [{ matcher: "shell" }, { matcher: "read_file" }] } },
    ],
  });
  const plain = await get("application/json");
  expect(plain.headers.get("etag")).not.toBe(answer.headers.get("etag"));
  expect(await plain.json()).not.toHaveProperty("version");
});
