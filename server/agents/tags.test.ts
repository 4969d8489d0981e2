/** Tags as targets of assignments: what an agent gets by its tags, who may give it some, and machines that join with them. */
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { codeOf, inHours, policyWorkspace } from "../../e2e/fixtures/policy-workspace.ts";
import type { Administrator } from "../access/actor.ts";
import { assignmentTarget, assignPolicy } from "../policies/assignments/assignment-schema.ts";
import * as policies from "../policies/index.ts";
import { createEnrolmentToken, joinRequest } from "./enrolment-token-schema.ts";
import * as enrolmentTokens from "./enrolment-tokens.ts";
import * as fleet from "./fleet.ts";
import { join } from "./join.ts";
import { searchAgents } from "./schema.ts";
import { setTags } from "./tags.ts";

const { scene, newAgent, newGroup, get, names, entries, publish } = policyWorkspace();

const tag = (agentId: string, tags: string[], actor: Administrator = scene.admin) =>
  setTags(scene.at.database, scene.bus, actor, { agentId, tags });
const assignTo = (policyId: string, targets: { tags?: string[]; groupIds?: string[]; agentIds?: string[] }) => {
  const input = assignPolicy.parse({ policyId, scope: "chosen", ...targets });
  return policies.assign(scene.at.database, scene.bus, scene.admin, input);
};
const explain = (agentId: string) => policies.explainAgent(scene.at.database, scene.admin.workspaceId, agentId);

describe("a policy that is applied to a tag", () => {
  it("binds the agents that have it, from the moment they have it until they lose it", async () => {
    const [one, two] = [await newAgent("one"), await newAgent("two")];
    const { id } = await publish("guard", "deny");
    await assignTo(id, { tags: ["prod"] });
    expect([await names(one), (await get(id)).bound]).toEqual([[], 0]);
    await tag(one, ["prod", "payments"]);
    expect([await names(one), await names(two)]).toEqual([["guard r1"], []]);
    expect(await get(id)).toMatchObject({ scope: "chosen", tags: ["prod"], groups: [], agents: [], bound: 1 });
    await tag(one, ["payments"]);
    expect(await names(one)).toEqual([]);
  });

  it("comes after the workspace's and before those of groups and of the agent itself, and the agent's page says by which way", async () => {
    const agent = await newAgent("ordered");
    const group = await newGroup("g", [agent]);
    const ids: Record<string, string> = {};
    for (const name of ["own", "grouped", "zebra", "apple", "wide"]) ids[name] = (await publish(name, "deny")).id;
    await assignTo(ids.own ?? "", { agentIds: [agent] });
    await assignTo(ids.grouped ?? "", { groupIds: [group] });
    await assignTo(ids.zebra ?? "", { tags: ["z"] });
    await assignTo(ids.apple ?? "", { tags: ["a"] });
    await tag(agent, ["z", "a"]);
    expect(await names(agent)).toEqual(["wide r1", "apple r1", "zebra r1", "grouped r1", "own r1"]);
    const { policies: found } = await explain(agent);
    expect(found[1]?.through).toEqual([{ scope: "tag", group: null, tag: "a" }]);
    const stranger = await newAgent("stranger");
    expect((await explain(stranger)).others.find(({ name }) => name === "zebra")).toMatchObject({ tags: ["z"] });
  });

  it("is ordered, observed and named in the record by its tag", async () => {
    const agent = await newAgent("one");
    await tag(agent, ["prod"]);
    const [first, second] = [(await publish("first", "deny")).id, (await publish("second", "deny")).id];
    for (const id of [first, second]) await assignTo(id, { tags: ["prod", "stage"] });
    const target = assignmentTarget.parse({ scope: "tag", targetId: null, tag: "prod" });
    const world = [scene.at.database, scene.bus, scene.admin] as const;
    await policies.reorder(...world, { ...target, policyIds: [second, first] });
    expect(await names(agent)).toEqual(["second r1", "first r1"]);
    await policies.observe(...world, { policyId: second, until: inHours(1), targets: [target] });
    expect(await names(agent)).toEqual(["first r1"]);
    const bodies = (await entries()).map(({ body }) => JSON.parse(body));
    expect(bodies.find(({ kind }) => kind === "policies_ordered")).toMatchObject({ scope: "tag", target: "prod" });
    expect(bodies.find(({ kind }) => kind === "policy_observed").assignments).toEqual(["tag prod"]);
    expect(bodies.filter(({ kind }) => kind === "policy_assigned").at(-1)).toMatchObject({
      ...{ version: 4, tags: ["prod", "stage"], groups: [], agents: [] },
    });
  });

  it("counts in a canary's reach, and nothing is said of a target that does not exist", async () => {
    const [one] = [await newAgent("one"), await newAgent("two")];
    const { id } = await publish("guard", "deny");
    await tag(one, ["prod"]);
    await assignTo(id, { tags: ["prod"] });
    const reached = (share: number) =>
      policies.canaryAgents(scene.at.database, scene.admin.workspaceId, { policyId: id, share, groupId: null });
    const { smallestShare, ...all } = await reached(100);
    expect(all).toEqual({ bound: 1, inside: 1, names: ["one"] });
    expect(await reached(smallestShare ?? 0)).toMatchObject({ inside: 1 });
    expect(await policies.boundAgents(scene.at.database, scene.admin.workspaceId, await get(id))).toEqual([one]);
    for (const wrong of [
      { scope: "tag", targetId: null },
      { scope: "workspace", targetId: null, tag: "prod" },
    ])
      expect(assignmentTarget.safeParse(wrong).success).toBe(false);
    for (const text of ["", "a,b", "a+b", "x".repeat(41), "a\nb"])
      expect(assignPolicy.safeParse({ policyId: id, scope: "chosen", tags: [text] }).success).toBe(false);
  });

  it("is found in the list by what it governs, as resolving finds it", async () => {
    const [one] = [await newAgent("one"), await newAgent("two")];
    const { id } = await publish("guard", "deny");
    await tag(one, ["prod"]);
    await assignTo(id, { tags: ["prod"] });
    const find = async (filter: object) =>
      (await fleet.search(scene.at.database, scene.admin.workspaceId, searchAgents.parse(filter))).rows.map(
        ({ name }) => name,
      );
    expect(await find({ policies: ["guard"] })).toEqual(["one"]);
    expect(await find({ policies: ["none"] })).toEqual(["two"]);
    expect(await find({ tags: ["prod"] })).toEqual(["one"]);
    expect((await fleet.counts(scene.at.database, scene.admin.workspaceId)).withoutPolicy).toBe(1);
  });
});

describe("an agent's tags", () => {
  const member = (role: "admin" | "viewer"): Administrator => ({
    ...{ kind: "service", role, workspaceId: scene.admin.workspaceId, id: randomUUID(), name: "deploy" },
  });

  it("change while the workspace is frozen only where no policy is applied to them", async () => {
    const agent = await newAgent("one");
    const { id } = await publish("guard", "deny");
    await assignTo(id, { tags: ["prod"] });
    await policies.freeze(scene.at.database, scene.bus, scene.admin, { reason: "a release" });
    await tag(agent, ["payments"]);
    expect(await codeOf(tag(agent, ["payments", "prod"]))).toBe("workspace_frozen");
    expect(await names(agent)).toEqual([]);
    const token = createEnrolmentToken.parse({ name: "ci", uses: 1, hours: 1, tags: ["prod"] });
    expect(await codeOf(enrolmentTokens.createEnrolmentToken(scene.at.database, scene.bus, scene.admin, token))).toBe(
      "workspace_frozen",
    );
  });

  it("that a policy with four eyes is applied to are not one person's to take", async () => {
    const agent = await newAgent("one");
    const { id } = await publish("guard", "deny");
    await tag(agent, ["prod"]);
    await assignTo(id, { tags: ["prod"] });
    await scene.at.database.pool.query("UPDATE policy SET four_eyes = true WHERE id = $1", [id]);
    expect(await codeOf(tag(agent, [], member("admin")))).toBe("review_required");
    expect(await codeOf(tag(agent, [], member("viewer")))).toBe("forbidden");
    expect(await names(agent)).toEqual(["guard r1"]);
    // Other tags are free, and a tag binds more by being given.
    await tag(agent, ["prod", "payments"], member("admin"));
    const other = await newAgent("two");
    await tag(other, ["prod"], member("admin"));
    expect(await names(other)).toEqual(["guard r1"]);
  });

  it("come with the token that a machine joins with, and so do their policies", async () => {
    const { id } = await publish("guard", "deny");
    await assignTo(id, { tags: ["ci"] });
    const input = createEnrolmentToken.parse({ name: "runners", uses: 2, hours: 1, tags: ["ci", "payments", "ci"] });
    const { token, tokenId } = await enrolmentTokens.createEnrolmentToken(
      scene.at.database,
      scene.bus,
      scene.admin,
      input,
    );
    const name = joinRequest.parse({ name: "runner 1" });
    const joined = await join(scene.at.database, scene.bus, token, name);
    expect(await names(joined.agent_id)).toEqual(["guard r1"]);
    const [row] = (await enrolmentTokens.enrolmentTokens(scene.at.database, scene.admin.workspaceId)).filter(
      (one) => one.id === tokenId,
    );
    expect(row?.tags).toEqual(["ci", "payments"]);
    const bodies = (await entries()).map(({ body }) => JSON.parse(body));
    expect(bodies.find(({ kind }) => kind === "enrolment_token_created")).toMatchObject({
      ...{ version: 3, tags: ["ci", "payments"], owner: null },
    });
    expect(bodies.find(({ kind }) => kind === "agent_tagged")).toMatchObject({
      ...{ agent: joined.agent_id, tags: ["ci", "payments"] },
    });
  });
});
