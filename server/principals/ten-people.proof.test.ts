/** Sessions of ten people over twenty agents, over real HTTP: for whom calls were made, and what each person spent. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { addMember } from "../../e2e/fixtures/members.ts";
import { CLAUDE, claudeRequest, exportLogs } from "../../e2e/fixtures/otlp-exports.ts";
import type { Administrator } from "../access/actor.ts";
import { joinedView } from "../agents/enrolment-token-schema.ts";
import * as agents from "../agents/index.ts";
import { exportPivot } from "../costs/exports.ts";
import { correct } from "../costs/ledger/service.ts";
import { pivot } from "../costs/pivot.ts";
import { type Dimension, dimension } from "../costs/schema.ts";
import { check } from "../projections/service.ts";
import { erasePerson } from "../record/erasure/erase-person.ts";
import { verifyStored } from "../record/verification/verify-stored.ts";
import * as principals from "./service.ts";

const POLICY = `
hooks:
  pre_tool_use:
    - matcher: shell
      hooks: [{ type: command, command: "echo no >&2; exit 2" }]
`;
const TOOL_CALLS = 8;
const MODEL_CALLS = 6;
const SESSIONS = 2;

interface Enrolled {
  readonly key: string;
  /** Set for agents without an owner: their telemetry names this person. */
  readonly email?: string;
}

let db: TestDatabase;
let server: TestGateway;
let workspaceId: string;
const people: (Extract<Administrator, { kind: "person" }> & { readonly email: string })[] = [];
const bus = () => server.running.app.bus;
const database = () => server.database;

beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  workspaceId = server.admin.workspaceId;
  await server.publish(POLICY);
  for (let at = 0; at < 10; at += 1) people.push(await newPerson(`Person ${at}`));
  const enrolled = await enrolAll();
  // Each agent works through its sessions by itself; the agents work at the same time.
  await Promise.all(enrolled.map((agent, at) => work(agent, at)));
  await server.projected();
}, 180_000);
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

const newPerson = (name: string) => addMember(db.owner, workspaceId, { name, role: "admin" });

/** Eight agents that their owners took, seven that joined with a token, a service, and four without an owner. */
async function enrolAll(): Promise<Enrolled[]> {
  const enrolled: Enrolled[] = [];
  for (const [at, person] of people.slice(0, 8).entries()) {
    const { agentId, key } = await agents.create(database(), bus(), server.admin, { name: `own ${at}` });
    const owner = { kind: "account", accountId: person.id } as const;
    await principals.setOwner(database(), bus(), person, { agentId, owner });
    enrolled.push({ key: server.running.app.answerKeys.complete(key) });
  }
  for (const [at, person] of [...people.slice(0, 7).entries()]) {
    const owner = { kind: "account", accountId: person.id } as const;
    const asked = { name: `token ${at}`, uses: 1, hours: 1, owner };
    const { token } = await agents.createEnrolmentToken(database(), bus(), server.admin, asked);
    const response = await fetch(`${server.url}/api/v1/join`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ name: `joined ${at}` }),
    });
    enrolled.push({ key: joinedView.parse(await response.json()).key });
  }
  const ci = await agents.create(database(), bus(), server.admin, { name: "ci" });
  const owner = { kind: "service", name: "ci" } as const;
  await principals.setOwner(database(), bus(), server.admin, { agentId: ci.agentId, owner });
  enrolled.push({ key: server.running.app.answerKeys.complete(ci.key) });
  for (const person of people.slice(6, 10)) {
    const { key } = await agents.create(database(), bus(), server.admin, { name: `bare ${person.name}` });
    enrolled.push({ key: server.running.app.answerKeys.complete(key), email: person.email });
  }
  return enrolled;
}

async function post(key: string, event: string, input: object): Promise<void> {
  const response = await fetch(`${server.url}/api/v1/hooks/${event}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(input),
  });
  expect(response.status).toBe(200);
}

/** Costs with more digits than a nano-dollar has, free calls and unpriced ones. */
const COSTS = ["0.0123456789", "0", undefined, "0.000000001", "1.5", "0.0000000004"] as const;

async function work({ key, email }: Enrolled, agent: number): Promise<void> {
  for (let session = 0; session < SESSIONS; session += 1) {
    const sessionId = `${agent}-${session}-${randomUUID()}`;
    if (email !== undefined) {
      const request = claudeRequest(sessionId, { "user.email": email });
      expect(await exportLogs({ url: `${server.url}/api/otlp`, key }, CLAUDE, [request])).toBe(true);
    }
    for (let at = 0; at < TOOL_CALLS; at += 1)
      await post(key, "pre_tool_use?lane=default", {
        ...{ session_id: sessionId, tool_name: "shell", tool_use_id: randomUUID(), tool_input: { cmd: `echo ${at}` } },
      });
    for (let at = 0; at < MODEL_CALLS; at += 1) {
      const cost = COSTS[(agent + at) % COSTS.length];
      const usage = { input_tokens: 100 + at, output_tokens: agent };
      const call = { session_id: sessionId, model_id: `openai/model-${at % 2}`, usage };
      // As digits in the text: a float would lose some of them.
      const text = JSON.stringify(call);
      const body = cost === undefined ? text : `${text.slice(0, -1)},"cost":${cost}}`;
      const response = await fetch(`${server.url}/api/v1/hooks/after_llm_call`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body,
      });
      expect(response.status).toBe(200);
    }
  }
}

const ALL = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 3_600_000) };
const grouped = (by: Dimension, split: Dimension | null = null) =>
  pivot(database(), workspaceId, { ...ALL, by, split });
async function one<Row>(sql: string): Promise<Row> {
  const { rows } = await server.database.pool.query(sql, [workspaceId]);
  return rows[0] as Row; // the columns of the statement
}

describe("ten people over twenty agents", () => {
  it("have at least 95 % of the calls with a person", async () => {
    for (const table of ["tool_decision", "llm_call"]) {
      const { known, all } = await one<{ known: number; all: number }>(
        `SELECT count(principal_id)::int AS known, count(*)::int AS all FROM ${table} WHERE workspace_id = $1`,
      );
      expect(all).toBeGreaterThan(200);
      expect([table, known / all >= 0.95]).toEqual([table, true]);
    }
  });

  it("spent exactly the ledger, by every other grouping, and after corrections", async () => {
    const call = await one<{ occurredAt: Date; id: string }>(
      `SELECT occurred_at AS "occurredAt", dispatch_id AS id FROM llm_call WHERE workspace_id = $1 AND cost_nano > 0
         AND principal_id IS NOT NULL ORDER BY dispatch_id LIMIT 1`,
    );
    const unknown = await one<{ occurredAt: Date; id: string }>(
      `SELECT occurred_at AS "occurredAt", dispatch_id AS id FROM llm_call WHERE workspace_id = $1 AND cost_usd IS NULL
       ORDER BY principal_id IS NULL DESC, dispatch_id LIMIT 1`,
    );
    const world = { db: database(), bus: bus() };
    for (const key of [call, unknown])
      await correct(world, server.admin, { call: key, usd: "7.000000003", reason: "the bill", corrects: null });
    const { nano } = await one<{ nano: string }>(
      `SELECT sum(coalesce((SELECT nano FROM ledger_entry AS entry WHERE entry.workspace_id = call.workspace_id
         AND entry.dispatch_id = call.dispatch_id AND kind = 'correction' ORDER BY step DESC LIMIT 1), cost_nano))::text AS nano
       FROM llm_call AS call WHERE workspace_id = $1`,
    );
    const whole = await grouped("workspace");
    expect(whole.total.ledger.nano).toBe(BigInt(nano));
    for (const split of [null, ...dimension.options.filter((other) => other !== "person")]) {
      const { lines, total } = await grouped("person", split);
      expect([split, total.ledger]).toEqual([split, whole.total.ledger]);
      expect(total.corrections).toEqual(whole.total.corrections);
      const parts = lines.flatMap((line) => line.parts);
      if (split !== null && parts.length > 0)
        expect([split, parts.reduce((sum, part) => sum + part.ledger.nano, 0n)]).toEqual([split, BigInt(nano)]);
    }
    for (const by of dimension.options.filter((other) => other !== "person")) {
      const { total } = await grouped(by, "person");
      expect([by, total.ledger]).toEqual([by, whole.total.ledger]);
    }
  });

  it("each spent what their own calls cost", async () => {
    const { rows } = await server.database.pool.query<{ id: string; nano: string; calls: number }>(
      `SELECT coalesce(principal_id::text, '') AS id, count(*)::int AS calls,
         sum(coalesce((SELECT nano FROM ledger_entry AS entry WHERE entry.workspace_id = call.workspace_id
           AND entry.dispatch_id = call.dispatch_id AND kind = 'correction' ORDER BY step DESC LIMIT 1), cost_nano, 0))::text AS nano
       FROM llm_call AS call WHERE workspace_id = $1 GROUP BY 1`,
      [workspaceId],
    );
    const { lines } = await grouped("person");
    const spend = new Map(lines.map(({ name, ledger }) => [name, [ledger.calls, String(ledger.nano)]]));
    expect(spend).toEqual(new Map(rows.map(({ id, calls, nano }) => [id, [calls, nano]])));
    const { text } = await exportPivot(database(), workspaceId, { ...ALL, by: "person", split: null, format: "csv" });
    expect(text).toContain("Person 3,");
  });

  it("have figures that the log gives again", async () => {
    const day = new Date().toISOString().slice(0, 10);
    const checked = await check(server.database.pool, workspaceId, day);
    expect(checked.differences).toEqual([]);
    expect(checked.tables.map(({ table }) => table)).toContain("spend_day");
  });

  it("lose one by erasure, and the chain and the sums stay whole", async () => {
    const before = await grouped("person");
    const [gone] = people;
    if (gone === undefined) throw new Error("there are ten");
    await db.owner.query("DELETE FROM membership WHERE person_id = $1", [gone.id]);
    await erasePerson(database(), bus(), server.admin, { person: gone.email, reason: "request 12" });
    const after = await grouped("person");
    expect(after.lines).toEqual(before.lines);
    const named = await principals.names(database(), workspaceId);
    expect(named.filter(({ name }) => name === "an erased person")).toHaveLength(1);
    expect(named.some(({ name }) => name === gone.name)).toBe(false);
    const report = await verifyStored(database(), workspaceId, { keys: [], outside: null });
    expect(report).toMatchObject({ altered: { count: 0 }, missing: { count: 0 } });
  });
});
