/** A person answers for no agent that they hold a key of: not by a service account, not by a key that is made later, not at the same time. */
import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { newMember } from "../../e2e/fixtures/member.ts";
import type { Administrator, ServiceActor } from "../access/actor.ts";
import { createEnrolmentToken } from "../agents/enrolment-tokens.ts";
import * as agents from "../agents/index.ts";
import { join } from "../agents/join.ts";
import * as services from "../people/service-accounts/service.ts";
import { answerRequest } from "./schema.ts";
import * as approvals from "./service.ts";

const POLICY = `hooks:
  pre_tool_use:
    - matcher: "^deploy$"
      hooks:
        - { type: builtin, command: ask_a_person, args: ["", "two people"] }
    - matcher: "^shell$"
      hooks:
        - { type: builtin, command: ask_a_person }
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
beforeEach(() => db.owner.query("DELETE FROM membership WHERE workspace_id = $1", [gateway.admin.workspaceId]));

const bus = () => gateway.running.app.bus;
const context = () => ({ db: db.database, bus: bus() });
const member = (name: string, invitedBy: Administrator | null = null) =>
  newMember(db, gateway.admin.workspaceId, { name, role: "admin", invitedBy: invitedBy?.id ?? null });
const allow = (who: Administrator, id: string) =>
  approvals.answer(context(), who, answerRequest.parse({ id, verdict: "allow" }));
const refusal = { code: "approval_own_agent" };

interface KeyedAgent {
  readonly agentId: string;
  readonly key: string;
}
const newAgent = (by: Administrator): Promise<KeyedAgent> =>
  agents.create(db.database, bus(), by, { name: randomUUID() });
const newKey = (agentId: string, by: Administrator) => agents.createKey(db.database, bus(), by, { agentId });

async function call(key: string, tool = "shell"): Promise<"asked" | "went on"> {
  const response = await fetch(`${gateway.url}/api/v1/hooks/pre_tool_use`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ session_id: "s", tool_name: tool, tool_use_id: randomUUID(), tool_input: {}, cwd: "/" }),
  });
  expect(response.status).toBe(200);
  return (await response.text()).includes("Approval required") ? "asked" : "went on";
}

const openOf = async (agentId: string, reader: Administrator = gateway.admin) => {
  const { open } = await approvals.list(db.database, reader);
  return open.find((one) => one.agentId === agentId);
};

async function ticket({ agentId, key }: KeyedAgent, tool = "shell"): Promise<string> {
  expect(await call(key, tool)).toBe("asked");
  return (await openOf(agentId))?.id ?? "";
}

/** As it acts with a token that the last of `makers` made. */
async function service(...makers: readonly Administrator[]): Promise<ServiceActor> {
  const made = await services.createService(db.database, gateway.admin, { name: randomUUID(), role: "admin" });
  let token = "";
  for (const maker of makers) token = (await services.createToken(db.database, maker, { ...made, days: 1 })).token;
  const actor = await services.actorOfToken(db.database, token);
  if (actor === null) throw new Error("the token opens nothing");
  return actor;
}

describe("whoever made the token of a service account made its keys", () => {
  const KEYS: readonly (readonly [string, (by: ServiceActor) => Promise<KeyedAgent>])[] = [
    ["an agent", newAgent],
    [
      "an enrolment token that the agent joins with",
      async (by) => {
        const { token } = await createEnrolmentToken(db.database, bus(), by, { name: "t", uses: 1, hours: 1 });
        const { agent_id: agentId, key } = await join(db.database, bus(), token, { name: randomUUID() });
        return { agentId, key };
      },
    ],
  ];

  it.each(KEYS)("where no other person is: %s", async (_, make) => {
    const olga = await member("Olga");
    const bob = await member("Bob", olga);
    const id = await ticket(await make(await service(olga)));
    await expect(allow(olga, id)).rejects.toMatchObject(refusal);
    expect(await allow(bob, id)).toEqual({ isLast: true });
  });

  it("and a request about one's own agent is not counted as one to answer", async () => {
    const olga = await member("Olga");
    const bob = await member("Bob", olga);
    const counts = () => Promise.all([olga, bob].map((one) => approvals.countAnswerable(db.database, one)));
    const [own = 0, others = 0] = await counts();
    const id = await ticket(await newAgent(await service(olga)));
    expect(await counts()).toEqual([own, others + 1]);
    expect(await approvals.countAnswerable(db.database, { ...bob, role: "viewer" } as typeof bob)).toBe(0); // holds: a person
    const agentId = (await approvals.list(db.database, bob)).open.find((one) => one.id === id)?.agentId ?? "";
    const toBob = { isForReader: false, answerers: { names: [bob.name], more: 0 } };
    expect(await openOf(agentId, olga)).toMatchObject(toBob);
    expect(await openOf(agentId, bob)).toMatchObject({ isForReader: true, answerers: { names: [], more: 0 } });
    const auditor = await newMember(db, gateway.admin.workspaceId, { name: "Uma", role: "auditor", invitedBy: null });
    expect(await openOf(agentId, auditor)).toMatchObject(toBob);
    await allow(bob, id);
    expect(await counts()).toEqual([own, others]);
  });

  it.each(KEYS)("where another person made a token of it too: %s", async (_, make) => {
    const [olga, bob] = [await member("Olga"), await member("Bob")];
    const agent = await make(await service(bob, olga));
    const id = await ticket(agent);
    expect((await openOf(agent.agentId, olga))?.isOwn).toBe(true);
    await expect(allow(olga, id)).rejects.toMatchObject(refusal);
    expect(await allow(bob, id)).toEqual({ isLast: true });
  });

  it("also through a service account that made a token of another one", async () => {
    const [olga, bob] = [await member("Olga"), await member("Bob")];
    const id = await ticket(await newAgent(await service(await service(bob, olga))));
    await expect(allow(olga, id)).rejects.toMatchObject(refusal);
    expect(await allow(bob, id)).toEqual({ isLast: true });
  });

  it("so one more key of a shared service account lets no second account answer", async () => {
    const [olga, bob] = [await member("Olga"), await member("Bob")];
    const second = await member("Second", olga);
    const agent = await newAgent(olga);
    const id = await ticket(agent);
    await expect(allow(second, id)).rejects.toMatchObject(refusal);
    await newKey(agent.agentId, await service(bob, olga));
    await expect(allow(second, id)).rejects.toMatchObject(refusal);
    expect(await allow(bob, id)).toEqual({ isLast: true });
  });

  it("and where the token's maker is not stored, all who made one stand behind its keys", async () => {
    const [olga, bob] = [await member("Olga"), await member("Bob")];
    const third = await member("Third", olga);
    const { tokenMakerId: _unknown, ...machine } = await service(bob, olga);
    const id = await ticket(await newAgent(machine));
    for (const one of [olga, bob]) await expect(allow(one, id)).rejects.toMatchObject(refusal);
    expect(await allow(third, id)).toEqual({ isLast: true });
  });
});

describe("a key that is made after the answer", () => {
  it.each([
    ["where another person could answer", ["Olga", "Bob", "Cy"]],
    ["where each person made a key of the agent", ["Olga", "Bob"]],
  ])("ends the grant of whoever made it, and people are asked anew, %s", async (_, names) => {
    const [olga, bob] = await Promise.all(names.map((name) => member(name)));
    if (!olga || !bob) throw new Error("no members");
    const agent = await newAgent(bob);
    const id = await ticket(agent);
    expect(await allow(olga, id)).toEqual({ isLast: true });
    const { key } = await newKey(agent.agentId, olga);
    expect(await call(key)).toBe("asked");
    const { closed } = await approvals.list(db.database, gateway.admin);
    expect(closed.find((one) => one.id === id)?.state).toBe("withdrawn");
    const { rows } = await db.owner.query(
      "SELECT FROM audit_entry WHERE kind = 'approval_withdrawn' AND body LIKE $1",
      [`%${id}%`],
    );
    expect(rows).toHaveLength(1);
  });

  it("ends no grant of another person", async () => {
    const [olga, bob] = [await member("Olga"), await member("Bob")];
    const agent = await newAgent(bob);
    expect(await allow(olga, await ticket(agent))).toEqual({ isLast: true });
    const { key } = await newKey(agent.agentId, bob);
    expect(await call(key)).toBe("went on");
  });

  it("takes its maker's allowance out of the two that a call needs", async () => {
    const [olga, bob, cy, dee] = [await member("Olga"), await member("Bob"), await member("Cy"), await member("Dee")];
    const agent = await newAgent(bob);
    const id = await ticket(agent, "deploy");
    expect(await allow(olga, id)).toEqual({ isLast: false });
    const { key } = await newKey(agent.agentId, olga);
    const seen = await openOf(agent.agentId, cy);
    expect([seen?.moreNeeded, seen?.answers.map(({ isCounted }) => isCounted)]).toEqual([2, [false]]);
    expect(await allow(cy, id)).toEqual({ isLast: false });
    expect(await call(key, "deploy")).toBe("asked");
    expect(await allow(dee, id)).toEqual({ isLast: true });
    expect(await call(key, "deploy")).toBe("went on");
  });
});

it("a key that is made while its maker answers counts", async () => {
  const [olga, bob] = [await member("Olga"), await member("Bob")];
  await member("Cy");
  const agent = await newAgent(bob);
  const id = await ticket(agent);
  const other = new pg.Client(db.ownerUrl);
  await other.connect();
  try {
    await other.query("BEGIN");
    await other.query("SELECT FROM agent WHERE id = $1 FOR UPDATE", [agent.agentId]);
    const answering = allow(olga, id).then(
      () => "allowed",
      (error: { readonly code: string }) => error.code,
    );
    await vi.waitUntil(
      async () => {
        const { rows } = await other.query(
          "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
        );
        return rows.length > 0;
      },
      { timeout: 10_000 },
    );
    await other.query(
      `INSERT INTO agent_key (workspace_id, id, agent_id, key_sha256, hint, created_by_id)
       VALUES ($1, gen_random_uuid(), $2, sha256($3), 'x', $4)`,
      [gateway.admin.workspaceId, agent.agentId, Buffer.from(randomUUID()), olga.id],
    );
    await other.query("COMMIT");
    expect(await answering).toBe("approval_own_agent");
  } finally {
    await other.end();
  }
});
