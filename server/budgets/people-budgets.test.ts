/** Budgets of people, services and groups of the sign-on provider, through the agent API. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fire } from "../../e2e/fixtures/budget-race.ts";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { addMember } from "../../e2e/fixtures/members.ts";
import * as agents from "../agents/index.ts";
import { AppError } from "../errors/app-error.ts";
import { uuidv7 } from "../platform/ids.ts";
import { mergePeople } from "../principals/merge.ts";
import * as principals from "../principals/service.ts";
import { untilProjected } from "../projectors/index.ts";
import { targets } from "./budget-targets.ts";
import { mergeBudgets } from "./merge-people.ts";
import type { About, CreateBudget } from "./schema.ts";
import * as budgets from "./service.ts";
import { budgetStatuses } from "./status.ts";

const POLICY = `
hooks:
  before_llm_call:
    - { type: builtin, command: budget_guard }
`;

let db: TestDatabase;
let server: TestGateway;
let workspaceId: string;
beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  workspaceId = server.admin.workspaceId;
  await server.publish(POLICY);
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

const bus = () => server.running.app.bus;
const world = () => ({ db: server.database, bus: bus() });

async function newMember(name: string, groups: readonly string[] = []): Promise<string> {
  const { id } = await addMember(db.owner, workspaceId, { name, role: "viewer" });
  for (const group of groups) await saveGroup(id, group);
  return id;
}

/** As a sign-in stores it. */
async function saveGroup(personId: string, name: string): Promise<void> {
  await db.owner.query(
    "INSERT INTO sign_on_group (workspace_id, id, name) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
    [...[workspaceId, uuidv7(), name]],
  );
  await db.owner.query(
    `INSERT INTO sign_on_group_member (workspace_id, group_id, person_id)
     SELECT workspace_id, id, $2 FROM sign_on_group WHERE workspace_id = $1 AND name = $3`,
    [workspaceId, personId, name],
  );
}

/** An agent of this member, and the id of the principal. */
async function agentOf(accountId: string | null) {
  const { agentId, key } = await agents.create(server.database, bus(), server.admin, { name: `agent ${randomUUID()}` });
  if (accountId !== null) await own(agentId, accountId);
  const { owner } = await principals.getOwner(server.database, workspaceId, agentId);
  return { agentId, key: server.running.app.answerKeys.complete(key), principalId: owner?.id ?? "" };
}
const own = (agentId: string, accountId: string) =>
  principals.setOwner(server.database, bus(), server.admin, { agentId, owner: { kind: "account", accountId } });

const ONE: Omit<CreateBudget, "name" | "about"> = {
  period: "day",
  amountNano: 1_000_000_000n,
  reserveNano: 400_000_000n,
  thresholds: [50],
  isHard: true,
  unpriced: "count",
};
async function create(about: About, more: Partial<CreateBudget> = {}): Promise<string> {
  const name = `budget ${randomUUID()}`;
  await budgets.create(world(), server.admin, { ...ONE, name, about, ...more });
  return name;
}
async function statusOf(name: string) {
  await untilProjected(server.database.pool, workspaceId);
  const found = (await budgetStatuses(server.database, workspaceId)).find((one) => one.name === name);
  if (!found) throw new Error(`no budget ${name}`);
  return found;
}
const asks = (key: string, session: string = randomUUID(), more: object = {}) =>
  fire(server.url, key, "before_llm_call", { session_id: session, model_id: "a/b", iteration: 1, ...more });
const reports = (key: string, session: string, cost: number) =>
  fire(server.url, key, "after_llm_call", { session_id: session, model_id: "a/b", cost });
const accountOf = async (name: string) => (await statusOf(name)).account;

describe("a budget of a person", () => {
  it("refuses the call of any of their agents that does not fit, and counts no other person and no unknown one", async () => {
    const ada = await newMember("Ada");
    const [laptop, server2, other, unknown] = [
      await agentOf(ada),
      await agentOf(ada),
      await agentOf(await newMember("Grace")),
      await agentOf(null),
    ];
    const name = await create({ scope: "person", personId: laptop.principalId });
    expect((await asks(laptop.key)).answer).toEqual({});
    expect((await asks(server2.key)).answer).toEqual({});
    for (const free of [other, unknown]) expect((await asks(free.key)).answer).toEqual({});
    expect((await asks(laptop.key)).answer).toMatchObject({
      decision: "block",
      reason: `Budget "${name}": $0.80 of $1.00 spent or reserved; this call needs up to $0.40.`,
    });
    const status = await statusOf(name);
    expect(status).toMatchObject({ state: "closed", targetName: "Ada", agents: 2, binding: { bound: { count: 2 } } });
    expect(status.account).toMatchObject({ heldNano: 800_000_000n, refused: 1 });
    const listed = async (key: string) => {
      const response = await fetch(`${server.url}/api/v1/budgets`, { headers: { authorization: `Bearer ${key}` } });
      return ((await response.json()) as { budgets: { name: string }[] }).budgets.map((one) => one.name);
    };
    expect(await listed(laptop.key)).toContain(name);
    for (const free of [other, unknown]) expect(await listed(free.key)).not.toContain(name);
  });

  it("is not exceeded by racing calls of two agents", async () => {
    const ada = await newMember("Ada");
    const both = [await agentOf(ada), await agentOf(ada)] as const;
    const name = await create({ scope: "person", personId: both[0].principalId });
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => asks(both[n % 2 === 0 ? 0 : 1].key)));
    expect(answers.filter(({ answer }) => answer.decision === "block")).toHaveLength(18);
    expect((await accountOf(name)).heldNano).toBe(800_000_000n);
  });

  it("starts with what was spent for them, and counts the report for the person that it names", async () => {
    const [ada, grace] = [await newMember("Ada"), await newMember("Grace")];
    const agent = await agentOf(ada);
    await reports(agent.key, "s", 0.25);
    await untilProjected(server.database.pool, workspaceId);
    const ofAda = await create({ scope: "person", personId: agent.principalId });
    expect(await accountOf(ofAda)).toMatchObject({ spentNano: 250_000_000n, priced: 1 });
    await asks(agent.key, "s");
    expect((await accountOf(ofAda)).heldNano).toBe(400_000_000n);
    await own(agent.agentId, grace);
    const { owner } = await principals.getOwner(server.database, workspaceId, agent.agentId);
    const ofGrace = await create({ scope: "person", personId: owner?.id ?? "" });
    await reports(agent.key, "s", 0.5);
    expect(await accountOf(ofAda)).toMatchObject({ spentNano: 250_000_000n, heldNano: 0n, priced: 1, unpriced: 0 });
    expect(await accountOf(ofGrace)).toMatchObject({ spentNano: 500_000_000n, heldNano: 0n, priced: 1 });
  });

  it("counts both after a merge, whichever of them it was for, and refuses the calls of both", async () => {
    const [one, two] = [await agentOf(await newMember("Ada")), await agentOf(await newMember("A. Lovelace"))];
    await reports(one.key, "s", 0.25);
    await reports(two.key, "s", 0.5);
    await untilProjected(server.database.pool, workspaceId);
    const ofOne = await create({ scope: "person", personId: one.principalId });
    const ofTwo = await create({ scope: "person", personId: two.principalId });
    await asks(one.key, "t");
    await reports(one.key, "t", 0.1);
    await untilProjected(server.database.pool, workspaceId);
    const merged = { personId: one.principalId, intoId: two.principalId };
    await mergePeople(server.database, bus(), server.admin, merged, [mergeBudgets]);
    for (const name of [ofOne, ofTwo]) {
      const { account, target, agents: owned } = await statusOf(name);
      expect([target, owned]).toEqual([two.principalId, 2]);
      expect(account).toMatchObject({ spentNano: 850_000_000n, priced: 3, heldNano: 0n });
    }
    for (const { key } of [one, two]) expect((await asks(key)).answer).toMatchObject({ decision: "block" });
  });

  it("can be of a service, and of no one who is unknown or erased", async () => {
    const { agentId, key } = await agentOf(null);
    const owner = { kind: "service", name: `ci ${randomUUID()}` } as const;
    await principals.setOwner(server.database, bus(), server.admin, { agentId, owner });
    const found = (await principals.getOwner(server.database, workspaceId, agentId)).owner;
    const name = await create({ scope: "person", personId: found?.id ?? "" }, { amountNano: 400_000_000n });
    expect((await asks(key)).answer).toEqual({});
    expect((await asks(key)).answer).toMatchObject({ decision: "block" });
    expect((await statusOf(name)).targetName).toBe(owner.name);
    const codeOf = (about: About) =>
      create(about).then(
        () => "made",
        (error: unknown) => (error instanceof AppError ? error.code : String(error)),
      );
    expect(await codeOf({ scope: "person", personId: randomUUID() })).toBe("person_not_found");
    expect(await codeOf({ scope: "sign_on_group", signOnGroupId: randomUUID() })).toBe("group_not_found");
  });
});

describe("a budget of a group of the sign-on provider", () => {
  it("limits the sum of its members, and no one else", async () => {
    const group = `platform ${randomUUID()}`;
    const [ada, grace, other] = [
      await agentOf(await newMember("Ada", [group, "all"])),
      await agentOf(await newMember("Grace", [group])),
      await agentOf(await newMember("Joan", ["all"])),
    ];
    await reports(ada.key, "s", 0.15);
    await untilProjected(server.database.pool, workspaceId);
    const { signOnGroups } = await targets(server.database, workspaceId);
    const found = signOnGroups.find((one) => one.name === group);
    expect(found).toMatchObject({ members: 2 });
    const name = await create({ scope: "sign_on_group", signOnGroupId: found?.id ?? "" });
    expect((await asks(ada.key)).answer).toEqual({});
    expect((await asks(grace.key)).answer).toEqual({});
    for (const { key } of [ada, grace]) expect((await asks(key)).answer).toMatchObject({ decision: "block" });
    expect((await asks(other.key)).answer).toEqual({});
    expect(await statusOf(name)).toMatchObject({ targetName: group, agents: 2, account: { spentNano: 150_000_000n } });
    await db.owner.query("DELETE FROM membership WHERE workspace_id = $1", [workspaceId]);
    expect((await asks(grace.key)).answer).toMatchObject({ decision: "block" });
  });
});
