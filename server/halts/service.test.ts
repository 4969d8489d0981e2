/** The promises of docs/halts.md, through the agent API of two gateways over one database. */
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newWorkspace } from "../../e2e/fixtures/browser.ts";
import type { TestDatabase } from "../../e2e/fixtures/database.ts";
import type { TestGateway } from "../../e2e/fixtures/gateway.ts";
import { callGate, type HaltedAgent, type HaltsRig, haltsRig, isDenied } from "../../e2e/fixtures/halts-rig.ts";
import type { Administrator } from "../access/actor.ts";
import * as agents from "../agents/index.ts";
import { type HaltTarget, haltTarget, startHalt } from "./schema.ts";
import * as halts from "./service.ts";

let rig: HaltsRig;
let db: TestDatabase;
let first: TestGateway;
let second: TestGateway;
beforeAll(async () => {
  rig = await haltsRig();
  ({ db, first } = rig);
  second = await rig.addGateway();
});
afterAll(() => rig?.close());
afterEach(() => rig.resumeAll());

describe("each scope", () => {
  let agent: HaltedAgent;
  let other: HaltedAgent;
  beforeEach(async () => {
    [agent, other] = [await rig.newAgent(), await rig.newAgent()];
  });

  it("halts a workspace, and no other one", async () => {
    const elsewhere: Administrator = {
      kind: "script",
      workspaceId: await newWorkspace(db.database, `other ${randomUUID()}`),
      id: "test",
      name: "test",
    };
    const stranger = await rig.newAgent("stranger", elsewhere);
    await rig.halt({ scope: "workspace" });
    for (const at of [first, second]) {
      expect(await isDenied(at, agent)).toBe(true);
      expect(await isDenied(at, stranger)).toBe(false);
    }
    await expect(
      halts.resume(rig.context, elsewhere, { id: (await rig.inForce())[0]?.id ?? "", reason: "x" }),
    ).rejects.toMatchObject({
      code: "halt_not_found",
    });
    await expect(rig.halt({ scope: "agent", agentId: agent.id }, "x", elsewhere)).rejects.toMatchObject({
      code: "agent_not_found",
    });
    expect(await halts.list(db.database, elsewhere.workspaceId)).toEqual([]);
  });

  it("makes none for a rule where the last hundred are left, and one for a person", async () => {
    const workspaceId = await newWorkspace(db.database, `full ${randomUUID()}`);
    const elsewhere: Administrator = { kind: "script", workspaceId, id: "test", name: "test" };
    const stranger = await rig.newAgent("stranger", elsewhere);
    await db.owner.query(
      `INSERT INTO halt (workspace_id, id, scope, agent_id, session_id, about, reason, halted_by, by_rule)
       SELECT $1, gen_random_uuid(), 'session', $2, 's' || number, 's' || number, 'x', 'repeat_guard', true
       FROM generate_series(1, 900) AS number`,
      [workspaceId, stranger.id],
    );
    const target: HaltTarget = { scope: "agent", agentId: stranger.id };
    const byRule = halts.haltByRule(rig.context, workspaceId, { target, reason: "x", by: "repeat_guard" });
    await expect(byRule).rejects.toMatchObject({ code: "too_many_halts" });
    await rig.halt(target, "a person says so", elsewhere);
    expect(await isDenied(first, stranger)).toBe(true);
  });

  it("always has room for a halt of the whole workspace", async () => {
    const workspaceId = await newWorkspace(db.database, `full ${randomUUID()}`);
    const elsewhere: Administrator = { kind: "script", workspaceId, id: "test", name: "test" };
    const stranger = await rig.newAgent("another stranger", elsewhere);
    await db.owner.query(
      `INSERT INTO halt (workspace_id, id, scope, agent_id, session_id, about, reason, halted_by, by_rule)
       SELECT $1, gen_random_uuid(), 'session', $2, 's' || number, 's' || number, 'x', 'Ada', false
       FROM generate_series(1, 1000) AS number`,
      [workspaceId, stranger.id],
    );
    const agent: HaltTarget = { scope: "agent", agentId: stranger.id };
    await expect(rig.halt(agent, "x", elsewhere)).rejects.toMatchObject({ code: "too_many_halts" });
    expect(await isDenied(first, stranger)).toBe(false);
    await rig.halt({ scope: "workspace" }, "stop everything", elsewhere);
    expect(await isDenied(first, stranger)).toBe(true);
  });

  it("of people stay in the list, however many rules make after them", async () => {
    const { id } = await rig.halt({ scope: "agent", agentId: agent.id });
    const { id: session } = await rig.halt({ scope: "session", agentId: agent.id, sessionId: "s1" });
    await db.owner.query(
      `INSERT INTO halt (workspace_id, id, scope, agent_id, session_id, about, reason, halted_by, is_quarantine, by_rule)
       SELECT $1, gen_random_uuid(), 'session', $2, n::text, n::text, 'Runaway rule', 'repeat_guard', false, true FROM generate_series(1, 300) AS n`,
      [first.admin.workspaceId, agent.id],
    );
    const listed = (await rig.inForce()).map((one) => one.id);
    await db.owner.query("DELETE FROM halt WHERE by_rule");
    expect(listed.slice(0, 2)).toEqual([id, session]);
  });

  it("keeps a retired agent that is halted: one of the same name would not be", async () => {
    const { bus } = first.running.app;
    const { id } = await rig.halt({ scope: "agent", agentId: agent.id });
    await agents.retire(db.database, bus, first.admin, { agentId: agent.id });
    const remove = () => agents.remove(db.database, bus, first.admin, { agentId: agent.id });
    await expect(remove()).rejects.toMatchObject({
      code: "agent_in_use",
      message: expect.stringContaining("is halted"),
    });
    await rig.resume(id);
    await remove();
  });

  it("halts one agent, and names the quarantine", async () => {
    await rig.halt({ scope: "agent", agentId: agent.id, isQuarantine: true }, "odd commands");
    const { answer } = await callGate(second, agent);
    expect(answer.reason).toMatch(
      /is in quarantine since .* by test: odd commands\. Calls are denied until a person has reviewed it\.$/,
    );
    expect(await isDenied(second, other)).toBe(false);
  });
});

describe("a halted call", () => {
  it("is denied in its event's words, runs no hook and needs no policy", async () => {
    const agent = await rig.newAgent();
    await first.publish(
      'hooks:\n  pre_tool_use:\n    - hooks: [{ type: command, command: "echo \'{\\"decision\\":\\"block\\",\\"reason\\":\\"the policy\\"}\'" }]\n',
      "halted",
    );
    expect((await callGate(first, agent)).answer.reason).toBe("the policy");
    const { id } = await rig.halt({ scope: "agent", agentId: agent.id });
    const { answer, id: dispatchId } = await callGate(first, agent);
    expect(answer).toMatchObject({
      continue: false,
      decision: "block",
      hook_specific_output: { hook_event_name: "pre_tool_use", permission_decision: "deny" },
    });
    expect(answer.stop_reason).toContain("a key leaked");
    const { rows } = await db.database.pool.query("SELECT verdict, revision, hooks FROM dispatch WHERE id = $1", [
      dispatchId,
    ]);
    expect(rows).toMatchObject([{ verdict: "deny", revision: "" }]);
    const prompt = await callGate(first, agent, { prompt: "hello" }, "user_prompt_submit");
    expect(prompt.answer).toMatchObject({ continue: false, decision: "block" });
    expect(prompt.answer.hook_specific_output).toBeUndefined();
    // An event that cannot hold an agent back is recorded as ever.
    expect((await callGate(first, agent, {}, "session_end")).answer).toEqual({});
    await rig.resume(id);
    expect((await callGate(second, agent)).answer.reason).toBe("the policy");
    await first.publish("hooks: {}\n", "halted");
  });

  it("gets its first answer again when it is repeated, and a new one is denied", async () => {
    const agent = await rig.newAgent();
    const named = { "idempotency-key": randomUUID() };
    const before = await callGate(first, agent, {}, "pre_tool_use", named);
    await rig.halt({ scope: "agent", agentId: agent.id });
    const repeated = await callGate(second, agent, {}, "pre_tool_use", named);
    expect([repeated.answer, repeated.id]).toEqual([before.answer, before.id]);
    expect(await isDenied(second, agent)).toBe(true);
  });
});

describe("halting and resuming", () => {
  it("are entries of the chain with before and after, and their numbers stand in its head", async () => {
    const agent = await rig.newAgent("recorded");
    const { id } = await rig.halt({ scope: "agent", agentId: agent.id });
    const atHalt = await rig.headOf(first.admin.workspaceId);
    await rig.resume(id);
    const { rows } = await db.database.pool.query<{ seq: number; kind: string; changes: string; target: string }>(
      "SELECT seq::int AS seq, kind, changes, target FROM audit_entry WHERE workspace_id = $1 AND body::jsonb->>'halt' = $2 ORDER BY seq",
      [first.admin.workspaceId, id],
    );
    expect(rows.map(({ kind, target }) => [kind, target])).toEqual([
      ["halted", `agent/${agent.id}`],
      ["halt_resumed", `agent/${agent.id}`],
    ]);
    expect(atHalt?.number).toBe(rows[0]?.seq);
    expect((await rig.headOf(first.admin.workspaceId))?.number).toBe(rows[1]?.seq);
    expect(JSON.parse(rows[0]?.changes ?? "")).toEqual({
      reason: { before: null, after: "a key leaked" },
      state: { before: "running", after: "halted" },
    });
    expect(JSON.parse(rows[1]?.changes ?? "")).toEqual({
      reason: { before: "a key leaked", after: "the key is replaced" },
      state: { before: "halted", after: "running" },
    });
  });

  it("happen once", async () => {
    const agent = await rig.newAgent();
    const target = { scope: "agent", agentId: agent.id } as const;
    const made = await Promise.allSettled([rig.halt(target), rig.halt(target)]);
    expect(made.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const [one] = await rig.inForce();
    const ended = await Promise.allSettled([rig.resume(one?.id ?? ""), rig.resume(one?.id ?? "")]);
    expect(ended.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    await expect(rig.resume(one?.id ?? "")).rejects.toMatchObject({ code: "already_resumed" });
    await expect(rig.resume(randomUUID())).rejects.toMatchObject({ code: "halt_not_found" });
  });

  it("want a reason of one line, and a target that is whole", () => {
    const target = { scope: "workspace" };
    for (const reason of ["", "  ", "a\nb", "x".repeat(501)])
      expect(startHalt.safeParse({ target, reason }).success).toBe(false);
    for (const bad of [
      { scope: "agent" },
      { scope: "planet" },
      { scope: "session", agentId: randomUUID(), sessionId: "" },
      { scope: "workspace", isQuarantine: true },
    ])
      expect(haltTarget.safeParse(bad).success).toBe(false);
  });
});
