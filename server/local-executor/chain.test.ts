/** Profile 2026-08, where hooks that rewrite form a chain across both machines; and what a builtin here may see. */
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { type LocalExecutor, localExecutor } from "../../e2e/fixtures/local-executor.ts";

const rewrite = (value: string) =>
  JSON.stringify({ hook_specific_output: { hook_event_name: "pre_tool_use", updated_input: { path: value } } });
const POLICY = `
profile: "2026-08"
hooks:
  pre_tool_use:
    - matcher: read_file
      hooks:
        - { name: first here, type: command, run_on: agent, command: 'grep -q asked && echo ''${rewrite("from-here")}''' }
        - { name: console, type: command, command: 'grep -q from-here && echo ''${rewrite("from-console")}''' }
        - { name: last here, type: command, run_on: agent, command: 'grep -q from-console && { echo "refused what the console made" >&2; exit 2; }' }
    - hooks: [{ type: builtin, command: redact_secrets, run_on: agent }]
  turn_start:
    - { type: builtin, command: add_git_status }
`;

let db: TestDatabase;
let server: TestGateway;
let local: LocalExecutor;
beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  const key = await server.agent("laptop");
  const trustKey = server.secrets.signingPublicKey.export({ type: "spki", format: "der" }).toString("base64");
  await server.publish(POLICY);
  local = await localExecutor({ QUARTERDECK_URL: server.url, QUARTERDECK_KEY: key, QUARTERDECK_TRUST_KEY: trustKey });
}, 120_000);
afterAll(async () => {
  await local?.remove();
  await server?.stop();
  await db?.drop();
});

async function recorded(session: string): Promise<{ verdict: string; origin: string; names: string[] }[]> {
  const { rows } = await db.database.pool.query<{ verdict: string; origin: string; hooks: string }>(
    "SELECT verdict, origin, hooks FROM dispatch WHERE session_id = $1 ORDER BY received_at",
    [session],
  );
  return rows.map(({ verdict, origin, hooks }) => {
    const names = (JSON.parse(hooks) as { name: string }[]).map(({ name }) => name); // what the recorder stores
    return { verdict, origin, names };
  });
}

it("each hook sees what the one before it made of the input, wherever that ran, and all of it is recorded", async () => {
  const input = { session_id: "chain", tool_name: "read_file", tool_input: { path: "asked" } };
  const ran = await local.run(["pre_tool_use"], input);
  expect(JSON.parse(ran.stdout)).toMatchObject({
    decision: "block",
    reason: "refused what the console made",
    hook_specific_output: { updated_input: { path: "from-console" } },
  });
  await vi.waitFor(async () => expect(await recorded("chain")).toHaveLength(2), { timeout: 30_000 });
  expect(await recorded("chain")).toEqual([
    { verdict: "none", origin: "dispatch", names: ["first here", "console"] },
    { verdict: "deny", origin: "report", names: ["last here", "redact_secrets"] },
  ]);
});

it("a builtin that needs the agent's files runs beside them", async () => {
  await local.shell("echo x > untracked", "");
  const { stdout } = await local.run(["turn_start"], { session_id: "builtin", cwd: local.repository });
  expect(JSON.parse(stdout).hook_specific_output.additional_context).toContain("untracked");
});

it("where a policy takes secrets out beside the agent, the console never sees them, whatever the event", async () => {
  const secret = ["ghp", "0123456789abcdefghijABCDEFGHIJ012345"].join("_");
  const input = { session_id: "secret", tool_name: "shell", tool_input: { cmd: `curl -H "x: ${secret}"` } };
  const ran = await local.run(["pre_tool_use"], input);
  expect(JSON.parse(ran.stdout).hook_specific_output.updated_input.cmd).not.toContain(secret);
  expect((await local.run(["user_prompt_submit"], { session_id: "secret", prompt: `use ${secret}` })).code).toBe(0);
  expect((await local.run(["stop"], { session_id: "secret", stop_response: `used ${secret}` })).code).toBe(0);
  await vi.waitFor(async () => expect(await recorded("secret")).toHaveLength(3), { timeout: 30_000 });
  const { rows } = await db.database.pool.query(
    "SELECT input, hooks, answer FROM dispatch WHERE session_id = 'secret'",
  );
  expect(JSON.stringify(rows)).toContain("[REDACTED]");
  expect(JSON.stringify(rows)).not.toContain(secret);
});
