/** A group by a name pattern holds the agents whose names match, after every act on an agent, a name or a pattern. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import type { PersonActor } from "../access/actor.ts";
import type { AppError } from "../errors/app-error.ts";
import { type Bus, createBus } from "../events/index.ts";
import * as halts from "../halts/index.ts";
import type { HaltTarget } from "../halts/schema.ts";
import { insertMembership, insertPerson } from "../people/repository.ts";
import { uuidv7 } from "../platform/ids.ts";
import { log } from "../platform/log.ts";
import * as policies from "../policies/index.ts";
import * as reviews from "../reviews/index.ts";
import * as fleet from "./fleet.ts";
import * as agentGroups from "./groups.ts";
import * as lifecycle from "./lifecycle.ts";
import { matchesPattern } from "./name-pattern-schema.ts";
import * as agents from "./service.ts";

let at: TestDatabase;
let bus: Bus;
let admin: PersonActor;
let bob: PersonActor;

beforeAll(async () => {
  at = await testDatabase();
  bus = createBus(at.url, log());
});
afterAll(async () => {
  await bus.close();
  await at.drop();
});
beforeEach(async () => {
  const workspaceId = uuidv7();
  await at.database.prisma.workspace.create({ data: { id: workspaceId, name: "test" } });
  await at.database.pool.query("INSERT INTO audit_head (workspace_id) VALUES ($1)", [workspaceId]);
  [admin, bob] = [await person(workspaceId, "Ada", "owner"), await person(workspaceId, "Bob", "approver")];
});

async function person(workspaceId: string, name: string, role: "owner" | "approver"): Promise<PersonActor> {
  const id = uuidv7();
  await insertPerson(at.database.prisma, { id, name, emailVerified: true });
  await insertMembership(at.database.prisma, workspaceId, id, role);
  return { kind: "person", role, workspaceId, id, name };
}

const create = async (name: string) => (await agents.create(at.database, bus, admin, { name })).agentId;
const rename = (agentId: string, name: string) => lifecycle.rename(at.database, bus, admin, { agentId, name });
const newGroup = async (name = "g") => (await agentGroups.createGroup(at.database, bus, admin, { name })).groupId;
const setPattern = (groupId: string, namePattern: string | null) =>
  agentGroups.setGroupMembers(at.database, bus, admin, { groupId, namePattern });
const list = (groupId: string, agentIds: string[]) =>
  agentGroups.setGroupMembers(at.database, bus, admin, { groupId, agentIds });
const groupOf = async (groupId: string) =>
  (await agentGroups.groups(at.database, admin.workspaceId)).find(({ id }) => id === groupId);
/** The names of a group's agents, in their order. */
async function membersOf(groupId: string): Promise<string[]> {
  const names = new Map((await fleet.names(at.database, admin.workspaceId)).map(({ id, name }) => [id, name]));
  return ((await groupOf(groupId))?.agentIds ?? []).map((id) => names.get(id) ?? "");
}
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => "nothing was thrown",
    (error: AppError) => `${error.code}: ${error.message}`,
  );
const codeOf = async (work: Promise<unknown>) => (await refusal(work)).split(":")[0];
const effective = async (agentId: string) =>
  (await policies.effectiveSet(at.database, admin.workspaceId, agentId)).members.map(({ name }) => name);
async function entries(...kinds: string[]): Promise<Record<string, unknown>[]> {
  const { rows } = await at.database.pool.query<{ body: string }>(
    "SELECT body FROM audit_entry WHERE workspace_id = $1 AND kind = ANY ($2) ORDER BY seq",
    [admin.workspaceId, kinds],
  );
  return rows.map(({ body }) => JSON.parse(body));
}
/** A policy that is applied to a group and to nobody else. */
async function guarded(groupId: string, isFourEyes = false): Promise<string> {
  const source = "hooks:\n  session_start:\n    - { type: builtin, command: add_date }\n";
  const input = { name: "guard", source, note: "" };
  const { policyId } = await policies.publishByName(at.database, bus, admin, input, policies.NO_CASES);
  const target = { policyId, scope: "chosen", groupIds: [groupId], agentIds: [] } as const;
  await policies.assign(at.database, bus, admin, { ...target, groupIds: [groupId], agentIds: [] });
  if (isFourEyes) await reviews.setFourEyes(at.database, bus, admin, { policyId, isOn: true });
  return policyId;
}

describe("a group by a name pattern", () => {
  it("holds the agents that match, those that retired and those that come later, and they are bound at once", async () => {
    const [group, retired] = [await newGroup(), await create("prod-old")];
    await lifecycle.retire(at.database, bus, admin, { agentId: retired });
    await guarded(group);
    const [one, other] = [await create("prod-1"), await create("test-1")];
    await setPattern(group, "prod-*");
    expect(await groupOf(group)).toMatchObject({ namePattern: "prod-*" });
    expect(await membersOf(group)).toEqual(["prod-1", "prod-old"]);
    const [two] = [await create("prod-2"), await create("Prod-3")];
    expect(await membersOf(group)).toEqual(["prod-1", "prod-2", "prod-old"]);
    await lifecycle.restore(at.database, bus, admin, { agentId: retired });
    expect(await Promise.all([one, two, retired, other].map(effective))).toEqual([["guard"], ["guard"], ["guard"], []]);
    await agents.createKeyByName(at.database, bus, admin, { name: "prod-by-script" });
    expect(await membersOf(group)).toContain("prod-by-script");
  });

  it("follows a name in and out, also between two groups, and a pattern that changes", async () => {
    const [prod, test] = [await newGroup("prod"), await newGroup("test")];
    await setPattern(prod, "prod-*");
    await setPattern(test, "test-*");
    const agent = await create("prod-1");
    const heard: string[] = [];
    const stop = bus.subscribe((workspaceId, topics) => {
      if (workspaceId === admin.workspaceId) heard.push(...topics);
    });
    await rename(agent, "test-1");
    stop();
    // Plans that are remembered on any node are asked for again.
    expect(heard).toContain("policies");
    expect([await membersOf(prod), await membersOf(test)]).toEqual([[], ["test-1"]]);
    await rename(agent, "elsewhere");
    expect([await membersOf(prod), await membersOf(test)]).toEqual([[], []]);
    await setPattern(test, "*where");
    expect(await membersOf(test)).toEqual(["elsewhere"]);
  });

  it("is a list of the same agents once the pattern is cleared, or of others", async () => {
    const [group, agent, other] = [await newGroup(), await create("prod-1"), await create("test-1")];
    await setPattern(group, "prod-*");
    await setPattern(group, null);
    await create("prod-2");
    await rename(agent, "renamed");
    expect(await groupOf(group)).toMatchObject({ namePattern: null, agentIds: [agent] });
    await setPattern(group, "prod-*");
    const cleared = { groupId: group, agentIds: [other], namePattern: null };
    await agentGroups.setGroupMembers(at.database, bus, admin, cleared);
    expect(await groupOf(group)).toMatchObject({ namePattern: null, agentIds: [other] });
  });

  it("takes no agents by hand, and says what to do", async () => {
    const [group, agent] = [await newGroup(), await create("test-1")];
    await setPattern(group, "prod-*");
    expect(await refusal(list(group, [agent]))).toBe(
      'group_has_pattern: The group "g" uses the name pattern prod-*. Change the pattern, or clear it to list agents individually.',
    );
    expect(await membersOf(group)).toEqual([]);
  });

  it("is on record: the pattern, its agents, and whom a name moved", async () => {
    const [group, agent] = [await newGroup(), await create("prod-1")];
    await setPattern(group, "prod-*");
    const later = await create("prod-2");
    await rename(agent, "test-1");
    await rename(agent, "test-2");
    await setPattern(group, null);
    expect(await entries("group_pattern_set", "group_members_set", "agent_regrouped")).toMatchObject([
      { kind: "group_pattern_set", group, pattern: "prod-*" },
      { kind: "group_members_set", group, agents: [agent] },
      { kind: "agent_regrouped", agent: later, joined: [group], left: [] },
      { kind: "agent_regrouped", agent, joined: [], left: [group] },
      { kind: "group_pattern_set", group, pattern: null },
      { kind: "group_members_set", group, agents: [later] },
    ]);
  });

  it("raises the sequence whenever an agent comes or goes, and otherwise not", async () => {
    const sequence = async () => (await policies.effectiveSet(at.database, admin.workspaceId, uuidv7())).sequence;
    const group = await newGroup();
    await setPattern(group, "prod-*");
    const seen = [await sequence()];
    const agent = await create("prod-1");
    seen.push(await sequence());
    await rename(agent, "test-1");
    seen.push(await sequence());
    expect(seen[0]).toBeLessThan(seen[1] ?? 0);
    expect(seen[1]).toBeLessThan(seen[2] ?? 0);
    await rename(agent, "test-2");
    await create("test-3");
    expect(await sequence()).toBe(seen[2]);
  });
});

describe("a workspace that is frozen", () => {
  it("keeps its patterns and whom they bind; an agent that is made is bound as they say", async () => {
    const [group, agent] = [await newGroup(), await create("prod-1")];
    await guarded(group);
    await setPattern(group, "prod-*");
    await policies.freeze(at.database, bus, admin, { reason: "release week" });
    expect(await codeOf(setPattern(group, "*"))).toBe("workspace_frozen");
    expect(await codeOf(rename(agent, "test-1"))).toBe("workspace_frozen");
    await rename(agent, "prod-one");
    expect(await effective(await create("prod-2"))).toEqual(["guard"]);
    expect(await membersOf(group)).toEqual(["prod-2", "prod-one"]);
  });
});

describe("a group that a policy with four eyes is applied to", () => {
  it("keeps its pattern, and the agents in it their names, until a second person agrees", async () => {
    const [group, agent] = [await newGroup(), await create("prod-1")];
    await setPattern(group, "prod-*");
    await guarded(group, true);
    for (const pattern of ["prod-2*", "*", null])
      expect(await codeOf(setPattern(group, pattern))).toBe("review_required");
    expect(await refusal(rename(agent, "test-1"))).toBe(
      'review_required: Not changed: the name test-1 moves the agent out of the group "g", whose policies require four eyes. Change the name pattern of the group first; a second person can agree to that.',
    );
    // Those that join are bound by more.
    await rename(await create("test-2"), "prod-2");
    await create("prod-3");
    expect(await membersOf(group)).toEqual(["prod-1", "prod-2", "prod-3"]);

    const change = { kind: "set_group_members", input: { groupId: group, namePattern: "prod-1*" } } as const;
    const { changeId } = await reviews.requestChange(at.database, bus, admin, { change, note: "" }, undefined);
    expect((await reviews.listChanges(at.database, bob))[0]?.summary).toBe(
      "Makes the group g the agents whose names match prod-1*: 1 agent instead of 3, and those to come.",
    );
    await reviews.decideChange(at.database, bus, bob, { changeId, outcome: "approved" });
    await reviews.applyChange(at.database, bus, admin, { changeId }, undefined);
    expect(await groupOf(group)).toMatchObject({ namePattern: "prod-1*", agentIds: [agent] });
  });

  it("is asked about again when an agent joined it since", async () => {
    const [group] = [await newGroup(), await create("prod-1")];
    await setPattern(group, "prod-*");
    await guarded(group, true);
    const change = { kind: "set_group_members", input: { groupId: group, namePattern: null } } as const;
    const { changeId } = await reviews.requestChange(at.database, bus, admin, { change, note: "" }, undefined);
    await reviews.decideChange(at.database, bus, bob, { changeId, outcome: "approved" });
    await create("prod-2");
    expect(await codeOf(reviews.applyChange(at.database, bus, admin, { changeId }, undefined))).toBe("policy_moved_on");
    expect(await groupOf(group)).toMatchObject({ namePattern: "prod-*" });
  });
});

/** Lets both begin, the second while the first is not committed, and then lets them end. */
async function overlapping(first: () => Promise<unknown>, second: () => Promise<unknown>): Promise<void> {
  const holder = await at.owner.connect();
  try {
    // Every act has its entry in the chain, so this stops the first one when it has looked at all that it looks at.
    await holder.query("BEGIN");
    await holder.query("SELECT FROM audit_head WHERE workspace_id = $1 FOR UPDATE", [admin.workspaceId]);
    const both = [first()];
    await expect.poll(waiting).toBe(1);
    both.push(second());
    await expect.poll(waiting).toBe(2);
    await holder.query("COMMIT");
    await Promise.all(both);
  } finally {
    holder.release();
  }
}
const waiting = async () =>
  (
    await at.owner.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
  ).rows[0]?.count;

describe("an agent and a pattern at the same moment", () => {
  it.each(["created", "renamed"])("leave no agent out that is %s, in either order", async (act) => {
    const agentIds = [await create("first"), await create("second")];
    const become = (name: string, which: number) => () =>
      act === "created" ? create(name) : rename(agentIds[which] ?? "", name);
    const groups = [await newGroup("one"), await newGroup("two")];
    await overlapping(become("prod-1", 0), () => setPattern(groups[0] ?? "", "prod-*"));
    await overlapping(() => setPattern(groups[1] ?? "", "*-?"), become("prod-2", 1));
    expect(await Promise.all(groups.map(membersOf))).toEqual([
      ["prod-1", "prod-2"],
      ["prod-1", "prod-2"],
    ]);
  });

  it("hold the rule, many at once", async () => {
    const agentIds = [await create("x-1"), await create("x-2")];
    const group = await newGroup();
    await Promise.all([
      ...["a-1", "b-1", "a-2"].map(create),
      setPattern(group, "a-*"),
      newGroup("later").then((id) => setPattern(id, "*-1")),
      rename(agentIds[0] ?? "", "a-9"),
      rename(agentIds[1] ?? "", "b-9"),
      setPattern(group, "?-?"),
    ]);
    const names = (await fleet.names(at.database, admin.workspaceId)).map(({ name }) => name);
    for (const { id, namePattern } of await agentGroups.groups(at.database, admin.workspaceId))
      expect(await membersOf(id)).toEqual(names.filter((name) => matchesPattern(namePattern ?? "", name)));
  });
});

describe("an agent and a halt at the same moment", () => {
  const halt = (target: HaltTarget) => halts.halt({ db: at.database, bus }, admin, { target, reason: "a key leaked" });
  const reaching = async (agentId: string) =>
    (await halts.ofAgent(at.database, admin.workspaceId, { agentId })).halts.map(({ scope, about }) => [scope, about]);

  it("keep the agent halted that leaves the group by its new name", async () => {
    const [group, agent] = [await newGroup("mias"), await create("mia-1")];
    await setPattern(group, "mia-*");
    await overlapping(
      () => halt({ scope: "group", groupId: group }),
      () => rename(agent, "other-1"),
    );
    expect(await membersOf(group)).toEqual([]);
    expect(await reaching(agent)).toEqual([["group", "mias"]]);
  });

  it("keep a retired agent that is being removed from the group", async () => {
    const [group, agent] = [await newGroup("mias"), await create("mia-1")];
    await setPattern(group, "mia-*");
    await lifecycle.retire(at.database, bus, admin, { agentId: agent });
    const removed: Promise<string | undefined>[] = [];
    await overlapping(
      () => halt({ scope: "group", groupId: group }),
      async () => removed.push(codeOf(lifecycle.remove(at.database, bus, admin, { agentId: agent }))),
    );
    expect(await Promise.all(removed)).toEqual(["agent_in_use"]);
    expect(await reaching(agent)).toEqual([["group", "mias"]]);
  });

  it("halt no agent that is being removed, and nothing in its place", async () => {
    const agent = await create("mia-1");
    await lifecycle.retire(at.database, bus, admin, { agentId: agent });
    const outcomes: Promise<string | undefined>[] = [];
    await overlapping(
      () => lifecycle.remove(at.database, bus, admin, { agentId: agent }),
      async () => outcomes.push(codeOf(halt({ scope: "agent", agentId: agent }))),
    );
    expect(await Promise.all(outcomes)).toEqual(["agent_not_found"]);
    expect(await halts.listUnreadableHalts(at.database, admin.workspaceId)).toEqual([]);
  });

  it("keep a retired agent that is being halted", async () => {
    const agent = await create("mia-1");
    await lifecycle.retire(at.database, bus, admin, { agentId: agent });
    const outcomes: Promise<string | undefined>[] = [];
    await overlapping(
      () => halt({ scope: "agent", agentId: agent }),
      async () => outcomes.push(codeOf(lifecycle.remove(at.database, bus, admin, { agentId: agent }))),
    );
    expect(await Promise.all(outcomes)).toEqual(["agent_in_use"]);
    expect(await reaching(agent)).toEqual([["agent", "mia-1"]]);
  });
});
