/** The reach of halts among local executors: an executor has followed a halt by its own denied gate, and by nothing else. */
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { EXECUTOR_POLICY_TYPE } from "../access/local-executor-schema.ts";
import * as agents from "../agents/index.ts";
import { EXECUTOR_HEADER } from "../platform/answer-mac.ts";
import { type HaltReach, type HaltTarget, REACH_SHOWN } from "./schema.ts";
import * as halts from "./service.ts";

const [LAPTOP, DESKTOP] = ["00000000000000aa", "00000000000000bb"];

let db: TestDatabase;
let server: TestGateway;
beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

const context = () => ({ db: db.database, bus: server.running.app.bus });
const halt = async (target: HaltTarget) =>
  (await halts.halt(context(), server.admin, { target, reason: "a key leaked" })).id;
const resume = (id: string) => halts.resume(context(), server.admin, { id, reason: "over" });
const overview = () => halts.overview(db.database, server.admin.workspaceId);
afterEach(async () => {
  for (const { id, resumedAt } of (await overview()).halts) if (resumedAt === null) await resume(id);
  await db.owner.query("DELETE FROM local_executor");
});

interface Agent {
  readonly id: string;
  readonly key: string;
}
async function newAgent(name = `agent ${randomUUID()}`): Promise<Agent> {
  const { agentId, key } = await agents.create(db.database, server.running.app.bus, server.admin, { name });
  return { id: agentId, key };
}

const headersOf = ({ key }: Agent, executor: string | null) => ({
  authorization: `Bearer ${key}`,
  "content-type": "application/json",
  ...(executor !== null && { [EXECUTOR_HEADER]: executor }),
});
const stated = (id = LAPTOP) => `id=${id}`;

async function poll(agent: Agent, executor: string | null = stated()): Promise<void> {
  const headers = { ...headersOf(agent, executor), accept: EXECUTOR_POLICY_TYPE };
  expect((await fetch(`${server.url}/api/v1/policy`, { headers })).status).toBe(200);
}

async function gate(agent: Agent, executor: string | null = stated(), sessionId = "s") {
  const body = JSON.stringify({ session_id: sessionId, tool_name: "shell", tool_input: {} });
  const init = { method: "POST", headers: headersOf(agent, executor), body };
  const response = await fetch(`${server.url}/api/v1/hooks/pre_tool_use`, init);
  expect(response.status).toBe(200);
  return (await response.json()) as { continue?: boolean }; // hook output
}

async function reachOf({ id }: Agent, haltId: string): Promise<HaltReach | undefined> {
  const { reach } = await halts.ofAgent(db.database, server.admin.workspaceId, { agentId: id });
  return reach.find((one) => one.haltId === haltId);
}
/** Until what the server noted behind its answer is stored. */
const becomes = (agent: Agent, haltId: string, followed: number) =>
  expect.poll(async () => (await reachOf(agent, haltId))?.followed, { timeout: 10_000 }).toBe(followed);
const known = ({ id }: Agent, count = 1) =>
  expect
    .poll(async () => (await db.owner.query("SELECT FROM local_executor WHERE agent_id = $1", [id])).rowCount)
    .toBe(count);
const silentFor = ({ id }: Agent, seconds: number) =>
  db.owner.query("UPDATE local_executor SET heard_at = heard_at - make_interval(secs => $2) WHERE agent_id = $1", [
    id,
    seconds,
  ]);

describe("an executor", () => {
  it("has followed a halt once a gate of it was denied, and is named with its last contact until then", async () => {
    const agent = await newAgent("laptop");
    await poll(agent);
    await known(agent);
    await silentFor(agent, 600);
    const id = await halt({ scope: "agent", agentId: agent.id });
    const silent = await reachOf(agent, id);
    const waiting = { agentId: agent.id, executorId: LAPTOP, name: "laptop", heardAt: expect.any(Date) };
    expect(silent).toEqual({ haltId: id, executors: 1, followed: 0, waiting: [waiting] });
    const lastContact = async () => (await reachOf(agent, id))?.waiting[0]?.heardAt.getTime() ?? 0;
    const before = await lastContact();
    expect(Date.now() - before).toBeGreaterThanOrEqual(600_000);
    await poll(agent);
    await expect.poll(lastContact, { timeout: 10_000 }).toBeGreaterThan(before);
    expect(await reachOf(agent, id)).toMatchObject({ followed: 0 });
    expect((await gate(agent)).continue).toBe(false);
    await becomes(agent, id, 1);
    expect(await reachOf(agent, id)).toEqual({ haltId: id, executors: 1, followed: 1, waiting: [] });
  });

  it("that followed an earlier halt alone has not followed this one", async () => {
    const agent = await newAgent();
    const first = await halt({ scope: "agent", agentId: agent.id });
    await gate(agent);
    await becomes(agent, first, 1);
    await resume(first);
    const second = await halt({ scope: "agent", agentId: agent.id });
    expect(await reachOf(agent, second)).toMatchObject({ executors: 1, followed: 0 });
    await gate(agent);
    await becomes(agent, second, 1);
  });

  it("that is silent for longer than any policy holds is not counted", async () => {
    const agent = await newAgent();
    await poll(agent);
    await known(agent);
    const id = await halt({ scope: "agent", agentId: agent.id });
    await silentFor(agent, 30 * 86_400 - 60);
    expect(await reachOf(agent, id)).toMatchObject({ executors: 1, followed: 0 });
    await silentFor(agent, 120);
    expect(await reachOf(agent, id)).toBeUndefined();
  });

  it("has not followed by a gate that does not say whose it is: that may be any program's", async () => {
    const agent = await newAgent();
    await poll(agent, null);
    await known(agent);
    const id = await halt({ scope: "agent", agentId: agent.id });
    expect((await gate(agent, null)).continue).toBe(false);
    // A later write of the same process: the denied gate was not written before it.
    await poll(agent, stated(DESKTOP));
    await known(agent, 2);
    expect(await reachOf(agent, id)).toMatchObject({ executors: 2, followed: 0 });
  });

  it("speaks for itself alone", async () => {
    const agent = await newAgent();
    await poll(agent, stated(LAPTOP));
    await poll(agent, stated(DESKTOP));
    await known(agent, 2);
    const id = await halt({ scope: "workspace" });
    await gate(agent, stated(LAPTOP));
    await becomes(agent, id, 1);
    expect(await reachOf(agent, id)).toMatchObject({ executors: 2, waiting: [{ executorId: DESKTOP }] });
    await gate(agent, stated(DESKTOP));
    await becomes(agent, id, 2);
  });
});

describe("each scope", () => {
  it("lists the agents it reaches, with a local executor, and no others", async () => {
    const [inside, outside, plain] = [await newAgent(), await newAgent(), await newAgent()];
    for (const agent of [inside, outside]) {
      await poll(agent);
      await known(agent);
    }
    const { bus } = server.running.app;
    const { groupId } = await agents.createGroup(db.database, bus, server.admin, { name: `group ${randomUUID()}` });
    await agents.setGroupMembers(db.database, bus, server.admin, { groupId, agentIds: [inside.id, plain.id] });
    const id = await halt({ scope: "group", groupId });
    const { reach } = await overview();
    expect(reach).toMatchObject([{ haltId: id, executors: 1, waiting: [{ agentId: inside.id }] }]);
    const ofOutside = await halts.ofAgent(db.database, server.admin.workspaceId, { agentId: outside.id });
    expect(ofOutside).toEqual({ halts: [], reach: [], isUnreachable: false });
    const ofPlain = await halts.ofAgent(db.database, server.admin.workspaceId, { agentId: plain.id });
    expect(ofPlain).toMatchObject({ halts: [{ id }], reach: [], isUnreachable: false });
  });

  it("of a session is followed by a denied gate, and not by one of another session", async () => {
    const agent = await newAgent();
    await poll(agent);
    await known(agent);
    const id = await halt({ scope: "session", agentId: agent.id, sessionId: "s1" });
    expect((await gate(agent, stated(), "s2")).continue).toBeUndefined();
    await poll(agent, stated(DESKTOP));
    await known(agent, 2);
    expect(await reachOf(agent, id)).toMatchObject({ followed: 0 });
    expect((await gate(agent, stated(), "s1")).continue).toBe(false);
    await becomes(agent, id, 1);
  });

  it("names the last heard of many executors, and counts all of them", async () => {
    const workspace = server.admin.workspaceId;
    await db.owner.query(
      `WITH made AS (INSERT INTO agent (workspace_id, id, name)
         SELECT $1, gen_random_uuid(), 'many ' || number FROM generate_series(1, 50) AS number RETURNING id, name)
       INSERT INTO local_executor (workspace_id, agent_id, id, heard_at)
       SELECT $1, id, $2, now() - split_part(name, ' ', 2)::int * interval '1 minute' FROM made`,
      [workspace, LAPTOP],
    );
    const agent = await newAgent();
    await poll(agent);
    await known(agent);
    const id = await halt({ scope: "workspace" });
    await gate(agent);
    await becomes(agent, id, 1);
    const [reach] = (await overview()).reach;
    expect(reach).toMatchObject({ haltId: id, executors: 51, followed: 1 });
    const names = Array.from({ length: REACH_SHOWN }, (_, index) => `many ${index + 1}`);
    expect(reach?.waiting.map(({ name }) => name)).toEqual(names);
  });
});
