import { kindMatcher } from "@quarterdeck/hooks/contract/tool-kinds";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../../e2e/fixtures/gateway.ts";
import * as agents from "../../agents/index.ts";
import * as overview from "../../overview/index.ts";
import { overviewRange } from "../../overview/schema.ts";
import * as policies from "../../policies/index.ts";
import { getPolicyReach, listPolicyRuns } from "./policy-reach.ts";
import { policyReachView } from "./policy-reach-schema.ts";

const SOURCE = (preempt: boolean) => `hooks:
  pre_tool_use:
    - matcher: shell
      preempt_yolo: ${preempt}
      hooks:
        - { name: gate, type: command, command: "true" }
`;

let db: TestDatabase;
let server: TestGateway;
beforeEach(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  const key = await server.agent("one");
  await server.agent("two");
  await server.publish(SOURCE(false), "usual");
  await server.publish(SOURCE(true), "early");
  for (const tool of ["shell", "shell", "edit_file"]) {
    const response = await fetch(`${server.url}/api/v1/hooks/pre_tool_use?lane=default`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ session_id: "s", tool_name: tool, tool_use_id: "t", tool_input: {} }),
    });
    expect(response.status).toBe(200);
  }
  await server.projected();
});
afterEach(async () => {
  await server?.stop();
  await db?.drop();
});

const policyOf = async (name: string) => {
  const found = (await policies.list(server.database, server.admin.workspaceId)).find((one) => one.name === name);
  return found?.id ?? "";
};
const unheldOf = async (name: string) =>
  (await policies.list(server.database, server.admin.workspaceId)).find((one) => one.name === name)?.unheld;
const inForceForHours = () =>
  server.database.pool.query("UPDATE policy_revision SET created_at = created_at - interval '2 hours'");
const gaps = () => policies.findGateGaps(server.database, server.admin.workspaceId);
const reachOf = async (name: string) =>
  policyReachView.parse(await getPolicyReach(server.database, server.admin.workspaceId, await policyOf(name)));

it("counts who asked through its lane, the calls that reached a rule, and its runs", async () => {
  const usual = await reachOf("usual");
  expect(usual).toMatchObject({ bound: 2, agents: 1, calls: 3, ran: 2, isUnreached: false });
  expect(usual.rules).toMatchObject([{ name: "gate", lane: "default", reached: 2, ran: 2, lastRan: { unit: "hour" } }]);
});

it("of a lane that no agent sends is zero, and unreached once it is in force for an hour", async () => {
  const early = await reachOf("early");
  expect(early).toMatchObject({ bound: 2, agents: 0, calls: 0, ran: 0, lastRan: null, isUnreached: false });
  await inForceForHours();
  expect(await reachOf("early")).toMatchObject({ isUnreached: true });
  expect(await reachOf("usual")).toMatchObject({ isUnreached: false });
});

it("names the agents that a policy cannot stop: of calls that skip its lane, and of tools that they call otherwise", async () => {
  await inForceForHours();
  expect(await unheldOf("usual")).toBeNull();
  expect(await unheldOf("early")).toEqual({
    agents: 1,
    says: "1 of 2 bound agents cannot be stopped by it: one skips the early check.",
  });
  await server.database.pool.query("UPDATE agent SET client = 'claude-code' WHERE name = 'two'");
  expect(await unheldOf("usual")).toEqual({
    agents: 1,
    says: "1 of 2 bound agents cannot be stopped by it: two names its shell tool Bash.",
  });
  expect(await gaps()).toMatchObject({
    unheld: { policies: 2, shown: [{ policy: "early", says: (await unheldOf("early"))?.says }, { policy: "usual" }] },
    ungoverned: { agents: 0, names: [] },
  });
  await server.publish(SOURCE(false).replace("shell", kindMatcher("shell")), "usual");
  expect(await unheldOf("usual")).toBeNull();
  expect(await gaps()).toMatchObject({ unheld: { policies: 1 } });
});

it("names the agents that sent calls and have no enforced policy", async () => {
  const { pool } = server.database;
  await pool.query(
    "UPDATE assignment SET mode = 'observe', observe_until = now() + interval '1 hour', observe_since = now(), observe_by = 'a'",
  );
  expect(await gaps()).toEqual({
    unheld: { policies: 0, shown: [] },
    ungoverned: { agents: 1, names: ["one"] },
  });
  await pool.query("UPDATE assignment SET observe_until = now()");
  expect(await gaps()).toMatchObject({ ungoverned: { agents: 0 } });
});

it("names an agent that reports its tools and asks nothing before them, on each page", async () => {
  const { database, admin } = server;
  const { pool } = database;
  const key = await server.agent("three");
  await server.publish(SOURCE(false).replace("shell", '"*"'), "all");
  for (const event of ["session_start", "post_tool_use"]) {
    const response = await fetch(`${server.url}/api/v1/hooks/${event}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ session_id: "s3", tool_name: "shell", tool_use_id: "t3", tool_input: {} }),
    });
    expect(response.status).toBe(200);
  }
  await server.projected();
  expect(await unheldOf("all")).toBeNull();
  await inForceForHours();
  const says = "1 of 3 bound agents cannot be stopped by it: three sends events but does not ask before tool calls.";
  expect(await unheldOf("all")).toEqual({ agents: 1, says });
  const found = (await agents.list(database, admin.workspaceId)).find(({ name }) => name === "three");
  expect(found?.unheld).toContainEqual({
    ...{ id: await policyOf("all"), name: "all" },
    reason: "sends events but does not ask before tool calls",
  });
  const range = overviewRange.parse({ from: new Date(Date.now() - 3_600_000), to: new Date() });
  const { rows } = await overview.agents(database, admin.workspaceId, range);
  expect(rows.find(({ name }) => name === "three")?.unheld).toContain("all: sends events but does not ask");
  await pool.query("DELETE FROM assignment WHERE policy_id <> $1", [await policyOf("all")]);
  expect(await gaps()).toMatchObject({ unheld: { policies: 1, shown: [{ policy: "all", says }] } });
});

it("judges each agent by the revision that a canary gives it", async () => {
  const { database, admin } = server;
  const { bus } = server.running.app;
  await database.pool.query("UPDATE agent SET client = 'claude-code'");
  const put = (matcher: string) => server.publish(SOURCE(false).replace("shell", `"${matcher}"`), "tried");
  await put("*");
  await put("shell");
  const policyId = await policyOf("tried");
  await policies.rollBack(database, bus, admin, { policyId, number: 1, expectedLive: 2 });
  expect(await unheldOf("tried")).toBeNull();
  await policies.setCanary(database, bus, admin, {
    ...{ policyId, revision: 2, share: 100, groupId: null, expectedCanary: null },
  });
  expect(await unheldOf("tried")).toEqual({
    agents: 1,
    says: "1 of 2 bound agents cannot be stopped by it: two names its shell tool Bash.",
  });
});

it("lists the last run of each policy that ran", async () => {
  const { database, admin } = server;
  const [usual] = (await policies.list(database, admin.workspaceId)).filter(({ name }) => name === "usual");
  const runs = await listPolicyRuns(database, admin.workspaceId);
  expect(runs).toEqual([{ policyId: usual?.id, at: expect.any(Date), unit: "hour" }]);
  await db.owner.query("DELETE FROM hook_hour");
  await db.owner.query("UPDATE hook_day SET bucket = bucket - interval '3 days'");
  expect(await listPolicyRuns(database, admin.workspaceId)).toMatchObject([{ policyId: usual?.id, unit: "day" }]);
  await db.owner.query("UPDATE hook_day SET bucket = bucket - interval '40 days'");
  expect(await listPolicyRuns(database, admin.workspaceId)).toEqual([]);
});
