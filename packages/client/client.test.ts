/** The client and the example of the AI SDK, with a scripted model and a real gateway. */
import { randomUUID } from "node:crypto";
import { MockLanguageModelV3 } from "ai/test";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { freePort } from "../../e2e/fixtures/free-port.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { runAgent } from "./examples/ai-sdk-agent.ts";
import { CallDenied, createQuarterdeck, governTools, type Quarterdeck, QuarterdeckError } from "./index.ts";

const POLICY = `hooks:
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

const LATE = `hooks:
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
