/**
 * A proxy on the line sees each question and the bearer, and never the answer key. It adds headers that change the meaning of a question: the
 * answer is not one to the question that the relay sent, so the relay denies.
 */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, request as forward, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { createQuarterdeck } from "../../packages/client/client.ts";
import { CLIENT_ENROLMENTS, dialectOf } from "../dialects/index.ts";
import { halt, resume } from "../halts/index.ts";
import { askConsole } from "../local-executor/ask-console.ts";
import { openConsole } from "../local-executor/console-client.ts";
import { EXECUTOR_HEADER } from "../platform/answer-mac.ts";

const policyOf = (isEarly: boolean) => `profile: "2026-08"
hooks:
  pre_tool_use:
    - matcher: "*"
      preempt_yolo: ${isEarly}
      hooks: [{ type: command, command: "echo held >&2; exit 2" }]
`;
const [DENY, DENY_EARLY] = [policyOf(false), policyOf(true)];
const EXECUTOR = "id=0123456789abcdef";

let db: TestDatabase;
let server: TestGateway;
let key: string;
let proxy: Server;
let home: string;
/** The headers that the proxy sets. */
let added: Record<string, string> = {};
beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  key = await server.agent("tester");
  home = await mkdtemp(join(tmpdir(), "added-headers-"));
  proxy = createServer((asked, answer) => {
    const headers = { ...asked.headers, ...added, host: new URL(server.url).host };
    const sent = forward(`${server.url}${asked.url}`, { method: asked.method, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    asked.pipe(sent);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
});
afterEach(() => {
  added = {};
});
afterAll(async () => {
  proxy?.close();
  await server?.stop();
  await db?.drop();
  await rm(home, { recursive: true, force: true });
});

const proxyUrl = () => `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`; // a TCP server's address

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function run(args: readonly string[], input: object, env: Record<string, string> = {}): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn("sh", args, { env: { ...process.env, HOME: home, ...env } });
    let [out, err] = ["", ""];
    child.stdout.on("data", (chunk) => {
      out += chunk;
    });
    child.stderr.on("data", (chunk) => {
      err += chunk;
    });
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, out: out.trim(), err: err.trim() }));
    child.stdin.end(JSON.stringify(input));
  });
}

const nativeCall = () => ({
  ...{ session_id: randomUUID(), tool_use_id: "t", tool_name: "shell", tool_input: { cmd: "ls" } },
});
const native = (input: object) =>
  run(["scripts/quarterdeck-hook.sh", "pre_tool_use"], input, { QUARTERDECK_KEY: key, QUARTERDECK_URL: proxyUrl() });

type Enrolled = "gemini" | "copilot" | "claude-code";
/** The enrolled command of a client's gate. */
async function commandOf(client: Enrolled, event: string): Promise<string> {
  const files = CLIENT_ENROLMENTS[client]({ url: proxyUrl(), scope: "user", key });
  for (const { path, content } of files) {
    const place = path.replace("~", home);
    await mkdir(dirname(place), { recursive: true });
    await writeFile(place, content);
  }
  const address = `/${client}/${event} `;
  const text = files.map(({ content }) => content).find((content) => content.includes(address)) ?? "";
  const from = text.lastIndexOf('"command"', text.indexOf(address));
  return JSON.parse(/"command": ("(?:[^"\\]|\\.)*")/.exec(text.slice(from))?.[1] ?? '""');
}

const isDenied = ({ code, out, err }: Ran): boolean =>
  code === 2 ? err !== "" : /"permissionDecision":"deny"|"decision":"(?:deny|block)"/.test(out);

const CLIENTS: [client: Enrolled, event: string, payload: object][] = [
  ["gemini", "BeforeTool", { hook_event_name: "BeforeTool", tool_name: "run_shell_command" }],
  ["copilot", "PreToolUse", { hook_event_name: "PreToolUse", tool_name: "bash" }],
  ["claude-code", "PreToolUse", { hook_event_name: "PreToolUse", tool_use_id: "same", tool_name: "Bash" }],
];

describe.each(CLIENTS)("%s", (client, event, payload) => {
  it("is not allowed again what was allowed once, after a denial is published and under a halt", async () => {
    const context = { db: server.database, bus: server.running.app.bus };
    await server.publish("hooks: {}");
    const command = await commandOf(client, event);
    const call = (at: number) => {
      const timestamp = client === "claude-code" ? {} : { timestamp: new Date(at).toISOString() };
      const own = { session_id: `fixed ${client}`, cwd: "/r", tool_input: { command: "deploy" }, ...timestamp };
      return run(["-c", command], { ...payload, ...own });
    };
    expect(await call(1e12)).toMatchObject({ code: 0, out: "{}" });
    added = { "idempotency-key": `fixed ${client}` };
    expect(isDenied(await call(1.1e12)), "an added key").toBe(true);
    await server.publish(DENY);
    expect(isDenied(await call(1.2e12)), "a denial was published").toBe(true);
    const { id } = await halt(context, server.admin, { target: { scope: "workspace" }, reason: "stop" });
    expect(isDenied(await call(1.3e12)), "halted").toBe(true);
    await resume(context, server.admin, { id, reason: "go" });
  });

  it("is held where the call was reported under that key, and where its last gate was asked under it", async () => {
    await server.publish(DENY_EARLY);
    const command = await commandOf(client, event);
    const { timestamp: _, ...own } = {
      timestamp: "",
      session_id: randomUUID(),
      cwd: "/r",
      tool_input: { command: "x" },
    };
    const sent = { ...payload, ...own, ...(client !== "claude-code" && { timestamp: "2026-11-28T00:00:00Z" }) };
    const read = dialectOf(client).read(sent, event);
    const input = { ...read.native, ext: read.ext };
    const headers = { authorization: `Bearer ${key.slice(0, 46)}`, "content-type": "application/json" };
    const post = (path: string, body: object, more: Record<string, string> = {}) =>
      fetch(`${server.url}${path}`, {
        ...{ method: "POST", headers: { ...headers, ...more }, body: JSON.stringify(body) },
      });
    const [reported, asked] = [randomUUID(), randomUUID()];
    await post("/api/v1/events", [{ event_id: reported, event: "pre_tool_use", input }]);
    await post("/api/v1/hooks/pre_tool_use?lane=default", input, { "idempotency-key": asked });
    for (const name of [reported, asked]) {
      added = { "idempotency-key": name };
      expect(isDenied(await run(["-c", command], sent)), name).toBe(true);
    }
  });
});

describe("quarterdeck-hook.sh", () => {
  it("is answered through a proxy that adds nothing", async () => {
    await server.publish("hooks: {}");
    expect(await native(nativeCall())).toEqual({ code: 0, out: "{}", err: "" });
  });

  it.each<[string, Record<string, string>]>([
    ["an Idempotency-Key", { "idempotency-key": "k" }],
    ["an executor", { "quarterdeck-executor": EXECUTOR }],
    ["a malformed executor", { "quarterdeck-executor": "x" }],
    ["another time to wait", { "quarterdeck-wait-seconds": "0" }],
    ["another type", { "content-type": "application/vnd.quarterdeck.dispatch.v1+json" }],
  ])("denies when %s is added", async (_name, headers) => {
    await server.publish("hooks: {}");
    added = headers;
    expect(await native(nativeCall())).toMatchObject({ code: 2, out: "" });
    await server.publish(DENY_EARLY);
    expect(await native(nativeCall())).toMatchObject({ code: 2, out: "" });
  });
});

describe("a sender of such headers", () => {
  it("@quarterdeck/client is answered, and refuses the answer to another Idempotency-Key", async () => {
    await server.publish("hooks: {}");
    const client = createQuarterdeck({ url: proxyUrl(), key });
    const ask = () => client.dispatch("pre_tool_use", nativeCall(), { waitSeconds: 1 });
    expect((await ask()).output).toEqual({});
    for (const headers of [{ "idempotency-key": "k" }, { "quarterdeck-executor": EXECUTOR }]) {
      added = headers;
      await expect(ask()).rejects.toMatchObject({ code: "not_quarterdeck" });
    }
  });

  it("the local executor is answered, with and without an envelope, and refuses the answer to changed headers", async () => {
    await server.publish("hooks: {}");
    const console = await openConsole(proxyUrl(), key.slice(0, 46));
    const local = { revision: "", verdict: "none", reason: "", durationMs: 1, hooks: [] } as const;
    const ask = (isEnveloped: boolean) =>
      askConsole(console, key.slice(47), {
        ...{ event: "pre_tool_use", lane: "default", eventId: randomUUID(), text: JSON.stringify(nativeCall()) },
        ...{ local: isEnveloped ? { ...local, hooks: [] } : undefined, timeoutMs: 10_000 },
        ...{ signal: new AbortController().signal, headers: { [EXECUTOR_HEADER]: EXECUTOR } },
      });
    try {
      expect([await ask(false), await ask(true)]).toEqual(["{}", "{}"]);
      for (const headers of [{ "idempotency-key": "k" }, { "quarterdeck-executor": "id=" }]) {
        added = headers;
        await expect(ask(false)).rejects.toThrow(/something else than the console/);
      }
      added = { "content-type": "application/json" };
      await expect(ask(true)).rejects.toThrow();
    } finally {
      console.close();
    }
  });
});
