import { createConcurrencyLimit } from "@quarterdeck/hooks";
import { describe, expect, it, vi } from "vitest";
import { codeOf, HOOKS, inHours, policyWorkspace } from "../../../e2e/fixtures/policy-workspace.ts";
import type { AgentActor } from "../../access/actor.ts";
import * as agents from "../../agents/index.ts";
import { createBus } from "../../events/index.ts";
import { stoppedClock } from "../../platform/clock.ts";
import { log } from "../../platform/log.ts";
import { setCanary } from "../assignments/assignment-schema.ts";
import * as priority from "../assignments/priority.ts";
import { explainAgent } from "../effective/explain-agent.ts";
import { exportBundle } from "../effective/exports.ts";
import { createPlans } from "../effective/plans.ts";
import * as monitorMode from "../publishing/monitor-mode.ts";
import { rollout } from "../schema.ts";
import * as views from "../views.ts";
import * as canary from "./canary.ts";
import { isInCanary } from "./canary-share.ts";

const NOBODY = new Set<string>();
/** A busy machine brings late what a test waits for. */
const BUSY = { timeout: 10_000 };
const {
  scene,
  newWorkspace,
  newAgent,
  newGroup,
  get,
  effective,
  names,
  entries,
  lastEntry,
  publish,
  rollBack,
  assign,
  observe,
} = policyWorkspace();

/** A node of its own on the same database: its plans hear of changes by NOTIFY alone. */
function node(nowMs?: () => number) {
  const elsewhere = createBus(scene.at.url, log());
  const environment = {
    kindsOf: () => [],
    clock: { now: () => performance.now(), after: () => () => undefined },
    env: {},
    workingDir: "/",
    room: createConcurrencyLimit({ hooksMax: 1, perTenantMax: 1 }),
  };
  const breakers = { before: () => undefined, after: () => undefined, open: () => [], tryNow: () => false };
  const plans = createPlans({
    ...{ db: scene.at.database, bus: elsewhere, log: log(), breakers, ...environment },
    observedEnvironment: environment,
    ...(nowMs ? { nowMs } : {}),
  });
  return { plans, close: () => elsewhere.close() };
}
const actorOf = (id: string): AgentActor => ({
  ...{
    kind: "agent",
    workspaceId: scene.admin.workspaceId,
    id,
    name: "agent",
    scopes: ["dispatch", "report", "policy"],
  },
});

describe("rolling back", () => {
  it("puts an old revision in force, keeps every revision, and the next publication is one more", async () => {
    const agent = await newAgent("one");
    const { id } = await publish("p", "a");
    await publish("p", "b");
    expect(await rollBack(id, 1, 2)).toMatchObject({ number: 1, from: 2, agents: 1 });
    expect(await names(agent)).toEqual(["p r1"]);
    expect(await get(id)).toMatchObject({ liveRevision: 1, latestRevision: 2, publishedSource: HOOKS("a") });
    expect(await views.exportByName(scene.at.database, scene.admin.workspaceId, "p")).toBe(HOOKS("a"));
    expect(await exportBundle(scene.at.database, scene.admin.workspaceId, { policy: { id } })).toContain(
      '"revision": 1',
    );
    expect((await views.revisions(scene.at.database, scene.admin.workspaceId, id)).map(({ number }) => number)).toEqual(
      [2, 1],
    );
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
    await agents.orderGroups(scene.at.database, scene.bus, scene.admin, { groupIds: [second, first] });
    expect(await names(one)).toEqual(["a r1", "b r1"]);
    await agents.setGroupMembers(scene.at.database, scene.bus, scene.admin, { groupId: second, agentIds: [two, two] });
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
    const one = await newAgent("one");
    const [used, tried, free] = [await newGroup("used", [one]), await newGroup("tried", [one]), await newGroup("free")];
    const { id } = await publish("p", "a");
    await assign(id, "chosen", [used]);
    await publish("p", "b", { kind: "canary", share: 0, groupId: tried });
    const remove = (groupId: string) =>
      codeOf(agents.deleteGroup(scene.at.database, scene.bus, scene.admin, { groupId }));
    expect([await remove(used), await remove(tried)]).toEqual(["group_in_use", "group_in_use"]);
    expect(await remove(free)).toBe("nothing was thrown");
    const left = await agents.groups(scene.at.database, scene.admin.workspaceId);
    expect(left.map(({ name, policies }) => [name, policies.map(({ isCanary }) => isCanary)])).toEqual([
      ["used", [false]],
      ["tried", [true]],
    ]);
  });

  it("have names of their own, changed by nobody else's workspace", async () => {
    const group = await newGroup("g");
    expect(await codeOf(agents.createGroup(scene.at.database, scene.bus, scene.admin, { name: "g" }))).toBe(
      "name_taken",
    );
    await newGroup("h");
    const rename = (name: string) =>
      codeOf(agents.renameGroup(scene.at.database, scene.bus, scene.admin, { groupId: group, name }));
    expect([await rename("h"), await rename("new")]).toEqual(["name_taken", "nothing was thrown"]);
    const agent = await newAgent("one");
    const { id } = await publish("p", "a");
    scene.admin = await newWorkspace();
    expect(await rename("theirs")).toBe("group_not_found");
    expect(await codeOf(agents.deleteGroup(scene.at.database, scene.bus, scene.admin, { groupId: group }))).toBe(
      "group_not_found",
    );
    expect(
      await codeOf(
        agents.setGroupMembers(scene.at.database, scene.bus, scene.admin, { groupId: group, agentIds: [agent] }),
      ),
    ).toBe("group_not_found");
    expect(await codeOf(assign(id, "chosen", [group]))).toBe("policy_not_found");
    const own = await publish("p", "a");
    expect(await codeOf(assign(own.id, "chosen", [group]))).toBe("group_not_found");
    expect(await agents.groups(scene.at.database, scene.admin.workspaceId)).toEqual([]);
  });
});

describe("the order of policies", () => {
  it("is that of assigning, until somebody puts them in another", async () => {
    const agent = await newAgent("one");
    const [a, b, c] = [await publish("a", "a"), await publish("b", "b"), await publish("c", "c")];
    expect(await names(agent)).toEqual(["a r1", "b r1", "c r1"]);
    const target = { scope: "workspace" as const, targetId: null };
    const policyIds = [c.id, a.id, b.id];
    await priority.reorder(scene.at.database, scene.bus, scene.admin, { ...target, policyIds });
    expect(await names(agent)).toEqual(["c r1", "a r1", "b r1"]);
    expect((await priority.order(scene.at.database, scene.admin.workspaceId, target)).map(({ name }) => name)).toEqual([
      "c",
      "a",
      "b",
    ]);
    // Saying again whom a policy binds keeps its place.
    await assign(c.id, "workspace");
    expect(await names(agent)).toEqual(["c r1", "a r1", "b r1"]);
    const missing = priority.reorder(scene.at.database, scene.bus, scene.admin, { ...target, policyIds: [a.id, b.id] });
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

  it("that would reach none of the agents is refused, and changes nothing", async () => {
    await newAgent("one");
    const { id } = await publish("p", "a");
    const empty = await newGroup("empty");
    const refused = {
      code: "invalid_input",
      message: expect.stringContaining("0 of 1 agent."),
    };
    await expect(publish("p", "b", { kind: "canary", share: 0, groupId: empty })).rejects.toMatchObject(refused);
    expect(await get(id)).toMatchObject({ liveRevision: 1, latestRevision: 1, canary: null });
    await publish("p", "b");
    const set = { policyId: id, revision: 1, share: 0, groupId: empty, expectedCanary: null };
    await expect(canary.setCanary(scene.at.database, scene.bus, scene.admin, set)).rejects.toMatchObject(refused);
    const issues = [
      rollout.safeParse({ kind: "canary", share: 0, groupId: null }),
      setCanary.safeParse({ ...set, groupId: null }),
    ];
    for (const { error } of issues)
      expect(error?.issues.map(({ message }) => message)).toEqual(["A canary needs a share of the agents or a group."]);
  });

  it("is promoted to everyone or abandoned for everyone, and goes into the audit log either way", async () => {
    const agent = await newAgent("one");
    const { id } = await publish("p", "a");
    await publish("p", "b", { kind: "canary", share: 100, groupId: null });
    expect(await names(agent)).toEqual(["p r2"]);
    const end = (outcome: "promoted" | "abandoned", revision: number) =>
      canary.endCanary(scene.at.database, scene.bus, scene.admin, { policyId: id, revision, outcome });
    await end("abandoned", 2);
    expect(await names(agent)).toEqual(["p r1"]);
    expect(await lastEntry()).toMatchObject({ kind: "policy_canary_ended", outcome: "abandoned" });
    expect(await codeOf(end("promoted", 2))).toBe("policy_moved_on");
    await canary.setCanary(scene.at.database, scene.bus, scene.admin, {
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
    const { policies: applied } = await explainAgent(scene.at.database, scene.admin.workspaceId, two);
    expect(applied).toMatchObject([
      { name: "p", revision: 0, state: "outside_canary", through: [{ scope: "workspace" }] },
    ]);
    expect(await codeOf(views.exportByName(scene.at.database, scene.admin.workspaceId, "p"))).toBe("policy_not_found");
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
    await monitorMode.observe(scene.at.database, scene.bus, scene.admin, { policyId: id, until: inHours(1), targets });
    expect([await names(one), await names(two)]).toEqual([[], ["p r1"]]);
    const { policies: applied } = await explainAgent(scene.at.database, scene.admin.workspaceId, one);
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
    await monitorMode.observe(scene.at.database, scene.bus, scene.admin, { policyId: id, until: null, targets });
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
