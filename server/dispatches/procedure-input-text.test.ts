import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";

const DIGITS = "0.1000000000000000055511151231257827";
const OTHER = "0.20000000000000001110223024625156";

let db: TestDatabase;
let server: TestGateway;
let key: string;
beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  key = await server.agent("spender");
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

async function post(path: string, body: string) {
  const response = await fetch(`${server.url}/api/trpc/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body,
  });
  return { status: response.status, body: await response.json() };
}

let session = 0;
const newSession = () => `session ${session++}`;
const input = (of: string, cost: string) => `{"session_id":"${of}","cost":${cost},"big":9007199254740993}`;
const dispatch = (of: string, cost: string) => `{"event":"after_llm_call","input":${input(of, cost)}}`;
const event = (of: string, cost: string, more = "") =>
  `{"event_id":"${crypto.randomUUID()}","event":"after_llm_call",${more}"input":${input(of, cost)}}`;

async function recorded(of: string) {
  const { rows } = await server.database.pool.query<{ cost: string; input: string }>(
    "SELECT c.cost_usd::text AS cost, d.input FROM llm_call c JOIN dispatch d ON d.id = c.dispatch_id WHERE c.session_id = $1",
    [of],
  );
  return rows.map(({ cost, input: text }) => [cost, text.includes("9007199254740993")]);
}

describe("the digits of what a procedure is sent", () => {
  it("are recorded as they came, in a dispatch and in a report", async () => {
    const [one, two] = [newSession(), newSession()];
    expect(await post("agent.dispatch", `{"json":${dispatch(one, DIGITS)}}`)).toMatchObject({ status: 200 });
    const report = `{"json":{"events":[${event(two, DIGITS)},${event(two, OTHER)}]}}`;
    expect(await post("agent.report", report)).toMatchObject({ body: { result: { data: { json: { stored: 2 } } } } });
    expect(await recorded(one)).toEqual([[DIGITS, true]]);
    expect((await recorded(two)).sort()).toEqual([
      [DIGITS, true],
      [OTHER, true],
    ]);
  });

  it("are those of each call of a batch", async () => {
    const [one, two] = [newSession(), newSession()];
    const body = `{"1":{"json":${dispatch(two, OTHER)}}, "0":{"json":${dispatch(one, DIGITS)}}}`;
    expect((await post("agent.dispatch,agent.dispatch?batch=1", body)).status).toBe(200);
    expect([await recorded(one), await recorded(two)]).toEqual([[[DIGITS, true]], [[OTHER, true]]]);
  });

  it("are refused with a pointer where values beside them have a type of their own", async () => {
    const of = newSession();
    const typed = (field: string) => `"meta":{"values":{"${field}":["undefined"]}}`;
    const lost = await post("agent.dispatch", `{"json":${dispatch(of, DIGITS)},${typed("input.model")}}`);
    expect([lost.status, JSON.stringify(lost.body)]).toEqual([400, expect.stringContaining("cost has more digits")]);
    const report = `{"json":{"events":[${event(of, DIGITS)}]},${typed("events.0.input.model")}}`;
    expect((await post("agent.report", report)).status).toBe(400);
    // A cost that loses no digit is taken.
    expect((await post("agent.dispatch", `{"json":${dispatch(of, "0.10")},${typed("input.model")}}`)).status).toBe(200);
    expect(await recorded(of)).toEqual([["0.1", false]]);
  });
});
