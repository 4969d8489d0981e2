/** A second person is a second person; the way past one is an admin's own, and leaves its trace. */
import { describe, expect, it } from "vitest";
import {
  ada,
  audited,
  bob,
  bus,
  changeDirectly,
  codeOf,
  db,
  decide,
  inEmergency,
  olga,
  openReviewedWorkspace,
  person,
  request,
  scene,
  setFourEyes,
  state,
  TEXT,
  TOMORROW,
  workspaceId,
} from "../../e2e/fixtures/reviewed-workspace.ts";
import type { Administrator } from "../access/actor.ts";
import * as agents from "../agents/index.ts";
import { uuidv7 } from "../platform/ids.ts";
import { sha256 } from "../platform/secrets.ts";
import * as policies from "../policies/index.ts";
import { listChanges } from "./binding-changes.ts";
import type { BindingRequest } from "./schema.ts";
import * as reviews from "./service.ts";
import { countWaiting } from "./views.ts";

const COMMANDS = 'hooks:\n  session_start:\n    - { type: command, command: "true" }\n';

openReviewedWorkspace();

describe("the emergency path", () => {
  it("is an admin's own: the change is made at once, with an entry and a notice of its own", async () => {
    const { policyId } = await scene();
    await setFourEyes(policyId, true);
    await db().prisma.webhook.create({
      data: { ...WEBHOOK, workspaceId, id: uuidv7(), kinds: ["four_eyes.overridden"] },
    });
    const change: BindingRequest = { kind: "roll_back", input: { policyId, number: 1, expectedLive: 2 } };
    await inEmergency(change, olga);
    expect((await policies.get(db(), workspaceId, policyId)).liveRevision).toBe(1);
    const reason = "it denies every deploy";
    expect(await audited("four_eyes_overridden")).toMatchObject([{ by: olga.id, policies: [policyId], reason }]);
    expect(await listChanges(db(), bob)).toMatchObject([
      { state: "emergency", policyIds: [policyId], requestedName: "Olga", note: reason },
    ]);
    const told = await db().pool.query("SELECT kind, body FROM webhook_delivery WHERE workspace_id = $1", [
      workspaceId,
    ]);
    expect(told.rows.map(({ kind }) => kind)).toEqual(["four_eyes.overridden"]);
    expect(told.rows[0].body).toContain(reason);
  });

  it("is closed to authors, scripts and service accounts, and nothing has changed", async () => {
    const { policyId } = await scene();
    await setFourEyes(policyId, true);
    const before = await state();
    const change: BindingRequest = { kind: "remove", input: { policyId } };
    const script: Administrator = { kind: "script", workspaceId, id: "admin-token", name: "admin token" };
    const service: Administrator = { kind: "service", role: "admin", workspaceId, id: uuidv7(), name: "ci" };
    expect(await codeOf(inEmergency(change, ada))).toBe("forbidden");
    expect(await codeOf(inEmergency(change, script))).toBe("second_person_needed");
    expect(await codeOf(inEmergency(change, service))).toBe("second_person_needed");
    expect(await state()).toBe(before);
    expect(await audited("four_eyes_overridden")).toEqual([]);
  });
});

/** A webhook's row, of which only the kinds matter here. */
const WEBHOOK = {
  ...{ url: "https://example.org/hook", secret: new Uint8Array(1), secretSetAt: new Date(), updatedBy: "Olga" },
  isEnabled: true,
};

describe("a second person", () => {
  async function asked(by: Administrator): Promise<string> {
    const { policyId } = await scene();
    await setFourEyes(policyId, true);
    return (await request({ kind: "observe", input: { policyId, until: TOMORROW } }, by)).changeId;
  }

  it("is nobody whose account the first one made by a link, unless the address is proven", async () => {
    const madeUp = await person("Made up", "approver", { invitedBy: olga });
    const helper = await person("Made up by the made up", "admin", { invitedBy: madeUp });
    const proven = await person("Real", "approver", { invitedBy: olga, isProven: true });
    const changeId = await asked(olga);
    expect(await codeOf(decide(changeId, madeUp))).toBe("second_person_needed");
    expect(await codeOf(decide(changeId, helper))).toBe("second_person_needed");
    expect(await codeOf(decide(changeId, proven))).toBe("done");
  });

  it("is not the first one, who asked under a made-up name, nor another name of the same maker", async () => {
    const madeUp = await person("Made up", "author", { invitedBy: olga });
    const other = await person("Made up too", "approver", { invitedBy: olga });
    const changeId = await asked(madeUp);
    expect(await codeOf(decide(changeId, olga))).toBe("second_person_needed");
    expect(await codeOf(decide(changeId, other))).toBe("second_person_needed");
    expect(await codeOf(decide(changeId, bob))).toBe("done");
  });

  it("is not who made the token of the service account that asked, also when the account is gone", async () => {
    const serviceId = uuidv7();
    const token = { id: uuidv7(), tokenSha256: new Uint8Array(sha256(serviceId)), hint: "", expiresAt: TOMORROW };
    await db().prisma.serviceAccount.create({ data: { workspaceId, id: serviceId, name: "ci", role: "author" } });
    await db().prisma.serviceToken.create({
      data: { workspaceId, accountId: serviceId, ...token, createdById: olga.id },
    });
    const changeId = await asked({ kind: "service", role: "author", workspaceId, id: serviceId, name: "ci" });
    expect(await codeOf(decide(changeId, olga))).toBe("second_person_needed");
    await db().prisma.serviceAccount.deleteMany({ where: { id: serviceId } });
    expect(await codeOf(decide(changeId, olga))).toBe("second_person_needed");
  });

  it("was here before: who joins after something was sent does not decide it", async () => {
    const changeId = await asked(olga);
    const late = await person("Late", "approver", { isProven: true });
    expect(await codeOf(decide(changeId, late))).toBe("second_person_needed");
  });

  it("is asked for texts and for switching four eyes off in the same way", async () => {
    const { policyId } = await scene();
    await setFourEyes(policyId, true);
    const madeUp = await person("Made up", "admin", { invitedBy: olga });
    const { latestRevision, draftVersion } = await policies.get(db(), workspaceId, policyId);
    const text = { policyId, source: TEXT("weaker"), baseVersion: draftVersion, baseRevision: latestRevision };
    const { version } = await policies.saveDraft(db(), bus, olga, text);
    const { reviewId } = await reviews.request(db(), bus, olga, { policyId, draftVersion: version, note: "" });
    const word = {
      reviewId,
      sha256: sha256(TEXT("weaker")).toString("hex"),
      outcome: "approved" as const,
      comment: "",
    };
    expect(await codeOf(reviews.decide(db(), bus, madeUp, word))).toBe("second_person_needed");
    expect(await countWaiting(db(), madeUp)).toBe(0);
    await setFourEyes(policyId, false);
    expect(await codeOf(setFourEyes(policyId, false, madeUp))).toBe("second_person_needed");
    await reviews.decide(db(), bus, bob, word);
  });
});

describe("a revision with commands", () => {
  it("is brought into force by those who may publish it, in every way, four eyes or not", async () => {
    const made = await scene((day) => `# ${day}\n${COMMANDS}`);
    const { policyId, groupId, otherGroupId, otherId, agentIds } = made;
    await policies.observe(db(), bus, olga, { policyId, until: TOMORROW });
    const brings: BindingRequest[] = [
      { kind: "assign", input: { policyId, scope: "workspace", groupIds: [], agentIds: [] } },
      { kind: "roll_back", input: { policyId, number: 1, expectedLive: 2 } },
      { kind: "set_canary", input: { policyId, revision: 1, share: 1, groupId: null, expectedCanary: null } },
      { kind: "observe", input: { policyId, until: null } },
      { kind: "observe", input: { policyId, until: TOMORROW } },
      { kind: "reorder", input: { scope: "group", targetId: groupId, policyIds: [otherId, policyId] } },
      { kind: "order_groups", input: { groupIds: [otherGroupId, groupId] } },
    ];
    const before = await state();
    for (const change of brings)
      expect(`${change.kind}: ${await codeOf(changeDirectly(ada, change))}`).toBe(`${change.kind}: forbidden`);
    const { agentId } = await agents.create(db(), bus, olga, { name: "three" });
    const joined: BindingRequest = { kind: "set_group_members", input: { groupId, agentIds: [...agentIds, agentId] } };
    expect(await codeOf(changeDirectly(ada, joined))).toBe("forbidden");
    expect(await state()).toBe(before);
    await policies.setCanary(db(), bus, olga, {
      policyId,
      revision: 1,
      share: 100,
      groupId: null,
      expectedCanary: null,
    });
    expect(
      await codeOf(changeDirectly(ada, { kind: "end_canary", input: { policyId, revision: 1, outcome: "promoted" } })),
    ).toBe("forbidden");
    // A change that takes a revision away from agents does not bring it into force.
    await changeDirectly(ada, { kind: "end_canary", input: { policyId, revision: 1, outcome: "abandoned" } });
    await changeDirectly(ada, { kind: "assign", input: { policyId, scope: "nobody", groupIds: [], agentIds: [] } });
  });
});
