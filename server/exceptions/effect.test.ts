/** The effect that is shown before an exception is made, against what the exception does once it is. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import type { Administrator } from "../access/actor.ts";
import * as agents from "../agents/index.ts";
import * as approvals from "../approvals/index.ts";
import { effect } from "./effect.ts";
import { type ExceptionReach, exceptionReach, makeException } from "./schema.ts";
import * as exceptions from "./service.ts";

const policy = (words: string) => `profile: 2026-08
hooks:
  pre_tool_use:
    - matcher: "^fetch$"
      hooks:
        - { type: command, name: no-fetch, command: "echo ${words} >&2; exit 2" }
        - { type: command, name: second, command: "if grep -q twice; then exit 2; fi" }
        - { type: command, name: broken, command: "if grep -q breaks; then exit 3; fi" }
    - matcher: "^shared$"
      hooks: [{ type: command, name: shared, command: "exit 2" }]
    - matcher: "shared"
      hooks: [{ type: command, name: shared, command: "exit 2" }]
    - matcher: "^ending$"
      hooks:
        - type: command
          name: ending
          command: "if grep -q last; then echo '{\\"continue\\":false}'; else exit 2; fi"
    - matcher: "^shell$"
      hooks:
        - { type: command, name: no-forbidden, command: "if grep -q forbidden; then exit 2; fi" }
        - { type: builtin, command: ask_a_person, args: ["Is this meant?"] }
`;

let db: TestDatabase;
let gateway: TestGateway;
beforeAll(async () => {
  db = await testDatabase();
  gateway = await testGateway(db.url);
  await gateway.publish(policy("never"), "guard");
  await vi.waitUntil(() => gateway.running.app.bus.isCurrent(), { timeout: 10_000 });
});
afterAll(async () => {
  await gateway?.stop();
  await db?.drop();
});

const context = () => ({ db: db.database, bus: gateway.running.app.bus });
const ada = (): Administrator => ({ ...gateway.admin, kind: "script", id: "Ada", name: "Ada" });

async function newAgent() {
  const { agentId, key } = await agents.create(db.database, gateway.running.app.bus, gateway.admin, {
    name: randomUUID(),
  });
  /** True when the agent may go on. */
  const call = async (tool: string, cmd: string, { session = "s", id = randomUUID() as string } = {}) => {
    const response = await fetch(`${gateway.url}/api/v1/hooks/pre_tool_use`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({
        ...{ session_id: session, tool_name: tool, tool_use_id: id, tool_input: { cmd }, cwd: "/" },
      }),
    });
    expect(response.status).toBe(200);
    return !/"block"|"deny"|Approval required/.test(await response.text());
  };
  /** The agent's first call on record: what exceptions are made from. */
  const example = async () => {
    await gateway.projected();
    const { rows } = await db.owner.query<{ occurredAt: Date; id: string }>(
      `SELECT occurred_at AS "occurredAt", id FROM dispatch WHERE agent_id = $1 ORDER BY received_at LIMIT 1`,
      [agentId],
    );
    const [dispatch] = rows;
    if (dispatch === undefined) throw new Error("nothing is on record");
    return { dispatch };
  };
  return { agentId, call, example };
}

const effectOf = (reach: ExceptionReach, budgetMs?: number) =>
  effect(db.database, ada(), exceptionReach.parse(reach), budgetMs);

describe("the effect of an exception from a denied call", () => {
  it("counts the denied calls that it would have let through, of each reach, and shows some of them", async () => {
    const [one, other] = [await newAgent(), await newAgent()];
    await one.call("fetch", "cat first");
    await one.call("fetch", "cat first");
    await one.call("fetch", "cat first", { session: "t" });
    await one.call("fetch", "cat first two");
    await one.call("fetch", "cat first --all");
    await other.call("fetch", "cat first");
    const example = await one.example();
    const session = await effectOf({ ...example, scope: "session" });
    expect(session.requests).toBeNull();
    expect(session.calls).toMatchObject({ denied: 2, asked: 0, agents: 1, sessions: 1, stopped: 0, unknown: 0 });
    const agent = await effectOf({ ...example, scope: "agent" });
    expect(agent.calls).toMatchObject({ denied: 3, agents: 1, sessions: 2, isWhole: true });
    const words = await effectOf({ ...example, scope: "agent", commandWords: 2 });
    expect(words.calls).toMatchObject({ denied: 4, agents: 1, sessions: 2 });
    const all = await effectOf({ ...example, scope: "workspace" });
    expect(all.calls).toMatchObject({ denied: 4, agents: 2, sessions: 3 });
    const [newest] = words.calls.examples;
    expect(newest).toMatchObject({ verdict: "denied", excerpt: "cat first two", isDecision: true });
  });

  it("is what the exception then does to those very calls", async () => {
    const agent = await newAgent();
    const calls = ["cat page", "cat page two", "cat page twice", "cat page breaks", "cat other", "cat page --all"];
    for (const cmd of calls) expect(await agent.call("fetch", cmd)).toBe(false);
    const reach = { ...(await agent.example()), scope: "agent" as const, commandWords: 2 };
    const { calls: counted } = await effectOf(reach);
    expect(counted).toMatchObject({ denied: 2, stopped: 2 });
    await exceptions.make(context(), ada(), makeException.parse({ ...reach, hours: 1, reason: "we need it" }));
    const passed: boolean[] = [];
    for (const cmd of calls) passed.push(await agent.call("fetch", cmd));
    expect(passed).toEqual([true, true, false, false, false, false]);
    await db.owner.query("UPDATE policy_exception SET ended_at = now(), ended_by = 'Ada', end_reason = 'over'");
    gateway.running.app.bus.announce(gateway.admin.workspaceId, ["exceptions"]);
  });

  it("counts a call once, however often its gate was asked, and never one that is older than seven days", async () => {
    const agent = await newAgent();
    const id = randomUUID();
    await agent.call("fetch", "cat once", { id });
    await agent.call("fetch", "cat once", { id });
    const reach = { ...(await agent.example()), scope: "agent" as const };
    expect((await effectOf(reach)).calls).toMatchObject({ denied: 1 });
    await db.owner.query("UPDATE hook_outcome SET occurred_at = occurred_at - interval '8 days' WHERE agent_id = $1", [
      agent.agentId,
    ]);
    expect((await effectOf(reach)).calls).toMatchObject({ denied: 0, agents: 0, sessions: 0, examples: [] });
  });

  it("says of how many calls it cannot be known, and masks what it shows", async () => {
    const agent = await newAgent();
    await agent.call("fetch", "cat page");
    await agent.call("fetch", `cat page ghp_${"a1B2".repeat(9)}`);
    const example = await agent.example();
    expect((await effectOf({ ...example, scope: "agent" })).calls).toMatchObject({ denied: 1, unknown: 0 });
    const { calls } = await effectOf({ ...example, scope: "agent", commandWords: 2 });
    expect(calls).toMatchObject({ denied: 1, unknown: 1 });
    expect(JSON.stringify(calls.examples)).not.toContain("ghp_");
  });

  it("counts no call of a rule that another rule shares, and none that was to end the run", async () => {
    const agent = await newAgent();
    await agent.call("ending", "cat it");
    await agent.call("ending", "cat it last");
    const ending = await effectOf({ ...(await agent.example()), scope: "agent", commandWords: 2 });
    expect(ending.calls).toMatchObject({ denied: 1, stopped: 0 });
    const sharing = await newAgent();
    await sharing.call("shared", "cat it");
    const shared = await effectOf({ ...(await sharing.example()), scope: "agent" });
    expect(shared.calls).toMatchObject({ denied: 0 });
  });

  it("is of the rule as it is defined: what another definition denied does not count", async () => {
    const agent = await newAgent();
    await agent.call("fetch", "cat page");
    await gateway.publish(policy("changed"), "guard");
    await vi.waitUntil(
      async () => {
        await agent.call("fetch", "cat page");
        const { rows } = await db.owner.query("SELECT 1 FROM dispatch WHERE agent_id = $1 AND hooks LIKE '%changed%'", [
          agent.agentId,
        ]);
        return rows.length > 0;
      },
      { timeout: 10_000 },
    );
    await gateway.publish(policy("never"), "guard");
    const counted = await db.owner.query<{ count: number }>(
      "SELECT count(*)::int AS count FROM dispatch WHERE agent_id = $1 AND hooks LIKE '%never%'",
      [agent.agentId],
    );
    const { calls } = await effectOf({ ...(await agent.example()), scope: "agent" });
    expect(calls.denied).toBe(counted.rows[0]?.count);
  });

  it("ends with what is known when its time is over, and says how much it looked at", async () => {
    const agent = await newAgent();
    for (let at = 0; at < 60; at += 1) await agent.call("fetch", "cat page");
    const { calls } = await effectOf({ ...(await agent.example()), scope: "agent" }, 0);
    expect(calls).toMatchObject({ looked: 50, isWhole: false });
    expect(calls.denied).toBeGreaterThan(0);
    expect(calls.denied).toBeLessThan(60);
  });
});

describe("the effect of an exception from a question", () => {
  it("counts the calls that were asked about and their requests, and none that another rule denied", async () => {
    const agent = await newAgent();
    await agent.call("shell", "cat tea");
    await agent.call("shell", "cat tea later");
    await agent.call("shell", "cat tea forbidden");
    await agent.call("shell", "brew tea");
    await gateway.projected();
    const { open } = await approvals.list(db.database, gateway.admin);
    const requestId = open.find((one) => one.agentId === agent.agentId && one.input.includes('"cat tea"'))?.id;
    const exact = await effectOf({ requestId, scope: "session" });
    expect(exact.calls).toMatchObject({ denied: 0, asked: 1, stopped: 0 });
    expect(exact.requests).toMatchObject({ matched: 1, isWhole: true });
    const words = await effectOf({ requestId, scope: "agent", commandWords: 2 });
    expect(words.calls).toMatchObject({ denied: 0, asked: 2, stopped: 1, agents: 1, sessions: 1 });
    expect(words.requests).toMatchObject({ matched: 2, isWhole: true });
  });
});

describe("the effect is shown to nobody", () => {
  it("who could not make the exception", async () => {
    const agent = await newAgent();
    await agent.call("fetch", "cat page");
    const reach = { ...(await agent.example()), scope: "agent" as const };
    const approver: Administrator = {
      ...gateway.admin,
      kind: "person",
      id: randomUUID(),
      name: "Cy",
      role: "approver",
    };
    await expect(effect(db.database, approver, reach)).rejects.toMatchObject({ code: "forbidden" });
    const elsewhere = { ...ada(), workspaceId: randomUUID() };
    await expect(effect(db.database, elsewhere, reach)).rejects.toMatchObject({
      code: "exception_refused",
    });
  });
});
