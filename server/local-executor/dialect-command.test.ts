/** The bundled command as clients run it, beside a real server: both who can decide, and a console that gives no verdict. */
import { mkdir, writeFile } from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { type LocalExecutor, localExecutor } from "../../e2e/fixtures/local-executor.ts";

const json = (value: object) => `echo '${JSON.stringify(value)}'`;
const SHELLS = "Bash|run_shell_command|Shell|bash";
const POLICY = JSON.stringify({
  profile: "2026-08",
  hooks: {
    pre_tool_use: [
      {
        matcher: SHELLS,
        hooks: [
          { type: "command", command: "grep -q forbidden && { echo 'Not here.' >&2; exit 2; } || true" },
          {
            type: "command",
            run_on: "agent",
            command:
              'grep -q push && [ "$(git symbolic-ref --short HEAD)" = trunk ] && { echo "not from trunk" >&2; exit 2; }; true',
          },
        ],
      },
    ],
    tool_input_transform: [
      {
        matcher: "WebFetch|web_fetch",
        hooks: [
          { type: "command", command: json({ hook_specific_output: { updated_input: { url: "https://b.example" } } }) },
        ],
      },
    ],
  },
});

let db: TestDatabase;
let server: TestGateway;
let key: string;
let trustKey: string;
let local: LocalExecutor;
const open: Server[] = [];

beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  key = await server.agent("laptop");
  trustKey = server.secrets.signingPublicKey.export({ type: "spki", format: "der" }).toString("base64");
  await server.publish(POLICY);
}, 120_000);
beforeEach(async () => {
  local = await localExecutor({ QUARTERDECK_URL: server.url, QUARTERDECK_KEY: key });
});
afterEach(async () => {
  for (const one of open.splice(0)) {
    one.closeAllConnections();
    await new Promise((resolve) => one.close(resolve));
  }
  await local.remove();
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

async function stranger(listener: RequestListener): Promise<string> {
  const one = createServer(listener);
  open.push(one);
  await new Promise<void>((resolve) => one.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(one.address() as AddressInfo).port}`; // a TCP server's address
}

async function recorded(session: string): Promise<Record<"event" | "origin" | "verdict" | "client_event", string>[]> {
  const { rows } = await server.database.pool.query(
    "SELECT event, verdict, origin, input::jsonb #>> '{ext,client_event}' AS client_event FROM dispatch WHERE session_id = $1 ORDER BY occurred_at, id",
    [session],
  );
  return rows;
}

const claude = (session_id: string, command: string, tool_name = "Bash") => ({
  session_id,
  cwd: "/work",
  hook_event_name: "PreToolUse",
  tool_name,
  tool_use_id: "t1",
  tool_input: { command },
});
const refusal = (permissionDecisionReason: unknown) => ({
  hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason },
});
const CLAUDE = ["--dialect", "claude-code", "PreToolUse"];

async function answerTo(args: readonly string[], input: unknown, env: Record<string, string> = {}): Promise<unknown> {
  const { code, stdout, stderr } = await local.run(args, input, env);
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
}

const TWO = [
  ["the console alone", () => ({})],
  ["the local executor", () => ({ QUARTERDECK_TRUST_KEY: trustKey })],
] as const;

describe.each(TWO)("%s decides", (name, env) => {
  it("no objection, a denial and a rewrite reach the client in its words", async () => {
    const session = `words of ${name}`;
    expect(await answerTo(CLAUDE, claude(session, "ls"), env())).toEqual({});
    expect(await answerTo(CLAUDE, claude(session, "forbidden"), env())).toEqual(
      refusal(expect.stringContaining("Not here.")),
    );
    const fetched = { ...claude(session, "", "WebFetch"), tool_input: { url: "https://a.example", prompt: "p" } };
    expect(await answerTo(CLAUDE, fetched, env())).toEqual({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        updatedInput: { url: "https://b.example", prompt: "p" },
      },
    });
    const gemini = { session_id: session, tool_name: "run_shell_command", tool_input: { command: "forbidden" } };
    expect(await answerTo(["--dialect", "gemini", "BeforeTool"], gemini, env())).toEqual({
      decision: "deny",
      reason: expect.stringContaining("Not here."),
    });
    const judged = (await recorded(session)).filter(
      ({ event, origin }) => event === "pre_tool_use" && origin === "dispatch",
    );
    expect(judged.map(({ verdict, client_event }) => [client_event, verdict])).toEqual([
      ["PreToolUse", "none"],
      ["PreToolUse", "deny"],
      ["PreToolUse", "none"],
      ["BeforeTool", "deny"],
    ]);
  });

  it("a body that names another client is answered in that client's words", async () => {
    const cursor = {
      ...claude("other", "forbidden", "Shell"),
      hook_event_name: "preToolUse",
      cursor_version: "3.2.11",
    };
    expect(await answerTo(CLAUDE, cursor, env())).toMatchObject({ permission: "deny" });
  });

  it("an event that nothing corresponds to is recorded, and answered with no objection", async () => {
    const session = `unheard by ${name}`;
    const moved = { session_id: session, hook_event_name: "CwdChanged", cwd: "/work" };
    expect(await answerTo(["--dialect", "claude-code", "CwdChanged"], moved, env())).toEqual({});
    if (name === "the local executor") await local.run(["--flush"], "", env());
    await vi.waitFor(
      async () =>
        expect(await recorded(session)).toMatchObject([{ event: "notification", client_event: "CwdChanged" }]),
      { timeout: 30_000 },
    );
  });
});

describe("the local executor behind a client", () => {
  const env = () => ({ QUARTERDECK_TRUST_KEY: trustKey });

  it("runs the hooks of the agent's machine", async () => {
    expect(await answerTo(CLAUDE, claude("beside", "git push"), env())).toEqual(refusal("not from trunk"));
    const fetched = await answerTo(CLAUDE, claude("beside", "git push"));
    expect(fetched).toEqual({}); // The console alone has no repository to look at.
  });

  it("goes by the kept policy while the console is away: what concerns the console is denied, the rest goes on", async () => {
    let isOn = true;
    const url = await stranger(async (request, response) => {
      if (!isOn) return request.socket.destroy();
      const { host: _host, connection: _connection, ...headers } = request.headers;
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const answer = await fetch(`${server.url}${request.url}`, {
        method: request.method ?? "GET",
        headers: headers as Record<string, string>, // single values, all of ours
        ...(request.method === "POST" && { body: Buffer.concat(chunks) }),
      });
      const kept = [...answer.headers].filter(
        ([field]) => !/^(connection|keep-alive|content-length|transfer-)/.test(field),
      );
      response.writeHead(answer.status, Object.fromEntries(kept)).end(Buffer.from(await answer.arrayBuffer()));
      return undefined;
    });
    const through = { ...env(), QUARTERDECK_URL: url };
    expect(await answerTo(CLAUDE, claude("kept", "ls"), through)).toEqual({});
    isOn = false;
    expect(await answerTo(CLAUDE, claude("kept", "ls"), through)).toEqual(
      refusal(expect.stringContaining("cannot be reached")),
    );
    expect(await answerTo(CLAUDE, claude("kept", "x", "Read"), through)).toEqual({});
  });
});

const UNKNOWN_KEY = `qd_${"x".repeat(43)}_${"0".repeat(64)}`;

describe("a console that gives no verdict", () => {
  it.each<[string, RequestListener]>([
    [
      "answers 500",
      (_request, response) => response.writeHead(500).end('{"error":{"code":"internal","message":"Oh."}}'),
    ],
    ["answers HTML", (_request, response) => response.writeHead(200, { "content-type": "text/html" }).end("<html>")],
    ["answers a list", (_request, response) => response.writeHead(200).end("[]")],
    ["answers nothing", (_request, response) => response.writeHead(200).end()],
    ["sends elsewhere", (_request, response) => response.writeHead(302, { location: server.url }).end("{}")],
    ["hangs up", (request) => request.socket.destroy()],
    ["never answers", () => undefined],
    ["never ends", (_request, response) => response.writeHead(200).write("{")],
  ])("%s: a call is denied, an observer let go", async (_name, listener) => {
    const url = await stranger(listener);
    for (const more of [{}, { QUARTERDECK_TRUST_KEY: trustKey }]) {
      const env = { QUARTERDECK_URL: url, ...more };
      const denied = await answerTo([...CLAUDE, "--timeout", "2"], claude("no verdict", "ls"), env);
      expect(denied).toEqual(refusal(expect.stringContaining("no verdict")));
      const observed = await local.run(
        ["--dialect", "claude-code", "Stop", "--timeout", "2"],
        { session_id: "s" },
        env,
      );
      expect(observed).toEqual({ code: 0, stdout: "{}\n", stderr: "" });
    }
  });

  it("a wrong key is no verdict", async () => {
    const denied = await answerTo(CLAUDE, claude("key", "ls"), { QUARTERDECK_KEY: UNKNOWN_KEY });
    expect(denied).toEqual(refusal(expect.stringContaining("HTTP 401")));
    expect(await answerTo(CLAUDE, claude("key", "ls"), { QUARTERDECK_KEY: "" })).toEqual(
      refusal(expect.stringContaining("QUARTERDECK_KEY is not set")),
    );
  });
});

describe("what an enrolment leaves on the machine", () => {
  it("the key's file may hold the whole header", async () => {
    const file = join(local.repository, ".config", "header");
    await mkdir(join(local.repository, ".config"));
    await writeFile(file, `Authorization: Bearer ${key}\n`);
    const args = [...CLAUDE, "--key-file", file];
    expect(await answerTo(args, claude("header", "forbidden"), { QUARTERDECK_KEY: "" })).toEqual(
      refusal(expect.stringContaining("Not here.")),
    );
  });

  it("the environment redirects no question whose address and key are arguments", async () => {
    const file = join(local.repository, "key");
    await writeFile(file, `${key}\n`);
    let asked = 0;
    const elsewhere = await stranger((_request, response) => {
      asked += 1;
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
    const env = { QUARTERDECK_KEY: UNKNOWN_KEY, QUARTERDECK_URL: elsewhere };
    const denied = refusal(expect.stringContaining("Not here."));
    const address = ["--key-file", file, "--url", server.url];
    expect(await answerTo([...CLAUDE, ...address], claude("redirected", "forbidden"), env)).toEqual(denied);
    const { stdout } = await local.run(["pre_tool_use", ...address], claude("redirected", "forbidden"), {
      ...env,
      QUARTERDECK_TRUST_KEY: trustKey,
    });
    expect(JSON.parse(stdout)).toMatchObject({ reason: expect.stringContaining("Not here.") });
    // The address is the environment's; the key is not.
    expect(
      await answerTo([...CLAUDE, "--key-file", file], claude("key", "forbidden"), {
        QUARTERDECK_KEY: UNKNOWN_KEY,
      }),
    ).toEqual(denied);
    expect(asked).toBe(0);
  });
});
