/** The posture of agents through a real gateway: what their clients say of themselves, and what the page makes of it. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { COUNTS } from "../alerts/counts.ts";
import { startedDrill } from "../drills/schema.ts";
import * as fleet from "./fleet.ts";
import { type AgentRow, agentCounts, type Posture, searchAgents } from "./schema.ts";

let db: TestDatabase;
let gateway: TestGateway;
beforeAll(async () => {
  db = await testDatabase();
  gateway = await testGateway(db.url);
});
afterAll(async () => {
  await gateway?.stop();
  await db?.drop();
});

interface Enrolled {
  readonly name: string;
  readonly key: string;
}
async function enrol(): Promise<Enrolled> {
  const name = `agent ${randomUUID()}`;
  return { name, key: await gateway.agent(name) };
}

async function post({ key }: Enrolled, path: string, body: object, headers: Record<string, string> = {}) {
  const response = await fetch(`${gateway.url}/api/v1${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}

const claudeCall = (permissionMode: string) => ({
  ...{ session_id: randomUUID(), cwd: "/w", hook_event_name: "PreToolUse", permission_mode: permissionMode },
  ...{ tool_name: "Bash", tool_input: { command: "ls" }, tool_use_id: randomUUID() },
});
const toClaude = (agent: Enrolled, mode = "default", headers: Record<string, string> = {}) =>
  post(agent, "/hooks/claude-code/PreToolUse", claudeCall(mode), headers);

async function rowOf({ name }: Enrolled): Promise<AgentRow> {
  await gateway.projected();
  const filter = searchAgents.parse({ names: [name] });
  const { rows } = await fleet.search(gateway.database, gateway.admin.workspaceId, filter);
  if (!rows[0]) throw new Error("no such agent");
  return rows[0];
}

/** Signs are written after the answer. */
const eventually = (agent: Enrolled, wanted: Partial<AgentRow>) =>
  expect.poll(() => rowOf(agent), { timeout: 10_000 }).toMatchObject(wanted);

async function isIn(agent: Enrolled, posture: Posture): Promise<boolean> {
  const filter = searchAgents.parse({ names: [agent.name], postures: [posture] });
  return (await fleet.search(gateway.database, gateway.admin.workspaceId, filter)).rows.length === 1;
}

describe("a client's version", () => {
  it.each([
    ["2.1.197", true],
    ["v2.1.329-beta.4", true],
    ["2.1.330", false],
    ["2.2", false],
    ["10.0.0", false],
  ])("%s, as its header says, is outdated: %s", async (version, isOutdated) => {
    const agent = await enrol();
    await toClaude(agent, "default", { "quarterdeck-client-version": version });
    const clientVersion = version.replace(/^v/, "");
    await eventually(agent, { client: "claude-code", clientVersion, isOutdated });
    expect(await isIn(agent, "outdated")).toBe(isOutdated);
  });

  it("is read from the payload of a client that states it there", async () => {
    const agent = await enrol();
    await post(agent, "/hooks/cursor/preToolUse", {
      ...{ conversation_id: "c", session_id: "c", hook_event_name: "preToolUse", cursor_version: "3.2.10" },
      ...{ workspace_roots: ["/w"], tool_name: "Shell", tool_input: { command: "ls" }, tool_use_id: randomUUID() },
    });
    await eventually(agent, { client: "cursor", clientVersion: "3.2.10", isOutdated: true });
  });

  it("is nothing where it is none, and no call fails by it", async () => {
    const agent = await enrol();
    for (const version of ["latest", "x".repeat(300), "1.0; DROP", " "])
      expect((await toClaude(agent, "default", { "quarterdeck-client-version": version })).status).toBe(200);
    await eventually(agent, { client: "claude-code", clientVersion: null, isOutdated: false });
  });

  it("comes with a drill, and an agent without one is not drilled", async () => {
    const agent = await enrol();
    expect(await isIn(agent, "undrilled")).toBe(true);
    const { nonce } = startedDrill.parse(JSON.parse((await post(agent, "/drills", { mode: "liveness" })).text));
    const calls = [{ call: 1, event: "pre_tool_use", effect: "blocked" }];
    await post(agent, "/drills/report", { nonce, client: "codex", client_version: "0.1.0", calls });
    expect(await rowOf(agent)).toMatchObject({ clientVersion: "0.1.0", drilledAt: expect.any(Date) });
    expect(await isIn(agent, "undrilled")).toBe(false);
    await db.owner.query("UPDATE agent_drill SET reported_at = now() - interval '31 days'");
    expect(await isIn(agent, "undrilled")).toBe(true);
  });
});

describe("a client that asks nobody", () => {
  it("is in yolo for a day", async () => {
    const agent = await enrol();
    await toClaude(agent, "acceptEdits");
    await eventually(agent, { client: "claude-code", isYolo: false });
    await toClaude(agent, "bypassPermissions");
    await eventually(agent, { isYolo: true });
    expect(await isIn(agent, "yolo")).toBe(true);
    await db.owner.query("UPDATE agent SET yolo_at = now() - interval '25 hours' WHERE name = $1", [agent.name]);
    expect(await rowOf(agent)).toMatchObject({ isYolo: false });
  });

  it("says so in native words too, in a dispatch or a report", async () => {
    const event = { session_id: "s", tool_name: "shell", tool_use_id: "t", approval_decision: "allow" };
    const [sent, reported] = [await enrol(), await enrol()];
    const yolo = { ...event, approval_source: "mode_autonomous" };
    expect((await post(sent, "/hooks/on_tool_approval_decision", yolo)).status).toBe(200);
    await eventually(sent, { isYolo: true });
    const input = { ...event, approval_source: "yolo" };
    const line = { event_id: randomUUID(), event: "on_tool_approval_decision", input };
    expect((await post(reported, "/events", [line])).text).toContain("stored");
    await eventually(reported, { isYolo: true });
  });

  it("is not in yolo by what it reports of days ago, which states its version all the same", async () => {
    const agent = await enrol();
    const input = {
      session_id: "s",
      tool_name: "shell",
      tool_use_id: "t",
      approval_decision: "allow",
      approval_source: "yolo",
    };
    const occurred_at = new Date(Date.now() - 3 * 86_400_000).toISOString();
    const line = { event_id: randomUUID(), event: "on_tool_approval_decision", occurred_at, input };
    const { text } = await post(agent, "/events", [line], { "quarterdeck-client-version": "1.2.3" });
    expect(text).toContain("stored");
    await eventually(agent, { clientVersion: "1.2.3", isYolo: false });
  });
});

describe("an agent that asks without a nonce", () => {
  const nonce = { "quarterdeck-nonce": "0123456789abcdef".repeat(2) };

  it("has unchecked answers for a day, and one that sends a nonce has none", async () => {
    const [old, current] = [await enrol(), await enrol()];
    await toClaude(old, "default");
    await toClaude(current, "default", nonce);
    await eventually(old, { client: "claude-code", isUnchecked: true });
    await eventually(current, { client: "claude-code", isUnchecked: false });
    expect([await isIn(old, "unchecked"), await isIn(current, "unchecked")]).toEqual([true, false]);
    await db.owner.query("UPDATE agent SET unsigned_asked_at = now() - interval '25 hours' WHERE name = $1", [
      old.name,
    ]);
    expect(await rowOf(old)).toMatchObject({ isUnchecked: false });
  });

  it("counts in native words too, and events that only observe do not count", async () => {
    const [gate, observer] = [await enrol(), await enrol()];
    const call = { session_id: "s", tool_name: "shell", tool_use_id: "t", tool_input: { cmd: "ls" } };
    expect((await post(observer, "/hooks/session_end", { session_id: "s" })).status).toBe(200);
    expect((await post(observer, "/hooks/pre_tool_use", call, nonce)).status).toBe(200);
    expect((await post(gate, "/hooks/pre_tool_use", call)).status).toBe(200);
    await eventually(gate, { isUnchecked: true });
    expect(await rowOf(observer)).toMatchObject({ isUnchecked: false });
  });

  it("is written once an hour", async () => {
    const agent = await enrol();
    await toClaude(agent, "default");
    await eventually(agent, { isUnchecked: true });
    const at = () => db.owner.query("SELECT unsigned_asked_at FROM agent WHERE name = $1", [agent.name]);
    const first = (await at()).rows;
    await toClaude(agent, "default");
    expect((await at()).rows).toEqual(first);
  });
});

describe("a heartbeat", () => {
  it("is a call for the policies too: an agent that only polls is not silent, and the revision that it was given is in use", async () => {
    const agent = await enrol();
    expect(await rowOf(agent)).toMatchObject({ heardAt: null, revisionInUse: null });
    const headers = { authorization: `Bearer ${agent.key}` };
    const answer = await fetch(`${gateway.url}/api/v1/policy`, { headers });
    const revision = answer.headers.get("quarterdeck-revision") ?? "";
    await eventually(agent, { heardAt: expect.any(Date), lastSeenAt: null, revisionInUse: revision });
    const filter = searchAgents.parse({ names: [agent.name], statuses: ["active"] });
    expect((await fleet.search(gateway.database, gateway.admin.workspaceId, filter)).total).toBe(1);
  });
});

it("the counts are those of the filters, an alert watches them, and the navigation counts each agent once", async () => {
  const agent = await enrol();
  await toClaude(agent, "bypassPermissions", { "quarterdeck-client-version": "1.0.0" });
  await eventually(agent, { isYolo: true, isOutdated: true });
  const { workspaceId } = gateway.admin;
  const found = agentCounts.parse(await fleet.counts(gateway.database, workspaceId));
  const total = async (filter: object) =>
    (await fleet.search(gateway.database, workspaceId, searchAgents.parse(filter))).total;
  expect(found).toMatchObject({
    yolo: await total({ postures: ["yolo"] }),
    outdated: await total({ postures: ["outdated"] }),
    unchecked: await total({ postures: ["unchecked"] }),
    blindSpots: await total({ postures: ["blind_spots"] }),
    undrilled: await total({ postures: ["undrilled"] }),
  });
  // Nothing is published here: every agent is without policy, so that this one is not counted three times.
  expect(found.needsAttention).toBe(found.enrolled);
  const window = { from: new Date(Date.now() - 60_000), to: new Date() };
  for (const [source, count] of [
    ["ungoverned", found.withoutPolicy],
    ["yolo", found.yolo],
    ["outdated", found.outdated],
    ["undrilled", found.undrilled],
    ["observed_only", 0],
  ] as const)
    expect([
      source,
      // Holds: of the rule and the gauges, these counts read nothing.
      await COUNTS[source](gateway.database.pool, workspaceId, {} as never, window, {} as never),
    ]).toEqual([source, BigInt(count)]);
  expect(await fleet.countFleet(gateway.database, randomUUID(), "needsAttention")).toBeNull();
});
