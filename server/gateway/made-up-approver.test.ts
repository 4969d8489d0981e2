/** The whole way over HTTP: an admin invites an address that nobody has, opens the link, and is no second person by it. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Browser, browser, signedIn } from "../../e2e/fixtures/browser.ts";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { sha256 } from "../platform/secrets.ts";

let db: TestDatabase;
let server: TestGateway;
beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

const TEXT = "hooks:\n  session_start:\n    - { type: builtin, command: add_date }\n";

async function madeUpBy(admin: Browser): Promise<Browser> {
  const { value } = await admin.mutate("people.invite", { email: "nobody@example.org", role: "approver" });
  const token = new URL((value as { link: string }).link).searchParams.get("token");
  const madeUp = browser(server.url);
  const account = { name: "Nobody", password: "correct horse battery" };
  expect((await madeUp.mutate("access.acceptInvitation", { token, account })).status).toBe(200);
  const word = { email: "nobody@example.org", password: account.password };
  expect((await madeUp.account("/sign-in/email", word)).status).toBe(200);
  return madeUp;
}

it("an approver that an admin made up approves neither the admin's text nor what it binds", async () => {
  const { workspaceId } = server.admin;
  const admin = await signedIn(server.url, db.database, workspaceId, "admin");
  const real = await signedIn(server.url, db.database, workspaceId, "approver");
  const madeUp = await madeUpBy(admin);
  const { policyId } = (await admin.mutate("policies.publishByName", { name: "guard", source: TEXT })).value as {
    policyId: string;
  };
  const about = { policyId };
  expect((await admin.mutate("reviews.setFourEyes", { ...about, isOn: true })).status).toBe(200);

  const source = `${TEXT}# weaker\n`;
  const saved = await admin.mutate("policies.saveDraft", { ...about, source, baseVersion: 0, baseRevision: 1 });
  const { version: draftVersion } = saved.value as { version: number };
  const { reviewId } = (await admin.mutate("reviews.request", { ...about, draftVersion })).value as {
    reviewId: string;
  };
  const word = { reviewId, sha256: sha256(source).toString("hex"), outcome: "approved" };
  const refused = await madeUp.mutate("reviews.decide", word);
  expect([refused.status, refused.value]).toEqual([403, "second_person_needed"]);

  const change = { kind: "assign", input: { ...about, scope: "nobody" } };
  expect((await admin.mutate("policies.assign", change.input)).value).toBe("review_required");
  const { changeId } = (await admin.mutate("reviews.requestChange", { change })).value as { changeId: string };
  const agreed = await madeUp.mutate("reviews.decideChange", { changeId, outcome: "approved" });
  expect([agreed.status, agreed.value]).toEqual([403, "second_person_needed"]);
  expect((await admin.mutate("reviews.applyChange", { changeId })).value).toBe("review_settled");

  expect((await real.mutate("reviews.decide", word)).status).toBe(200);
  expect((await real.mutate("reviews.decideChange", { changeId, outcome: "approved" })).status).toBe(200);
  expect((await admin.mutate("reviews.applyChange", { changeId })).status).toBe(200);
});
