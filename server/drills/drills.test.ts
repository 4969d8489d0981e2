/** Drills through a real gateway: what a nonce marks, what it does not, and what stays out of figures. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import * as projections from "../projections/index.ts";
import { type DrillReport, drillSessionId, reportedDrill, startedDrill } from "./schema.ts";
import * as drills from "./service.ts";

const POLICY = `hooks:
  pre_tool_use:
    - matcher: shell
      hooks: [{ type: builtin, command: ask_a_person }]
    - matcher: fetch
      hooks: [{ type: command, command: "echo no >&2; exit 2" }]
`;
const DRILL_WORDS = "This was a drill of Quarterdeck";

let db: TestDatabase;
let gateway: TestGateway;
beforeAll(async () => {
  db = await testDatabase();
  gateway = await testGateway(db.url);
  await gateway.publish(POLICY);
});
afterAll(async () => {
  await gateway?.stop();
  await db?.drop();
});

async function post(path: string, key: string, body: unknown) {
  const response = await fetch(`${gateway.url}/api/v1${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

async function begin(key: string) {
  const { status, text } = await post("/drills", key, { mode: "liveness" });
  expect(status).toBe(201);
  return startedDrill.parse(JSON.parse(text));
}

const call = (key: string, sessionId: string, tool = "write_file", event = "pre_tool_use") =>
  post(`/hooks/${event}`, key, {
    session_id: sessionId,
    tool_name: tool,
    tool_use_id: randomUUID(),
    tool_input: { a: 1 },
  });

const reportOf = (nonce: string, more: Partial<DrillReport> = {}): DrillReport => ({
  ...{ nonce, client: "docker-agent", client_version: "1.58", ...more },
  calls: more.calls ?? [{ call: 1, event: "pre_tool_use", effect: "blocked" }],
});

const newAgent = async () => gateway.agent(`drilled ${randomUUID()}`);
const rowsWhere = async (table: string, session: string) =>
  (await db.owner.query(`SELECT * FROM ${table} WHERE session_id = $1`, [session])).rows;

describe("a call with a valid nonce", () => {
  it("is denied where the policy would have allowed it, and says so", async () => {
    const key = await newAgent();
    const { nonce } = await begin(key);
    const { status, text } = await call(key, drillSessionId(nonce, 1));
    expect(status).toBe(200);
    expect(JSON.parse(text).hook_specific_output).toMatchObject({
      permission_decision: "deny",
      permission_decision_reason: expect.stringContaining("would have allowed"),
    });
  });

  it("asks no person, and keeps the policy's own denial", async () => {
    const key = await newAgent();
    const { nonce } = await begin(key);
    expect((await call(key, drillSessionId(nonce, 1), "shell")).text).toContain("would have asked a person");
    expect((await call(key, drillSessionId(nonce, 2), "fetch")).text).not.toContain(DRILL_WORDS);
    const asked = await db.owner.query("SELECT 1 FROM approval_request WHERE session_id LIKE 'quarterdeck-drill-%'");
    expect(asked.rows).toEqual([]);
    const { text } = await post("/drills/report", key, {
      ...reportOf(nonce),
      calls: [1, 2, 3].map((number) => ({ call: number, event: "pre_tool_use", effect: "blocked" })),
    });
    expect(reportedDrill.parse(JSON.parse(text)).results).toMatchObject([
      { call: 1, outcome: "blocked", policy: "ask" },
      { call: 2, outcome: "blocked", policy: "deny" },
      { call: 3, outcome: "unanswered", policy: null },
    ]);
  });

  it("stands in the log and in no figure, and a check of the figures agrees", async () => {
    const key = await newAgent();
    const { nonce } = await begin(key);
    const session = drillSessionId(nonce, 1);
    await call(key, session, "fetch");
    await gateway.projected();
    const [row, ...others] = await rowsWhere("dispatch", session);
    expect(others).toEqual([]);
    expect(JSON.parse(row.facts)).toMatchObject({ drill: true, gate: true });
    for (const table of ["session", "tool_decision"]) expect(await rowsWhere(table, session)).toEqual([]);
    const sums = await db.owner.query("SELECT 1 FROM rollup_minute WHERE agent_id = $1", [row.agent_id]);
    expect(sums.rows).toEqual([]);
    const { rows } = await db.owner.query("SELECT last_seen_at FROM agent WHERE id = $1", [row.agent_id]);
    expect(rows).toEqual([{ last_seen_at: null }]);
    const day = new Date().toISOString().slice(0, 10);
    const checked = await projections.check(gateway.database.pool, gateway.admin.workspaceId, day);
    expect(checked.differences).toEqual([]);
  });
});

describe("an ordinary call is one", () => {
  const isOrdinary = async (key: string, session: string) => {
    expect((await call(key, session)).text).toBe("{}");
    await gateway.projected();
    expect(await rowsWhere("session", session)).toHaveLength(1);
  };

  it("with a nonce that was reported", async () => {
    const key = await newAgent();
    const { nonce } = await begin(key);
    expect((await post("/drills/report", key, reportOf(nonce))).status).toBe(200);
    await isOrdinary(key, drillSessionId(nonce, 1));
    const again = await post("/drills/report", key, reportOf(nonce));
    expect({ status: again.status, code: JSON.parse(again.text).error.code }).toEqual({
      status: 409,
      code: "drill_over",
    });
  });

  it("with another key's nonce, which that key cannot report either", async () => {
    const [key, other] = [await newAgent(), await newAgent()];
    const { nonce } = await begin(key);
    await isOrdinary(other, drillSessionId(nonce, 1));
    expect((await post("/drills/report", other, reportOf(nonce))).status).toBe(409);
  });

  it("with a nonce whose time is over, by the database's clock", async () => {
    const key = await newAgent();
    const { nonce, drill_id } = await begin(key);
    await db.owner.query("UPDATE agent_drill SET expires_at = clock_timestamp() WHERE id = $1", [drill_id]);
    await isOrdinary(key, drillSessionId(nonce, 1));
  });

  it("with a mark that nobody issued", async () => {
    await isOrdinary(await newAgent(), drillSessionId("a".repeat(43), 1));
  });

  it("on an event that blocks nothing: no nonce hides what happened", async () => {
    const key = await newAgent();
    const { nonce } = await begin(key);
    const session = drillSessionId(nonce, 1);
    const body = { session_id: session, model_id: "m", cost: 1.5, usage: { input_tokens: 5 } };
    expect((await post("/hooks/after_llm_call", key, body)).status).toBe(200);
    await gateway.projected();
    expect(await rowsWhere("llm_call", session)).toHaveLength(1);
  });
});

describe("the doors of drills", () => {
  it("issue a few nonces at a time, and say when there is another", async () => {
    const key = await newAgent();
    const answers = await Promise.all(Array.from({ length: 8 }, () => post("/drills", key, { mode: "outage" })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    const refused = answers.find(({ status }) => status === 429);
    expect(JSON.parse(refused?.text ?? "").error.code).toBe("too_many_drills");
    expect(refused?.headers.get("retry-after")).toBe("60");
  });

  it("put the beginning into the record, also of a drill that nobody reports", async () => {
    const { drill_id } = await begin(await newAgent());
    const { rows } = await db.owner.query<{ body: string }>(
      "SELECT body FROM audit_entry WHERE kind = 'agent_drill_begun' AND body LIKE '%' || $1 || '%'",
      [drill_id],
    );
    expect(rows.map(({ body }) => JSON.parse(body))).toMatchObject([{ mode: "liveness" }]);
  });

  it.each([
    [
      "a report of many calls",
      { calls: Array.from({ length: 10 }, (_, at) => ({ call: at + 1, event: "a", effect: "blocked" })) },
    ],
    ["a call that is reported twice", { calls: [1, 1].map((one) => ({ call: one, event: "a", effect: "passed" })) }],
    ["an event with other signs", { calls: [{ call: 1, event: "<b>", effect: "passed" }] }],
    ["a version of a megabyte", { client_version: "1".repeat(1_000_000) }],
    ["a client that is none", { client: "shell" }],
    ["more than was asked for", { verdict: "fine" }],
  ])("refuse %s, and the nonce goes on", async (_, more) => {
    const key = await newAgent();
    const { nonce } = await begin(key);
    const refused = await post("/drills/report", key, { ...reportOf(nonce), ...more });
    expect(refused.status).toBe(400);
    expect((await post("/drills/report", key, reportOf(nonce))).status).toBe(200);
  });

  it("put the results into the record, on the agent, and never the nonce", async () => {
    const key = await newAgent();
    const { nonce, drill_id } = await begin(key);
    await call(key, drillSessionId(nonce, 1));
    await post("/drills/report", key, reportOf(nonce));
    const { rows } = await db.owner.query<{ body: string }>(
      "SELECT body FROM audit_entry WHERE kind = 'agent_drilled' AND body LIKE '%' || $1 || '%'",
      [drill_id],
    );
    expect(JSON.parse(rows[0]?.body ?? "")).toMatchObject({
      client: "docker-agent",
      mode: "liveness",
      calls: 1,
      blocked: 1,
    });
    const { rows: agents } = await db.owner.query("SELECT agent_id FROM agent_drill WHERE id = $1", [drill_id]);
    const [view] = await drills.listOfAgent(gateway.database, gateway.admin.workspaceId, agents[0].agent_id);
    expect(view).toMatchObject({
      id: drill_id,
      clientVersion: "1.58",
      results: [{ outcome: "blocked", policy: "allow" }],
    });
    // The client is known from then on, and no session has begun.
    const { rows: known } = await db.owner.query(
      "SELECT client, client_version, last_seen_at FROM agent WHERE id = $1",
      [agents[0].agent_id],
    );
    expect(known).toEqual([{ client: "docker-agent", client_version: "1.58", last_seen_at: null }]);
    const kept = await db.owner.query("SELECT 1 FROM agent_drill AS one WHERE one::text LIKE '%' || $1 || '%'", [
      nonce,
    ]);
    expect(kept.rows).toEqual([]);
  });
});
