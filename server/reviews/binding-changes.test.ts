/** Where a policy asks for four eyes, what it binds is not one person's to change. */
import { describe, expect, it } from "vitest";
import {
  ada,
  apply,
  audited,
  bob,
  bus,
  changeDirectly,
  codeOf,
  db,
  decide,
  enterWorkspace,
  olga,
  openReviewedWorkspace,
  publish,
  request,
  scene,
  setFourEyes,
  state,
  TEXT,
  TOMORROW,
  weakenings,
  workspaceId,
} from "../../e2e/fixtures/reviewed-workspace.ts";
import * as agents from "../agents/index.ts";
import { sha256 } from "../platform/secrets.ts";
import * as policies from "../policies/index.ts";
import type { Rollout } from "../policies/schema.ts";
import { listChanges, withdrawChange } from "./binding-changes.ts";
import type { BindingRequest } from "./schema.ts";
import * as reviews from "./service.ts";
import { countWaiting } from "./views.ts";

openReviewedWorkspace();

describe("what a four-eyes policy binds", () => {
  it("is changed by nobody alone, author or admin, in none of the ways there are", async () => {
    const made = await scene();
    await setFourEyes(made.policyId, true);
    const before = await state();
    for (const change of weakenings(made))
      for (const actor of [ada, olga])
        expect(`${actor.name} ${change.kind}: ${await codeOf(changeDirectly(actor, change))}`).toBe(
          `${actor.name} ${change.kind}: review_required`,
        );
    // An earlier text is a way back to it, whether it is put in force or published again.
    expect(await codeOf(publish("guard", TEXT("monday")))).toBe("review_required");
    expect(await state()).toBe(before);
  });

  it("is changed in each of these ways once a second person agreed to exactly that, and all of it is on record", async () => {
    for (const kind of weakenings(await scene())
      .map(({ kind }) => kind)
      .keys()) {
      await enterWorkspace();
      const made = await scene();
      await setFourEyes(made.policyId, true);
      const change = weakenings(made)[kind];
      if (!change) throw new Error("no such change");
      const before = await state();
      const { changeId } = await request(change);
      expect(await codeOf(apply(changeId))).toBe("review_settled");
      expect(await codeOf(decide(changeId, ada))).toBe("second_person_needed");
      expect(await countWaiting(db(), bob)).toBe(1);
      expect(await state()).toBe(before);
      await decide(changeId);
      expect(`${change.kind}: ${await codeOf(apply(changeId))}`).toBe(`${change.kind}: done`);
      expect(await state()).not.toBe(before);
      expect(await codeOf(apply(changeId))).toBe("review_settled");
      expect((await audited("binding_change_requested")).map(({ change }) => change)).toEqual([changeId]);
      expect((await audited("binding_change_decided")).map(({ outcome }) => outcome)).toEqual(["approved", "applied"]);
    }
  }, 120_000);

  it("ends its canary by two people as well, taken back or promoted", async () => {
    const { policyId } = await scene();
    const canary = { policyId, revision: 1, share: 100, groupId: null, expectedCanary: null };
    await policies.setCanary(db(), bus, olga, canary);
    await setFourEyes(policyId, true);
    for (const outcome of ["abandoned", "promoted"] as const)
      expect(await codeOf(policies.endCanary(db(), bus, olga, { policyId, revision: 1, outcome }))).toBe(
        "review_required",
      );
  });

  it("takes a new text in for some first by one person, but not out of a canary that is under way", async () => {
    const { policyId } = await scene();
    await policies.setCanary(db(), bus, olga, {
      policyId,
      revision: 1,
      share: 100,
      groupId: null,
      expectedCanary: null,
    });
    await setFourEyes(policyId, true);
    const { latestRevision, draftVersion } = await policies.get(db(), workspaceId, policyId);
    const text = { policyId, source: TEXT("next"), baseVersion: draftVersion, baseRevision: latestRevision };
    const { version } = await policies.saveDraft(db(), bus, olga, text);
    const { reviewId } = await reviews.request(db(), bus, olga, { policyId, draftVersion: version, note: "" });
    const hash = sha256(TEXT("next")).toString("hex");
    await reviews.decide(db(), bus, bob, { reviewId, sha256: hash, outcome: "approved", comment: "" });
    const to = (rollout: Rollout) =>
      policies.publish(
        db(),
        bus,
        olga,
        { policyId, source: TEXT("next"), note: "", baseRevision: latestRevision, draftVersion: version, rollout },
        policies.NO_CASES,
      );
    expect(await codeOf(to({ kind: "canary", share: 100, groupId: null }))).toBe("review_required");
    expect(await policies.get(db(), workspaceId, policyId)).toMatchObject({ latestRevision, canary: { revision: 1 } });
    const ended = { kind: "end_canary", input: { policyId, revision: 1, outcome: "abandoned" } } as const;
    const { changeId } = await request(ended, olga);
    await decide(changeId);
    await apply(changeId, olga);
    await to({ kind: "canary", share: 100, groupId: null });
    const after = await policies.get(db(), workspaceId, policyId);
    expect(after).toMatchObject({ latestRevision: latestRevision + 1, canary: { revision: latestRevision + 1 } });
  });

  it("is made stricter by one person: enforced at once, applied to more", async () => {
    const { policyId, groupId, otherGroupId, agentIds } = await scene();
    await policies.observe(db(), bus, olga, { policyId, until: TOMORROW });
    await setFourEyes(policyId, true);
    await policies.observe(db(), bus, ada, { policyId, until: null });
    const wider = {
      policyId,
      scope: "chosen",
      groupIds: [groupId, otherGroupId],
      agentIds: [agentIds[0] ?? ""],
    } as const;
    await policies.assign(db(), bus, ada, { ...wider, groupIds: [...wider.groupIds], agentIds: [...wider.agentIds] });
    expect(await codeOf(request({ kind: "observe", input: { policyId, until: null } }))).toBe("invalid_input");
  });

  it("an approval is for the state it was given in: what changed since is asked for again", async () => {
    const { policyId, otherGroupId, groupId, agentIds } = await scene();
    await setFourEyes(policyId, true);
    const { changeId } = await request({ kind: "roll_back", input: { policyId, number: 1, expectedLive: 2 } });
    await decide(changeId);
    const wider = {
      policyId,
      scope: "chosen" as const,
      groupIds: [groupId, otherGroupId],
      agentIds: agentIds.slice(0, 1),
    };
    await policies.assign(db(), bus, ada, wider);
    expect(await codeOf(apply(changeId))).toBe("policy_moved_on");
    await withdrawChange(db(), bus, ada, { changeId });
    expect(await codeOf(decide(changeId))).toBe("review_settled");
  });

  it("loses an agent by its tags with a second person alone, who agreed to exactly the agents that have them", async () => {
    const {
      policyId,
      agentIds: [agentId = "", other = ""],
    } = await scene();
    await agents.setTags(db(), bus, olga, { agentId, tags: ["prod"] });
    await policies.assign(db(), bus, olga, { policyId, scope: "chosen", tags: ["prod"], groupIds: [], agentIds: [] });
    await setFourEyes(policyId, true);
    const untag: BindingRequest = { kind: "set_agent_tags", input: { agentId, tags: [] } };
    expect(await codeOf(changeDirectly(olga, untag))).toBe("review_required");
    // An author may publish, and may not write agents.
    expect(await codeOf(request(untag, ada))).toBe("forbidden");
    const { changeId: outdated } = await request(untag, olga);
    await decide(outdated);
    await agents.setTags(db(), bus, olga, { agentId: other, tags: ["prod"] });
    expect(await codeOf(apply(outdated, olga))).toBe("policy_moved_on");
    const { changeId } = await request(untag, olga);
    await decide(changeId);
    expect(await codeOf(apply(changeId, olga))).toBe("done");
    expect((await policies.get(db(), workspaceId, policyId)).bound).toBe(1);
  });

  it("what was declined is not made, and a request is taken back by who made it alone", async () => {
    const { policyId } = await scene();
    await setFourEyes(policyId, true);
    const { changeId } = await request({ kind: "remove", input: { policyId } });
    expect(await codeOf(withdrawChange(db(), bus, olga, { changeId }))).toBe("second_person_needed");
    await decide(changeId, bob, "declined");
    expect(await codeOf(apply(changeId))).toBe("review_settled");
    // The person who asked sees who declined it; the others have nothing to do with it any more.
    expect(await listChanges(db(), ada)).toMatchObject([{ id: changeId, state: "declined", decidedName: "Bob" }]);
    expect(await listChanges(db(), olga)).toEqual([]);
    await db().pool.query("UPDATE binding_change SET decided_at = now() - interval '8 days' WHERE id = $1", [changeId]);
    expect(await listChanges(db(), ada)).toEqual([]);
  });
});
