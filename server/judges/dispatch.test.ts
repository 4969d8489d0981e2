/** From an agent's event to the stored verdict, with real HTTP on both sides of a judge. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { type ModelStub, modelStub } from "../../e2e/fixtures/model-stub.ts";
import * as decisions from "../decisions/index.ts";
import { getJudgeCall, listJudgeCalls, summariseJudges } from "./report.ts";
import { judgeCallsInput, saveConnection } from "./schema.ts";
import * as judges from "./service.ts";

/** Those that never answer wait for it; the others have all the time a busy machine takes. */
const timeoutOf = (word: string) => (word === "hang" || word === "slow" ? 1 : 60);
const judgeOf = (word: string, model = "local/tiny") => `
    - matcher: ${word}
      hooks:
        - type: model
          name: judge of ${word}
          model: ${model}
          schema: pre_tool_use_decision
          timeout: ${timeoutOf(word)}
          prompt: "What about this one? stub:${word}"`;
const WORDS = "allow ask deny prose two empty failing flaky hang slow html huge refusal".split(" ");
const POLICY = `
hooks:
  pre_tool_use:${WORDS.map((word) => judgeOf(word)).join("")}${judgeOf("keyless", "anthropic/some")}${judgeOf("nowhere", "nobody/some")}
  turn_start:
    - type: model
      name: adviser
      model: local/gratis
      prompt: "Advice, please. stub:prose"
`;

let db: TestDatabase;
let server: TestGateway;
let stub: ModelStub;
let key: string;
const ALL = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 3_600_000) };

beforeAll(async () => {
  [db, stub] = [await testDatabase(), await modelStub()];
  server = await testGateway(db.url);
  key = await server.agent("tester");
  await server.publish(POLICY, "judged");
  const free = { input: 0n, output: 0n, cachedInput: null, cacheWrite: null };
  const dear = { input: 1_000_000_000n, output: 10_000_000_000n, cachedInput: 0n, cacheWrite: null };
  const shared = { callsPerDay: null, nanoPerDay: null };
  const local = {
    ...shared,
    name: "local",
    provider: "openai-compatible",
    baseUrl: stub.url,
    prices: [
      { model: "tiny", ...dear },
      { model: "gratis", ...free },
    ],
  };
  const app = { ...server.running.app, db: server.database };
  await judges.save(app, server.admin, saveConnection.parse(local));
  await judges.save(
    app,
    server.admin,
    saveConnection.parse({ ...shared, name: "anthropic", provider: "anthropic", baseUrl: "", prices: [] }),
  );
});
afterAll(async () => {
  await server?.stop();
  await stub?.stop();
  await db?.drop();
});

async function dispatch(event: string, input: object) {
  const response = await fetch(`${server.url}/api/v1/hooks/${event}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ session_id: "s", ...input }),
  });
  const answer: unknown = await response.json();
  return { status: response.status, id: response.headers.get("quarterdeck-dispatch-id") ?? "", answer };
}

/** The dispatch as Decisions shows it. */
async function decided(tool: string) {
  const { status, id, answer } = await dispatch("pre_tool_use", {
    session_id: "s",
    tool_name: tool,
    tool_input: { cmd: "x" },
  });
  expect(status).toBe(200);
  const { database, admin } = server;
  const found = await database.pool.query<{ occurred_at: Date }>("SELECT occurred_at FROM dispatch WHERE id = $1", [
    id,
  ]);
  const occurredAt = found.rows[0]?.occurred_at ?? new Date(0);
  const detail = await decisions.get(database, admin.workspaceId, { occurredAt, id });
  return { answer: JSON.stringify(answer), detail, hook: detail.hooks[0], judge: detail.hooks[0]?.judge };
}

describe("a judge that answers", () => {
  test.each([
    ["allow", "allow", "it only reads"],
    ["ask", "ask", "a person should look"],
    ["deny", "deny", "it removes everything"],
    ["prose", "deny", "prose around it"],
    ["flaky", "allow", "again"],
  ])("%s: the verdict is %s, in the judge's words", async (word, verdict, reason) => {
    const { detail, answer, judge } = await decided(word);
    expect(detail.verdict).toBe(verdict);
    expect(answer).toContain(reason);
    expect(judge?.reply).toContain(reason);
    expect(judge).toMatchObject({
      model: "local/tiny",
      provider: "local",
      answeredBy: "stub-2026",
      schema: "pre_tool_use_decision",
      prompt: `What about this one? stub:${word}`,
      usage: { inputTokens: 100, cachedInputTokens: 20, outputTokens: 20 },
      costNano: "300000",
      system: expect.stringContaining("hook"),
      latencyMs: expect.any(Number),
    });
    expect(judge?.cause).toBeUndefined();
  });
});

describe("a judge that does not", () => {
  test.each([
    ["two", "unparsable"],
    ["empty", "empty"],
    ["failing", "provider_error"],
    ["hang", "timeout"],
    ["slow", "timeout"],
    ["html", "provider_error"],
    ["huge", "too_large"],
    ["refusal", "refused"],
    ["keyless", "no_credential"],
    ["nowhere", "no_model"],
  ])("%s: the call is denied, and Decisions says %s", async (word, cause) => {
    const { detail, hook, judge } = await decided(word);
    expect(detail.verdict).toBe("deny");
    expect(hook).toMatchObject({ outcome: "failed", failure: expect.any(String) });
    expect(judge?.cause).toBe(cause);
    expect(judge?.prompt).toContain(`stub:${word}`);
    const counted = await server.metrics.text();
    expect(counted).toMatch(new RegExp(`quarterdeck_judge_failures_total\\{cause="${cause}"\\} [1-9]`));
  });

  test("is over its budget when its cap is used, and asks nothing", async () => {
    const app = { ...server.running.app, db: server.database };
    await judges.setCap(app, server.admin, {
      policy: "judged",
      hook: "judge of allow",
      callsPerDay: 0,
      nanoPerDay: null,
    });
    const before = stub.asked.length;
    const { detail, judge } = await decided("allow");
    expect([detail.verdict, judge?.cause, stub.asked.length]).toEqual(["deny", "over_budget", before]);
    await judges.setCap(app, server.admin, {
      policy: "judged",
      hook: "judge of allow",
      callsPerDay: null,
      nanoPerDay: null,
    });
  });
});

describe("a verdict on an equal call", () => {
  const setting = (more: object) => {
    const judge = { policy: "judged", hook: "judge of allow", callsPerDay: null, nanoPerDay: null };
    return judges.setCap({ ...server.running.app, db: server.database }, server.admin, { ...judge, ...more });
  };

  test("is used again: it asks nothing, costs nothing and is marked", async () => {
    await setting({});
    const first = await decided("allow");
    const before = stub.asked.length;
    const second = await decided("allow");
    expect(stub.asked.length).toBe(before);
    expect(second.answer).toBe(first.answer);
    expect(second.judge).toMatchObject({
      provider: "(cache)",
      costNano: "0",
      answeredBy: "stub-2026",
      reply: first.judge?.reply,
    });
    expect(second.judge?.usage).toBeUndefined();
    await server.projected();
    const { calls } = await listJudgeCalls(
      server.database,
      server.admin.workspaceId,
      judgeCallsInput.parse({ ...ALL, hooks: ["judge of allow"], limit: 1 }),
    );
    expect(calls[0]).toMatchObject({ provider: "(cache)", pricing: "free", nano: 0n, verdict: "allow" });
  });

  test("is asked again after a change, about another call, and for a judge that does not reuse verdicts", async () => {
    await decided("allow");
    const before = stub.asked.length;
    await setting({ reusesVerdicts: false });
    await decided("allow");
    await decided("allow");
    expect(stub.asked.length).toBe(before + 2);
    // With the former settings the former verdict is found.
    await setting({});
    expect((await decided("allow")).judge?.provider).toBe("(cache)");
    await setting({ callsPerDay: 1_000 });
    await decided("allow");
    expect(stub.asked.length).toBe(before + 3);
    await server.publish(POLICY.replaceAll("What about this one?", "And this one?"), "judged");
    const { judge } = await decided("allow");
    expect([stub.asked.length, judge?.provider]).toEqual([before + 4, "local"]);
    await server.publish(POLICY, "judged");
    await setting({});
  });

  test("is never a failure", async () => {
    for (const word of ["two", "empty", "refusal"]) {
      await decided(word);
      const before = stub.asked.length;
      const { judge } = await decided(word);
      expect([stub.asked.length, judge?.provider]).toEqual([before + 1, "local"]);
    }
  });
});

test("without a schema the reply is context, and its call is recorded all the same", async () => {
  const { answer } = await dispatch("turn_start", {});
  expect(JSON.stringify(answer)).toContain("I looked at it closely.");
  const { calls } = await listJudgeCalls(
    server.database,
    server.admin.workspaceId,
    judgeCallsInput.parse({ ...ALL, hooks: ["adviser"] }),
  );
  expect(calls).toMatchObject([
    { verdict: "context", cause: null, pricing: "free", nano: 0n, inputTokens: 120, tool: null },
  ]);
});

test("the page counts what was asked, apart from what agents spend", async () => {
  const { workspaceId } = server.admin;
  const summary = () => summariseJudges(server.database, workspaceId, ALL);
  type Summary = Awaited<ReturnType<typeof summary>>;
  const timeoutsOf = ({ failures }: Summary) => failures.find(({ cause }) => cause === "timeout")?.calls ?? 0;
  const denying = ({ judges: each }: Summary) => each.find(({ hook }) => hook === "judge of deny");
  // A reused verdict is no use of the cap.
  const judge = { policy: "judged", hook: "judge of deny", callsPerDay: null, nanoPerDay: null };
  await judges.setCap({ ...server.running.app, db: server.database }, server.admin, {
    ...judge,
    reusesVerdicts: false,
  });
  const before = await summary();
  await decided("slow");
  await decided("deny");
  const after = await summary();
  const { ledger } = after;
  const { rows } = await server.database.pool.query(
    "SELECT cause, pricing, cost_nano FROM judge_call WHERE workspace_id = $1",
    [workspaceId],
  );
  expect(ledger.calls).toBe(rows.length);
  expect(ledger.priced + ledger.free + ledger.unpriced + ledger.unanswered).toBe(ledger.calls);
  expect(ledger.nano).toBe(rows.reduce((sum: bigint, row) => sum + BigInt(row.cost_nano ?? 0), 0n));
  expect(ledger.failed).toBe(rows.filter(({ cause }) => cause !== "").length);
  expect(timeoutsOf(after)).toBe(timeoutsOf(before) + 1);
  const { calls, nano } = denying(before)?.today ?? { calls: 0, nano: 0n };
  expect(denying(after)).toMatchObject({
    policy: "judged",
    models: ["local/tiny"],
    today: { calls: calls + 1, nano: nano + 300_000n },
  });
  const agents = await server.database.pool.query(
    "SELECT sum(cost_nano) AS nano, count(*) FILTER (WHERE calls_priced > 0) AS calls FROM rollup_day WHERE workspace_id = $1",
    [workspaceId],
  );
  expect(agents.rows[0]).toEqual({ nano: "0", calls: "0" });
});

test("calls are listed newest first, page by page, filtered by cause, and opened with their words", async () => {
  const { workspaceId } = server.admin;
  const page = (more: object = {}) =>
    listJudgeCalls(server.database, workspaceId, judgeCallsInput.parse({ ...ALL, ...more }));
  for (const word of ["allow", "ask", "deny", "hang", "slow"]) await decided(word);
  const whole = (await page()).calls.map(({ id }) => id);
  const walked: string[] = [];
  for (let cursor = undefined as Awaited<ReturnType<typeof page>>["next"] | undefined; cursor !== null; ) {
    const { calls, next } = await page({ limit: 4, cursor });
    walked.push(...calls.map(({ id }) => id));
    cursor = next;
  }
  expect(walked).toEqual(whole);
  const { calls: timeouts } = await page({ causes: ["timeout"] });
  expect(new Set(timeouts.map(({ hook }) => hook))).toEqual(new Set(["judge of slow", "judge of hang"]));
  expect(timeouts.slice(0, 2).map(({ hook, verdict }) => [hook, verdict])).toEqual([
    ["judge of slow", "failed"],
    ["judge of hang", "failed"],
  ]);
  const first = timeouts[0];
  if (!first) throw new Error("no call");
  const { occurredAt, id, place } = first;
  const detail = await getJudgeCall(server.database, workspaceId, { occurredAt, id, place });
  expect(detail).toMatchObject({
    prompt: "What about this one? stub:slow",
    reply: null,
    isDecision: true,
    pricing: "unanswered",
  });
  const stranger = "00000000-0000-7000-8000-000000000000";
  await expect(getJudgeCall(server.database, stranger, { occurredAt, id, place })).rejects.toMatchObject({
    code: "dispatch_not_found",
  });
});
