import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isInCanary } from "../rollout/canary-share.ts";
import { SCOPES } from "./assignment-schema.ts";
import {
  type AssignableAgent,
  type Assigned,
  type AssignedPolicy,
  type Group,
  resolveAssignments,
} from "./resolve-assignments.ts";

const NOW = Date.UTC(2026, 10, 22);
const ids = (kind: string, count: number) => Array.from({ length: count }, (_, index) => `${kind}${index}`);
const POLICIES = ids("policy", 6);
const GROUPS = ids("group", 4);
const AGENTS = ids("agent", 5);
const TAGS = ids("tag", 3);

const canary = fc.record({
  revision: fc.integer({ min: 1, max: 9 }),
  share: fc.integer({ min: 0, max: 100 }),
  groupId: fc.option(fc.constantFrom(...GROUPS)),
});
const policies = fc
  .tuple(...POLICIES.map(() => fc.tuple(fc.integer({ min: 0, max: 9 }), fc.option(canary))))
  .map((all) =>
    all.map(([liveRevision, canary], index): AssignedPolicy => {
      const id = POLICIES[index] ?? "";
      return { id, name: id, liveRevision, canary };
    }),
  );
const groups = fc
  .tuple(...GROUPS.map(() => fc.integer({ min: 0, max: 3 })))
  .map((places) => places.map((position, index): Group => ({ id: GROUPS[index] ?? "", name: "g", position })));
const target = fc.oneof(
  fc.constant({ scope: "workspace" as const, target: null }),
  // A tag may read like the id of a group or of an agent.
  fc.constantFrom(...TAGS, "group0", "agent0").map((target) => ({ scope: "tag" as const, target })),
  fc.constantFrom(...GROUPS).map((target) => ({ scope: "group" as const, target })),
  fc.constantFrom(...GROUPS).map((target) => ({ scope: "sign_on_group" as const, target })),
  fc.constantFrom(...GROUPS).map((target) => ({ scope: "person" as const, target })),
  fc.constantFrom(...AGENTS).map((target) => ({ scope: "agent" as const, target })),
);
const until = fc.option(fc.integer({ min: -3, max: 3 }).map((hours) => new Date(NOW + hours * 3_600_000)));

const world = fc
  .record({
    policies,
    groups,
    own: fc.subarray(GROUPS),
    tags: fc.subarray([...TAGS, "group0", "agent0"]),
    agentId: fc.constantFrom(...AGENTS),
    isOwnerProven: fc.boolean(),
    assigned: fc.array(
      fc.record({ policy: fc.nat(POLICIES.length - 1), target, position: fc.integer({ min: 0, max: 4 }), until }),
      { maxLength: 30 },
    ),
  })
  .map(({ policies, groups, own, tags, agentId, isOwnerProven, assigned }) => ({
    agent: { id: agentId, groups: groups.filter((group) => own.includes(group.id)), tags, isOwnerProven },
    assigned: assigned.flatMap(({ policy, target, position, until }): Assigned[] => {
      const of = policies[policy];
      return of ? [{ policy: of, ...target, position, observeUntil: until }] : [];
    }),
  }));

/** Said apart from the code: a target is what its scope makes of it. */
const reaches = ({ scope, target }: Assigned, { id, groups, tags }: AssignableAgent): boolean =>
  ({
    workspace: [null],
    tag: tags,
    group: groups.map((group) => group.id),
    sign_on_group: groups.map((group) => group.id),
    person: groups.map((group) => group.id),
    agent: [id],
  })[scope].some((one) => one === target);

describe("what is in force for an agent", () => {
  it("holds each policy once, in one revision, wherever and however often it is applied", () => {
    fc.assert(
      fc.property(world, ({ assigned, agent }) => {
        const { assignments } = resolveAssignments(assigned, agent, NOW);
        expect(new Set(assignments.map(({ policy }) => policy.id)).size).toBe(assignments.length);
        for (const { policy, revision } of assignments)
          expect([policy.liveRevision, policy.canary?.revision]).toContain(revision);
      }),
    );
  });

  it("is exactly what reaches it: nothing is left out and nothing foreign gets in", () => {
    fc.assert(
      fc.property(world, ({ assigned, agent }) => {
        const reached = assigned.filter((one) => reaches(one, agent));
        const { assignments } = resolveAssignments(assigned, agent, NOW);
        expect(new Set(assignments.map(({ policy }) => policy.id))).toEqual(
          new Set(reached.map(({ policy }) => policy.id)),
        );
      }),
    );
  });

  it("comes from wide to narrow, groups in their order, each by position and then by age, however it was stored", () => {
    fc.assert(
      fc.property(world, fc.nat(), ({ assigned, agent }, turn) => {
        const { assignments } = resolveAssignments(assigned, agent, NOW);
        const place = (policyId: string) =>
          assigned
            .filter(({ policy }) => policy.id === policyId)
            .filter((one) => reaches(one, agent))
            .map(({ scope, target, position }) => {
              const group = agent.groups.find(({ id }) => scope === "group" && id === target);
              return [SCOPES.indexOf(scope), group?.position ?? 0, target ?? "", position, policyId] as const;
            })
            .sort(lexically)[0];
        const places = assignments.map(({ policy }) => place(policy.id) ?? [9, 9, "", 9, ""]);
        expect(places).toEqual(places.toSorted(lexically));
        const turned = assigned.map((_, index) => assigned[(index + turn) % assigned.length]);
        const again = resolveAssignments(
          turned.flatMap((one) => one ?? []),
          { ...agent, groups: agent.groups.toReversed(), tags: agent.tags.toReversed() },
          NOW,
        );
        expect(again.assignments.map(({ policy }) => policy.id)).toEqual(assignments.map(({ policy }) => policy.id));
      }),
    );
  });

  it("approves calls only if one enforced way needs no owner, or the owner is proven", () => {
    fc.assert(
      fc.property(world, ({ assigned, agent }) => {
        const isOfOwner = ({ scope }: Assigned) => scope === "person" || scope === "sign_on_group";
        const isEnforced = (one: Assigned) => (one.observeUntil?.getTime() ?? 0) <= NOW;
        const { assignments } = resolveAssignments(assigned, agent, NOW);
        for (const { policy, cannotAllow } of assignments) {
          const ways = assigned.filter((one) => one.policy.id === policy.id && reaches(one, agent) && isEnforced(one));
          const grants = ways.some((one) => !isOfOwner(one) || agent.isOwnerProven);
          expect(cannotAllow).toBe(ways.length > 0 && !grants);
        }
      }),
    );
  });

  it("is enforced as soon as one way enforces it, and the next change is the first observing that ends", () => {
    fc.assert(
      fc.property(world, ({ assigned, agent }) => {
        const { assignments, changesAtMs } = resolveAssignments(assigned, agent, NOW);
        const open = (one: Assigned) => (one.observeUntil?.getTime() ?? 0) > NOW;
        const reaching = assigned.filter((one) => reaches(one, agent));
        for (const { policy, observeUntil } of assignments) {
          const ways = reaching.filter((one) => one.policy.id === policy.id);
          expect(observeUntil !== null).toBe(ways.every(open));
        }
        const ends = reaching.filter(open).map((one) => one.observeUntil?.getTime() ?? 0);
        expect(changesAtMs).toBe(ends.length === 0 ? null : Math.min(...ends));
        // At that instant, and not before, the set is another one.
        if (changesAtMs !== null) {
          const before = resolveAssignments(assigned, agent, changesAtMs - 1);
          expect(before.changesAtMs).toBe(changesAtMs);
          expect(resolveAssignments(assigned, agent, changesAtMs).changesAtMs).not.toBe(changesAtMs);
        }
      }),
    );
  });
});

it("comes by the workspace, then by tags, groups and the agent itself", () => {
  const policy = (id: string): AssignedPolicy => ({ id, name: id, liveRevision: 1, canary: null });
  const one = (id: string, scope: Assigned["scope"], target: string | null): Assigned => ({
    ...{ policy: policy(id), scope, target, position: 0, observeUntil: null },
  });
  const assigned = [
    ...[one("own", "agent", "a"), one("grouped", "group", "g"), one("tagged z", "tag", "z")],
    ...[one("tagged b", "tag", "b"), one("wide", "workspace", null), one("foreign", "tag", "c")],
  ];
  const agent = { id: "a", groups: [{ id: "g", name: "g", position: 0 }], tags: ["z", "b"], isOwnerProven: false };
  const { assignments } = resolveAssignments(assigned, agent, NOW);
  expect(assignments.map(({ policy }) => policy.name)).toEqual(["wide", "tagged b", "tagged z", "grouped", "own"]);
  expect(assignments[1]?.through).toEqual([{ scope: "tag", group: null, tag: "b" }]);
});

describe("a canary", () => {
  const agents = Array.from({ length: 2_000 }, (_, index) => `agent ${index}`);
  const inside = (share: number, policyId = "p") =>
    agents.filter((id) => isInCanary({ share, groupId: null }, policyId, id, new Set<string>()));

  it("only gains agents when its share is raised", () => {
    fc.assert(
      fc.property(
        fc.uuid(),
        fc.uuid(),
        fc.integer({ min: 0, max: 100 }),
        fc.integer({ min: 0, max: 100 }),
        (p, a, x, y) => {
          const [less, more] = [Math.min(x, y), Math.max(x, y)];
          const isIn = (share: number) => isInCanary({ share, groupId: null }, p, a, new Set<string>());
          expect(isIn(less) && !isIn(more)).toBe(false);
        },
      ),
    );
  });

  it("holds nobody at 0 %, everybody at 100 % and about as many as it says in between", () => {
    expect(inside(0)).toEqual([]);
    expect(inside(100)).toEqual(agents);
    for (const share of [5, 20, 50, 80]) expect(Math.abs(inside(share).length / 20 - share)).toBeLessThan(4);
  });

  it("is another choice of agents for another policy, so that the same few do not try everything", () => {
    const [some, others] = [inside(20, "p"), new Set(inside(20, "q"))];
    expect(some.filter((id) => others.has(id)).length).toBeLessThan(some.length / 2);
  });

  it("holds its group whatever the share", () => {
    expect(isInCanary({ share: 0, groupId: "g" }, "p", "a", new Set(["g"]))).toBe(true);
    expect(isInCanary({ share: 0, groupId: "g" }, "p", "a", new Set(["h"]))).toBe(false);
  });
});

function lexically(a: readonly (string | number)[], b: readonly (string | number)[]): number {
  for (const [index, left] of a.entries()) {
    const right = b[index] ?? "";
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}
