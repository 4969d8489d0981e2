/** README's first five minutes, as they are written: its policy, its curl, and the first calls of the clients that it enrols. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";

const README = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
const POLICY = /```yaml\n([\s\S]*?)```/.exec(README)?.[1] ?? "";
const CURL = /^ {4}(curl -s http[\s\S]*?\}'\n)/m.exec(README)?.[1] ?? "";

let db: TestDatabase;
let server: TestGateway;
let key: string;

beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  key = await server.agent("my-laptop");
  await server.publish(POLICY);
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

it("README's policy selects every call, and needs no program", () => {
  const [{ matcher, hooks }] = parse(POLICY).hooks.pre_tool_use;
  expect(matcher).toBe("*");
  expect(hooks.map(({ type }: { readonly type: string }) => type)).toEqual(["rules"]);
});

it("README's curl is denied", async () => {
  const command = CURL.replace("http://127.0.0.1:3000", server.url);
  expect(command).toContain(server.url);
  const env = { PATH: process.env.PATH ?? "", QUARTERDECK_KEY: key, NODE_ENV: "test" as const };
  const { stdout } = await promisify(execFile)("/bin/sh", ["-c", command], { env });
  expect(JSON.parse(stdout)).toMatchObject({
    hook_specific_output: {
      permission_decision: "deny",
      permission_decision_reason: expect.stringContaining("rm -rf"),
    },
  });
});

const asked = { session_id: "s", cwd: "/work", tool_input: { command: "rm -rf build" } };
const refused = { permissionDecision: "deny", permissionDecisionReason: expect.stringContaining("rm -rf") };

it.each([
  [
    "Claude Code",
    "claude-code/PreToolUse",
    { ...asked, hook_event_name: "PreToolUse", tool_name: "Bash", tool_use_id: "t1" },
    { hookSpecificOutput: refused },
  ],
  [
    "Codex",
    "codex/PreToolUse",
    { ...asked, hook_event_name: "PreToolUse", tool_name: "Bash", tool_use_id: "t2", turn_id: "1" },
    { hookSpecificOutput: refused },
  ],
  [
    "Cursor",
    "cursor/preToolUse",
    { ...asked, hook_event_name: "preToolUse", tool_name: "Shell", tool_use_id: "t3", cursor_version: "3.2.11" },
    { permission: "deny" },
  ],
  [
    "Gemini CLI",
    "gemini/BeforeTool",
    { ...asked, hook_event_name: "BeforeTool", tool_name: "run_shell_command", timestamp: "2026-11-21T20:31:18.406Z" },
    { decision: "deny", reason: expect.stringContaining("rm -rf") },
  ],
])("%s is denied at the address that it is enrolled with", async (_client, path, payload, denial) => {
  const response = await fetch(`${server.url}/api/v1/hooks/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(payload),
  });
  expect([response.status, await response.json()]).toMatchObject([200, denial]);
});
