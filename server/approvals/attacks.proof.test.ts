/** Ways around an answer, each through the agent API of a real gateway, a real gate or the real service. */
import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { newMember } from "../../e2e/fixtures/member.ts";
import type { Administrator, AgentActor } from "../access/actor.ts";
import * as agents from "../agents/index.ts";
import { createIdempotentDeliveries, type Dispatched } from "../dispatches/idempotent-deliveries.ts";
import { createSealedAnswers } from "../dispatches/sealed-answer.ts";
import { createLog } from "../platform/log.ts";
import { createApprovalGate } from "./gate.ts";
import { answerRequest } from "./schema.ts";
import * as approvals from "./service.ts";

const POLICY = `hooks:
  pre_tool_use:
    - matcher: "^(shell|ghp_.*)$"
      hooks:
        - { type: builtin, command: ask_a_person }
    - matcher: "^(rollout|early)$"
      preempt_yolo: true
      hooks:
        - { type: builtin, command: ask_a_person }
    - matcher: "^(rollout|deploy)$"
      hooks:
        - { type: builtin, command: ask_a_person, args: ["", "two people"] }
`;

let db: TestDatabase;
let gateway: TestGateway;
beforeAll(async () => {
  db = await testDatabase();
  gateway = await testGateway(db.url);
  await gateway.publish(POLICY);
  await vi.waitUntil(() => gateway.running.app.bus.isCurrent(), { timeout: 10_000 });
});
afterAll(async () => {
  await gateway?.stop();
  await db?.drop();
});

const context = () => ({ db: db.database, bus: gateway.running.app.bus });
const person = (name: string): Administrator => ({ ...gateway.admin, kind: "script", id: name, name });
const answer = (input: Parameters<typeof answerRequest.parse>[0], who = person("Ada")) =>
  approvals.answer(context(), who, answerRequest.parse(input));
const openOf = async (agentId: string) =>
  (await approvals.list(db.database, gateway.admin)).open.filter((one) => one.agentId === agentId);
const firstOpen = (agentId: string) =>
  vi.waitUntil(async () => (await openOf(agentId))[0] ?? false, { timeout: 20_000, interval: 20 });

interface Call {
  /** JSON text of the arguments. */
  readonly input?: string;
  readonly session?: string;
  readonly tool?: string;
  readonly id?: string;
  readonly wait?: number;
  readonly path?: string;
}

async function newAgent(by: Administrator = gateway.admin) {
  const { agentId, key } = await agents.create(db.database, gateway.running.app.bus, by, { name: randomUUID() });
  const call = async (made: Call = {}) => {
    const {
      input = '{"cmd":"ls"}',
      session = "s",
      tool = "shell",
      id = randomUUID(),
      wait,
      path = "pre_tool_use?lane=default",
    } = made;
    const named = JSON.stringify({ session_id: session, tool_name: tool, tool_use_id: id, cwd: "/" });
    const response = await fetch(`${gateway.url}/api/v1/hooks/${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        ...(wait === undefined ? {} : { "quarterdeck-wait-seconds": String(wait) }),
      },
      body: `${named.slice(0, -1)},"tool_input":${input}}`,
    });
    const { decision, reason, hook_specific_output: specific = {} } = await response.json();
    const isBlocked = decision === "block";
    return {
      status: response.status,
      verdict: (isBlocked ? "deny" : specific.permission_decision) as string | undefined,
      reason: (isBlocked ? reason : specific.permission_decision_reason) as string | undefined,
    };
  };
  return { agentId, call };
}

describe("an edit", () => {
  it("never lets the original call run where an agent takes no other arguments", async () => {
    const { agentId, call } = await newAgent();
    const where = { tool: "early", path: "pre_tool_use?lane=preempt_yolo" };
    const underWay = call({ ...where, wait: 60, input: '{"cmd":"rm -rf /"}' });
    const { id } = await firstOpen(agentId);
    await answer({ id, verdict: "allow", editedInput: '{"cmd":"ls"}' });
    expect(await underWay).toMatchObject({ verdict: "deny", reason: expect.stringContaining("edited") });
  });

  it("cannot leave out an argument: agents lay it over those of the call", async () => {
    const { agentId, call } = await newAgent();
    const underWay = call({ wait: 60, input: '{"cmd":"push","force":true}' });
    const { id } = await firstOpen(agentId);
    await expect(answer({ id, verdict: "allow", editedInput: '{"cmd":"push"}' })).rejects.toMatchObject({
      code: "invalid_input",
    });
    await answer({ id, verdict: "deny", words: "no" });
    await underWay;
  });

  it("that is longer when it is written out, or hides a secret in escapes, is refused and not a fault", async () => {
    const { agentId, call } = await newAgent();
    const underWay = call({ wait: 60 });
    const { id } = await firstOpen(agentId);
    const longer = JSON.stringify({ cmd: "ls", more: [] }).replace("[]", `[${Array(9_000).fill("1e20").join()}]`);
    const secret = `{"cmd":"\\u0067hp_${"abcdefghijklmnopqrstuvwxyz0123456789"}"}`;
    for (const editedInput of [longer, secret])
      await expect(answer({ id, verdict: "allow", editedInput })).rejects.toMatchObject({ code: "invalid_input" });
    await answer({ id, verdict: "deny", words: "no" });
    await underWay;
  });
});

describe("two people", () => {
  it("are asked at a gate that needs two, though one allowed the call at a gate before", async () => {
    const { agentId, call } = await newAgent();
    const same = { tool: "rollout", id: randomUUID() };
    const underWay = call({ ...same, wait: 60, path: "pre_tool_use?lane=preempt_yolo" });
    const { id } = await firstOpen(agentId);
    await answer({ id, verdict: "allow" });
    expect((await underWay).verdict).toBe("allow");
    expect(await call(same)).toMatchObject({ verdict: "deny", reason: expect.stringContaining("Approval required") });
    expect((await openOf(agentId)).map(({ peopleNeeded }) => peopleNeeded)).toEqual([2]);
  });

  it("are asked by a ticket that one was asked by before", async () => {
    const { agentId, call } = await newAgent();
    const same = { tool: "rollout" };
    await call({ ...same, path: "pre_tool_use?lane=preempt_yolo" });
    await call(same);
    const [request, ...others] = await openOf(agentId);
    expect(others).toEqual([]);
    const ada = await newMember(db, gateway.admin.workspaceId);
    expect(await answer({ id: request?.id ?? "", verdict: "allow" }, ada)).toEqual({ isLast: false });
  });

  it("settle a call that they allow at the same moment", async () => {
    const { agentId, call } = await newAgent();
    await call({ tool: "deploy" });
    const { id } = await firstOpen(agentId);
    const people = await Promise.all(["Ada", "Bo"].map((name) => newMember(db, gateway.admin.workspaceId, { name })));
    const holder = await db.owner.connect();
    await holder.query("BEGIN");
    await holder.query("SELECT FROM approval_request WHERE id = $1 FOR UPDATE", [id]);
    const both = people.map((who) => answer({ id, verdict: "allow" }, who));
    await vi.waitUntil(async () => {
      const { rows } = await db.owner.query(
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'SELECT request.id, request.number%'",
      );
      return rows.length === 2;
    });
    await holder.query("COMMIT");
    holder.release();
    expect((await Promise.all(both)).map(({ isLast }) => isLast).sort()).toEqual([false, true]);
    expect((await call({ tool: "deploy" })).verdict).toBe("allow");
  });
});

it("who made a key of the agent does not answer for it by revoking that key first", async () => {
  const ada = await newMember(db, gateway.admin.workspaceId, { role: "admin" });
  await newMember(db, gateway.admin.workspaceId, { name: "Bo", role: "admin" });
  const { agentId, call } = await newAgent(ada);
  await call();
  const { id } = await firstOpen(agentId);
  await db.owner.query("UPDATE agent_key SET revoked_at = now() WHERE agent_id = $1", [agentId]);
  await expect(answer({ id, verdict: "allow" }, ada)).rejects.toMatchObject({ code: "approval_own_agent" });
});

it("a call whose ticket is over gets a new one, and fails nobody that asks beside it", async () => {
  const { agentId, call } = await newAgent();
  await call();
  const before = await firstOpen(agentId);
  await db.owner.query("UPDATE approval_request SET expires_at = now() - interval '1 second' WHERE id = $1", [
    before.id,
  ]);
  const again = await call();
  expect(again).toMatchObject({ status: 200, reason: expect.stringContaining("Approval required") });
  expect(again.reason).not.toContain(`QD-${before.number}.`);
  const { closed } = await approvals.list(db.database, gateway.admin);
  expect(closed.find(({ id }) => id === before.id)?.state).toBe("lapsed");
});

it("a call that a policy denies since it was asked about does not run", async () => {
  const { agentId, call } = await newAgent();
  const underWay = call({ wait: 60 });
  const { id } = await firstOpen(agentId);
  const never = `    - matcher: "^shell$"\n      hooks:\n        - { type: command, command: "echo never this >&2; exit 2" }\n`;
  await gateway.publish(`${POLICY}${never}`);
  await answer({ id, verdict: "allow" });
  expect(await underWay).toMatchObject({ verdict: "deny", reason: expect.stringContaining("never this") });
  await gateway.publish(POLICY);
});

describe("an input", () => {
  it.each(["9007199254740993", "-9007199254740993.0", '[{"n":1e999}]'])(
    "with a number that others read as well gets no grant: %s",
    async (number) => {
      const { agentId, call } = await newAgent();
      const said = await call({ input: `{"account":${number}}` });
      expect(said).toMatchObject({ status: 200, verdict: "deny", reason: expect.stringContaining("number") });
      expect(await openOf(agentId)).toEqual([]);
    },
  );
});

it.each(["session", "tool", "id"] as const)("a secret in a call's %s is never stored", async (where) => {
  const { agentId, call } = await newAgent();
  const secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
  expect((await call({ [where]: secret })).verdict).toBe("deny");
  const { rows } = await db.owner.query(
    "SELECT 1 FROM approval_request AS one WHERE agent_id = $1 AND one::text LIKE '%ghp_abc%' UNION ALL SELECT 1 FROM audit_entry WHERE body LIKE '%ghp_abc%'",
    [agentId],
  );
  expect(rows).toEqual([]);
});

describe("what a call that waits holds", () => {
  it("is nobody's place, when its delivery comes again meanwhile", async () => {
    const deliveries = createIdempotentDeliveries(gateway.running.app.db.pool, createSealedAnswers(randomBytes(32)));
    const actor = { kind: "agent", workspaceId: gateway.admin.workspaceId, id: randomUUID() } as AgentActor; // holds: no more of it is read
    let settle: (dispatched: Dispatched) => void = () => undefined;
    const answered = new Promise<Dispatched>((resolve) => {
      settle = resolve;
    });
    const deliver = (setAside: () => void) =>
      deliveries.once(actor, actor.id, Buffer.alloc(32), {
        run: () => answered,
        isLookedUp: async () => false,
        setAside,
      });
    const done = { answer: "{}", dispatchId: randomUUID(), revision: "", isRepeated: false };
    let placesGivenBack = 0;
    const both = [deliver(() => undefined), deliver(() => (placesGivenBack += 1))];
    expect(placesGivenBack).toBe(1);
    settle(done);
    expect(await Promise.all(both)).toEqual([done, { ...done, isRepeated: true }]);
  });

  it("is counted with all of its input", async () => {
    const { agentId } = await newAgent();
    const { bus, db: served, masking } = gateway.running.app;
    const gate = createApprovalGate({ pool: served.pool, bus, log: createLog("silent"), workers: 1_000, masking });
    const settled = await gate.settle({
      actor: { kind: "agent", workspaceId: gateway.admin.workspaceId, id: agentId, name: "a" } as never,
      agentName: "a",
      gate: "pre_tool_use default",
      input: { session_id: "s", tool_name: "shell", tool_input: {}, prompt: "x".repeat(300_000) } as never,
      ...{ callId: randomUUID(), reason: "", askedBy: [], risk: "", peopleNeeded: 1 as const },
      wait: { seconds: 1, leftMs: 1_000, setAside: () => undefined, confirm: async () => undefined },
      signal: new AbortController().signal,
    });
    expect(settled.reason).toContain("Approval required");
    await gate.close();
  });
});
