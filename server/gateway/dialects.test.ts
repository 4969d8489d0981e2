/** Clients with dialects of their own, over real HTTP: no objection, a denial, a rewrite, a redaction, and our failures. */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { type EmbeddedPostgres, startEmbedded } from "../database/embedded.ts";
import { migrate } from "../database/migrate.ts";
import { createLog } from "../platform/log.ts";

const json = (value: object) => `echo '${JSON.stringify(value)}'`;
const POLICY = JSON.stringify({
  hooks: {
    pre_tool_use: [
      {
        matcher: "Bash|bash|run_shell_command|Shell",
        hooks: [{ type: "command", command: "grep -q forbidden && { echo 'Not here.' >&2; exit 2; } || true" }],
      },
      {
        matcher: "WebFetch|web_fetch|view_image",
        hooks: [
          { type: "command", command: json({ hook_specific_output: { updated_input: { url: "https://b.example" } } }) },
        ],
      },
      {
        matcher: "mcp__board__show",
        hooks: [{ type: "command", command: `grep -o '"thread":[0-9]*' >&2; exit 2` }],
      },
      {
        matcher: "mcp__board__edit",
        hooks: [{ type: "command", command: json({ hook_specific_output: { updated_input: { text: "new" } } }) }],
      },
      {
        matcher: "mcp__board__move",
        hooks: [
          {
            type: "command",
            command: `echo '{"hook_specific_output":{"updated_input":{"thread":1180591620717411303437}}}'`,
          },
        ],
      },
    ],
    tool_response_transform: [
      {
        matcher: "Bash",
        hooks: [{ type: "command", command: json({ hook_specific_output: { updated_tool_response: "hidden" } }) }],
      },
    ],
  },
});

let directory: string;
let postgres: EmbeddedPostgres;
let server: TestGateway;
let key: string;
const start = () => startEmbedded({ dataDir: directory, socketDir: directory, log: createLog("silent") });

beforeAll(async () => {
  directory = await mkdtemp("/tmp/quarterdeck-dialects-");
  postgres = await start();
  await migrate(postgres.url("postgres"));
  server = await testGateway(postgres.url("postgres"));
  key = await server.agent("tester");
  await server.publish(POLICY);
});
afterAll(async () => {
  await server?.stop();
  await postgres?.stop();
  await rm(directory, { recursive: true, force: true });
});

function post(path: string, body: unknown, bearer = key, more: Record<string, string> = {}): Promise<Response> {
  return fetch(`${server.url}/api/v1/hooks/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json", ...more },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

async function answerTo(path: string, body: unknown): Promise<unknown> {
  const response = await post(path, body);
  return [response.status, await response.json()];
}

interface Client {
  readonly path: string;
  readonly shell: string;
  readonly fetch: string;
  readonly denied: (reason: unknown) => unknown;
  readonly rewritten: unknown;
}

const nested = (event: string, fields: object) => ({ hookSpecificOutput: { hookEventName: event, ...fields } });
const refused = (permissionDecisionReason: unknown) =>
  nested("PreToolUse", { permissionDecision: "deny", permissionDecisionReason });
const CALL = { url: "https://b.example", prompt: "p" };
const CLIENTS: Record<string, Client> = {
  "claude-code": {
    path: "claude-code/PreToolUse",
    shell: "Bash",
    fetch: "WebFetch",
    denied: refused,
    rewritten: nested("PreToolUse", { updatedInput: CALL }),
  },
  codex: {
    path: "codex/PreToolUse",
    shell: "Bash",
    fetch: "view_image",
    denied: refused,
    rewritten: nested("PreToolUse", { permissionDecision: "allow", updatedInput: CALL }),
  },
  gemini: {
    path: "gemini/BeforeTool",
    shell: "run_shell_command",
    fetch: "web_fetch",
    denied: (reason) => ({ decision: "deny", reason }),
    rewritten: nested("BeforeTool", { tool_input: CALL }),
  },
};

const session_id = "s";
let calls = 0;
const shellCall = (tool_name: string, command: string) => {
  calls += 1;
  return { session_id, cwd: "/workspace", tool_name, tool_input: { command: `${command} ${calls}` } };
};

describe.each(Object.entries(CLIENTS))("%s", (_name, client) => {
  it("hears no objection as an empty object", async () => {
    expect(await answerTo(client.path, shellCall(client.shell, "ls"))).toEqual([200, {}]);
  });

  it("hears a denial with its reason", async () => {
    const reason = expect.stringContaining("Not here.");
    expect(await answerTo(client.path, shellCall(client.shell, "forbidden"))).toMatchObject([
      200,
      client.denied(reason),
    ]);
  });

  it("is handed the whole call when a part was changed", async () => {
    const body = { session_id, tool_name: client.fetch, tool_input: { url: "https://a.example", prompt: "p" } };
    expect(await answerTo(client.path, body)).toEqual([200, client.rewritten]);
  });

  it("hears a denial when the body cannot be read", async () => {
    for (const [body, words, error] of [
      ["{", "gave no verdict", expect.any(String)],
      ["[]", "gave no verdict", expect.any(String)],
      // The gate answers by itself, and records a denied call.
      ['{"tool_name":7}', "cannot read this", null],
      ['{"session_id":"s","tool_name":"Bash","tool_input":"{no object"}', "gave no verdict", expect.any(String)],
    ] as const) {
      const response = await post(client.path, body);
      expect(response.headers.get("quarterdeck-error"), body).toEqual(error);
      const reason = expect.stringContaining(words);
      expect([response.status, await response.json()]).toMatchObject([200, client.denied(reason)]);
    }
  });
});

describe("an integer beyond 2^53 keeps its digits", () => {
  const THREAD = "918273645546372819";
  const call = (tool: string) =>
    `{"session_id":"board ${tool}","tool_name":"mcp__board__${tool}","tool_use_id":"${tool}","tool_input":{"thread":${THREAD},"text":"old"}}`;
  const answerText = async (path: string, body: string) => (await post(path, body)).text();

  it.each(["codex/PreToolUse", "claude-code/PreToolUse", "gemini/BeforeTool"])(
    "in what a hook reads: %s",
    async (path) => {
      expect(await answerText(path, call("show"))).toContain(THREAD);
    },
  );

  it("in what a client's arguments that are JSON text hold", async () => {
    const toolArgs = `{"thread":${THREAD}}`;
    const body = JSON.stringify({ sessionId: "board", cwd: "/w", toolName: "mcp__board__show", toolArgs });
    expect(await answerText("copilot/preToolUse", body)).toContain(THREAD);
  });

  it("in a rewriting that changes another argument, and in the record", async () => {
    expect(await answerText("codex/PreToolUse", call("edit"))).toContain(
      `"updatedInput":{"thread":${THREAD},"text":"new"}`,
    );
    const { rows } = await server.database.pool.query<{ input: string }>(
      "SELECT input FROM dispatch WHERE session_id = 'board edit'",
    );
    expect(rows.map(({ input }) => input)).toEqual([expect.stringContaining(`"thread":${THREAD},`)]);
  });

  it("in a rewriting that states it, and in the recorded answer", async () => {
    expect(await answerText("codex/PreToolUse", call("move"))).toContain('"thread":1180591620717411303437');
    const { rows } = await server.database.pool.query<{ answer: string }>(
      "SELECT answer FROM dispatch WHERE session_id = 'board move'",
    );
    expect(rows.map(({ answer }) => answer)).toEqual([expect.stringContaining('"thread":1180591620717411303437')]);
  });

  it("in the result of a tool", async () => {
    const body = `{"session_id":"board result","tool_name":"mcp__board__list","tool_response":{"threads":[${THREAD}]}}`;
    await post("claude-code/PostToolUse", body);
    const { rows } = await server.database.pool.query<{ input: string }>(
      "SELECT input FROM dispatch WHERE session_id = 'board result'",
    );
    const recorded = expect.stringContaining(THREAD);
    expect(rows.map(({ input }) => input)).toEqual([recorded, recorded]);
  });
});

it("replaces a tool's result in the shape of that tool, by the hooks that transform responses", async () => {
  const body = { ...shellCall("Bash", "cat"), tool_response: { stdout: "secret", stderr: "", interrupted: false } };
  const replaced = { updatedToolOutput: { stdout: "hidden", stderr: "", interrupted: false } };
  expect(await answerTo("claude-code/PostToolUse", body)).toEqual([200, nested("PostToolUse", replaced)]);
});

it("answers a repeated delivery as it was recorded, and runs and records no stage again", async () => {
  const body = { ...shellCall("Bash", "cat"), tool_response: { stdout: "secret", stderr: "", interrupted: false } };
  const send = () => post("claude-code/PostToolUse", body, key, { "idempotency-key": "a delivery" });
  const count = async () =>
    (await server.database.pool.query<{ count: number }>("SELECT count(*)::int AS count FROM dispatch")).rows[0]?.count;
  const before = (await count()) ?? 0;
  const first = await send();
  expect(await count()).toBe(before + 2);
  const second = await send();
  expect(await second.json()).toEqual(await first.json());
  expect(second.headers.get("idempotency-replayed")).toBe("true");
  expect(await count()).toBe(before + 2);
});

it("answers the client that really asked", async () => {
  const body = { ...shellCall("Shell", "forbidden"), hook_event_name: "preToolUse", cursor_version: "3.2.11" };
  const response = await post("claude-code/PreToolUse", body);
  expect(response.headers.get("quarterdeck-dialect")).toBe("cursor");
  expect(await response.json()).toMatchObject({ permission: "deny" });
});

it("records an event that has no native one, and one that nobody knows, and asks no hook", async () => {
  for (const event of ["MessageDisplay", "TheNextVersionsEvent", "constructor"])
    expect(await answerTo(`claude-code/${event}`, { session_id: "unknown events" })).toEqual([200, {}]);
  const { rows } = await server.database.pool.query<{ message: string }>(
    `SELECT input::jsonb->>'notification_message' AS message FROM dispatch
      WHERE event = 'notification' AND session_id = 'unknown events' ORDER BY id`,
  );
  expect(rows.map(({ message }) => message)).toEqual([
    "claude-code: MessageDisplay",
    "claude-code: TheNextVersionsEvent",
    "claude-code: constructor",
  ]);
});

it("judges a call that arrives through two hooks once, and two calls through one hook twice", async () => {
  const body = { session_id: "twice", conversation_id: "c", cursor_version: "3", command: "ls", cwd: "/workspace" };
  const call = { ...body, tool_name: "Shell", tool_input: { command: "ls", cwd: "/workspace" }, tool_use_id: "t" };
  const first = await post("cursor/preToolUse", call);
  const second = await post("cursor/beforeShellExecution", body);
  const third = await post("cursor/preToolUse", { ...call, tool_use_id: "u" });
  const fourth = await post("cursor/beforeShellExecution", body);
  const fifth = await post("cursor/beforeShellExecution", body);
  const ids = [first, second, third, fourth, fifth].map(({ headers }) => headers.get("quarterdeck-dispatch-id"));
  expect(ids[1]).toBe(ids[0]);
  expect(ids[2]).not.toBe(ids[0]);
  expect(ids[3]).toBe(ids[2]);
  expect(ids[4]).not.toBe(ids[2]);
});

it("knows an agent's client by the dialect it really speaks, and by docker-agent's where it speaks native words", async () => {
  const native = {
    event_id: randomUUID(),
    event: "stop",
    occurred_at: new Date().toISOString(),
    input: { session_id },
  };
  const sent: readonly [string, (bearer: string) => Promise<Response>][] = [
    ["codex", (bearer) => post("codex/SessionStart", { session_id }, bearer)],
    ["cursor", (bearer) => post("claude-code/Stop", { session_id, cursor_version: "3.2.11" }, bearer)],
    ["claude-code", (bearer) => post("claude-code/MessageDisplay", { session_id }, bearer)],
    ["docker-agent", (bearer) => post("../events", [native], bearer)],
  ];
  for (const [client, send] of sent) expect((await send(await server.agent(`speaks ${client}`))).status).toBe(200);
  const { rows } = await server.database.pool.query<{ name: string; client: string }>(
    "SELECT name, client FROM agent WHERE name LIKE 'speaks %' ORDER BY name",
  );
  expect(rows.map(({ name, client }) => [name, client])).toEqual(
    sent.map(([client]) => [`speaks ${client}`, client]).sort(),
  );
});

it("refuses an unknown dialect and a wrong key with the status of an error, which is no verdict", async () => {
  expect((await post("toaster/PreToolUse", {})).status).toBe(404);
  expect((await post("claude-code/PreToolUse", {}, "wrong")).status).toBe(401);
});

it("denies while nothing can be recorded, and says so as an error where nothing can be blocked", async () => {
  await postgres.stop();
  try {
    for (const client of Object.values(CLIENTS)) {
      const response = await post(client.path, shellCall(client.shell, "ls"));
      const reason = expect.stringContaining("gave no verdict");
      expect([response.status, await response.json()]).toMatchObject([200, client.denied(reason)]);
      expect(response.headers.get("quarterdeck-error")).not.toBeNull();
    }
    expect((await post("claude-code/Stop", { session_id })).status).toBe(503);
  } finally {
    postgres = await start();
  }
});
