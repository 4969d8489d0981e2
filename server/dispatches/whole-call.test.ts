/** A question without a lane is about the whole call: each gate before the default lane is asked, too. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { createQuarterdeck } from "../../packages/client/client.ts";
import { halt, resume } from "../halts/index.ts";
import { PACKS } from "../packs/registry.ts";

const EARLY = `profile: "2026-08"
hooks:
  tool_input_transform:
    - matcher: rewritten
      hooks: [{ type: command, command: 'echo "{\\"hook_specific_output\\":{\\"updated_input\\":{\\"cmd\\":\\"ls\\"}}}"' }]
  tool_guard:
    - matcher: guarded
      hooks: [{ type: command, command: "echo guarded >&2; exit 2" }]
  pre_tool_use:
    - matcher: early
      preempt_yolo: true
      hooks: [{ type: command, command: "echo early >&2; exit 2" }]
    - matcher: asks
      preempt_yolo: true
      hooks: [{ type: command, command: 'echo "{\\"hook_specific_output\\":{\\"permission_decision\\":\\"ask\\",\\"permission_decision_reason\\":\\"a person decides\\"}}"' }]
    - matcher: both
      preempt_yolo: true
      hooks: [{ type: command, command: 'echo "{\\"hook_specific_output\\":{\\"permission_decision\\":\\"allow\\"}}"' }]
    - matcher: both|late
      hooks: [{ type: command, command: "echo late >&2; exit 2" }]
    - matcher: rewritten
      hooks: [{ type: command, command: "if grep -q rm; then echo not rewritten >&2; exit 2; fi" }]
`;

let db: TestDatabase;
let server: TestGateway;
let key: string;

beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  key = await server.agent("tester");
  await server.publish(EARLY);
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

const inputOf = (tool: string) => ({
  session_id: randomUUID(),
  tool_use_id: "t1",
  tool_name: tool,
  tool_input: { cmd: "rm -r build" },
});

async function post(query: string, input: object, headers: Record<string, string> = {}) {
  const response = await fetch(`${server.url}/api/v1/hooks/pre_tool_use${query}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    body: JSON.stringify(input),
  });
  const answer = await response.json();
  return { status: response.status, headers: response.headers, answer, verdict: verdictOf(answer) };
}

interface Answer {
  readonly decision?: string;
  readonly hook_specific_output?: { readonly permission_decision?: string; readonly updated_input?: object };
}

const verdictOf = ({ decision, hook_specific_output: specific }: Answer): string =>
  decision === "block" ? "deny" : (specific?.permission_decision ?? "none");

async function trpc(input: object): Promise<string> {
  const response = await fetch(`${server.url}/api/trpc/agent.dispatch`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ json: input }),
  });
  return verdictOf((await response.json()).result.data.json.answer);
}

const dispatchesOf = async (sessionId: string) =>
  (
    await db.database.pool.query<{ event: string; lane: string; verdict: string }>(
      "SELECT event, lane, verdict FROM dispatch WHERE session_id = $1 ORDER BY id",
      [sessionId],
    )
  ).rows.map(({ event, lane, verdict }) => `${event} ${lane} ${verdict}`);

describe("a question without a lane", () => {
  it.each([
    ["early", "deny"],
    ["guarded", "deny"],
    ["late", "deny"],
    ["both", "deny"],
    ["asks", "ask"],
    ["rewritten", "none"],
    ["free", "none"],
  ])("about the tool %s is answered %s, over each way", async (tool, verdict) => {
    const plain = await post("", inputOf(tool));
    expect([plain.status, plain.verdict]).toEqual([200, verdict]);
    expect(await trpc({ event: "pre_tool_use", input: inputOf(tool) })).toBe(verdict);
    const client = createQuarterdeck({ url: server.url, key });
    expect(verdictOf((await client.dispatch("pre_tool_use", inputOf(tool))).output as Answer)).toBe(verdict);
  });

  it("hands the default lane what a gate before made of the arguments, and answers with it", async () => {
    const { answer } = await post("", inputOf("rewritten"));
    expect(answer).toEqual({
      hook_specific_output: { hook_event_name: "pre_tool_use", updated_input: { cmd: "ls" } },
    });
  });

  it("records each gate that was asked, and ends with a denial", async () => {
    const [free, early] = [inputOf("free"), inputOf("early")];
    await post("", free);
    await post("", early);
    const before = ["tool_input_transform default none", "tool_guard default none"];
    expect(await dispatchesOf(free.session_id)).toEqual([
      ...before,
      "pre_tool_use preempt_yolo none",
      "pre_tool_use default none",
    ]);
    expect(await dispatchesOf(early.session_id)).toEqual([...before, "pre_tool_use preempt_yolo deny"]);
  });

  it("that names a lane is about that lane alone", async () => {
    expect((await post("?lane=default", inputOf("early"))).verdict).toBe("none");
    expect((await post("?lane=preempt_yolo", inputOf("early"))).verdict).toBe("deny");
    expect((await post("?lane=preempt_yolo", inputOf("late"))).verdict).toBe("none");
    expect(await trpc({ event: "pre_tool_use", lane: "default", input: inputOf("early") })).toBe("none");
    const late = inputOf("late");
    await post("?lane=default", late);
    expect(await dispatchesOf(late.session_id)).toEqual(["pre_tool_use default deny"]);
  });

  it("of a local executor from before is about the default lane: it asks the early lane itself", async () => {
    const executor = { "quarterdeck-executor": "id=0123456789abcdef" };
    expect((await post("", inputOf("early"), executor)).verdict).toBe("none");
  });

  it("is refused at each gate under a halt, once", async () => {
    const { admin, database, running } = server;
    const context = { db: database, bus: running.app.bus };
    const { id } = await halt(context, admin, { target: { scope: "workspace" }, reason: "stop" });
    const input = inputOf("free");
    expect((await post("", input)).verdict).toBe("deny");
    expect(await dispatchesOf(input.session_id)).toEqual(["tool_input_transform default deny"]);
    await resume(context, admin, { id, reason: "go" });
  });
});

const GATES = ["tool_input_transform default none", "tool_guard default none"];

describe("a repeated delivery", () => {
  it.each(["early", "late", "asks", "free", "rewritten"])(
    "about %s gets the recorded answer after a change of policy",
    async (tool) => {
      const name = { "idempotency-key": `again ${tool}` };
      const input = inputOf(tool);
      const first = await post("", input, name);
      const recorded = await dispatchesOf(input.session_id);
      await server.publish("hooks: {}");
      const freed = await post("", input, name);
      await server.publish(
        `profile: "2026-08"\nhooks:\n  tool_guard:\n    - hooks: [{ type: command, command: exit 2 }]\n  pre_tool_use:\n    - preempt_yolo: true\n      hooks: [{ type: command, command: exit 2 }]\n`,
      );
      const tightened = await post("", input, name);
      await server.publish(EARLY);
      for (const again of [freed, tightened]) {
        expect(again.answer).toEqual(first.answer);
        expect(again.headers.get("idempotency-replayed")).toBe("true");
      }
      expect(await dispatchesOf(input.session_id)).toEqual(recorded);
    },
  );

  it.each([
    [
      "the default lane",
      "?lane=default",
      "",
      ["pre_tool_use default none", ...GATES.slice(0, 2), "pre_tool_use preempt_yolo deny"],
    ],
    [
      "the early lane, under the key of that gate",
      "?lane=preempt_yolo",
      " pre_tool_use preempt_yolo",
      ["pre_tool_use preempt_yolo deny", ...GATES.slice(0, 2)],
    ],
  ])("of a question about %s alone asks the other gates", async (_name, query, suffix, recorded) => {
    const name = randomUUID();
    const input = inputOf("early");
    await post(query, input, { "idempotency-key": `${name}${suffix}` });
    expect((await post("", input, { "idempotency-key": name })).verdict).toBe("deny");
    expect(await dispatchesOf(input.session_id)).toEqual(recorded);
  });

  it("twenty times at once asks each gate once", async () => {
    const input = inputOf("asks");
    const all = await Promise.all(Array.from({ length: 20 }, () => post("", input, { "idempotency-key": "at once" })));
    expect(new Set(all.map(({ answer }) => JSON.stringify(answer))).size).toBe(1);
    expect(await dispatchesOf(input.session_id)).toHaveLength(4);
  });
});

it("README's curl about a force push is denied with Git safety in force, and asks the default lane only where it says so", async () => {
  await server.publish(PACKS.find(({ id }) => id === "git-safety")?.source ?? "");
  const input = { ...inputOf("shell"), tool_input: { cmd: "git push --force" } };
  expect((await post("", input)).verdict).toBe("deny");
  expect((await post("?lane=default", { ...input, tool_use_id: "t2" })).verdict).toBe("none");
  await server.publish(EARLY);
});
