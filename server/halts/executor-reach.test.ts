/** The reach of halts among local executors: every state is true of the calls that were answered, and of nothing else. */
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { EXECUTOR_POLICY_TYPE } from "../access/local-executor-schema.ts";
import * as agents from "../agents/index.ts";
import { EXECUTOR_HEADER } from "../platform/answer-mac.ts";
import { type AgentReach, type HaltTarget, REACH_SHOWN } from "./schema.ts";
import * as halts from "./service.ts";

const DAY_MS = 86_400_000;
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
const stated = (id = LAPTOP, age = 3_600) => `id=${id}; max-age=${age}`;

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

async function reachOf({ id }: Agent, haltId: string): Promise<AgentReach | undefined> {
  const { reach } = await halts.ofAgent(db.database, server.admin.workspaceId, { agentId: id });
  const found = reach.find((one) => one.haltId === haltId);
  expect((await overview()).reach.find((one) => one.haltId === haltId && one.id === id)).toMatchObject({
    state: found?.state,
    executors: found?.executors,
  });
  return found;
}
/** Until what the server noted behind its answer is stored. */
const becomes = (agent: Agent, haltId: string, state: AgentReach["state"]) =>
  expect.poll(async () => (await reachOf(agent, haltId))?.state, { timeout: 10_000 }).toBe(state);
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
  it("is not reachable from the halt on, until it is heard, and has followed once the halt denied a gate of it", async () => {
    const agent = await newAgent();
    await poll(agent);
    await known(agent);
    await silentFor(agent, 600);
    const id = await halt({ scope: "agent", agentId: agent.id });
    const silent = await reachOf(agent, id);
    expect(silent).toMatchObject({
      state: "not_reachable",
      executors: 1,
      inState: 1,
      statesAge: true,
      followedAt: null,
    });
    // The age that it states, and no less for the minute that a call may be stored late.
    const goesOnMs = (silent?.until?.getTime() ?? 0) - (silent?.heardAt.getTime() ?? 0);
    expect(goesOnMs).toBe(3_600_000 + 120_000);
    await poll(agent);
    await becomes(agent, id, "heard");
    expect((await gate(agent)).continue).toBe(false);
    await becomes(agent, id, "followed");
    expect(await reachOf(agent, id)).toMatchObject({ until: null, followedAt: expect.any(Date) });
  });

  it("that called before the halt alone has not followed it, and neither has one that followed an earlier halt", async () => {
    const agent = await newAgent();
    const first = await halt({ scope: "agent", agentId: agent.id });
    await gate(agent);
    await becomes(agent, first, "followed");
    await resume(first);
    const second = await halt({ scope: "agent", agentId: agent.id });
    expect(await reachOf(agent, second)).toMatchObject({ state: "not_reachable" });
    await gate(agent);
    await becomes(agent, second, "followed");
  });

  it("goes on no longer than its policy's age, and says so", async () => {
    const agent = await newAgent();
    await poll(agent, stated(LAPTOP, 90));
    await known(agent);
    await silentFor(agent, 600);
    const id = await halt({ scope: "agent", agentId: agent.id });
    expect(await reachOf(agent, id)).toMatchObject({ state: "expired", until: null });
  });

  it.each([
    { named: "no age", executor: null, statesAge: false },
    { named: "a longer one", executor: stated(LAPTOP, 999_999_999), statesAge: true },
  ])("that states $named goes on for thirty days at the most", async ({ executor, statesAge }) => {
    const agent = await newAgent();
    await poll(agent, executor);
    await known(agent);
    const id = await halt({ scope: "agent", agentId: agent.id });
    const reach = await reachOf(agent, id);
    expect(reach).toMatchObject({ state: "not_reachable", statesAge });
    expect((reach?.until?.getTime() ?? 0) - (reach?.heardAt.getTime() ?? 0)).toBe(30 * DAY_MS + 300_000 + 120_000);
  });

  it("has not followed by a gate that does not say whose it is: that may be any program's", async () => {
    const agent = await newAgent();
    await poll(agent, null);
    await known(agent);
    const id = await halt({ scope: "agent", agentId: agent.id });
    expect((await gate(agent, null)).continue).toBe(false);
    await poll(agent, null);
    await becomes(agent, id, "heard");
  });

  it("speaks for itself alone: the agent's state is that of the worst one", async () => {
    const agent = await newAgent();
    await poll(agent, stated(LAPTOP));
    await poll(agent, stated(DESKTOP));
    await known(agent, 2);
    const id = await halt({ scope: "workspace" });
    await gate(agent, stated(LAPTOP));
    await expect.poll(() => reachOf(agent, id)).toMatchObject({ state: "not_reachable", executors: 2, inState: 1 });
    await gate(agent, stated(DESKTOP));
    await expect.poll(() => reachOf(agent, id)).toMatchObject({ state: "followed", executors: 2, inState: 2 });
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
    expect(reach.map((one) => [one.haltId, one.id, one.agents])).toEqual([[id, inside.id, 1]]);
    const ofOutside = await halts.ofAgent(db.database, server.admin.workspaceId, { agentId: outside.id });
    expect(ofOutside).toEqual({ halts: [], reach: [], isUnreachable: false });
    const ofPlain = await halts.ofAgent(db.database, server.admin.workspaceId, { agentId: plain.id });
    expect(ofPlain).toMatchObject({ halts: [{ id }], reach: [], isUnreachable: false });
  });

  it("of a group is not followed by a gate that a narrower halt denied before the agent was in it", async () => {
    const agent = await newAgent();
    await poll(agent);
    await known(agent);
    const { bus } = server.running.app;
    const { groupId } = await agents.createGroup(db.database, bus, server.admin, { name: `group ${randomUUID()}` });
    const ofGroup = await halt({ scope: "group", groupId });
    const own = await halt({ scope: "agent", agentId: agent.id });
    expect((await gate(agent)).continue).toBe(false);
    await becomes(agent, own, "followed");
    await resume(own);
    await agents.setGroupMembers(db.database, bus, server.admin, { groupId, agentIds: [agent.id] });
    expect(await reachOf(agent, ofGroup)).toMatchObject({ state: "heard" });
    expect((await gate(agent)).continue).toBe(false);
    await becomes(agent, ofGroup, "followed");
  });

  it("of a session is followed by a gate of that session alone", async () => {
    const agent = await newAgent();
    await poll(agent);
    await known(agent);
    const id = await halt({ scope: "session", agentId: agent.id, sessionId: "s1" });
    expect((await gate(agent, stated(), "s2")).continue).toBeUndefined();
    await poll(agent);
    await becomes(agent, id, "heard");
    expect((await gate(agent, stated(), "s1")).continue).toBe(false);
    await becomes(agent, id, "followed");
  });

  it("shows the worst of many agents, and counts all of them", async () => {
    const workspace = server.admin.workspaceId;
    await db.owner.query(
      `WITH made AS (INSERT INTO agent (workspace_id, id, name)
         SELECT $1, gen_random_uuid(), 'many ' || number FROM generate_series(1, 50) AS number RETURNING id)
       INSERT INTO local_executor (workspace_id, agent_id, id, heard_at, policy_age_seconds)
       SELECT $1, id, $2, now() - interval '1 minute', 3600 FROM made`,
      [workspace, LAPTOP],
    );
    const agent = await newAgent();
    await poll(agent);
    await known(agent);
    const id = await halt({ scope: "workspace" });
    await gate(agent);
    const ownState = async () => {
      const { reach } = await halts.ofAgent(db.database, workspace, { agentId: agent.id });
      return reach.find(({ haltId }) => haltId === id)?.state;
    };
    await expect.poll(ownState).toBe("followed");
    const { reach } = await overview();
    expect(reach).toHaveLength(REACH_SHOWN);
    expect(new Set(reach.map(({ state, agents: all }) => `${state} ${all}`))).toEqual(new Set(["not_reachable 51"]));
  });
});
