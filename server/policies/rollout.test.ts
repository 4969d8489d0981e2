import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import type { Administrator, AgentActor } from "../access/actor.ts";
import * as agents from "../agents/service.ts";
import type { AppError } from "../errors/app-error.ts";
import { createConcurrencyLimit } from "../hooks/index.ts";
import { type Bus, createBus } from "../live/service.ts";
import { stoppedClock } from "../platform/clock.ts";
import { uuidv7 } from "../platform/ids.ts";
import { log } from "../platform/log.ts";
import type { AssignPolicy } from "./assignment-schema.ts";
import { isInCanary } from "./canary-share.ts";
import type { Rollout } from "./schema.ts";
import * as policies from "./service.ts";

const HOOKS = (word: string) => `hooks:\n  stop:\n    - type: command\n      command: echo ${word}\n`;
const NOBODY = new Set<string>();
/** A busy machine brings late what a test waits for. */
const BUSY = { timeout: 10_000 };

let at: TestDatabase;
let bus: Bus;
let admin: Administrator;

beforeAll(async () => {
  at = await testDatabase();
  bus = createBus(at.url, log());
});
afterAll(async () => {
  await bus.close();
  await at.drop();
});
beforeEach(async () => {
  admin = await newWorkspace();
});

async function newWorkspace(): Promise<Administrator> {
  const workspaceId = uuidv7();
  await at.database.prisma.workspace.create({ data: { id: workspaceId, name: "test" } });
  await at.database.pool.query("INSERT INTO audit_head (workspace_id) VALUES ($1)", [workspaceId]);
  return { kind: "person", role: "owner", workspaceId, id: uuidv7(), name: "Ada" };
}

const newAgent = async (name: string) => (await agents.create(at.database, bus, admin, { name })).agentId;
const newGroup = async (name: string, agentIds: string[] = []) => {
  const { groupId } = await agents.createGroup(at.database, bus, admin, { name });
  await agents.setGroupMembers(at.database, bus, admin, { groupId, agentIds });
  return groupId;
};
const get = (policyId: string) => policies.get(at.database, admin.workspaceId, policyId);
const effective = (agentId: string) => policies.effectiveSet(at.database, admin.workspaceId, agentId);
const names = async (agentId: string) =>
  (await effective(agentId)).members.map(({ name, number }) => `${name} r${number}`);
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "nothing was thrown",
    (error: AppError) => error.code,
  );
const entries = async () =>
  (
    await at.database.pool.query<{ kind: string; body: string }>(
      "SELECT kind, body FROM audit_entry WHERE workspace_id = $1 ORDER BY seq",
      [admin.workspaceId],
    )
  ).rows;
const lastEntry = async () => JSON.parse((await entries()).at(-1)?.body ?? "{}");

async function publish(name: string, word: string, rollout?: Rollout): Promise<{ id: string; agents: number }> {
  const input = { name, source: HOOKS(word), note: "", ...(rollout ? { rollout } : {}) };
  const done = await policies.publishByName(at.database, bus, admin, input, policies.NO_CASES);
  return { id: done.policyId, agents: done.agents };
}
const rollBack = (policyId: string, number: number, expectedLive: number, duringFreeze?: string) =>
  policies.rollBack(at.database, bus, admin, {
    policyId,
    number,
    expectedLive,
    ...(duringFreeze === undefined ? {} : { duringFreeze }),
  });
const assign = (policyId: string, scope: AssignPolicy["scope"], groupIds: string[] = [], agentIds: string[] = []) =>
  policies.assign(at.database, bus, admin, { policyId, scope, groupIds, agentIds });
const observe = (policyId: string, until: Date | null) =>
  policies.observe(at.database, bus, admin, { policyId, until });
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);

/** A node of its own on the same database: its plans hear of changes by NOTIFY alone. */
function node(nowMs?: () => number) {
  const elsewhere = createBus(at.url, log());
  const surroundings = {
    kindsOf: () => [],
    clock: { now: () => performance.now(), after: () => () => undefined },
    env: {},
    workingDir: "/",
    room: createConcurrencyLimit({ hooksMax: 1, perTenantMax: 1 }),
  };
  const breakers = { before: () => undefined, after: () => undefined, open: () => [], tryNow: () => false };
  const plans = policies.createPlans({
    ...{ db: at.database, bus: elsewhere, log: log(), breakers, ...surroundings },
    observedSurroundings: surroundings,
    ...(nowMs ? { nowMs } : {}),
  });
  return { plans, close: () => elsewhere.close() };
}
const actorOf = (id: string): AgentActor => ({
  ...{ kind: "agent", workspaceId: admin.workspaceId, id, name: "agent", scopes: ["dispatch", "report", "policy"] },
});

describe("rolling back", () => {
  it("puts an old revision in force, keeps every revision, and the next publication is one more", async () => {
    const agent = await newAgent("one");
    const { id } = await publish("p", "a");
    await publish("p", "b");
    expect(await rollBack(id, 1, 2)).toMatchObject({ number: 1, from: 2, agents: 1 });
    expect(await names(agent)).toEqual(["p r1"]);
    expect(await get(id)).toMatchObject({ liveRevision: 1, latestRevision: 2, publishedSource: HOOKS("a") });
    expect(await policies.exportByName(at.database, admin.workspaceId, "p")).toBe(HOOKS("a"));
    expect(await policies.exportBundle(at.database, admin.workspaceId, { policy: { id } })).toContain('"revision": 1');
    expect((await policies.revisions(at.database, admin.workspaceId, id)).map(({ number }) => number)).toEqual([2, 1]);
    await publish("p", "c");
    expect(await names(agent)).toEqual(["p r3"]);
    expect((await entries()).map(({ kind }) => kind)).toContain("policy_rolled_back");
  });

  it("is itself undone by pointing forward again", async () => {
    const agent = await newAgent("one");
    const { id } = await publish("p", "a");
    await publish("p", "b");
    await rollBack(id, 1, 2);
    await rollBack(id, 2, 1);
    expect(await names(agent)).toEqual(["p r2"]);
  });

  it("is refused when another revision is in force than the person saw, and for one that is not there", async () => {
    const { id } = await publish("p", "a");
    await publish("p", "b");
    expect(await codeOf(rollBack(id, 1, 1))).toBe("policy_moved_on");
    expect(await codeOf(rollBack(id, 9, 2))).toBe("revision_not_found");
    expect(await get(id)).toMatchObject({ liveRevision: 2 });
  });

  it("reaches the plans of another node by itself", async () => {
    const agent = actorOf(await newAgent("one"));
    const { id } = await publish("p", "a");
    await publish("p", "b");
    const other = node();
    const inForce = async () => (await other.plans.planFor(agent)).members.map(({ number }) => number);
    await expect.poll(inForce).toEqual([2]);
    // The cache holds for 30 s, so that only the notification can bring this about within the poll's second.
    await rollBack(id, 1, 2);
    await expect.poll(inForce).toEqual([1]);
    await other.close();
  });
});

describe("groups", () => {
  it("bind their members, in the order of groups, and whoever joins later", async () => {
    const [one, two] = [await newAgent("one"), await newAgent("two")];
    const [first, second] = [await newGroup("first", [one]), await newGroup("second", [one])];
    const a = await publish("a", "a");
    const b = await publish("b", "b");
    await assign(a.id, "chosen", [second]);
    await assign(b.id, "chosen", [first]);
    expect([await names(one), await names(two)]).toEqual([["b r1", "a r1"], []]);
    await agents.orderGroups(at.database, bus, admin, { groupIds: [second, first] });
    expect(await names(one)).toEqual(["a r1", "b r1"]);
    await agents.setGroupMembers(at.database, bus, admin, { groupId: second, agentIds: [two, two] });
    expect([await names(one), await names(two)]).toEqual([["b r1"], ["a r1"]]);
    expect(await get(a.id)).toMatchObject({ scope: "chosen", bound: 1, groups: [{ name: "second" }] });
  });

  it("may stand beside single agents; an agent reached twice is bound once", async () => {
    const [one, two] = [await newAgent("one"), await newAgent("two")];
    const group = await newGroup("g", [one]);
    const { id } = await publish("p", "a");
    await assign(id, "chosen", [group], [one, two]);
    expect([await names(one), await names(two)]).toEqual([["p r1"], ["p r1"]]);
    expect(await get(id)).toMatchObject({ bound: 2 });
  });

  it("that a policy uses cannot be deleted, nor one with a canary in it; others can", async () => {
    const [used, tried, free] = [await newGroup("used"), await newGroup("tried"), await newGroup("free")];
    const { id } = await publish("p", "a");
    await assign(id, "chosen", [used]);
    await publish("p", "b", { kind: "canary", share: 0, groupId: tried });
    const remove = (groupId: string) => codeOf(agents.deleteGroup(at.database, bus, admin, { groupId }));
    expect([await remove(used), await remove(tried)]).toEqual(["group_in_use", "group_in_use"]);
    expect(await remove(free)).toBe("nothing was thrown");
    const left = await agents.groups(at.database, admin.workspaceId);
    expect(left.map(({ name, policies }) => [name, policies.map(({ isCanary }) => isCanary)])).toEqual([
      ["used", [false]],
      ["tried", [true]],
    ]);
  });

  it("have names of their own, changed by nobody else's workspace", async () => {
    const group = await newGroup("g");
    expect(await codeOf(agents.createGroup(at.database, bus, admin, { name: "g" }))).toBe("name_taken");
    await newGroup("h");
    const rename = (name: string) => codeOf(agents.renameGroup(at.database, bus, admin, { groupId: group, name }));
    expect([await rename("h"), await rename("new")]).toEqual(["name_taken", "nothing was thrown"]);
    const agent = await newAgent("one");
    const { id } = await publish("p", "a");
    admin = await newWorkspace();
    expect(await rename("theirs")).toBe("group_not_found");
    expect(await codeOf(agents.deleteGroup(at.database, bus, admin, { groupId: group }))).toBe("group_not_found");
    expect(await codeOf(agents.setGroupMembers(at.database, bus, admin, { groupId: group, agentIds: [agent] }))).toBe(
      "group_not_found",
    );
    expect(await codeOf(assign(id, "chosen", [group]))).toBe("policy_not_found");
    const own = await publish("p", "a");
    expect(await codeOf(assign(own.id, "chosen", [group]))).toBe("group_not_found");
    expect(await agents.groups(at.database, admin.workspaceId)).toEqual([]);
  });
});

describe("the order of policies", () => {
  it("is that of assigning, until somebody puts them in another", async () => {
    const agent = await newAgent("one");
    const [a, b, c] = [await publish("a", "a"), await publish("b", "b"), await publish("c", "c")];
    expect(await names(agent)).toEqual(["a r1", "b r1", "c r1"]);
    const target = { scope: "workspace" as const, targetId: null };
    const policyIds = [c.id, a.id, b.id];
    await policies.reorder(at.database, bus, admin, { ...target, policyIds });
    expect(await names(agent)).toEqual(["c r1", "a r1", "b r1"]);
    expect((await policies.order(at.database, admin.workspaceId, target)).map(({ name }) => name)).toEqual([
      "c",
      "a",
      "b",
    ]);
    // Saying again whom a policy binds keeps its place.
    await assign(c.id, "workspace");
    expect(await names(agent)).toEqual(["c r1", "a r1", "b r1"]);
    const missing = policies.reorder(at.database, bus, admin, { ...target, policyIds: [a.id, b.id] });
    expect(await codeOf(missing)).toBe("policy_moved_on");
  });
});

describe("a canary", () => {
  it("reaches the share that its hash says; the others keep what is live", async () => {
    const fleet = await Promise.all(Array.from({ length: 12 }, (_, index) => newAgent(`agent ${index}`)));
    const { id } = await publish("p", "a");
    const { agents: inside } = await publish("p", "b", { kind: "canary", share: 40, groupId: null });
    const expected = fleet.filter((agent) => isInCanary({ share: 40, groupId: null }, id, agent, NOBODY));
    expect(inside).toBe(expected.length);
    for (const agent of fleet) expect(await names(agent)).toEqual([expected.includes(agent) ? "p r2" : "p r1"]);
    expect(await get(id)).toMatchObject({
      liveRevision: 1,
      latestRevision: 2,
      publishedSource: HOOKS("a"),
      source: HOOKS("b"),
      canary: { revision: 2, share: 40, inside: expected.length, by: "Ada", group: null },
    });
  });

  it("is promoted to everyone or abandoned for everyone, and goes into the audit log either way", async () => {
    const agent = await newAgent("one");
    const { id } = await publish("p", "a");
    await publish("p", "b", { kind: "canary", share: 100, groupId: null });
    expect(await names(agent)).toEqual(["p r2"]);
    const end = (outcome: "promoted" | "abandoned", revision: number) =>
      policies.endCanary(at.database, bus, admin, { policyId: id, revision, outcome });
    await end("abandoned", 2);
    expect(await names(agent)).toEqual(["p r1"]);
    expect(await lastEntry()).toMatchObject({ kind: "policy_canary_ended", outcome: "abandoned" });
    expect(await codeOf(end("promoted", 2))).toBe("policy_moved_on");
    await policies.setCanary(at.database, bus, admin, {
      policyId: id,
      revision: 2,
      share: 0,
      groupId: await newGroup("g", [agent]),
      expectedCanary: null,
    });
    expect(await names(agent)).toEqual(["p r2"]);
    await end("promoted", 2);
    expect(await get(id)).toMatchObject({ liveRevision: 2, canary: null });
  });

  it("of a first revision leaves the others without the policy", async () => {
    const [one, two] = [await newAgent("one"), await newAgent("two")];
    const { id } = await publish("p", "a", { kind: "canary", share: 0, groupId: await newGroup("g", [one]) });
    expect([await names(one), await names(two)]).toEqual([["p r1"], []]);
    const { policies: applied } = await policies.explainAgent(at.database, admin.workspaceId, two);
    expect(applied).toMatchObject([
      { name: "p", revision: 0, state: "outside_canary", through: [{ scope: "workspace" }] },
    ]);
    expect(await codeOf(policies.exportByName(at.database, admin.workspaceId, "p"))).toBe("policy_not_found");
    expect(await get(id)).toMatchObject({ liveRevision: 0, latestRevision: 1, publishedSource: "" });
  });

  it("ends when a revision is published, or put in force, for everyone", async () => {
    const agent = await newAgent("one");
    const { id } = await publish("p", "a");
    await publish("p", "b", { kind: "canary", share: 100, groupId: null });
    await rollBack(id, 1, 1);
    expect([await names(agent), (await get(id)).canary]).toEqual([["p r1"], null]);
    await publish("p", "c", { kind: "canary", share: 100, groupId: null });
    await publish("p", "d");
    expect([await names(agent), (await get(id)).canary]).toEqual([["p r4"], null]);
  });
});

describe("observing", () => {
  it("takes the policy from what answers, until it is over, and no longer than 30 days", async () => {
    const agent = await newAgent("one");
    const { id } = await publish("p", "a");
    await observe(id, inHours(1));
    const set = await effective(agent);
    expect([set.revision, set.members, set.observed.map(({ name }) => name)]).toEqual(["none", [], ["p"]]);
    expect(await get(id)).toMatchObject({ observed: { by: "Ada", agents: 1 } });
    for (const until of [inHours(-1), inHours(31 * 24)]) expect(await codeOf(observe(id, until))).toBe("invalid_input");
    await observe(id, null);
    expect(await names(agent)).toEqual(["p r1"]);
    expect(await lastEntry()).toMatchObject({ kind: "policy_observed", until: null, assignments: ["workspace"] });
  });

  it("ends by itself at its instant, also in a plan that is remembered", async () => {
    const agent = actorOf(await newAgent("one"));
    const { id } = await publish("p", "a");
    const until = inHours(1);
    await observe(id, until);
    const clock = stoppedClock(until.getTime() - 1);
    const other = node(() => clock.now());
    let plan = await other.plans.planFor(agent);
    // A node that begins to listen forgets what it loaded before: from then on it remembers.
    await vi.waitFor(async () => {
      const before = plan;
      plan = await other.plans.planFor(agent);
      expect(plan).toBe(before);
    }, BUSY);
    expect([plan.members.length, plan.observed.length, plan.changesAtMs]).toEqual([0, 1, until.getTime()]);
    clock.advance(1);
    const after = await other.plans.planFor(agent);
    expect([after.members.map(({ name }) => name), after.observed, after.changesAtMs]).toEqual([["p"], [], null]);
    await other.close();
  });

  it("somewhere does not open the gate of an agent that another assignment binds", async () => {
    const [one, two] = [await newAgent("one"), await newAgent("two")];
    const group = await newGroup("g", [one, two]);
    const { id } = await publish("p", "a");
    await assign(id, "chosen", [group], [two]);
    const targets = [{ scope: "group" as const, targetId: group }];
    await policies.observe(at.database, bus, admin, { policyId: id, until: inHours(1), targets });
    expect([await names(one), await names(two)]).toEqual([[], ["p r1"]]);
    const { policies: applied } = await policies.explainAgent(at.database, admin.workspaceId, one);
    expect(applied).toMatchObject([{ state: "observed", through: [{ scope: "group", group: "g" }] }]);
  });

  it("holds for targets that are added while all of the policy is observed, and for no other", async () => {
    const [one, two] = [await newAgent("one"), await newAgent("two")];
    const { id } = await publish("p", "a");
    await assign(id, "chosen", [], [one]);
    await observe(id, inHours(1));
    await assign(id, "chosen", [], [one, two]);
    expect([await names(one), await names(two)]).toEqual([[], []]);
    const targets = [{ scope: "agent" as const, targetId: one }];
    await policies.observe(at.database, bus, admin, { policyId: id, until: null, targets });
    const group = await newGroup("g", [two]);
    await assign(id, "chosen", [group], [one, two]);
    expect([await names(one), await names(two)]).toEqual([["p r1"], ["p r1"]]);
  });

  it("of a policy that is applied to nobody is refused", async () => {
    const { id } = await publish("p", "a");
    await assign(id, "nobody");
    expect(await codeOf(observe(id, inHours(1)))).toBe("invalid_input");
  });
});

describe("a freeze", () => {
  const freeze = () => policies.freeze(at.database, bus, admin, { reason: "release week" });

  it("refuses every change of what is in force, says who and why, and lets drafts go on", async () => {
    const agent = await newAgent("one");
    const group = await newGroup("g", [agent]);
    const { id } = await publish("p", "a");
    await publish("p", "b");
    await freeze();
    const before = await effective(agent);
    const canary = { policyId: id, revision: 1, share: 10, groupId: null, expectedCanary: null };
    const target = { scope: "workspace" as const, targetId: null, policyIds: [id] };
    const changes = [
      publish("p", "c"),
      publish("new", "c"),
      rollBack(id, 1, 2),
      policies.setCanary(at.database, bus, admin, canary),
      policies.endCanary(at.database, bus, admin, { policyId: id, revision: 1, outcome: "promoted" }),
      assign(id, "nobody"),
      observe(id, inHours(1)),
      policies.reorder(at.database, bus, admin, target),
      policies.remove(at.database, bus, admin, id),
      agents.setGroupMembers(at.database, bus, admin, { groupId: group, agentIds: [] }),
      agents.orderGroups(at.database, bus, admin, { groupIds: [group] }),
      agents.deleteGroup(at.database, bus, admin, { groupId: group }),
      freeze(),
    ];
    const codes = await Promise.all(changes.map(codeOf));
    expect(new Set(codes)).toEqual(new Set(["workspace_frozen"]));
    await expect(publish("p", "c")).rejects.toThrow(/frozen by Ada since 20.* UTC: release week\. /);
    expect(await effective(agent)).toEqual(before);
    const { draftVersion, latestRevision } = await get(id);
    const draft = { policyId: id, source: HOOKS("draft"), baseVersion: draftVersion, baseRevision: latestRevision };
    await policies.saveDraft(at.database, bus, admin, draft);
    expect(await get(id)).toMatchObject({ source: HOOKS("draft"), latestRevision: 2 });
    await policies.unfreeze(at.database, bus, admin);
    expect(await codeOf(publish("p", "c"))).toBe("nothing was thrown");
    expect((await entries()).map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(["workspace_frozen", "workspace_thawed"]),
    );
  });

  it("gives way to the brakes alone, and only with a reason that is written down", async () => {
    const agent = await newAgent("one");
    const { id } = await publish("p", "a");
    await publish("p", "b");
    await publish("p", "c", { kind: "canary", share: 100, groupId: null });
    await freeze();
    await policies.endCanary(at.database, bus, admin, {
      policyId: id,
      revision: 3,
      outcome: "abandoned",
      duringFreeze: "denies every deploy",
    });
    expect(await names(agent)).toEqual(["p r2"]);
    await rollBack(id, 1, 2, "also denies deploys");
    expect(await names(agent)).toEqual(["p r1"]);
    expect(await lastEntry()).toMatchObject({ kind: "policy_rolled_back", duringFreeze: "also denies deploys" });
    expect(await policies.frozen(at.database, admin.workspaceId)).toMatchObject({ by: "Ada", reason: "release week" });
  });

  it("waits for changes under way, and nothing begins behind its back", async () => {
    await publish("p", "a");
    const all = await Promise.all([freeze(), ...["b", "c", "d", "e"].map((word) => codeOf(publish("p", word)))]);
    const passed = all.slice(1).filter((code) => code === "nothing was thrown").length;
    const [frozenAt] = (await entries()).flatMap(({ kind }, index) => (kind === "workspace_frozen" ? [index] : []));
    const published = (await entries()).flatMap(({ kind }, index) => (kind === "policy_published" ? [index] : []));
    expect(published.length).toBe(passed + 1);
    expect(published.every((index) => index < (frozenAt ?? -1))).toBe(true);
  });

  it("of one workspace is none of another's business", async () => {
    await freeze();
    admin = await newWorkspace();
    expect(await codeOf(publish("p", "a"))).toBe("nothing was thrown");
    expect(await policies.frozen(at.database, admin.workspaceId)).toBeNull();
  });
});

describe("what applies to an agent", () => {
  it("is told in the order of force, with the way it came and what does not reach it", async () => {
    const [one, two] = [await newAgent("one"), await newAgent("two")];
    const group = await newGroup("g", [one]);
    const wide = await publish("wide", "a");
    const grouped = await publish("grouped", "a");
    const foreign = await publish("foreign", "a");
    await assign(grouped.id, "chosen", [group], [one]);
    await assign(foreign.id, "chosen", [], [two]);
    const draft = await policies.create(at.database, bus, admin, { name: "draft" });
    await assign(draft.policyId, "chosen", [], [one]);
    await observe(wide.id, inHours(2));
    const told = await policies.explainAgent(at.database, admin.workspaceId, one);
    expect(told.policies.map(({ name, state, through }) => [name, state, through.map((way) => way.scope)])).toEqual([
      ["wide", "observed", ["workspace"]],
      ["grouped", "enforced", ["group", "agent"]],
      ["draft", "unpublished", ["agent"]],
    ]);
    expect(told.groups).toEqual([{ id: group, name: "g" }]);
    expect(told.others).toMatchObject([{ name: "foreign", isApplied: true }]);
    const ours = admin;
    admin = await newWorkspace();
    expect(await codeOf(policies.explainAgent(at.database, admin.workspaceId, one))).toBe("agent_not_found");
    admin = ours;
  });
});
