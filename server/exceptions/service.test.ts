/** The promises of "Always allow", through the agent API of a real gateway. */
import { randomUUID } from "node:crypto";
import type { PlannedHook } from "@quarterdeck/hooks";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import type { Administrator } from "../access/actor.ts";
import * as agents from "../agents/index.ts";
import * as approvals from "../approvals/index.ts";
import { createLog } from "../platform/log.ts";
import { effect } from "./effect.ts";
import { createExceptionsInForce } from "./exceptions-in-force.ts";
import { endException, type MakeException, makeException } from "./schema.ts";
import * as exceptions from "./service.ts";

const policy = (question: string) => `hooks:
  pre_tool_use:
    - matcher: "^shell$"
      hooks:
        - { type: builtin, command: ask_a_person, args: ["${question}"] }
    - matcher: "^deploy$"
      hooks:
        - { type: builtin, command: ask_a_person, args: ["Two of us.", "two people"] }
    - matcher: "shell"
      hooks:
        - type: command
          command: "if grep -q forbidden; then echo 'never this' >&2; exit 2; fi"
`;

let db: TestDatabase;
let gateway: TestGateway;
beforeAll(async () => {
  db = await testDatabase();
  gateway = await testGateway(db.url);
  await gateway.publish(policy("Is this meant?"));
  await vi.waitUntil(() => gateway.running.app.bus.isCurrent(), { timeout: 10_000 });
});
afterAll(async () => {
  await gateway?.stop();
  await db?.drop();
});

const context = () => ({ db: db.database, bus: gateway.running.app.bus });
const person = (name: string): Administrator => ({ ...gateway.admin, kind: "script", id: name, name });

interface Call {
  readonly cmd?: string;
  readonly session?: string;
  readonly tool?: string;
}

async function newAgent(by: Administrator = gateway.admin) {
  const { agentId, key } = await agents.create(db.database, gateway.running.app.bus, by, { name: randomUUID() });
  /** "asked", "denied" or "went on", as the agent is answered; nobody waits. */
  const call = async ({ cmd = "gh pr view", session = "s", tool = "shell" }: Call = {}) => {
    const response = await fetch(`${gateway.url}/api/v1/hooks/pre_tool_use`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({
        ...{ session_id: session, tool_name: tool, tool_use_id: randomUUID(), tool_input: { cmd }, cwd: "/" },
      }),
    });
    expect(response.status).toBe(200);
    const text = await response.text();
    if (text.includes("Approval required")) return "asked";
    return text.includes('"block"') || text.includes('"deny"') ? "denied" : "went on";
  };
  const request = async () => {
    const { open } = await approvals.list(db.database, gateway.admin);
    return open.find((one) => one.agentId === agentId);
  };
  return { agentId, call, request };
}

async function makeFrom(
  agent: Awaited<ReturnType<typeof newAgent>>,
  asked: Partial<MakeException> = {},
  who = person("Ada"),
) {
  const requestId = (await agent.request())?.id ?? "";
  const input = makeException.parse({ requestId, scope: "session", hours: 1, reason: "daily work", ...asked });
  return exceptions.make(context(), who, input);
}
const end = (id: string) =>
  exceptions.end(context(), person("Bo"), endException.parse({ id, reason: "no longer needed" }));

describe("an exception", () => {
  it("lifts the question about exactly that call of that session, until somebody ends it", async () => {
    const agent = await newAgent();
    expect(await agent.call()).toBe("asked");
    const { id } = await makeFrom(agent);
    expect(await agent.call()).toBe("went on");
    expect(await agent.call({ cmd: "gh pr list" })).toBe("asked");
    expect(await agent.call({ session: "t" })).toBe("asked");
    expect(await (await newAgent()).call()).toBe("asked");
    await end(id);
    expect(await agent.call()).toBe("asked");
    await expect(end(id)).rejects.toMatchObject({ code: "exception_over" });
  });

  it("stands at the hook in the record, with its number in the chain before the call's", async () => {
    const agent = await newAgent();
    await agent.call();
    const { id } = await makeFrom(agent);
    await agent.call();
    const { rows } = await db.owner.query<{ hooks: string }>(
      "SELECT hooks FROM dispatch WHERE agent_id = $1 ORDER BY received_at DESC LIMIT 1",
      [agent.agentId],
    );
    const [hook] = JSON.parse(rows[0]?.hooks ?? "[]") as { exception?: string; said: string }[]; // as it is stored
    expect(hook?.exception).toBe(id);
    expect(hook?.said).not.toBe("ask");
    const entries = await db.owner.query<{ kind: string }>(
      "SELECT kind FROM audit_entry WHERE body LIKE '%' || $1 || '%'",
      [id],
    );
    expect(entries.rows).toEqual([{ kind: "exception_made" }]);
  });

  it("ends by itself", async () => {
    const agent = await newAgent();
    await agent.call();
    const { id } = await makeFrom(agent);
    expect(await agent.call()).toBe("went on");
    await db.owner.query("UPDATE policy_exception SET expires_at = clock_timestamp() WHERE id = $1", [id]);
    gateway.running.app.bus.announce(gateway.admin.workspaceId, ["exceptions"]);
    expect(await agent.call()).toBe("asked");
    await expect(end(id)).rejects.toMatchObject({ code: "exception_over" });
  });

  it("of a command is for what begins with it, and for no denial", async () => {
    const agent = await newAgent();
    await agent.call();
    const offer = await exceptions.offer(db.database, person("Ada"), { requestId: (await agent.request())?.id ?? "" });
    expect(offer).toMatchObject({
      command: ["gh", "pr", "view"],
      commandWordsMin: 3,
      groups: [],
      refusal: null,
      lifts: "question",
    });
    await makeFrom(agent, { scope: "agent", commandWords: 3 });
    expect(await agent.call({ cmd: "gh pr view elsewhere", session: "t" })).toBe("went on");
    expect(await agent.call({ cmd: "gh pr list", session: "t" })).toBe("asked");
    expect(await agent.call({ cmd: "gh pr view --force" })).toBe("asked");
    expect(await agent.call({ cmd: "gh pr view; id" })).toBe("asked");
    expect(await agent.call({ cmd: "gh pr view forbidden" })).toBe("denied");
  });

  it("counts what it would have spared", async () => {
    const agent = await newAgent();
    await agent.call({ cmd: "cat tea" });
    await agent.call({ cmd: "cat tea later" });
    await agent.call({ cmd: "brew tea" });
    const { open } = await approvals.list(db.database, gateway.admin);
    const requestId = open.find((one) => one.agentId === agent.agentId && one.input.includes("cat tea"))?.id ?? "";
    const reach = { requestId, scope: "agent" as const };
    const exactly = await effect(db.database, person("Ada"), reach);
    expect(exactly.requests).toMatchObject({ matched: 1, isWhole: true });
    const beginning = await effect(db.database, person("Ada"), { ...reach, commandWords: 2 });
    expect(beginning.requests).toMatchObject({ matched: 2 });
  });

  it("is over once its rule is another one", async () => {
    const agent = await newAgent();
    await agent.call();
    await makeFrom(agent, { scope: "agent" });
    expect(await agent.call()).toBe("went on");
    await gateway.publish(policy("Is this really meant?"));
    await vi.waitUntil(async () => (await agent.call()) === "asked", { timeout: 10_000 });
    await gateway.publish(policy("Is this meant?"));
    await vi.waitUntil(async () => (await agent.call()) === "went on", { timeout: 10_000 });
  });
});

describe("nobody makes an exception", () => {
  it("of a rule that needs two people", async () => {
    const agent = await newAgent();
    await agent.call({ tool: "deploy" });
    await expect(makeFrom(agent)).rejects.toMatchObject({ code: "exception_refused" });
  });

  it("for all agents, who may only answer", async () => {
    const agent = await newAgent();
    await agent.call();
    const approver: Administrator = { ...gateway.admin, kind: "person", id: "Cy", name: "Cy", role: "approver" };
    await expect(makeFrom(agent, { scope: "workspace" }, approver)).rejects.toMatchObject({ code: "forbidden" });
    await expect(makeFrom(agent, {}, approver)).resolves.toHaveProperty("id");
  });

  it("by a script of its own, or for longer than 90 days", async () => {
    const agent = await newAgent();
    await agent.call();
    const robot: Administrator = { ...gateway.admin, kind: "service", id: "robot", name: "robot", role: "admin" };
    await expect(makeFrom(agent, {}, robot)).rejects.toMatchObject({ code: "forbidden" });
    await expect(makeFrom(agent, { hours: 24 * 91 })).rejects.toThrow("90 days");
  });

  it("while the workspace is frozen, or where the policy asks for four eyes", async () => {
    const agent = await newAgent();
    await agent.call();
    await db.owner.query("UPDATE policy SET four_eyes = true");
    await expect(makeFrom(agent)).rejects.toMatchObject({ code: "exception_refused" });
    await db.owner.query("UPDATE policy SET four_eyes = false");
    await db.owner.query(
      "INSERT INTO workspace_freeze (workspace_id, reason, frozen_by) VALUES ($1, 'a holiday', 'Ada')",
      [gateway.admin.workspaceId],
    );
    await expect(makeFrom(agent)).rejects.toMatchObject({ code: "workspace_frozen" });
    await db.owner.query("DELETE FROM workspace_freeze");
  });

  it("of a call that somebody denied", async () => {
    const agent = await newAgent();
    await agent.call();
    const id = (await agent.request())?.id ?? "";
    await approvals.answer(context(), person("Bo"), { id, verdict: "deny", words: "no" });
    await expect(makeFrom(agent, { requestId: id })).rejects.toMatchObject({ code: "exception_refused" });
  });

  it("beyond 500 that are in force", async () => {
    const agent = await newAgent();
    await agent.call();
    const { rowCount } = await db.owner.query(
      `INSERT INTO policy_exception (workspace_id, id, scope, about, tool_name, command, input, rules, reason, request_number, made_by,
         expires_at)
       SELECT $1, gen_random_uuid(), 'workspace', '', 'many', '{a,b}', '{}', '[]', 'r', 1, 'Ada', now() + interval '1 hour'
       FROM generate_series(1, 500)`,
      [gateway.admin.workspaceId],
    );
    expect(rowCount).toBe(500);
    await expect(makeFrom(agent)).rejects.toMatchObject({ code: "too_many_exceptions" });
    await db.owner.query("DELETE FROM policy_exception WHERE tool_name = 'many'");
  });

  it("for a group that the agent is not in, or more words than its command has", async () => {
    const agent = await newAgent();
    await agent.call();
    await expect(makeFrom(agent, { scope: "group", groupId: randomUUID() })).rejects.toMatchObject({
      code: "invalid_input",
    });
    await expect(makeFrom(agent, { commandWords: 4 })).rejects.toMatchObject({ code: "invalid_input" });
  });
});

it("exceptions that cannot be read lift nothing", async () => {
  const agent = await newAgent();
  await agent.call();
  await makeFrom(agent);
  expect(await agent.call()).toBe("went on");
  const log = createLog("silent");
  const { bus } = gateway.running.app;
  const pool = new pg.Pool({ connectionString: db.url });
  await pool.end();
  const input = { session_id: "s", tool_name: "shell", tool_input: { cmd: "gh pr view" } };
  const { workspaceId } = gateway.admin;
  const lift = createExceptionsInForce({ pool, bus, log }).lifterFor({ workspaceId, agentId: agent.agentId, input });
  const hook = { origin: { policy: "policy" }, definition: {}, rule: "" } as PlannedHook; // holds: no more of it is read
  expect(await lift(hook, "ask")).toBeNull();
});
