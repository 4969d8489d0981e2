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
