import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import type { Administrator, PersonActor } from "../access/actor.ts";
import type { Role } from "../access/role-schema.ts";
import { AppError } from "../errors/app-error.ts";
import { type Bus, createBus } from "../events/index.ts";
import { insertMembership, insertPerson } from "../people/repository.ts";
import { uuidv7 } from "../platform/ids.ts";
import { log } from "../platform/log.ts";
import { sha256 } from "../platform/secrets.ts";
import * as policies from "../policies/index.ts";
import * as fourEyes from "./four-eyes.ts";
import * as reviews from "./service.ts";
import * as views from "./views.ts";

const HOOKS = (word: string) => `hooks:\n  stop:\n    - type: command\n      command: echo ${word}\n`;
const hashOf = (text: string) => sha256(text).toString("hex");

let at: TestDatabase;
let bus: Bus;
let workspaceId: string;
let ada: PersonActor;
let bob: PersonActor;
const script = (): Administrator => ({ kind: "script", workspaceId, id: "admin-token", name: "admin token" });

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
  // Two people of one name: who somebody is, is told by the id.
  ada = await person("Sam", "admin");
  bob = await person("Sam", "approver");
});

async function person(name: string, role: Role): Promise<PersonActor> {
  const id = uuidv7();
  await insertPerson(at.database.prisma, { id, name });
  await insertMembership(at.database.prisma, workspaceId, id, role);
  return { kind: "person", role, workspaceId, id, name };
}

const db = () => at.database;
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "nothing was thrown",
    (error) => (error instanceof AppError ? error.code : String(error)),
  );
const saysOf = (work: Promise<unknown>) =>
  work.then(
    () => "",
    (error: AppError) => error.message,
  );
const get = (policyId: string) => policies.get(db(), workspaceId, policyId);
const standing = (policyId: string, actor: Administrator = ada) => views.ofPolicy(db(), actor, policyId);
async function save(policyId: string, source: string, actor: Administrator = ada) {
  const { latestRevision: baseRevision, draftVersion: baseVersion } = await get(policyId);
  await policies.saveDraft(db(), bus, actor, { policyId, source, baseVersion, baseRevision });
}
async function request(policyId: string, actor: Administrator = ada) {
  const { draftVersion } = await get(policyId);
  return (await reviews.request(db(), bus, actor, { policyId, draftVersion, note: "please" })).reviewId;
}
const decide = (reviewId: string, actor: Administrator, source: string, outcome: "approved" | "changes_requested") =>
  reviews.decide(db(), bus, actor, { reviewId, sha256: hashOf(source), outcome, comment: "because" });
async function publish(policyId: string, source: string, actor: Administrator = ada) {
  const { latestRevision: baseRevision, draftVersion } = await get(policyId);
  const input = { policyId, source, note: "", baseRevision, draftVersion };
  return policies.publish(db(), bus, actor, input, policies.NO_CASES);
}
const byScript = (source: string) =>
  policies.publishByName(db(), bus, script(), { name: "guard", source, note: "" }, policies.NO_CASES);
const setFourEyes = (policyId: string, isOn: boolean, actor: Administrator = ada) =>
  fourEyes.setFourEyes(db(), bus, actor, { policyId, isOn });
async function drafted(text = HOOKS("one")): Promise<string> {
  const { policyId } = await policies.create(db(), bus, ada, { name: "guard" });
  await save(policyId, text);
  return policyId;
}
const audited = async (kind: string) =>
  (
    await db().pool.query<{ body: string }>(
      "SELECT body FROM audit_entry WHERE workspace_id = $1 AND kind = $2 ORDER BY seq",
      [workspaceId, kind],
    )
  ).rows.map(({ body }) => JSON.parse(body) as Record<string, unknown>);

describe("a text sent for review", () => {
  it("is approved by somebody else, published as exactly that text, and all of it is on record", async () => {
    const policyId = await drafted();
    const reviewId = await request(policyId);
    expect(await standing(policyId, bob)).toMatchObject({ current: { id: reviewId, state: "open", whyNot: null } });
    expect(await views.countWaiting(db(), bob)).toBe(1);
    await decide(reviewId, bob, HOOKS("one"), "approved");
    expect(await views.countWaiting(db(), bob)).toBe(0);
    await publish(policyId, HOOKS("one"));
    const review = await views.get(db(), ada, reviewId);
    expect(review).toMatchObject({ state: "published", revision: 1, decidedName: "Sam", baseSource: "" });
    expect(review.said.map(({ body }) => body)).toEqual(["because"]);
    expect(await audited("review_decided")).toMatchObject([{ outcome: "approved", sha256: hashOf(HOOKS("one")) }]);
    expect(await audited("policy_published")).toMatchObject([{ review: { id: reviewId, by: bob.id } }]);
  });

  it("cannot be decided by who sent it, by who edited it, nor by a script", async () => {
    const policyId = await drafted();
    const editor = await person("Eve", "owner");
    await save(policyId, HOOKS("two"), editor);
    const reviewId = await request(policyId);
    for (const actor of [ada, editor, script()])
      expect(await codeOf(decide(reviewId, actor, HOOKS("two"), "approved"))).toBe("second_person_needed");
    expect((await views.get(db(), editor, reviewId)).whyNot).toMatch(/You edited this draft/);
    const viewer = await person("Vic", "viewer");
    expect((await views.get(db(), viewer, reviewId)).whyNot).toMatch(/requires the role/);
    expect(await codeOf(decide(reviewId, viewer, HOOKS("two"), "approved"))).toBe("second_person_needed");
    await decide(reviewId, bob, HOOKS("two"), "approved");
  });

  it("is out of date with the next change, even when that is taken back", async () => {
    const policyId = await drafted();
    const reviewId = await request(policyId);
    await decide(reviewId, bob, HOOKS("one"), "approved");
    await save(policyId, HOOKS("two"));
    await save(policyId, HOOKS("one"));
    expect(await standing(policyId)).toMatchObject({ current: null, last: { id: reviewId, state: "outdated" } });
    expect(await codeOf(decide(reviewId, bob, HOOKS("one"), "approved"))).toBe("review_settled");
  });

  it("is out of date when the draft is discarded, sent again, or overtaken by another revision", async () => {
    const policyId = await drafted();
    const first = await request(policyId);
    const second = await request(policyId);
    await byScript(HOOKS("other"));
    const states = await views.list(db(), ada, { policyId, which: "all" });
    expect(states.map(({ id, state }) => [id, state])).toEqual([
      [second, "outdated"],
      [first, "outdated"],
    ]);
    const third = await request(policyId);
    await policies.discardDraft(db(), bus, ada, policyId);
    expect((await views.get(db(), ada, third)).state).toBe("outdated");
  });

  it("is decided only about the text that was read, and ends when changes are asked for", async () => {
    const policyId = await drafted();
    const reviewId = await request(policyId);
    expect(await codeOf(decide(reviewId, bob, HOOKS("other"), "approved"))).toBe("policy_moved_on");
    await decide(reviewId, bob, HOOKS("one"), "changes_requested");
    expect(await codeOf(decide(reviewId, bob, HOOKS("one"), "approved"))).toBe("review_settled");
    await reviews.comment(db(), bus, ada, { reviewId, body: "I see." });
    expect((await views.get(db(), bob, reviewId)).said).toHaveLength(2);
  });

  it("is taken back by who sent it alone", async () => {
    const policyId = await drafted();
    const reviewId = await request(policyId);
    expect(await codeOf(reviews.withdraw(db(), bus, bob, reviewId))).toBe("second_person_needed");
    await reviews.withdraw(db(), bus, ada, reviewId);
    expect((await standing(policyId)).last?.state).toBe("withdrawn");
  });

  it("must be the draft that its author saw, and one that could be published", async () => {
    const policyId = await drafted();
    const stale = reviews.request(db(), bus, ada, { policyId, draftVersion: 1, note: "" });
    expect(await codeOf(stale)).toBe("policy_moved_on");
    await save(policyId, "hooks: [");
    expect(await codeOf(request(policyId))).toBe("policy_invalid");
    expect(await audited("review_requested")).toEqual([]);
  });
});

describe("four eyes", () => {
  async function watched(): Promise<string> {
    const policyId = await drafted(HOOKS("first"));
    await publish(policyId, HOOKS("first"));
    await setFourEyes(policyId, true);
    await save(policyId, HOOKS("one"));
    return policyId;
  }

  it("refuse to publish what nobody else approved, by hand and by script, and say what to do", async () => {
    const policyId = await watched();
    expect(await codeOf(publish(policyId, HOOKS("one")))).toBe("review_required");
    expect(await codeOf(byScript(HOOKS("one")))).toBe("review_required");
    expect(await saysOf(byScript(HOOKS("one")))).toMatch(/send it for review/);
    await request(policyId);
    expect(await saysOf(publish(policyId, HOOKS("one")))).toMatch(/Ask a person who has not edited it/);
    expect((await get(policyId)).latestRevision).toBe(1);
    expect((await standing(policyId)).current?.state).toBe("open");
  });

  it("let an approved text through, also by script, and no other", async () => {
    const policyId = await watched();
    await decide(await request(policyId), bob, HOOKS("one"), "approved");
    expect(await codeOf(byScript(HOOKS("other")))).toBe("review_required");
    expect((await byScript(HOOKS("one"))).number).toBe(2);
  });

  it("hold up going back to a text that was published too: it binds differently", async () => {
    const policyId = await watched();
    expect(await codeOf(publish(policyId, HOOKS("first")))).toBe("review_required");
  });

  it("keep one person from deleting the policy", async () => {
    const policyId = await watched();
    expect(await codeOf(policies.remove(db(), bus, ada, policyId))).toBe("review_required");
  });

  it("are switched off by two people, never by one or by a script", async () => {
    const policyId = await watched();
    expect(await codeOf(setFourEyes(policyId, false, script()))).toBe("second_person_needed");
    await setFourEyes(policyId, false, ada);
    expect(await standing(policyId)).toMatchObject({ fourEyes: true, offAsked: { isMine: true } });
    expect(await codeOf(setFourEyes(policyId, false, ada))).toBe("second_person_needed");
    expect(await codeOf(publish(policyId, HOOKS("one")))).toBe("review_required");
    await setFourEyes(policyId, false, bob);
    expect(await standing(policyId)).toMatchObject({ fourEyes: false, offAsked: null });
    expect(await audited("four_eyes_set")).toMatchObject([
      { isOn: true, asked: null },
      { isOn: false, asked: { id: ada.id } },
    ]);
    await publish(policyId, HOOKS("one"));
  });

  it("stay on when who asked takes that back", async () => {
    const policyId = await watched();
    await setFourEyes(policyId, false, ada);
    await setFourEyes(policyId, true, ada);
    expect(await standing(policyId)).toMatchObject({ fourEyes: true, offAsked: null });
    await setFourEyes(policyId, false, bob);
    expect((await standing(policyId)).fourEyes).toBe(true);
  });

  it("are not switched on where nobody else could approve", async () => {
    const policyId = await drafted();
    await db().prisma.membership.deleteMany({ where: { workspaceId, personId: bob.id } });
    expect(await codeOf(setFourEyes(policyId, true))).toBe("second_person_needed");
  });
});

it("nothing of another workspace is found, listed or decided", async () => {
  const policyId = await drafted();
  const reviewId = await request(policyId);
  const stranger = { ...bob, workspaceId: uuidv7() };
  expect(await views.list(db(), stranger, { which: "all" })).toEqual([]);
  const tries = [
    views.get(db(), stranger, reviewId),
    views.ofPolicy(db(), stranger, policyId),
    decide(reviewId, stranger, HOOKS("one"), "approved"),
    reviews.comment(db(), bus, stranger, { reviewId, body: "x" }),
    reviews.withdraw(db(), bus, stranger, reviewId),
    setFourEyes(policyId, true, stranger),
    reviews.request(db(), bus, stranger, { policyId, draftVersion: 1, note: "" }),
  ];
  for (const code of await Promise.all(tries.map(codeOf))) expect(code).toMatch(/_not_found$/);
  expect((await views.get(db(), ada, reviewId)).state).toBe("open");
});
