/** Access with an end: it opens nothing from then on, at once, and the membership is removed with an entry. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type Browser, browser, signedIn } from "../../e2e/fixtures/browser.ts";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { createLog } from "../platform/log.ts";
import { createAccessEnds } from "./access-ends.ts";

const account = { name: "Audrey", password: "correct horse battery" };
let at: TestDatabase;
let server: TestGateway;
let owner: Browser;
let guest: Browser;
let email = "";
let counter = 0;

beforeAll(async () => {
  at = await testDatabase();
  server = await testGateway(at.url);
  owner = await signedIn(server.url, server.database, server.admin.workspaceId, "owner");
});
beforeEach(async () => {
  email = `audrey${counter++}@example.org`;
  const { value } = await owner.mutate("people.invite", { email, role: "auditor", accessDays: 7 });
  const token = new URL((value as { link: string }).link).searchParams.get("token");
  guest = browser(server.url);
  const open = await guest.query("access.openInvitation", { token });
  expect(open.value).toMatchObject({ role: "auditor", accessDays: 7 });
  await guest.mutate("access.acceptInvitation", { token, account });
  await guest.account("/sign-in/email", { email, password: account.password });
});
afterAll(async () => {
  await server?.stop();
  await at?.drop();
});

interface Member {
  readonly personId: string;
  readonly email: string | null;
  readonly endsAt: Date | null;
}
const member = async () => ((await owner.query("people.list")).value as Member[]).find((one) => one.email === email);
const end = async () =>
  at.database.pool.query("UPDATE membership SET ends_at = now() WHERE person_id = $1", [(await member())?.personId]);

it("lasts the days of the invitation, from the day the person joins", async () => {
  const ends = new Date((await member())?.endsAt ?? 0).getTime();
  expect(ends - Date.now()).toBeGreaterThan(6.9 * 24 * 3_600_000);
  expect(ends - Date.now()).toBeLessThan(7.1 * 24 * 3_600_000);
  expect((await guest.query("access.me")).value).toMatchObject({ role: "auditor" });
});

it("opens nothing from its end on, before any job has run, and nothing after a new sign-in", async () => {
  await end();
  expect((await guest.query("access.me")).status).toBe(401);
  await guest.account("/sign-in/email", { email, password: account.password });
  expect((await guest.query("people.list")).status).toBe(401);
});

it("ends the links of the person at once", async () => {
  const { value } = await owner.mutate("people.invite", { email: `admin-${email}`, role: "admin", accessDays: 1 });
  const admin = browser(server.url);
  const token = new URL((value as { link: string }).link).searchParams.get("token");
  await admin.mutate("access.acceptInvitation", { token, account });
  await admin.account("/sign-in/email", { email: `admin-${email}`, password: account.password });
  const made = (await admin.mutate("people.invite", { email: `v-${email}`, role: "viewer" })).value as { link: string };
  const open = async () =>
    (await guest.query("access.openInvitation", { token: new URL(made.link).searchParams.get("token") })).status;
  expect(await open()).toBe(200);
  await at.database.pool.query(
    "UPDATE membership SET ends_at = now() FROM person WHERE person.id = person_id AND person.email = $1",
    [`admin-${email}`],
  );
  expect(await open()).toBe(404);
});

it("ends with an entry in the record, and the person can be invited again", async () => {
  const personId = (await member())?.personId;
  await end();
  const job = createAccessEnds({
    db: server.database,
    bus: server.running.app.bus,
    log: createLog("silent"),
    lookMs: 1,
  });
  job.start();
  await expect.poll(member).toBeUndefined();
  await job.stop();
  const { rows } = await at.database.pool.query(
    "SELECT count(*)::int AS n FROM audit_entry WHERE kind = 'access_ended' AND body LIKE '%' || $1 || '%'",
    [personId],
  );
  expect(rows).toEqual([{ n: 1 }]);
  expect((await owner.mutate("people.invite", { email, role: "viewer" })).status).toBe(200);
});

it("is extended after its present end, then made permanent, each with an entry in the record", async () => {
  const before = await member();
  expect((await owner.mutate("people.extendAccess", { personId: before?.personId, days: 30 })).status).toBe(200);
  const longer = await member();
  expect(Number(new Date(longer?.endsAt ?? 0)) - Number(new Date(before?.endsAt ?? 0))).toBe(30 * 24 * 3_600_000);
  expect((await owner.mutate("people.extendAccess", { personId: before?.personId, days: null })).status).toBe(200);
  expect((await member())?.endsAt).toBeNull();
  expect((await owner.mutate("people.extendAccess", { personId: before?.personId, days: 7 })).status).toBe(400);
  const { rows } = await at.database.pool.query(
    "SELECT body FROM audit_entry WHERE kind = 'access_extended' AND body LIKE '%' || $1 || '%' ORDER BY seq",
    [before?.personId],
  );
  const iso = (when: Date | null | undefined) => when && new Date(when).toISOString();
  expect(rows.map(({ body }) => JSON.parse(body))).toMatchObject([
    { name: before?.personId, role: "auditor", from: iso(before?.endsAt), to: iso(longer?.endsAt) },
    { from: iso(longer?.endsAt), to: null },
  ]);
  expect((await guest.query("access.me")).value).toMatchObject({ role: "auditor" });
});

it("is not extended once it has ended, by its holder, or without the permission", async () => {
  const personId = (await member())?.personId;
  expect((await guest.mutate("people.extendAccess", { personId, days: null })).status).toBe(403);
  await owner.mutate("people.setRole", { personId, role: "admin" });
  await guest.account("/sign-in/email", { email, password: account.password });
  const own = await guest.mutate("people.extendAccess", { personId, days: null });
  expect([own.status, JSON.stringify(own)]).toEqual([403, expect.stringContaining("Another admin or owner")]);
  expect((await owner.mutate("people.extendAccess", { personId, days: 366 })).status).toBe(400);
  await end();
  expect((await owner.mutate("people.extendAccess", { personId, days: 7 })).status).toBe(404);
});

it("has no end for an owner: neither by an invitation nor by a later role", async () => {
  const refused = await owner.mutate("people.invite", { email: "o@example.org", role: "owner", accessDays: 7 });
  expect(refused.status).toBe(400);
  await owner.mutate("people.setRole", { personId: (await member())?.personId, role: "owner" });
  expect((await member())?.endsAt).toBeNull();
});
