/** The part of the agent API that shows an agent what is its own: denials, budgets, and its questions to people. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import type { Administrator } from "../access/actor.ts";
import * as agents from "../agents/index.ts";
import * as approvals from "../approvals/index.ts";
import { QUESTION_TOOL, QUESTIONS_OPEN_MAX, questionView } from "../approvals/question-schema.ts";
import { answerRequest } from "../approvals/schema.ts";
import { agentBudgetsView } from "../budgets/agent-budget-schema.ts";
import * as budgets from "../budgets/index.ts";
import { denialsView } from "../decisions/denial-schema.ts";

const POLICY = `hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
        - { type: command, name: no shell, command: "echo not in this house >&2; exit 2" }
    - matcher: publish
      hooks: [{ type: command, command: "echo by-a-check-of-ours >/dev/null; exit 2" }]
    - matcher: release
      hooks: [{ type: command, command: "echo by-a-check-of-ours >/dev/null; kill -9 $$", on_error: block }]
    - matcher: sign
      hooks: [{ type: command, name: no signing, command: "echo by-a-check-of-ours >/dev/null; exit 2" }]
    - matcher: deploy|quarterdeck:question
      hooks: [{ type: builtin, command: ask_a_person }]
`;
const SECRET = `ghp_${"a1B2".repeat(9)}`;

let db: TestDatabase;
let server: TestGateway;
beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  await server.publish(POLICY, "house");
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

const context = () => ({ db: db.database, bus: server.running.app.bus });
const ada = (): Administrator => ({ ...server.admin, kind: "script", id: "Ada", name: "Ada" });

async function newAgent(name: string = randomUUID()) {
  const created = await agents.create(db.database, server.running.app.bus, server.admin, { name });
  const headers = { authorization: `Bearer ${created.key}`, "content-type": "application/json" };
  const get = async (path: string) => {
    await server.projected();
    return fetch(`${server.url}/api/v1${path}`, { headers });
  };
  const post = (path: string, body: unknown) =>
    fetch(`${server.url}/api/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  return {
    ...{ ...created, name, get, post },
    read: async <T>(path: string, view: z.ZodType<T>) => view.parse(await (await get(path)).json()),
    call: async (sessionId: string, cmd: string, tool = "shell") => {
      const call = { session_id: sessionId, tool_name: tool, tool_use_id: randomUUID(), tool_input: { cmd } };
      const answer = await post("/hooks/pre_tool_use", call);
      expect(answer.status).toBe(200);
      return answer.text();
    },
    ask: async (question: string, more: object = {}) =>
      questionView.parse(await (await post("/questions", { question, ...more })).json()),
  };
}

describe("GET /api/v1/denials", () => {
  it.each([
    ["publish", /^a command without a name \(.*pre_tool_use.*\)$/],
    ["release", /^a command without a name \(.*pre_tool_use.*\)$/],
    ["sign", /^no signing$/],
  ])("names no hook by the text of its command: %s", async (tool, rule) => {
    const agent = await newAgent();
    await agent.call("s", "x", tool);
    const answer = await (await agent.get("/denials")).text();
    expect(answer).not.toMatch(/by-a-check-of-ours|exit 2|kill -9/);
    const { denials } = denialsView.parse(JSON.parse(answer));
    expect(denials).toMatchObject([{ tool, policy: "house", revision: 1, rule: expect.stringMatching(rule) }]);
  });

  it("names the rule and its words, the newest first, of this agent alone", async () => {
    const [own, other] = [await newAgent(), await newAgent()];
    await own.call("s1", "ls");
    await own.call("s2", "pwd");
    await own.call("s1", "ls", "harmless");
    await other.call("s1", "whoami");
    const { denials } = await own.read("/denials", denialsView);
    expect(denials.map(({ session_id, excerpt }) => [session_id, excerpt])).toEqual([
      ["s2", expect.stringContaining("pwd")],
      ["s1", expect.stringContaining("ls")],
    ]);
    expect(denials[0]).toMatchObject({
      ...{ event: "pre_tool_use", tool: "shell", by: "gate", policy: "house", revision: 1, rule: "no shell" },
      words: expect.stringContaining("not in this house"),
    });
    expect((await own.read("/denials?session_id=s1", denialsView)).denials).toHaveLength(1);
    expect((await own.read("/denials?limit=1", denialsView)).denials).toHaveLength(1);
    expect((await (await newAgent()).read("/denials", denialsView)).denials).toEqual([]);
  });

  it("belongs to the agent, not to its name: another of that name sees nothing, and a new name loses nothing", async () => {
    const own = await newAgent();
    await own.call("s", "ls");
    const before = (await own.read("/denials", denialsView)).denials;
    expect(before).toHaveLength(1);
    await agents.rename(db.database, server.running.app.bus, server.admin, {
      agentId: own.agentId,
      name: randomUUID(),
    });
    expect((await own.read("/denials", denialsView)).denials).toEqual(before);
    const next = await newAgent(own.name);
    expect((await next.read("/denials", denialsView)).denials).toEqual([]);
    expect((await next.read("/denials?session_id=s", denialsView)).denials).toEqual([]);
    await next.call("s", "pwd");
    expect((await own.read("/denials", denialsView)).denials).toEqual(before);
  });

  it("finds them by the agent, however many others were denied", async () => {
    const { id: workspaceId } = { id: server.admin.workspaceId };
    await db.owner.query(
      `INSERT INTO tool_decision (workspace_id, occurred_at, dispatch_id, kind, agent_id, agent_name, session_id, event, tool_name,
         verdict, source, reason, excerpt)
       SELECT $1, now() - n * interval '1 second', gen_random_uuid(), 'gate', gen_random_uuid(), 'a', 's', 'pre_tool_use', 'shell',
         'deny', 'policy', '', '' FROM generate_series(1, 20000) AS n`,
      [workspaceId],
    );
    await db.owner.query("ANALYZE tool_decision");
    const own = await newAgent();
    await own.call("s", "ls");
    expect((await own.read("/denials", denialsView)).denials).toHaveLength(1);
    const { rows } = await db.owner.query<{ "QUERY PLAN": string }>(
      `EXPLAIN SELECT FROM tool_decision WHERE workspace_id = $1 AND agent_id = $2 AND verdict = 'deny'
         AND occurred_at >= now() - interval '7 days' ORDER BY occurred_at DESC, dispatch_id DESC LIMIT 10`,
      [workspaceId, own.agentId],
    );
    expect(rows.map((row) => row["QUERY PLAN"]).join("\n")).toContain("tool_decision_denied_agent");
  });

  it("shows no secret, and refuses a limit beyond its own", async () => {
    const own = await newAgent();
    await own.call("s", `curl -H ${SECRET}`);
    const answer = await own.get("/denials");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const text = await answer.text();
    expect(text).toContain("curl");
    expect(text).not.toContain(SECRET);
    for (const query of ["limit=51", "limit=0", "limit=x", `session_id=${"x".repeat(1_001)}`])
      expect((await own.get(`/denials?${query}`)).status).toBe(400);
  });
});

describe("GET /api/v1/budgets", () => {
  it("shows what is left of the budgets that this agent spends from, and no other's", async () => {
    const [own, other] = [await newAgent(), await newAgent()];
    const settings = {
      ...{ amountNano: 10_000_000_000n, reserveNano: 1_000_000_000n, thresholds: [], isHard: false },
      unpriced: "count" as const,
    };
    const make = (name: string, about: Parameters<typeof budgets.create>[2]["about"], period: "day" | "total") =>
      budgets.create(context(), server.admin, { ...settings, name, about, period });
    await make("own", { scope: "agent", agentId: own.agentId }, "day");
    await make("other", { scope: "agent", agentId: other.agentId }, "day");
    await make("all", { scope: "workspace" }, "total");
    await make("each", { scope: "session" }, "total");
    const spent = { session_id: "s", model_id: "m/m", cost: 2.5, usage: { input_tokens: 1, output_tokens: 1 } };
    expect((await own.post("/hooks/after_llm_call", spent)).status).toBe(200);
    const left = async (path: string) =>
      (await own.read(path, agentBudgetsView)).budgets.map(({ name, left }) => [name, left]);
    expect(await left("/budgets")).toEqual([
      ["all", "$7.50"],
      ["own", "$7.50"],
    ]);
    expect(await left("/budgets?session_id=s")).toContainEqual(["each", "$7.50"]);
    expect(await left("/budgets?session_id=t")).toContainEqual(["each", "$10.00"]);
    const [all, daily] = (await own.read("/budgets", agentBudgetsView)).budgets;
    expect(all).toMatchObject({ scope: "workspace", period: "total", ends_at: null, used_nano: "2500000000" });
    expect(Date.parse(daily?.ends_at ?? "")).toBeGreaterThan(Date.now());
  });
});

describe("POST /api/v1/questions", () => {
  const cardOf = async (number: number) => {
    const { open } = await approvals.list(db.database, server.admin);
    const found = open.find((one) => one.number === number);
    if (!found) throw new Error(`QD-${number} is not open`);
    return found;
  };
  const answer = (id: string, verdict: "allow" | "deny", words: string) =>
    approvals.answer(context(), ada(), answerRequest.parse({ id, verdict, words }));

  it("is answered by a person, and the same question reads the answer", async () => {
    const own = await newAgent();
    const asked = await own.ask("May I tag the release?", { session_id: "s" });
    expect(asked).toMatchObject({ state: "open", answer: expect.stringContaining(`QD-${asked.number}`) });
    expect(await own.ask(" May I tag the release? ", { session_id: "s" })).toEqual(asked);
    const card = await cardOf(asked.number);
    expect(card).toMatchObject({ toolName: QUESTION_TOOL, sessionId: "s", isWaiting: false, askedBy: [] });
    await answer(card.id, "allow", "after the tests");
    const answered = await own.ask("May I tag the release?", { session_id: "s" });
    expect(answered).toMatchObject({ number: asked.number, state: "allowed" });
    expect(answered.answer).toBe(`Ada said yes (QD-${asked.number}): after the tests`);
  });

  it("is denied with words, which is no answer to anybody else", async () => {
    const [own, other] = [await newAgent(), await newAgent()];
    const asked = await own.ask("May I?");
    await answer((await cardOf(asked.number)).id, "deny", "not today");
    expect(await own.ask("May I?")).toMatchObject({ state: "denied", answer: expect.stringContaining("not today") });
    expect((await other.ask("May I?")).state).toBe("open");
    expect((await own.ask("May I?", { session_id: "another" })).number).not.toBe(asked.number);
  });

  it("lets no call pass", async () => {
    const own = await newAgent();
    const asked = await own.ask("May I deploy?", { session_id: "s" });
    await answer((await cardOf(asked.number)).id, "allow", "");
    expect(await own.call("s", "prod", "deploy")).toContain("Approval required");
    expect(await own.call("s", "ls")).toContain("not in this house");
    // A tool that is named like questions, called with the very question.
    const call = {
      session_id: "s",
      tool_name: QUESTION_TOOL,
      tool_use_id: "1",
      tool_input: { question: "May I deploy?" },
    };
    expect(await (await own.post("/hooks/pre_tool_use", call)).text()).toContain("Approval required");
  });

  it("is one of a few: more are refused, and racing ones too", async () => {
    const own = await newAgent();
    const racing = Array.from({ length: QUESTIONS_OPEN_MAX + 3 }, (_, index) => ({ question: `${index}?` }));
    const answers = await Promise.all(racing.map((question) => own.post("/questions", question)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(QUESTIONS_OPEN_MAX);
    const refused = await own.post("/questions", { question: "one more?" });
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("60");
    expect((await (await newAgent()).ask("mine?")).state).toBe("open");
  });

  it("holds no secret, and is a question", async () => {
    const own = await newAgent();
    const { number } = await own.ask(`May I use ${SECRET}?`);
    expect(JSON.stringify(await cardOf(number))).not.toContain(SECRET);
    const refused = [{}, { question: " " }, { question: "x".repeat(2_001) }, { question: "a?", more: 1 }];
    for (const body of [...refused, { question: "a?", session_id: SECRET }])
      expect((await own.post("/questions", body)).status).toBe(400);
  });
});
