import { describe, expect, it } from "vitest";
import { codeOf, HOOKS, inHours, policyWorkspace } from "../../../e2e/fixtures/policy-workspace.ts";
import * as agents from "../../agents/index.ts";
import { reorder } from "../assignments/priority.ts";
import { explainAgent } from "../effective/explain-agent.ts";
import { endCanary, setCanary } from "../rollout/canary.ts";
import * as policies from "../service.ts";
import { saveDraft } from "../text/draft.ts";
import * as freezes from "./freeze.ts";

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

describe("a freeze", () => {
  const freeze = () => freezes.freeze(scene.at.database, scene.bus, scene.admin, { reason: "release week" });

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
      setCanary(scene.at.database, scene.bus, scene.admin, canary),
      endCanary(scene.at.database, scene.bus, scene.admin, { policyId: id, revision: 1, outcome: "promoted" }),
      assign(id, "nobody"),
      observe(id, inHours(1)),
      reorder(scene.at.database, scene.bus, scene.admin, target),
      policies.remove(scene.at.database, scene.bus, scene.admin, id),
      agents.setGroupMembers(scene.at.database, scene.bus, scene.admin, { groupId: group, agentIds: [] }),
      agents.orderGroups(scene.at.database, scene.bus, scene.admin, { groupIds: [group] }),
      agents.deleteGroup(scene.at.database, scene.bus, scene.admin, { groupId: group }),
      freeze(),
    ];
    const codes = await Promise.all(changes.map(codeOf));
    expect(new Set(codes)).toEqual(new Set(["workspace_frozen"]));
    await expect(publish("p", "c")).rejects.toThrow(/frozen by Ada since 20.* UTC: release week\. /);
    expect(await effective(agent)).toEqual(before);
    const { draftVersion, latestRevision } = await get(id);
    const draft = { policyId: id, source: HOOKS("draft"), baseVersion: draftVersion, baseRevision: latestRevision };
    await saveDraft(scene.at.database, scene.bus, scene.admin, draft);
    expect(await get(id)).toMatchObject({ source: HOOKS("draft"), latestRevision: 2 });
    await freezes.unfreeze(scene.at.database, scene.bus, scene.admin);
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
    await endCanary(scene.at.database, scene.bus, scene.admin, {
      policyId: id,
      revision: 3,
      outcome: "abandoned",
      duringFreeze: "denies every deploy",
    });
    expect(await names(agent)).toEqual(["p r2"]);
    await rollBack(id, 1, 2, "also denies deploys");
    expect(await names(agent)).toEqual(["p r1"]);
    expect(await lastEntry()).toMatchObject({ kind: "policy_rolled_back", duringFreeze: "also denies deploys" });
    expect(await freezes.frozen(scene.at.database, scene.admin.workspaceId)).toMatchObject({
      by: "Ada",
      reason: "release week",
    });
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
    scene.admin = await newWorkspace();
    expect(await codeOf(publish("p", "a"))).toBe("nothing was thrown");
    expect(await freezes.frozen(scene.at.database, scene.admin.workspaceId)).toBeNull();
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
    const draft = await policies.create(scene.at.database, scene.bus, scene.admin, { name: "draft" });
    await assign(draft.policyId, "chosen", [], [one]);
    await observe(wide.id, inHours(2));
    const told = await explainAgent(scene.at.database, scene.admin.workspaceId, one);
    expect(told.policies.map(({ name, state, through }) => [name, state, through.map((way) => way.scope)])).toEqual([
      ["wide", "observed", ["workspace"]],
      ["grouped", "enforced", ["group", "agent"]],
      ["draft", "unpublished", ["agent"]],
    ]);
    expect(told.groups).toEqual([{ id: group, name: "g" }]);
    expect(told.others).toMatchObject([{ name: "foreign", isApplied: true }]);
    const ours = scene.admin;
    scene.admin = await newWorkspace();
    expect(await codeOf(explainAgent(scene.at.database, scene.admin.workspaceId, one))).toBe("agent_not_found");
    scene.admin = ours;
  });
});
