/** The client and the example of the AI SDK, with a scripted model and a real gateway. */
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { MockLanguageModelV3 } from "ai/test";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { freePort } from "../../e2e/fixtures/free-port.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { answerMac, headerLines, sha256Hex } from "../../server/platform/answer-mac.ts";
import { runAgent } from "./examples/ai-sdk-agent.ts";
import { CallDenied, createQuarterdeck, governTools, type Quarterdeck, QuarterdeckError } from "./index.ts";

const POLICY = `profile: "2026-08"
hooks:
  tool_guard:
    - matcher: guarded
      hooks: [{ type: command, command: "echo guarded >&2; exit 2" }]
  pre_tool_use:
    - matcher: shell
      hooks:
        - type: command
          command: |
            if grep -q 'rm -rf'; then echo "no rm -rf here" >&2; exit 2; fi
    - matcher: rewritten
      hooks:
        - type: command
          command: |
            echo '{"hook_specific_output":{"updated_input":{"cmd":"ls -la"}}}'
    - matcher: asked
      hooks:
        - type: command
          command: |
            echo '{"hook_specific_output":{"permission_decision":"ask","permission_decision_reason":"a person decides"}}'
    - matcher: preempted
      preempt_yolo: true
      hooks: [{ type: command, command: "echo preempted >&2; exit 2" }]
  tool_response_transform:
    - matcher: cleaned
      hooks:
        - type: command
          command: |
            echo '{"hook_specific_output":{"updated_tool_response":"cleaned"}}'
`;

const LATE = `profile: "2026-08"
hooks:
  tool_input_transform:
    - matcher: late
      hooks: [{ type: command, command: "echo late >&2; exit 2" }]
`;

let db: TestDatabase;
let server: TestGateway;
let key: string;
let quarterdeck: Quarterdeck;
beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  key = await server.agent("loop");
  await server.publish(POLICY);
  quarterdeck = createQuarterdeck({ url: server.url, key });
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** Calls the tool `shell` with each command, then says that it is done. */
function scripted(commands: readonly string[]) {
  const calls = commands.map((cmd, index) => ({
    ...{ finishReason: { unified: "tool-calls" as const, raw: undefined }, usage: USAGE, warnings: [] },
    content: [
      { type: "tool-call" as const, toolCallId: `call-${index}`, toolName: "shell", input: JSON.stringify({ cmd }) },
    ],
  }));
  const done = {
    ...{ finishReason: { unified: "stop" as const, raw: undefined }, usage: USAGE, warnings: [] },
    content: [{ type: "text" as const, text: "done" }],
  };
  return new MockLanguageModelV3({ doGenerate: [...calls, done] });
}

/** The tools' answers as the model was shown them. */
const shownTo = (model: MockLanguageModelV3) =>
  JSON.stringify(model.doGenerateCalls.at(-1)?.prompt.filter(({ role }) => role === "tool"));

describe("the loop of the AI SDK", () => {
  it("is governed in 20 lines", async () => {
    const example = await readFile(new URL("./examples/ai-sdk-agent.ts", import.meta.url), "utf8");
    expect(example.trimEnd().split("\n").length).toBeLessThanOrEqual(20);
  });

  it("runs what is allowed, and shows the model why a call is denied", async () => {
    const model = scripted(["ls", "rm -rf /"]);
    const { text, sessionId } = await runAgent(model, "clean up", { url: server.url, key });
    expect(text).toBe("done");
    expect(shownTo(model)).toContain("ran ls");
    expect(shownTo(model)).toContain("no rm -rf here");
    expect(shownTo(model)).not.toContain("ran rm");
    await server.projected();
    const { rows } = await db.owner.query<{ event: string }>(
      "SELECT event FROM dispatch WHERE session_id = $1 ORDER BY received_at, id",
      [sessionId],
    );
    const events = rows.map(({ event }) => event);
    expect(events[0]).toBe("session_start");
    expect(events.filter((event) => event === "pre_tool_use")).toHaveLength(4);
    expect(events.filter((event) => event === "post_tool_use")).toHaveLength(1);
    expect(events.at(-1)).toBe("session_end");
    const [denial] = await quarterdeck.denials({ sessionId });
    expect(denial).toMatchObject({ tool: "shell", policy: "policy", words: expect.stringContaining("no rm -rf here") });
  });
});

/** Answers nothing before the request is given up. */
const silence = ({ signal }: Request) =>
  new Promise<Response>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
  });

/** Runs one tool of this name under the policy; answers what it ran with and what came of it. */
async function runTool(name: string, { gate = quarterdeck, input = { cmd: "date" } as object, answer = "plain" } = {}) {
  const ran: unknown[] = [];
  const execute = async (given: object) => {
    ran.push(given);
    return answer;
  };
  const tools = governTools(gate, { sessionId: randomUUID() }, { [name]: { execute } });
  const outcome = await tools[name]?.execute(input).catch((error: unknown) => error);
  return { ran, outcome };
}

describe("a governed tool", () => {
  it("runs with the input that hooks made of it, and answers as they say", async () => {
    expect(await runTool("free")).toEqual({ ran: [{ cmd: "date" }], outcome: "plain" });
    expect((await runTool("rewritten")).ran).toEqual([{ cmd: "ls -la" }]);
    expect(await runTool("cleaned")).toEqual({ ran: [{ cmd: "date" }], outcome: "cleaned" });
  });

  it.each([
    ["guarded", "guarded"],
    ["preempted", "preempted"],
    ["asked", "A person has to be asked"],
  ])("does not run where the gate says no: %s", async (name, words) => {
    const { ran, outcome } = await runTool(name);
    expect(ran).toEqual([]);
    expect(outcome).toBeInstanceOf(CallDenied);
    expect(outcome).toMatchObject({ tool: name, message: expect.stringContaining(words) });
  });

  it("does not run where nobody can be asked, or something else answers", async () => {
    const away = createQuarterdeck({ url: `http://127.0.0.1:${await freePort()}`, key });
    const { ran, outcome } = await runTool("free", { gate: away });
    expect(ran).toEqual([]);
    expect(outcome).toMatchObject({ name: "QuarterdeckError", code: "unreachable" });
    const html = async () => new Response("<html></html>", { headers: { "content-type": "text/html" } });
    const other = createQuarterdeck({ url: server.url, key, fetch: html });
    expect(await runTool("free", { gate: other })).toMatchObject({ ran: [], outcome: { code: "not_quarterdeck" } });
    const stranger = createQuarterdeck({ url: server.url, key: `qd_${"x".repeat(43)}` });
    expect((await runTool("free", { gate: stranger })).outcome).toMatchObject({ code: "unauthenticated", status: 401 });
  });

  const policy = { revision: "r", policies: [], hooks: {} };
  const ours = { "quarterdeck-dispatch-id": randomUUID(), "quarterdeck-revision": "r" };
  /** As a console with this key signs it. */
  async function signature(request: Request, output: unknown, { status = 200 }: ResponseInit) {
    const nonce = request.headers.get("quarterdeck-nonce") ?? "";
    const bodySha256 = sha256Hex(await request.text());
    const target = new URL(request.url).pathname + new URL(request.url).search;
    const lines = headerLines(nonce, (name) => request.headers.get(name) ?? undefined);
    const mac = answerMac(key.slice(-64), { nonce, target, bodySha256, lines }, status, JSON.stringify(output));
    return { "quarterdeck-nonce": nonce, "quarterdeck-answer-mac": mac };
  }
  const answering = (output: unknown, headers: Record<string, string> = ours, init: ResponseInit = {}) =>
    createQuarterdeck({
      ...{ url: "http://console.invalid", key, timeoutMs: 200 },
      fetch: async (request) =>
        request.url.endsWith("/policy")
          ? Response.json(policy)
          : Response.json(output, { ...init, headers: { ...headers, ...(await signature(request, output, init)) } }),
    });

  it("runs where a console like this one says nothing against it", async () => {
    expect(await runTool("free", { gate: answering({}) })).toEqual({ ran: [{ cmd: "date" }], outcome: "plain" });
  });

  it.each<[string, () => Quarterdeck, string]>([
    ["an empty object that is of no console", () => answering({}, {}), "not_quarterdeck"],
    ["a list", () => answering([]), "not_quarterdeck"],
    ["a page of an error", () => answering("sorry", {}, { status: 500 }), "not_quarterdeck"],
    [
      "gates of another policy than was read",
      () => answering({}, { ...ours, "quarterdeck-revision": "s" }),
      "policy_unsteady",
    ],
    [
      "a policy that is none",
      () => createQuarterdeck({ url: "http://a.invalid", key, fetch: async () => Response.json({}) }),
      "not_quarterdeck",
    ],
    [
      "silence",
      () => createQuarterdeck({ url: "http://a.invalid", key, timeoutMs: 50, fetch: silence }),
      "unreachable",
    ],
  ])("does not run after %s", async (_, makeGate, code) => {
    const { ran, outcome } = await runTool("free", { gate: makeGate() });
    expect(ran).toEqual([]);
    expect(outcome).toMatchObject({ name: "QuarterdeckError", code });
  });

  it.each([
    { hook_specific_output: { permission_decision: "deny" } },
    { hook_specific_output: { permission_decision: "ask" } },
    { hook_specific_output: { permission_decision: "whatever" } },
    { decision: "block" },
    { continue: false },
  ])("does not run after %j", async (output) => {
    const { ran, outcome } = await runTool("free", { gate: answering(output) });
    expect(ran).toEqual([]);
    expect(outcome).toBeInstanceOf(CallDenied);
  });

  it("follows nobody who sends it elsewhere", async () => {
    const elsewhere = createServer((request, response) => {
      if (request.url?.startsWith("/away")) response.writeHead(200, { "content-type": "application/json", ...ours });
      else response.writeHead(307, { location: "/away" });
      response.end(JSON.stringify({ ...policy, hooks: {} }));
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
    const { port } = elsewhere.address() as AddressInfo;
    const gate = createQuarterdeck({ url: `http://127.0.0.1:${port}`, key });
    const { ran, outcome } = await runTool("free", { gate });
    elsewhere.close();
    expect(ran).toEqual([]);
    expect(outcome).toMatchObject({ code: "unreachable" });
  });

  it("gives no answer away that no hook could see", async () => {
    let isAway = false;
    const gate = createQuarterdeck({
      ...{ url: server.url, key },
      fetch: async (request) => (isAway ? Response.json([]) : fetch(request)),
    });
    const execute = async () => {
      isAway = true;
      return "secret";
    };
    const tools = governTools(gate, { sessionId: randomUUID() }, { free: { execute } });
    await expect(tools.free.execute()).rejects.toMatchObject({ code: "not_quarterdeck" });
  });

  it("passes a gate that was published after the policy was read", async () => {
    const ran: unknown[] = [];
    const execute = async (input: object) => ran.push(input);
    const tools = governTools(quarterdeck, { sessionId: randomUUID() }, { late: { execute } });
    await tools.late.execute({});
    await server.publish(LATE, "late");
    await vi.waitUntil(async () => (await quarterdeck.policy()).policies.length === 2, { timeout: 10_000 });
    await expect(tools.late.execute({})).rejects.toThrow("late");
    expect(ran).toEqual([{}]);
  });

  it("reports a tool that failed, and throws on", async () => {
    const execute = async () => {
      throw new Error("out of paper");
    };
    const sessionId = randomUUID();
    const tools = governTools(quarterdeck, { sessionId }, { free: { execute } });
    await expect(tools.free.execute()).rejects.toThrow("out of paper");
    const { rows } = await db.owner.query<{ text: string }>(
      "SELECT input AS text FROM dispatch WHERE session_id = $1 AND event = 'post_tool_use'",
      [sessionId],
    );
    expect(JSON.parse(rows[0]?.text ?? "{}")).toMatchObject({ tool_error: true, tool_response: "out of paper" });
  });

  it("is none without execute: it would run where no gate is", () => {
    expect(() => governTools(quarterdeck, { sessionId: "s" }, { remote: {} })).toThrow(TypeError);
  });
});

it("questions and budgets are asked with the agent's key alone", async () => {
  expect(await quarterdeck.budgets()).toEqual([]);
  expect(await quarterdeck.ask("May I?")).toMatchObject({ state: "open" });
  await expect(quarterdeck.ask("")).rejects.toThrow(QuarterdeckError);
});
