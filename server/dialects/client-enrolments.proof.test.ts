/** The files of every client, and their commands and plugin against a real server that answers, fails or is away. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { execa } from "execa";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { AGENT_KEY, ANSWER_KEY, BEARER, headersOf, signatureOf } from "../../e2e/fixtures/fake-console.ts";
import { CLIENT_ENROLMENTS } from "./client-enrolments.ts";
import { CLIENT_CAPABILITIES } from "./clients.ts";
import type { EnrolmentFile } from "./enrolment.ts";
import { ENROLLED_CLIENT_NAMES, ENROLLED_CLIENTS, type EnrolledClient, type EnrolledClientInfo } from "./schema.ts";

const CLIENTS = ENROLLED_CLIENT_NAMES;
const KEY = AGENT_KEY;
const NATIVE_GATES = new Set(["pre_tool_use", "permission_request", "user_prompt_submit"]);

let home: string;
let server: Server;
let url: string;
let reply: { status: number; body: string };
const requests: { path: string; authorization: string | undefined; version: unknown; body: string }[] = [];
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "client-enrolments-"));
  server = createServer((request, response) => {
    let body = "";
    request.on("data", (part) => {
      body += part;
    });
    request.on("end", () => {
      const { authorization, "quarterdeck-client-version": version } = request.headers;
      requests.push({ path: request.url ?? "", authorization, version, body });
      const nonce = String(request.headers["quarterdeck-nonce"]);
      const asked = { target: request.url ?? "", headers: headersOf(request), body: Buffer.from(body), nonce };
      const signature = signatureOf(asked, reply.body, { status: reply.status });
      const signed = { "quarterdeck-nonce": nonce, "quarterdeck-answer-mac": signature };
      response.writeHead(reply.status, { "content-type": "application/json", ...signed }).end(reply.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  reply = { status: 200, body: '{"answer":1}' };
  requests.length = 0;
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await rm(home, { recursive: true });
});

/** Every command of a client's files, by the event in its URL. */
function commandsOf(files: readonly EnrolmentFile[]): Map<string, string> {
  const found = new Map<string, string>();
  const collect = (value: unknown): void => {
    if (typeof value === "string") {
      const event = /\/api\/v1\/hooks\/(?:[\w-]+\/)?(\w+)/.exec(value)?.[1];
      if (event !== undefined && !found.has(event)) found.set(event, value);
    } else if (typeof value === "object" && value !== null) Object.values(value).forEach(collect);
  };
  for (const { path, content } of files) {
    if (path.endsWith(".json")) collect(JSON.parse(content));
    else if (path.endsWith(".yaml")) collect(parse(content));
    else if (content.startsWith("#!/bin/sh")) collect(content);
  }
  return found;
}

async function put(files: readonly EnrolmentFile[]): Promise<void> {
  for (const { path, content, mode } of files) {
    const full = join(home, path.replace(/^~\//, ""));
    await mkdir(dirname(full), { recursive: true });
    await writeFile(full, content, { mode });
  }
}

/** Cursor appends the payload to the command; the others write it to the command's stdin. */
function run(client: EnrolledClient, command: string) {
  const isCursor = client === "cursor";
  const text = isCursor ? `${command} <<'CURSOR_HOOK_EOF'\n{"a":1}\nCURSOR_HOOK_EOF\n` : command;
  const options = { env: { HOME: home }, reject: false } as const;
  return execa("sh", ["-c", text], isCursor ? options : { ...options, input: '{"a":1}' });
}

/** docker-agent asks in native words, each lane by itself. */
function addressOf(client: EnrolledClient, event: string): string {
  if (client !== "docker-agent") return `/api/v1/hooks/${client}/${event}`;
  return `/api/v1/hooks/${event}?lane=${event === "pre_tool_use" ? "preempt_yolo&gates=all" : "default"}`;
}

const WITH_COMMANDS = CLIENTS.filter((client) => client !== "opencode");

describe.each(WITH_COMMANDS)("the commands of %s", (client) => {
  const filesFor = (address: string) => CLIENT_ENROLMENTS[client]({ url: address, scope: "user", key: KEY });
  const { events } = CLIENT_CAPABILITIES[client] as { events: Record<string, { native: string | null }> };

  it("name only events that the client sends", () => {
    expect([...commandsOf(filesFor(url)).keys()].filter((event) => !Object.hasOwn(events, event))).toEqual([]);
  });

  it("reach the server with the payload and the key, and print its answer", async () => {
    await put(filesFor(url));
    for (const [event, command] of commandsOf(filesFor(url))) {
      const { stdout, exitCode } = await run(client, command);
      expect({ event, stdout, exitCode }).toEqual({ event, stdout: '{"answer":1}', exitCode: 0 });
      const sent = requests.at(-1);
      expect(sent).toMatchObject({ path: addressOf(client, event), authorization: `Bearer ${BEARER}` });
      expect(JSON.parse(sent?.body ?? "")).toEqual({ a: 1 });
    }
  });

  it.each(["answers an error", "is away"])("block what can be blocked when the server %s", async (trouble) => {
    reply = { status: 503, body: '{"message":"busy"}' };
    const address = trouble === "is away" ? "http://127.0.0.1:1" : url;
    await put(filesFor(address));
    for (const [event, command] of commandsOf(filesFor(address))) {
      const { stdout, stderr, exitCode } = await run(client, command);
      if (!NATIVE_GATES.has(events[event]?.native ?? "")) continue;
      const isBlocked =
        exitCode === 2
          ? /^Quarterdeck: .*is blocked/m.test(stderr)
          : /"(cancel":true|behavior":"deny"|permission_decision":"deny"|decision":"block")/.test(stdout) &&
            exitCode === 0;
      expect({ event, isBlocked }).toEqual({ event, isBlocked: true });
    }
  });

  it("never fail a hook that only reports", async () => {
    const files = filesFor("http://127.0.0.1:1");
    await put(files);
    // docker-agent alone can end a run after a tool, so its hook there is a gate.
    const reports = client === "docker-agent" ? ["turn_end", "stop"] : ["post_tool_use", "stop"];
    const after = [...commandsOf(files)].filter(([event]) => reports.includes(events[event]?.native ?? ""));
    expect(after.length).toBeGreaterThan(1);
    for (const [event, command] of after) {
      const { stdout, exitCode } = await run(client, command);
      expect({ event, stdout, exitCode }).toEqual({ event, stdout: "", exitCode: 0 });
    }
  });
});

const isHolding = ({ content }: EnrolmentFile) => content.includes(BEARER) || content.includes(ANSWER_KEY);

describe.each(CLIENTS)("the files of %s", (client) => {
  const { scopes, title }: EnrolledClientInfo = ENROLLED_CLIENTS[client];

  it("are of the client that the capabilities name", () => {
    expect(title).toBe(CLIENT_CAPABILITIES[client].title);
  });

  it.each(scopes)("hold the key for %s only where the world cannot read it", (scope) => {
    const options = { url, scope, key: KEY };
    const holding = CLIENT_ENROLMENTS[client](options).filter(isHolding);
    expect(holding.at(-1)?.path).toMatch(/quarterdeck\/header$/);
    for (const { mode, isSecret } of holding)
      expect({ others: mode & 0o007, isSecret }).toEqual({ others: 0, isSecret: true });
    const without = CLIENT_ENROLMENTS[client]({ ...options, hasTelemetry: false });
    expect(without.filter(isHolding)).toHaveLength(2);
    expect(without.map(({ content }) => content).join("")).not.toMatch(/otel|otlp|telemetry/i);
  });

  it("are other ones for each of its settings", () => {
    const paths = scopes.map((scope) => CLIENT_ENROLMENTS[client]({ url, scope })[0]?.path);
    expect(new Set(paths).size).toBe(paths.length);
  });
});

describe("hooks of Qwen Code", () => {
  it("give up before the 60 seconds after which it runs the call", () => {
    const commands = commandsOf(CLIENT_ENROLMENTS.qwen({ url, scope: "user" }));
    const seconds = [...commands.values()].map((command) =>
      Number(/ (?:exit|permission|ignore) (\d+) /.exec(command)?.[1]),
    );
    expect(Math.max(...seconds)).toBe(50);
    expect(commands.get("PreToolUse")).toContain(" exit 50 45) && ");
  });
});

describe("hooks of Cursor", () => {
  it("fail closed on every event that can deny", () => {
    const [file] = CLIENT_ENROLMENTS.cursor({ url, scope: "user" });
    const { hooks } = JSON.parse(file?.content ?? "") as { hooks: Record<string, { failClosed?: boolean }[]> };
    const closed = Object.keys(hooks).filter((event) => hooks[event]?.[0]?.failClosed === true);
    expect(closed).toEqual(["preToolUse", "beforeReadFile", "beforeTabFileRead", "beforeSubmitPrompt"]);
  });
});

type Hooks = Record<string, (...args: unknown[]) => Promise<void>>;

describe("the plugin of opencode", () => {
  let count = 0;
  async function plugin(address = url): Promise<Hooks> {
    const files = CLIENT_ENROLMENTS.opencode({ url: address, scope: "user", key: KEY });
    await put(files);
    count += 1;
    const path = join(home, `plugin-${count}.mjs`);
    // The home of this process is another one.
    await writeFile(path, (files[0]?.content ?? "").replaceAll("homedir()", JSON.stringify(home)));
    const { Quarterdeck } = await import(pathToFileURL(path).href);
    return Quarterdeck({ directory: "/workspace" });
  }
  const call = { tool: "bash", sessionID: "s", callID: "c" };
  const answer = (fields: object) => ({ status: 200, body: JSON.stringify({ hook_specific_output: fields }) });

  it("sends a call and lets it run without an objection", async () => {
    reply = { status: 200, body: "{}" };
    const output = { args: { command: "ls" } };
    await (await plugin())["tool.execute.before"]?.(call, output);
    expect(output).toEqual({ args: { command: "ls" } });
    expect(requests[0]).toMatchObject({
      path: "/api/v1/hooks/opencode/pre_tool_use",
      authorization: `Bearer ${BEARER}`,
    });
    expect(JSON.parse(requests[0]?.body ?? "")).toEqual({
      hook_event_name: "pre_tool_use",
      session_id: "s",
      cwd: "/workspace",
      tool_name: "bash",
      tool_use_id: "c",
      tool_input: { command: "ls" },
    });
  });

  it("throws the reason of a denial, and changes the arguments in place", async () => {
    const hooks = await plugin();
    reply = answer({ permission_decision: "deny", permission_decision_reason: "No." });
    await expect(hooks["tool.execute.before"]?.(call, { args: {} })).rejects.toThrow("No.");
    reply = answer({ updated_input: { command: "ls -l" } });
    const args = { command: "ls", cwd: "/" };
    await hooks["tool.execute.before"]?.(call, { args });
    expect(args).toEqual({ command: "ls -l" });
  });

  it.each([
    { status: 500, body: "{}" },
    { status: 302, body: "{}" },
    { status: 200, body: "" },
    { status: 200, body: "[]" },
    { status: 200, body: "null" },
  ])("blocks calls and prompts on the answer %j", async (wrong) => {
    const hooks = await plugin();
    reply = wrong;
    await expect(hooks["tool.execute.before"]?.(call, { args: {} })).rejects.toThrow(
      /no verdict|something else than the console/,
    );
    await expect(hooks["chat.message"]?.({ sessionID: "s" }, { parts: [] })).rejects.toThrow(
      /no verdict|something else than the console/,
    );
  });

  it("blocks when the server is away, and disturbs nothing that only reports", async () => {
    const hooks = await plugin("http://127.0.0.1:1");
    await expect(hooks["tool.execute.before"]?.(call, { args: {} })).rejects.toThrow("no verdict");
    const output = { output: "text" };
    await hooks["tool.execute.after"]?.({ ...call, args: {} }, output);
    await hooks.event?.({ event: { type: "session.idle", properties: { sessionID: "s" } } });
    expect(output).toEqual({ output: "text" });
  });

  it("reports what a person is asked and answers, and edited files, which belong to no session", async () => {
    const hooks = await plugin();
    for (const [type, properties] of [
      ["permission.asked", { id: "p", sessionID: "s", permission: "bash" }],
      ["permission.replied", { requestID: "p", sessionID: "s", reply: "once" }],
      ["file.edited", { file: "/workspace/a.ts" }],
      ["session.updated", { sessionID: "s" }],
    ])
      await hooks.event?.({ event: { type, properties } });
    const said = { notification_level: "info", hook_event_name: "notification", cwd: "/workspace" };
    expect(requests.map(({ body }) => JSON.parse(body))).toEqual([
      { hook_event_name: "on_user_input", session_id: "s", cwd: "/workspace" },
      { ...said, session_id: "s", notification_message: "permission: once" },
      { ...said, notification_message: "file edited: /workspace/a.ts" },
    ]);
  });

  it("reports a sub-session with its parent, the version of opencode, and the model of a prompt", async () => {
    const hooks = await plugin();
    const info = { id: "child", parentID: "s", version: "1.18.33" };
    await hooks.event?.({ event: { type: "session.created", properties: { sessionID: "child", info } } });
    const message = { model: { providerID: "anthropic", modelID: "claude-opus-4-5" } };
    await hooks["chat.message"]?.({ sessionID: "child" }, { message, parts: [{ type: "text", text: "hi" }] });
    expect(requests.map(({ body }) => JSON.parse(body))).toMatchObject([
      { hook_event_name: "session_start", session_id: "child", parent_session_id: "s" },
      { hook_event_name: "user_prompt_submit", model_id: "anthropic/claude-opus-4-5" },
    ]);
    expect(requests.map(({ version }) => version)).toEqual(["1.18.33", "1.18.33"]);
  });

  it("sends no version that is no header text", async () => {
    const hooks = await plugin();
    const info = { id: "s", version: "1.18\nX-Other: 1" };
    await hooks.event?.({ event: { type: "session.created", properties: { info } } });
    expect(requests.map(({ version }) => version)).toEqual([undefined]);
  });

  it("replaces results, also those of MCP tools, and denies prompts", async () => {
    const hooks = await plugin();
    reply = answer({ updated_tool_response: "gone" });
    const [own, mcp] = [{ output: "secret" }, { content: [{ type: "text", text: "secret" }] }];
    await hooks["tool.execute.after"]?.({ ...call, args: {} }, own);
    await hooks["tool.execute.after"]?.({ ...call, args: {} }, mcp);
    expect([own, mcp]).toEqual([{ output: "gone" }, { content: [{ type: "text", text: "gone" }] }]);
    expect(JSON.parse(requests.at(-1)?.body ?? "").tool_response).toBe("secret");
    reply = { status: 200, body: '{"decision":"block","reason":"Not this."}' };
    const prompt = hooks["chat.message"]?.({ sessionID: "s" }, { parts: [{ type: "text", text: "hi" }] });
    await expect(prompt).rejects.toThrow("Not this.");
    expect(JSON.parse(requests.at(-1)?.body ?? "").prompt).toBe("hi");
  });
});
