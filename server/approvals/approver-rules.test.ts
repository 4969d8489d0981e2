/** The rules about who answers, through the agent API of a real gateway. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { newMember } from "../../e2e/fixtures/member.ts";
import type { Administrator } from "../access/actor.ts";
import * as agents from "../agents/index.ts";
import * as exceptions from "../exceptions/index.ts";
import { makeException } from "../exceptions/schema.ts";
import { createLog } from "../platform/log.ts";
import { setRules } from "./approver-rules.ts";
import { type ApproverRules, approverRules, NO_APPROVER_RULES } from "./approver-rules-schema.ts";
import { createLapsing } from "./lapsing.ts";
import { answerRequest } from "./schema.ts";
import * as approvals from "./service.ts";

const POLICY = `hooks:
  pre_tool_use:
    - matcher: "deploy|shell"
      hooks: [{ type: builtin, command: ask_a_person }]
    - matcher: "shell"
      preempt_yolo: true
      hooks:
        - { type: builtin, command: safer_shell }
        - { type: builtin, command: ask_a_person, args: ["", "when asked"] }
    - matcher: "run"
      hooks:
        - { type: builtin, command: ask_a_person }
        - type: command
          command: |
            if grep -q -e 'rm -rf' -e production; then radius=high; else radius=low; fi
            printf '{"hook_specific_output":{"permission_decision":"ask","metadata":{"blast_radius":"%s"}}}' $radius
`;

let db: TestDatabase;
let gateway: TestGateway;
let ada: Administrator;
let bo: Administrator;
let guest: Administrator;
beforeAll(async () => {
  db = await testDatabase();
  gateway = await testGateway(db.url);
  await gateway.publish(POLICY);
  ada = await newPerson("Ada", "approver");
  bo = await newPerson("Bo", "approver");
  guest = await newPerson("Cy", "viewer");
  await vi.waitUntil(() => gateway.running.app.bus.isCurrent(), { timeout: 10_000 });
});
beforeEach(() => set({}));
afterAll(async () => {
  await gateway?.stop();
  await db?.drop();
});

const newPerson = (name: string, role: "approver" | "viewer") =>
  newMember(db, gateway.admin.workspaceId, { name, role });

const context = () => ({ db: db.database, bus: gateway.running.app.bus });
const set = (more: Partial<ApproverRules>) =>
  setRules(context(), gateway.admin, approverRules.parse({ ...NO_APPROVER_RULES, ...more }));

async function newAgent() {
  const { agentId, key } = await agents.create(db.database, gateway.running.app.bus, gateway.admin, {
    name: randomUUID(),
  });
  const call = async (tool: string, { cmd = "ls", lane = "", id = randomUUID() as string, wait = 0 } = {}) => {
    const response = await fetch(`${gateway.url}/api/v1/hooks/pre_tool_use?lane=${lane === "" ? "default" : lane}`, {
      method: "POST",
      headers: {
        ...{ authorization: `Bearer ${key}`, "content-type": "application/json" },
        ...(wait > 0 && { "quarterdeck-wait-seconds": String(wait) }),
      },
      body: JSON.stringify({ session_id: "s", tool_name: tool, tool_use_id: id, tool_input: { cmd }, cwd: "/" }),
    });
    expect(response.status).toBe(200);
    const text = await response.text();
    if (text.includes("Approval required")) return "asked";
    return text.includes('"deny"') || text.includes('"block"') ? "denied" : "went on";
  };
  const request = async (reader = ada) => {
    const found = (await approvals.list(db.database, reader)).open.find((one) => one.agentId === agentId);
    if (found === undefined) throw new Error("nothing is asked");
    return found;
  };
  const allow = async (who: Administrator, more: object = {}) =>
    approvals.answer(context(), who, answerRequest.parse({ id: (await request()).id, verdict: "allow", ...more }));
  return { agentId, call, request, allow };
}

const listOf = (name: string, people: readonly Administrator[], forSeconds = 60) => ({
  ...{ name, from: "low" as const, people: people.map(({ id }) => id), forSeconds },
});
/** As if the request had been asked so many seconds earlier. */
const age = (id: string, seconds: number) =>
  db.owner.query(
    `UPDATE approval_request SET asked_at = asked_at - $2 * interval '1 second', expires_at = expires_at - $2 * interval '1 second',
       remind_at = remind_at - $2 * interval '1 second' WHERE id = $1`,
    [id, seconds],
  );

describe("by its risk class, a call", () => {
  it("takes two people from the stated class on", async () => {
    await set({ twoPeopleFrom: "critical", toolRisks: [{ tool: "deploy", risk: "critical" }] });
    const agent = await newAgent();
    expect(await agent.call("deploy")).toBe("asked");
    expect(await agent.request()).toMatchObject({ riskClass: "critical", peopleNeeded: 2 });
    expect(await agent.allow(ada)).toEqual({ isLast: false });
    expect(await agent.call("deploy")).toBe("asked");
    expect(await agent.allow(bo)).toEqual({ isLast: true });
    expect(await agent.call("deploy")).toBe("went on");
  });

  it("takes a second press from the stated class on, by whichever way it is answered", async () => {
    await set({ confirmFrom: "medium" });
    const agent = await newAgent();
    await agent.call("deploy");
    await expect(agent.allow(ada)).rejects.toMatchObject({ code: "approval_not_confirmed" });
    expect(await agent.allow(ada, { confirmed: true })).toEqual({ isLast: true });
  });

  it("is as grave as the gravest of its gates says, also one that comes later", async () => {
    await set({ twoPeopleFrom: "high", confirmFrom: "high" });
    const agent = await newAgent();
    const cmd = "rm -rf /";
    expect(await agent.call("shell", { cmd })).toBe("asked");
    expect(await agent.request()).toMatchObject({ riskClass: "medium", peopleNeeded: 1 });
    expect(await agent.call("shell", { cmd, lane: "preempt_yolo" })).toBe("asked");
    expect(await agent.request()).toMatchObject({ riskClass: "high", peopleNeeded: 2, needsConfirmation: true });
  });
});

it.each([
  ["mkdir other", "went on"],
  ["rm -rf /", "denied"],
])("a call that one person allowed as %s %s", async (cmd, outcome) => {
  await set({ twoPeopleFrom: "high" });
  const agent = await newAgent();
  const underWay = agent.call("run", { cmd: "mkdir build", wait: 60 });
  await vi.waitUntil(() => agent.request().catch(() => null), { timeout: 20_000, interval: 20 });
  expect(await agent.request()).toMatchObject({ riskClass: "low", peopleNeeded: 1, isWaiting: true });
  expect(await agent.allow(ada, { editedInput: JSON.stringify({ cmd }) })).toEqual({ isLast: true });
  expect(await underWay).toBe(outcome);
});

it("a grant of one gate does not pass another one that is graver", async () => {
  await set({ confirmFrom: "high", lists: [{ ...listOf("security", [bo]), from: "high" }] });
  const agent = await newAgent();
  const once = { cmd: "rm -rf /", id: randomUUID() as string };
  expect(await agent.call("shell", once)).toBe("asked");
  expect(await agent.allow(ada)).toEqual({ isLast: true });
  expect(await agent.call("shell", once)).toBe("went on");
  expect(await agent.call("shell", { ...once, lane: "preempt_yolo" })).toBe("asked");
  await expect(agent.allow(ada)).rejects.toMatchObject({ code: "approval_not_asked" });
  expect(await agent.allow(bo, { confirmed: true })).toEqual({ isLast: true });
  expect(await agent.call("shell", { ...once, lane: "preempt_yolo" })).toBe("went on");
});

describe("a list of approvers", () => {
  it("answers first, the next one too from its time on, and then nobody", async () => {
    await set({ lists: [listOf("leads", [ada]), listOf("security", [bo])] });
    const agent = await newAgent();
    await agent.call("deploy");
    const { id, expiresAt, askedAt, escalation } = await agent.request();
    expect(expiresAt.getTime() - askedAt.getTime()).toBe(120_000);
    expect(escalation).toEqual({ to: "security", at: new Date(askedAt.getTime() + 60_000) });
    expect(await agent.request(bo)).toMatchObject({ askedOf: "leads", isRouted: true });
    await expect(agent.allow(bo)).rejects.toMatchObject({ code: "approval_not_asked" });
    await age(id, 61);
    expect(await agent.request(bo)).toMatchObject({ askedOf: "security", isRouted: false, escalation: null });
    expect(await agent.allow(bo)).toEqual({ isLast: true });
    await agent.call("deploy", { cmd: "again" });
    await age((await agent.request()).id, 121);
    await expect(agent.allow(bo)).rejects.toMatchObject({ code: "approval_closed" });
    expect(await agent.call("deploy", { cmd: "again" })).toBe("asked");
  });

  it("cannot be gone round by an exception, nor changed for a call that is asked already", async () => {
    await set({ lists: [listOf("leads", [ada])] });
    const agent = await newAgent();
    await agent.call("deploy");
    const { id } = await agent.request();
    const input = makeException.parse({ requestId: id, scope: "agent", hours: 1, reason: "I want to" });
    await expect(exceptions.make(context(), bo, input)).rejects.toMatchObject({ code: "approval_not_asked" });
    await set({ lists: [listOf("leads", [ada]), listOf("security", [bo])] });
    await agent.call("deploy", { cmd: "soon" });
    const soon = (await approvals.list(db.database, ada)).open.find(
      (one) => one.agentId === agent.agentId && one.id !== id,
    );
    await approvals.answer(context(), ada, answerRequest.parse({ id: soon?.id, verdict: "allow" }));
    await db.owner.query(
      "UPDATE approval_request SET asked_at = asked_at - interval '1 day', closed_at = closed_at - interval '1 day' WHERE id = $1",
      [soon?.id],
    );
    const later = makeException.parse({ requestId: soon?.id, scope: "agent", hours: 1, reason: "I want to" });
    await expect(exceptions.make(context(), bo, later)).rejects.toMatchObject({ code: "approval_not_asked" });
    await set({ lists: [listOf("mine", [bo])] });
    await expect(agent.allow(bo)).rejects.toMatchObject({ code: "approval_not_asked" });
    expect(await agent.allow(ada)).toEqual({ isLast: true });
  });

  it.each([
    ["two people", () => ({ twoPeopleFrom: "high" as const })],
    ["another list", () => ({ lists: [{ ...listOf("security", [bo]), from: "high" as const }] })],
  ])("is not gone round by an exception from a milder call: %s", async (_, stated) => {
    await set(stated());
    const agent = await newAgent();
    await agent.call("run", { cmd: "gh pr view staging" });
    const { id } = await agent.request();
    const input = makeException.parse({
      requestId: id,
      scope: "agent",
      commandWords: 3,
      hours: 1,
      reason: "daily work",
    });
    await exceptions.make(context(), ada, input);
    expect(await agent.call("run", { cmd: "gh pr view elsewhere" })).toBe("went on");
    expect(await agent.call("run", { cmd: "gh pr view production" })).toBe("asked");
  });

  it("holds only people who may answer", async () => {
    await expect(set({ lists: [listOf("leads", [ada, guest])] })).rejects.toMatchObject({ code: "invalid_input" });
  });
});

it("reminders and escalations are taken once, on any node, and stand in the chain", async () => {
  await set({ remindAfterSeconds: 10, lists: [listOf("leads", [ada]), listOf("security", [bo])] });
  const agent = await newAgent();
  await agent.call("deploy");
  const { id, number } = await agent.request();
  await age(id, 61);
  const world = { pool: db.database.pool, bus: gateway.running.app.bus, log: createLog("silent") };
  const nodes = [1, 2].map(() => createLapsing(world));
  for (const node of nodes) node.start();
  const entries = async () => {
    const { rows } = await db.owner.query<{ kind: string }>(
      "SELECT kind FROM audit_entry WHERE kind IN ('approvals_reminded', 'approvals_escalated') AND body LIKE '%' || $1 || '%' ORDER BY seq",
      [id],
    );
    return rows.map(({ kind }) => kind);
  };
  await vi.waitUntil(async () => (await entries()).length >= 2, { timeout: 10_000 });
  await Promise.all(nodes.map((node) => node.stop()));
  expect(await entries()).toEqual(["approvals_reminded", "approvals_escalated"]);
  expect(await agent.request()).toMatchObject({ number, remindedAt: expect.any(Date) });
});

it("rules that cannot be read ask nobody and allow nothing", async () => {
  await db.owner.query("UPDATE approver_rules SET rules = '{}'");
  const agent = await newAgent();
  expect(await agent.call("deploy")).toBe("denied");
  await db.owner.query("DELETE FROM approver_rules");
  expect(await agent.call("deploy")).toBe("asked");
});
