/** The holder of the key is the one who acted: a name in an input never takes its place. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Browser, signedIn } from "../../e2e/fixtures/browser.ts";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";

let at: TestDatabase;
let server: TestGateway;
let viewer: Browser;

beforeAll(async () => {
  at = await testDatabase();
  server = await testGateway(at.url);
  viewer = await signedIn(server.url, at.database, server.admin.workspaceId, "viewer");
});
afterAll(async () => {
  await server?.stop();
  await at?.drop();
});

const call = (agent_name: string | undefined, session_id: string) => ({
  session_id,
  ...(agent_name === undefined ? {} : { agent_name }),
  cwd: "/",
  tool_name: "shell",
  tool_use_id: session_id,
  tool_input: { cmd: "true" },
  approval_decision: "allow",
  approval_source: "user_approved",
});
async function listed(filters: object): Promise<string[]> {
  const range = { from: new Date(Date.now() - 60_000), to: new Date(Date.now() + 60_000) };
  const { value } = await viewer.query("decisions.list", { range, filters });
  return (value as { rows: { agentName: string }[] }).rows.map(({ agentName }) => agentName);
}

it("stands in lists and filters under its own name, with what it calls itself behind it, dispatched or reported", async () => {
  const key = await server.agent("builder");
  await server.agent("deployer");
  const post = (path: string, body: string, type: string) =>
    fetch(`${server.url}/api/v1/${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": type },
      body,
    });
  for (const [index, name] of ["deployer", "builder", undefined].entries()) {
    const answer = await post(
      "hooks/on_tool_approval_decision",
      JSON.stringify(call(name, `s${index}`)),
      "application/json",
    );
    expect(answer.status).toBe(200);
  }
  const event = {
    event_id: crypto.randomUUID(),
    event: "on_tool_approval_decision",
    occurred_at: new Date().toISOString(),
    input: call("deployer", "s9"),
  };
  const reported = await post("events", `${JSON.stringify(event)}\n`, "application/x-ndjson");
  expect(await reported.text()).not.toContain("error");

  expect((await listed({})).sort()).toEqual(["builder", "builder", "builder / deployer", "builder / deployer"]);
  expect(await listed({ agent: ["deployer"] })).toEqual([]);
  expect(await listed({ agent: ["builder / deployer"] })).toHaveLength(2);
});

it("is found with its inner agents in each list, count and facet", async () => {
  const key = await server.agent("ci");
  const post = (event: string, input: object) =>
    fetch(`${server.url}/api/v1/hooks/${event}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(input),
    });
  for (const [session, agent_name] of [
    ["i1", "root"],
    ["i2", undefined],
  ] as const) {
    const { approval_decision: _, approval_source: __, ...gate } = call(agent_name, session);
    expect((await post("pre_tool_use", gate)).status).toBe(200);
    const model = { session_id: session, ...(agent_name && { agent_name }), model_id: "openai/gpt-5", cost: 0.5 };
    expect((await post("after_llm_call", model)).status).toBe(200);
  }
  const range = { from: new Date(Date.now() - 60_000), to: new Date(Date.now() + 60_000) };
  const names = async (procedure: string, input: object, key: string) => {
    const { value } = await viewer.query(procedure, input);
    return (value as Record<string, { agentName: string }[]>)[key]?.map(({ agentName }) => agentName).sort();
  };
  const both = ["ci", "ci / root"];
  const filters = { agent: ["ci"] };
  const more = { agent: ["ci"], tool: ["shell"] };
  expect((await listed(filters)).sort()).toEqual(both);
  expect((await listed({ agent: ["ci", "deployer"] })).sort()).toEqual(both);
  expect((await listed(more)).sort()).toEqual(both);
  expect(await names("decisions.calls", { range, filters }, "rows")).toEqual(both);
  expect(await names("decisions.calls", { range, filters: { agent: ["ci / root"] } }, "rows")).toEqual(["ci / root"]);
  const { value: facets } = await viewer.query("decisions.callFacets", { range, filters });
  expect(facets).toMatchObject({ calls: 2 });
  const lines = (facets as { values: Record<string, { value: string; count: number }[]> }).values.agent;
  expect(lines).toContainEqual({ value: "ci", count: 2 });
  expect(lines).toContainEqual({ value: "ci / root", count: 1 });
  const { value: series } = await viewer.query("decisions.callSeries", { range, filters });
  expect((series as { points: { count: number }[] }).points.reduce((sum, { count }) => sum + count, 0)).toBe(2);
  expect(await names("sessions.list", { ...range, agents: ["ci"] }, "sessions")).toEqual(both);
  expect(await names("costs.calls", { ...range, agents: ["ci"] }, "calls")).toEqual(both);
  expect(await names("costs.bySession", { ...range, agents: ["ci"] }, "sessions")).toEqual(both);
  expect(await names("costs.bySession", { ...range, agents: ["deployer"] }, "sessions")).toEqual([]);
  const { value: total } = await viewer.query("costs.callsTotal", { ...range, agents: ["ci"] });
  expect(total).toMatchObject({ calls: 2 });
});
