/** From a published policy to the recorded verdict of an evaluator, with real HTTP on both sides. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type EvaluatorStub, evaluatorStub } from "../../e2e/fixtures/evaluator-stub.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { getJudgeCall, listJudgeCalls, summariseJudges } from "./report.ts";
import { judgeCallsInput, saveConnection } from "./schema.ts";
import * as judges from "./service.ts";

const WORDS = ["yes", "no", "unsure", "failing", "huge", "hang"] as const;
const SECRET = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
const lines = (each: readonly string[]) => each.join("\n");
const VERDICTS = '{ decisions: { "true": deny, "false": allow }, min_probability: 0.8, fallback: ask }';
const ROUTES = "{ routes: { simple: junior, hard: senior }, min_probability: 0.6 }";

const definition = (word: string) =>
  `  ${word}: { provider: typesafe, model: m-1, type: boolean, instructions: "Risky? ${word}", timeout: ${word === "hang" ? 0.3 : 60} }`;
const effort = (word: string) =>
  `  ${word}: { provider: typesafe, model: m-1, type: choice, instructions: "Effort? ${word}", choices: { simple: "", hard: "" } }`;
const entry = (word: string) => `    - matcher: ${word}
      hooks:
        - type: evaluator
          name: guard ${word}
          evaluator: ${word}
          on_error: ignore
          evaluator_policy: ${VERDICTS}`;

const POLICY = `profile: "2026-11"
evaluators:
${lines([...WORDS.map(definition), ...["hard", "other"].map(effort)])}
routing: { default_agent: front }
hooks:
  tool_guard:
${lines(WORDS.map(entry))}
  before_agent_run:
    - { type: evaluator, name: router, evaluator: hard, routing_policy: ${ROUTES} }
  after_agent_complete:
    - { type: evaluator, name: checker, evaluator: other, routing_policy: ${ROUTES} }
`;

let db: TestDatabase;
let server: TestGateway;
let stub: EvaluatorStub;
let key: string;
const ALL = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 3_600_000) };

beforeAll(async () => {
  [db, stub] = [await testDatabase(), await evaluatorStub()];
  server = await testGateway(db.url);
  key = await server.agent("tester");
  await server.publish(POLICY, "evaluated");
  const prices = [{ model: "m-1", input: 1_000_000_000n, output: 0n, cachedInput: null, cacheWrite: null }];
  const connection = { name: "typesafe", provider: "typesafe", baseUrl: stub.url, credential: "ts-key-0123456789" };
  const app = { ...server.running.app, db: server.database };
  await judges.save(
    app,
    server.admin,
    saveConnection.parse({ ...connection, prices, callsPerDay: null, nanoPerDay: null }),
  );
});
afterAll(async () => {
  await server?.stop();
  await stub?.stop();
  await db?.drop();
});

async function dispatch(event: string, input: object): Promise<{ status: number; text: string }> {
  const response = await fetch(`${server.url}/api/v1/hooks/${event}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ session_id: "s", agent_name: "mine", ...input }),
  });
  return { status: response.status, text: await response.text() };
}
const guard = (word: string) => dispatch("tool_guard", { tool_name: word, tool_input: { cmd: `use ${SECRET}` } });
const callOf = async (hook: string) => {
  const input = judgeCallsInput.parse({ ...ALL, hooks: [hook] });
  const [call] = (await listJudgeCalls(server.database, server.admin.workspaceId, input)).calls;
  if (!call) throw new Error("no call");
  return getJudgeCall(server.database, server.admin.workspaceId, call);
};

describe("a tool call", () => {
  test.each([
    ["yes", "deny", 0.9],
    ["no", "allow", 0.05],
    ["unsure", "ask", 0.6],
  ])("for which the evaluator says %s: %s, priced and listed", async (word, verdict, probability) => {
    const { status, text } = await guard(word);
    expect(status).toBe(200);
    expect(text).toContain(`"${verdict}"`);
    const call = await callOf(`guard ${word}`);
    expect(call).toMatchObject({
      ...{ verdict, cause: null, pricing: "priced", nano: 300_000n, inputTokens: 300, outputTokens: 2 },
      ...{ event: "tool_guard", model: "typesafe/m-1", provider: "typesafe", answeredBy: "stub-7", evaluator: word },
      system: `Risky? ${word}`,
      reply: JSON.stringify({ type: "boolean", probability }),
    });
  });

  test.each([
    ["failing", "provider_error"],
    ["huge", "too_large"],
    ["hang", "timeout"],
  ])("is denied when the evaluator is %s, whatever on_error says", async (word, cause) => {
    const { text } = await guard(word);
    expect(text).toMatch(/"deny"|"block"/);
    expect(await callOf(`guard ${word}`)).toMatchObject({ verdict: "failed", cause });
  });

  test("that equals an earlier one has its verdict without a question, until a person turns that off", async () => {
    const same = () => dispatch("tool_guard", { tool_name: "no", tool_input: { cmd: "the same" } });
    const first = await same();
    const before = stub.asked.length;
    expect(await same()).toEqual(first);
    expect(await callOf("guard no")).toMatchObject({
      provider: "(cache)",
      nano: 0n,
      verdict: "allow",
      answeredBy: "stub-7",
    });
    expect(stub.asked).toHaveLength(before);
    await dispatch("tool_guard", { tool_name: "no", tool_input: { cmd: "another" } });
    expect(stub.asked).toHaveLength(before + 1);
    const app = { ...server.running.app, db: server.database };
    const settings = { policy: "evaluated", hook: "guard no", callsPerDay: null, nanoPerDay: null };
    await judges.setCap(app, server.admin, { ...settings, reusesVerdicts: false });
    await same();
    expect(stub.asked).toHaveLength(before + 2);
    await judges.setCap(app, server.admin, { ...settings, reusesVerdicts: true });
  });

  test("is asked again after a failure", async () => {
    const before = stub.asked.length;
    await dispatch("tool_guard", { tool_name: "failing", tool_input: { cmd: "the same" } });
    await dispatch("tool_guard", { tool_name: "failing", tool_input: { cmd: "the same" } });
    expect(stub.asked).toHaveLength(before + 2);
  });

  test("leaves no secret: neither with the evaluator nor in the record", async () => {
    await guard("yes");
    expect(JSON.stringify(stub.asked)).not.toContain(SECRET);
    const { prompt } = await callOf("guard yes");
    expect(JSON.parse(prompt ?? "")).toEqual({
      tool_name: "yes",
      tool_input: { cmd: "use [REDACTED]" },
      tool_category: "",
    });
  });

  test("is denied when the cap of its hook is used, and nothing is asked", async () => {
    const app = { ...server.running.app, db: server.database };
    const cap = { policy: "evaluated", hook: "guard no", nanoPerDay: null };
    await judges.setCap(app, server.admin, { ...cap, callsPerDay: 0 });
    const before = stub.asked.length;
    const { text } = await guard("no");
    expect(text).toMatch(/"deny"|"block"/);
    expect(await callOf("guard no")).toMatchObject({ cause: "over_budget", pricing: "unanswered" });
    expect(stub.asked).toHaveLength(before);
    await judges.setCap(app, server.admin, { ...cap, callsPerDay: null });
  });
});

describe("a route", () => {
  test("is the agent of the chosen answer", async () => {
    const { text } = await dispatch("before_agent_run", { input: "plan it" });
    expect(text).toContain('"transition":{"action":"route","agent":"senior"}');
    expect((await callOf("router")).evaluator).toBe("hard");
  });

  test("is the default agent when the provider's answer cannot be used", async () => {
    const { text } = await dispatch("after_agent_complete", { input: "plan it", output: "done" });
    expect(text).toContain('"agent":"front"');
    expect(text).toContain("evaluator_failed");
  });
});

test("the page counts an evaluator among the judges", async () => {
  await guard("yes");
  const { judges: each } = await summariseJudges(server.database, server.admin.workspaceId, ALL);
  const judge = each.find(({ hook }) => hook === "guard yes");
  expect(judge).toMatchObject({ policy: "evaluated", models: ["typesafe/m-1"] });
  // Equal calls are paid once.
  expect(judge?.ledger.nano).toBe(300_000n);
});
