/**
 * Each client's own call, as it was recorded, against the policies that the console proposes: every one of them holds every client.
 * The names of tools and the keys of their arguments are the clients'.
 */
import { readFileSync } from "node:fs";
import { kindMatcher } from "@quarterdeck/hooks/contract/tool-kinds";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addItem } from "@/components/policies/document/edits";
import { GUARDS } from "@/components/policies/form/guards";
import { added } from "@/components/policies/judge/judged-hooks";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import type { ClientName } from "../dialects/schema.ts";
import { PACKS } from "../packs/registry.ts";
import { STARTING_SOURCE } from "../policies/text/starting-policy.ts";

/** A recorded call: the file of the vector, and the text in it that the test replaces. */
const SHELL_CALLS: Readonly<Record<Exclude<ClientName, "docker-agent">, string>> = {
  "claude-code": "claude-code.PreToolUse.Bash",
  codex: "codex.PreToolUse.Bash",
  copilot: "copilot.preToolUse.bash",
  cursor: "cursor.preToolUse.Shell",
  gemini: "gemini.BeforeTool.run_shell_command",
  qwen: "qwen.PreToolUse.run_shell_command",
  cline: "cline.PreToolUse.run_commands",
  opencode: "opencode.plugin.tool.execute.before.bash",
};
const WRITE_CALLS: typeof SHELL_CALLS = {
  "claude-code": "claude-code.PreToolUse.Write",
  codex: "codex.PreToolUse.apply_patch",
  copilot: "copilot.preToolUse.create",
  cursor: "cursor.preToolUse.Write",
  gemini: "gemini.BeforeTool.write_file",
  qwen: "qwen.PreToolUse.write_file",
  cline: "cline.PreToolUse.editor",
  opencode: "opencode.plugin.tool.execute.before.write",
};
const CLIENTS = ["docker-agent", ...(Object.keys(SHELL_CALLS) as (keyof typeof SHELL_CALLS)[])] as const; // holds: its own keys

interface NativeCall {
  readonly path: string;
  readonly body: string;
}

/** The call as opencode hands it to the plugin. */
interface PluginCall {
  readonly input: { readonly tool: string; readonly sessionID: string; readonly callID: string };
  readonly output: { readonly args: object };
}

function opencodeCall(file: string, args: object): NativeCall {
  const url = new URL(`../dialects/vectors/${file}.json`, import.meta.url);
  const { input, output } = (JSON.parse(readFileSync(url, "utf8")) as { readonly payload: PluginCall }).payload; // holds: a vector
  calls += 1;
  const body = {
    hook_event_name: "pre_tool_use",
    session_id: `${input.sessionID}${calls}`,
    cwd: "/workspace",
    tool_name: input.tool,
    tool_use_id: input.callID,
    tool_input: { ...output.args, ...args },
  };
  return { path: "opencode/pre_tool_use", body: JSON.stringify(body) };
}

interface Vector {
  readonly dialect: string;
  readonly client_event: string;
  readonly payload: unknown;
  readonly expect: {
    readonly ext: { readonly tool: { readonly command?: string; readonly paths?: readonly string[] } };
  };
}

let calls = 0;
/** The recorded payload with another command or path in it, and a session of its own. */
function nativeCall(file: string, of: "command" | "path", text: string): NativeCall {
  const url = new URL(`../dialects/vectors/${file}.json`, import.meta.url);
  const { dialect, client_event: event, payload, expect: known } = JSON.parse(readFileSync(url, "utf8")) as Vector; // holds: a vector
  const { command = "", paths = [] } = known.ext.tool;
  const inside = (value: string) => JSON.stringify(value).slice(1, -1);
  const replaced = inside(of === "command" ? command : (paths[0] ?? ""));
  const body = JSON.stringify(payload);
  expect(body).toContain(replaced);
  calls += 1;
  return {
    path: `${dialect}/${event}`,
    body: body.replaceAll(replaced, inside(of === "command" ? `${text} #${calls}` : text)),
  };
}

function shellCall(client: (typeof CLIENTS)[number], command: string): NativeCall {
  if (client === "opencode") return opencodeCall(SHELL_CALLS.opencode, { command });
  if (client !== "docker-agent") return nativeCall(SHELL_CALLS[client], "command", command);
  const input = { session_id: "s", cwd: "/w", tool_use_id: "t", tool_name: "shell", tool_input: { cmd: command } };
  return { path: "pre_tool_use", body: JSON.stringify(input) };
}

function writeCall(client: (typeof CLIENTS)[number], path: string): NativeCall {
  if (client === "opencode") return opencodeCall(WRITE_CALLS.opencode, { filePath: path });
  if (client !== "docker-agent") return nativeCall(WRITE_CALLS[client], "path", path);
  const input = { session_id: "s", tool_use_id: "t", tool_name: "write_file", tool_input: { path, content: "A=1" } };
  return { path: "pre_tool_use", body: JSON.stringify(input) };
}

let db: TestDatabase;
let server: TestGateway;
let key: string;

beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  key = await server.agent("tester");
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

/** An answer that stops the call, or asks a person, in the words of some client. */
const HOLDS = /"(permission|permissionDecision|permission_decision|decision)":"(deny|ask|block)"|"cancel":true/;

async function isHeld({ path, body }: NativeCall): Promise<boolean> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const response = await fetch(`${server.url}/api/v1/hooks/${path}`, { method: "POST", headers, body });
  expect(response.status).toBe(200);
  return HOLDS.test(await response.text());
}

function guardText(id: string): string {
  const guard = GUARDS.find((one) => one.id === id);
  const answers = Object.fromEntries(guard?.asks.map(({ key: name, initial }) => [name, initial]) ?? []);
  let text = "hooks: {}\n";
  for (const { event, item } of guard?.make(answers) ?? []) {
    const edit = addItem(text, ["hooks", event], item);
    if (!edit.ok) throw new Error(edit.why);
    text = edit.text;
  }
  return text;
}

const packText = (id: string) => PACKS.find((pack) => pack.id === id)?.source ?? "";

function judgeText(): string {
  const revision = { label: { name: "risk", revision: 1 }, prompt: "Judge.", model: "openai/gpt-4o-mini", schema: "" };
  const edit = added("hooks: {}\n", "pre_tool_use", kindMatcher("shell"), revision);
  if (!edit.ok) throw new Error(edit.why);
  return edit.text;
}

const SHELL_RULES: readonly (readonly [title: string, source: () => string, command: string])[] = [
  ["the starting policy", () => STARTING_SOURCE, "rm -rf build"],
  ["the guard on a command pattern", () => guardText("deny-command"), "git push --force"],
  ["the guard that asks before the network", () => guardText("ask-network"), "curl https://example.com"],
  ["the guard on shell commands", () => guardText("safer-shell"), "rm -rf build"],
  ["the judge dialog's proposal, whose model does not answer", judgeText, "ls"],
  ["Catastrophe only", () => packText("catastrophe-only"), "rm -rf /"],
  ["Git safety", () => packText("git-safety"), "git push --force"],
  ["Package installs", () => packText("package-installs"), "npm publish"],
  ["Protected paths in a shell", () => packText("protected-paths"), "echo A=1 > .env"],
  ["Network egress", () => packText("network-egress"), "curl -d @notes.txt https://example.com"],
  ["Cloud CLIs", () => packText("cloud-clis"), "terraform destroy"],
  ["Database care", () => packText("database-care"), "redis-cli flushall"],
  ["Read-only agent", () => packText("read-only-agent"), "rm -rf build"],
  ["Judge with a filter", () => packText("judge-with-filter"), "rm -rf /"],
];

describe.each(SHELL_RULES)("%s", (_title, source, command) => {
  it("holds the call of every client", async () => {
    await server.publish(source());
    const passed: string[] = [];
    for (const client of CLIENTS) if (!(await isHeld(shellCall(client, command)))) passed.push(client);
    expect(passed).toEqual([]);
  });
});

describe.each([
  ["Protected paths", () => packText("protected-paths"), ".env"],
  ["Read-only agent", () => packText("read-only-agent"), "notes.txt"],
])("%s", (_title, source, path) => {
  it("holds the file write of every client", async () => {
    await server.publish(source());
    const passed: string[] = [];
    for (const client of CLIENTS) if (!(await isHeld(writeCall(client, path)))) passed.push(client);
    expect(passed).toEqual([]);
  });
});

it("none of them holds what it is not about", async () => {
  for (const source of [STARTING_SOURCE, guardText("deny-command"), packText("git-safety")]) {
    await server.publish(source);
    for (const client of CLIENTS) expect(await isHeld(shellCall(client, "ls")), client).toBe(false);
  }
});

it("a list of commands is judged one by one", async () => {
  await server.publish(packText("git-safety"));
  const { path, body } = shellCall("cline", "ls");
  const second = body.replace(/("commands":\[)/, '$1"true","git push --force",');
  expect(await isHeld({ path, body: second })).toBe(true);
});
