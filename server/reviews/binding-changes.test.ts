/** Where a policy asks for four eyes, what it binds is not one person's to change; and a second person is a second person. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import type { Administrator, PersonActor } from "../access/actor.ts";
import type { Role } from "../access/role-schema.ts";
import * as agents from "../agents/service.ts";
import { AppError } from "../errors/app-error.ts";
import { type Bus, createBus } from "../live/service.ts";
import { insertMembership, insertPerson } from "../people/repository.ts";
import { uuidv7 } from "../platform/ids.ts";
import { log } from "../platform/log.ts";
import { sha256 } from "../platform/secrets.ts";
import type { Rollout } from "../policies/schema.ts";
import * as policies from "../policies/service.ts";
import type { BindingRequest } from "./schema.ts";
import * as reviews from "./service.ts";

const TEXT = (day: string) => `# ${day}\nhooks:\n  session_start:\n    - { type: builtin, command: add_date }\n`;
const COMMANDS = 'hooks:\n  session_start:\n    - { type: command, command: "true" }\n';

let at: TestDatabase;
let bus: Bus;
let workspaceId: string;
/** Writes and publishes; an admin; and the second person. */
let ada: PersonActor;
let olga: PersonActor;
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
  workspaceId = uuidv7();
  await at.database.prisma.workspace.create({ data: { id: workspaceId, name: "test" } });
  await at.database.pool.query("INSERT INTO audit_head (workspace_id) VALUES ($1)", [workspaceId]);
  [ada, olga, bob] = [await person("Ada", "author"), await person("Olga", "admin"), await person("Bob", "approver")];
});

interface Origin {
  readonly invitedBy?: Administrator;
  readonly isProven?: boolean;
}
async function person(name: string, role: Role, { invitedBy, isProven = false }: Origin = {}): Promise<PersonActor> {
  const id = uuidv7();
  await insertPerson(at.database.prisma, { id, name, emailVerified: isProven });
  await insertMembership(at.database.prisma, workspaceId, id, role, invitedBy?.id ?? null);
  return { kind: "person", role, workspaceId, id, name };
}

const db = () => at.database;
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );
const publish = (name: string, source: string, by: Administrator = olga) =>
  policies.publishByName(db(), bus, by, { name, source, note: "" }, policies.NO_CASES);
const setFourEyes = (policyId: string, isOn: boolean, by: Administrator = olga) =>
  reviews.setFourEyes(db(), bus, by, { policyId, isOn });
const audited = async (kind: string) =>
  (
    await db().pool.query<{ body: string }>(
      "SELECT body FROM audit_entry WHERE workspace_id = $1 AND kind = $2 ORDER BY seq",
      [workspaceId, kind],
    )
  ).rows.map(({ body }) => JSON.parse(body) as Record<string, unknown>);

/** A policy of two revisions, applied to the workspace and to a group of two agents, with another one beside it. */
async function scene(source: (day: string) => string = TEXT) {
  const agentIds = [
    (await agents.create(db(), bus, olga, { name: "one" })).agentId,
    (await agents.create(db(), bus, olga, { name: "two" })).agentId,
  ];
  const { groupId } = await agents.createGroup(db(), bus, olga, { name: "first" });
  const { groupId: otherGroupId } = await agents.createGroup(db(), bus, olga, { name: "second" });
  await agents.setGroupMembers(db(), bus, olga, { groupId, agentIds });
  await publish("guard", source("monday"));
  const { policyId } = await publish("guard", source("tuesday"));
  const { policyId: otherId } = await publish("other", TEXT("other"));
  await policies.assign(db(), bus, olga, {
    policyId,
    scope: "chosen",
    groupIds: [groupId],
    agentIds: [agentIds[0] ?? ""],
  });
  await policies.assign(db(), bus, olga, {
    policyId: otherId,
    scope: "chosen",
    groupIds: [groupId, otherGroupId],
    agentIds: [],
  });
  return { policyId, otherId, groupId, otherGroupId, agentIds };
}
type Scene = Awaited<ReturnType<typeof scene>>;

const TOMORROW = new Date(Date.now() + 24 * 3_600_000);
const weakenings = ({ policyId, otherId, groupId, otherGroupId, agentIds }: Scene): BindingRequest[] => [
  { kind: "assign", input: { policyId, scope: "nobody", groupIds: [], agentIds: [] } },
  { kind: "assign", input: { policyId, scope: "chosen", groupIds: [], agentIds } },
  { kind: "observe", input: { policyId, until: TOMORROW } },
  { kind: "roll_back", input: { policyId, number: 1, expectedLive: 2 } },
  { kind: "set_canary", input: { policyId, revision: 1, share: 100, groupId: null, expectedCanary: null } },
  { kind: "remove", input: { policyId } },
  { kind: "reorder", input: { scope: "group", targetId: groupId, policyIds: [otherId, policyId] } },
  { kind: "set_group_members", input: { groupId, agentIds: [] } },
  { kind: "set_group_members", input: { groupId, namePattern: "nobody-*" } },
  { kind: "order_groups", input: { groupIds: [otherGroupId, groupId] } },
];

/** By a person's own permission, as the pages ask first. */
function alone(actor: Administrator, { kind, input }: BindingRequest): Promise<unknown> {
  switch (kind) {
    case "assign":
      return policies.assign(db(), bus, actor, input);
    case "roll_back":
      return policies.rollBack(db(), bus, actor, input);
    case "set_canary":
      return policies.setCanary(db(), bus, actor, input);
    case "end_canary":
      return policies.endCanary(db(), bus, actor, input);
    case "observe":
      return policies.observe(db(), bus, actor, input);
    case "reorder":
      return policies.reorder(db(), bus, actor, input);
    case "remove":
      return policies.remove(db(), bus, actor, input.policyId);
    case "set_group_members":
      return agents.setGroupMembers(db(), bus, actor, input);
    case "order_groups":
      return agents.orderGroups(db(), bus, actor, input);
  }
}
const request = (change: BindingRequest, by: Administrator = ada) =>
  reviews.requestChange(db(), bus, by, { change, note: "because" });
const decide = (changeId: string, by: Administrator = bob, outcome: "approved" | "declined" = "approved") =>
  reviews.decideChange(db(), bus, by, { changeId, outcome });
const apply = (changeId: string, by: Administrator = ada) => reviews.applyChange(db(), bus, by, { changeId });
const inEmergency = (change: BindingRequest, by: Administrator, reason = "it denies every deploy") =>
  reviews.changeInEmergency(db(), bus, by, { change, reason });

/** Everything that binds, as text. */
async function state(): Promise<string> {
  const tables = ["policy", "assignment", "agent_group", "agent_group_member"];
  const rows = await Promise.all(
    tables.map((table) =>
      db().pool.query(`SELECT t::text FROM ${table} t WHERE workspace_id = $1 ORDER BY 1`, [workspaceId]),
    ),
  );
  return JSON.stringify(rows.map((found) => found.rows));
}

describe("what a four-eyes policy binds", () => {
  it("is changed by nobody alone, author or admin, in none of the ways there are", async () => {
    const made = await scene();
    await setFourEyes(made.policyId, true);
    const before = await state();
    for (const change of weakenings(made))
      for (const actor of [ada, olga])
        expect(`${actor.name} ${change.kind}: ${await codeOf(alone(actor, change))}`).toBe(
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
      workspaceId = uuidv7();
      await at.database.prisma.workspace.create({ data: { id: workspaceId, name: "test" } });
      await at.database.pool.query("INSERT INTO audit_head (workspace_id) VALUES ($1)", [workspaceId]);
      [ada, olga, bob] = [
        await person("Ada", "author"),
        await person("Olga", "admin"),
        await person("Bob", "approver"),
      ];
      const made = await scene();
      await setFourEyes(made.policyId, true);
      const change = weakenings(made)[kind];
      if (!change) throw new Error("no such change");
      const before = await state();
      const { changeId } = await request(change);
      expect(await codeOf(apply(changeId))).toBe("review_settled");
      expect(await codeOf(decide(changeId, ada))).toBe("second_person_needed");
      expect(await reviews.countWaiting(db(), bob)).toBe(1);
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
    await reviews.withdrawChange(db(), bus, ada, { changeId });
    expect(await codeOf(decide(changeId))).toBe("review_settled");
  });

  it("what was declined is not made, and a request is taken back by who made it alone", async () => {
    const { policyId } = await scene();
    await setFourEyes(policyId, true);
    const { changeId } = await request({ kind: "remove", input: { policyId } });
    expect(await codeOf(reviews.withdrawChange(db(), bus, olga, { changeId }))).toBe("second_person_needed");
    await decide(changeId, bob, "declined");
    expect(await codeOf(apply(changeId))).toBe("review_settled");
    // The person who asked sees who declined it; the others have nothing to do with it any more.
    expect(await reviews.listChanges(db(), ada)).toMatchObject([
      { id: changeId, state: "declined", decidedName: "Bob" },
    ]);
    expect(await reviews.listChanges(db(), olga)).toEqual([]);
    await db().pool.query("UPDATE binding_change SET decided_at = now() - interval '8 days' WHERE id = $1", [changeId]);
    expect(await reviews.listChanges(db(), ada)).toEqual([]);
  });
});

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
    expect(await reviews.listChanges(db(), bob)).toMatchObject([
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
    expect(await reviews.countWaiting(db(), madeUp)).toBe(0);
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
      expect(`${change.kind}: ${await codeOf(alone(ada, change))}`).toBe(`${change.kind}: forbidden`);
    const { agentId } = await agents.create(db(), bus, olga, { name: "three" });
    const joined: BindingRequest = { kind: "set_group_members", input: { groupId, agentIds: [...agentIds, agentId] } };
    expect(await codeOf(alone(ada, joined))).toBe("forbidden");
    expect(await state()).toBe(before);
    await policies.setCanary(db(), bus, olga, {
      policyId,
      revision: 1,
      share: 100,
      groupId: null,
      expectedCanary: null,
    });
    expect(
      await codeOf(alone(ada, { kind: "end_canary", input: { policyId, revision: 1, outcome: "promoted" } })),
    ).toBe("forbidden");
    // A change that takes a revision away from agents does not bring it into force.
    await alone(ada, { kind: "end_canary", input: { policyId, revision: 1, outcome: "abandoned" } });
    await alone(ada, { kind: "assign", input: { policyId, scope: "nobody", groupIds: [], agentIds: [] } });
  });
});
