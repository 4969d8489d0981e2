/** The inventory on a real database: recorded calls become rows, rules are found, an allow-list is proposed. */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Owner, type RecordingRig, recordingRig, recordOf } from "../../e2e/fixtures/recording-rig.ts";
import { stoppedClock } from "../platform/clock.ts";
import { readPolicy } from "../policies/index.ts";
import { allowList } from "./allow-list.ts";
import { countFirstSeen } from "./repository.ts";
import { type ListTools, listTools, NAMES_MAX } from "./schema.ts";
import { list, proposeAllowList, unchecked } from "./service.ts";

const NOW = new Date("2026-03-18T10:00:00Z");
const CLOCK = stoppedClock(NOW.getTime());
let rig: RecordingRig;
let owner: Owner;
beforeAll(async () => {
  rig = await recordingRig();
});
beforeEach(async () => {
  owner = await rig.addOwner();
});
afterAll(() => rig?.close());

interface Called {
  readonly of?: Owner;
  readonly event?: string;
  readonly at?: Date;
  readonly dialect?: string;
  readonly input?: object;
}

async function call(tool: string, { of = owner, event = "pre_tool_use", at = NOW, dialect, input = {} }: Called = {}) {
  const ext = dialect === undefined ? {} : { ext: { dialect } };
  const text = JSON.stringify({ session_id: "s", tool_name: tool, tool_input: input, ...ext });
  await rig.recorder.record(recordOf(of, event, text, { occurredAt: at, receivedAt: at }), true);
}

const page = (input: Partial<ListTools> = {}) =>
  list(rig.db.database, owner.workspaceId, listTools.parse(input), CLOCK);

describe("what is listed", () => {
  it("is each tool, MCP tool and skill of an agent once for each client, with its calls", async () => {
    await call("Bash", { dialect: "claude-code", at: new Date("2026-03-10T08:00:00Z") });
    await call("Bash", { dialect: "claude-code" });
    await call("Bash", { dialect: "claude-code", event: "post_tool_use" });
    await call("Bash", { dialect: "codex" });
    await call("mcp__wiki__search", { dialect: "claude-code" });
    await call("Skill", { dialect: "claude-code", input: { skill: "release-notes" } });
    const { rows, total } = await page({ sort: "calls" });
    expect(total).toBe(4);
    expect(rows[0]).toMatchObject({
      ...{ tool: "Bash", client: "claude-code", kind: "shell", calls: 2, mcpServer: null, rules: [], ruleCount: 0 },
      firstSeenAt: new Date("2026-03-10T08:00:00Z"),
      lastSeenAt: NOW,
    });
    expect(rows.find(({ tool }) => tool.startsWith("mcp"))).toMatchObject({ kind: "mcp", mcpServer: "wiki", calls: 1 });
    expect(rows.find(({ tool }) => tool === "Skill")).toMatchObject({ skill: "release-notes" });
  });

  it("is filtered, and read page by page to its end", async () => {
    for (const tool of ["alpha", "beta", "gamma", "Read", "WebFetch"]) await call(tool);
    const seen: string[] = [];
    let cursor: ListTools["cursor"] = null;
    do {
      const { rows, next }: Awaited<ReturnType<typeof page>> = await page({ limit: 2, cursor });
      seen.push(...rows.map(({ tool }) => tool));
      cursor = next;
    } while (cursor !== null);
    expect(seen.toSorted()).toEqual(["Read", "WebFetch", "alpha", "beta", "gamma"]);
    const named = async (input: Partial<ListTools>) => (await page(input)).rows.map(({ tool }) => tool);
    expect(await named({ kinds: ["fetch"] })).toEqual(["WebFetch"]);
    expect(await named({ text: "ALP" })).toEqual(["alpha"]);
    expect(await named({ clients: ["codex"] })).toEqual([]);
    expect(await named({ agentIds: [(await rig.addOwner(owner.workspaceId)).agentId] })).toEqual([]);
  });

  it("was called in the last 30 days, and in this workspace", async () => {
    await call("forgotten", { at: new Date("2026-02-01T10:00:00Z") });
    await call("foreign", { of: await rig.addOwner() });
    expect((await page()).rows).toEqual([]);
  });

  it("ends with one row for all names beyond the agent's limit, in whichever order they came", async () => {
    await rig.db.owner.query(
      `INSERT INTO tool_seen (workspace_id, agent_id, client, tool_name, skill, kind, first_seen_at, last_seen_at, calls)
       SELECT $1, $2, 'docker-agent', 'invented-' || n, '', 'other', $3, $3, 1 FROM generate_series(2, $4) AS n`,
      [owner.workspaceId, owner.agentId, NOW, NAMES_MAX],
    );
    for (const tool of ["last-one", "too-many-1", "too-many-2", "last-one", "invented-7"]) await call(tool);
    const { rows, total } = await page({ sort: "calls", limit: 200 });
    expect(total).toBe(NAMES_MAX + 1);
    expect(rows.slice(0, 3).map(({ tool, calls }) => [tool, calls])).toEqual(
      expect.arrayContaining([
        ["last-one", 2],
        ["invented-7", 2],
        ["", 2],
      ]),
    );
    expect(await unchecked(rig.db.database, owner.workspaceId, owner.agentId, CLOCK)).toMatchObject({
      ...{ unchecked: NAMES_MAX, total: NAMES_MAX, hasMore: true },
    });
  });
});

it("a tool that is new to the workspace is counted in the window in which it was recorded", async () => {
  const other = await rig.addOwner(owner.workspaceId);
  const count = (from: string, to: string, agentId: string | null = null) =>
    countFirstSeen(
      rig.db.database.pool,
      owner.workspaceId,
      { agentId, groupId: null },
      { from: new Date(from), to: new Date(to) },
    );
  await call("Bash");
  await call("Bash", { of: other });
  await call("WebFetch", { of: other });
  await rig.db.owner.query(
    `UPDATE tool_seen SET added_at = CASE WHEN agent_id = $2 THEN $3::timestamptz ELSE $4::timestamptz END WHERE workspace_id = $1`,
    [owner.workspaceId, owner.agentId, "2026-03-18T09:00:30Z", "2026-03-18T09:05:30Z"],
  );
  expect(await count("2026-03-18T09:00:00Z", "2026-03-18T09:01:00Z")).toBe(1n);
  expect(await count("2026-03-18T09:05:00Z", "2026-03-18T09:06:00Z")).toBe(1n);
  expect(await count("2026-03-18T09:05:00Z", "2026-03-18T09:06:00Z", other.agentId)).toBe(2n);
  expect(await count("2026-03-18T09:06:00Z", "2026-03-18T09:07:00Z")).toBe(0n);
});

describe("the allow-list", () => {
  const TOOLS = ["mcp__wiki__search", "mcp__wiki__read", "mcp__mail__send", "Bash", "mcp__wiki__get*"];

  it("of a server holds its tools that were seen, and no pattern", () => {
    const { names, leftOut, entry } = allowList({ agent: "a", server: "wiki", tools: TOOLS });
    expect([names, leftOut]).toEqual([["read", "search"], 1]);
    expect(entry).toMatchObject({ hooks: [{ rules: [{ mcp: { server: "wiki", not: ["read", "search"] } }] }] });
  });

  it.each([["wiki"], [""], [null], ["absent"], ["wi*ki"]])("of %j is a policy that can be read", (server) => {
    const { yaml } = allowList({ agent: "a", server, tools: [...TOOLS, "MCP:open"] });
    expect(readPolicy(yaml)).toMatchObject({ problems: [] });
  });

  it("is proposed of an agent's own tools", async () => {
    await call("mcp__wiki__search");
    const { workspaceId, agentId } = owner;
    expect(await proposeAllowList(rig.db.database, workspaceId, { agentId, server: "wiki" }, CLOCK)).toMatchObject({
      names: ["search"],
    });
    await expect(
      proposeAllowList(rig.db.database, (await rig.addOwner()).workspaceId, { agentId }, CLOCK),
    ).rejects.toMatchObject({ code: "agent_not_found" });
  });
});
