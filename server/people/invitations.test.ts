import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser, browser, newWorkspace, signedIn } from "../../e2e/fixtures/browser.ts";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import type { Role } from "../access/role-schema.ts";
import { areTwoPeople, independenceIn } from "../reviews/index.ts";

let at: TestDatabase;
let server: TestGateway;

beforeAll(async () => {
  at = await testDatabase();
  server = await testGateway(at.url);
});
afterAll(async () => {
  await server?.stop();
  await at?.drop();
});

const as = (role: Role) => signedIn(server.url, server.database, server.admin.workspaceId, role);
const account = { name: "Grace", password: "correct horse battery" };
let counter = 0;

async function invited(by: Role, role: Role) {
  const email = `guest${counter++}@example.org`;
  const admin = await as(by);
  const { status, value } = await admin.mutate("people.invite", { email, role });
  const link = (value as { link?: string }).link ?? "";
  return { admin, email, status, value, token: new URL(link, server.url).searchParams.get("token") ?? "" };
}

it("an invitation lets one person in, as what it says, once", async () => {
  const { token, email } = await invited("admin", "author");
  const guest = browser(server.url);
  expect((await guest.query("access.openInvitation", { token })).value).toMatchObject({ email, role: "author" });
  const both = await Promise.all([
    guest.mutate("access.acceptInvitation", { token, account }),
    guest.mutate("access.acceptInvitation", { token, account }),
  ]);
  expect(both.map((one) => one.status).sort()).toEqual([200, 404]);
  await guest.account("/sign-in/email", { email, password: account.password });
  expect((await guest.query("access.me")).value).toMatchObject({ role: "author", name: "Grace" });
});

it("nobody invites an owner but an owner, and nobody at all who may not manage people", async () => {
  expect((await invited("admin", "owner")).value).toBe("forbidden");
  expect((await invited("owner", "owner")).status).toBe(200);
  expect((await invited("author", "viewer")).value).toBe("forbidden");
});

it("withdrawn, expired or replaced by a newer one it opens nothing", async () => {
  const open = async (token: string) => (await browser(server.url).query("access.openInvitation", { token })).status;
  const { admin, email, token } = await invited("admin", "viewer");
  await admin.mutate("people.invite", { email, role: "viewer" });
  expect(await open(token)).toBe(404);
  const listed = (await admin.query("people.invitations")).value as { id: string; email: string }[];
  const invitationId = listed.find((one) => one.email === email)?.id;
  expect((await admin.mutate("people.withdraw", { invitationId })).status).toBe(200);
  const left = (await admin.query("people.invitations")).value as { email: string }[];
  expect(left.map((one) => one.email)).not.toContain(email);
  const late = await invited("admin", "viewer");
  await at.database.pool.query("UPDATE invitation SET expires_at = now() WHERE email = $1", [late.email]);
  expect(await open(late.token)).toBe(404);
});

it("an address that is somebody's joins by that somebody alone, signed in", async () => {
  const { token, email } = await invited("admin", "viewer");
  const guest = browser(server.url);
  await guest.mutate("access.acceptInvitation", { token, account });
  await guest.account("/sign-in/email", { email, password: account.password });

  const owner = await as("owner");
  const { workspaceId } = (await owner.mutate("access.createWorkspace", { name: "Second" })).value as {
    workspaceId: string;
  };
  await owner.mutate("access.switchWorkspace", { workspaceId });
  const again = await owner.mutate("people.invite", { email, role: "auditor" });
  const second = new URL((again.value as { link: string }).link).searchParams.get("token") ?? "";
  const stranger = await browser(server.url).mutate("access.acceptInvitation", { token: second, account });
  expect(stranger.value).toBe("not_signed_in");
  expect((await (await as("viewer")).mutate("access.acceptInvitation", { token: second })).value).toBe("not_signed_in");
  expect((await guest.mutate("access.acceptInvitation", { token: second })).status).toBe(200);
  await guest.mutate("access.switchWorkspace", { workspaceId });
  expect((await guest.query("access.me")).value).toMatchObject({ role: "auditor", workspaceId });
});

it("a reset link of one workspace's admin does not open another workspace", async () => {
  const { admin, token, email } = await invited("admin", "viewer");
  const guest = browser(server.url);
  await guest.mutate("access.acceptInvitation", { token, account });
  const { rows } = await at.database.pool.query("SELECT id FROM person WHERE email = $1", [email]);
  const personId = rows[0].id as string; // the column's type
  const given = await admin.mutate("people.createResetLink", { personId });
  const reset = new URL((given.value as { link: string }).link).searchParams.get("token");
  const body = { token: reset, newPassword: "a wholly new password" };
  expect((await guest.account("/reset-password", body)).status).toBe(200);
  expect((await guest.account("/reset-password", body)).status).toBe(400);
  expect((await guest.account("/sign-in/email", { email, password: body.newPassword })).status).toBe(200);

  const other = await at.database.prisma.workspace.create({ data: { id: personId, name: "elsewhere" } });
  await at.database.prisma.membership.create({ data: { workspaceId: other.id, personId, role: "owner" } });
  expect((await admin.mutate("people.createResetLink", { personId })).value).toBe("forbidden");
  const [owner] = (await at.database.pool.query("SELECT person_id FROM membership WHERE role = 'owner' LIMIT 1")).rows;
  expect((await admin.mutate("people.createResetLink", { personId: owner.person_id })).value).not.toMatchObject({
    link: expect.any(String),
  });
});

it("nobody sees or touches the people of another workspace", async () => {
  const { admin } = await invited("admin", "viewer");
  const owner = await as("owner");
  const { workspaceId } = (await owner.mutate("access.createWorkspace", { name: "Walled" })).value as {
    workspaceId: string;
  };
  await owner.mutate("access.switchWorkspace", { workspaceId });
  expect(((await owner.query("people.list")).value as unknown[]).length).toBe(1);
  expect((await owner.query("people.invitations")).value).toEqual([]);
  const [{ id: invitationId }] = (await admin.query("people.invitations")).value as [{ id: string }];
  expect((await owner.mutate("people.withdraw", { invitationId })).status).toBe(404);
  expect((await admin.mutate("access.switchWorkspace", { workspaceId })).value).toBe("workspace_not_found");
  expect((await owner.query("installation.signOn")).value).toBe("forbidden");
});

describe("an account that one person's link opened in another workspace", () => {
  const idOf = async (page: Browser) => ((await page.query("access.me")).value as { id: string }).id;
  const tokenOf = (value: unknown) => new URL((value as { link: string }).link).searchParams.get("token") ?? "";

  /** Signed in, of a workspace in which Olga let them in. */
  async function secondOf(olga: Browser, role: Role = "admin") {
    const elsewhere = await newWorkspace(server.database, "elsewhere");
    const personId = await idOf(olga);
    await server.database.prisma.membership.create({ data: { workspaceId: elsewhere, personId, role } });
    await olga.mutate("access.switchWorkspace", { workspaceId: elsewhere });
    const email = `second${counter++}@example.org`;
    const { value } = await olga.mutate("people.invite", { email, role });
    const page = browser(server.url);
    expect((await page.mutate("access.acceptInvitation", { token: tokenOf(value), account })).status).toBe(200);
    await page.account("/sign-in/email", { email, password: account.password });
    return { page, email, elsewhere, id: await idOf(page) };
  }

  it("counts as that person in each workspace that it joins", async () => {
    const [olga, bob] = [await as("admin"), await as("admin")];
    const [olgaId, bobId] = [await idOf(olga), await idOf(bob)];
    const second = await secondOf(olga);
    const personId = bobId;
    const workspaceId = second.elsewhere;
    await server.database.prisma.membership.create({ data: { workspaceId, personId, role: "admin" } });
    const invitation = await bob.mutate("people.invite", { email: second.email, role: "approver" });
    const token = tokenOf(invitation.value);
    expect((await second.page.mutate("access.acceptInvitation", { token })).status).toBe(200);
    const independence = await independenceIn(server.database.prisma, server.admin.workspaceId);
    expect([olgaId, bobId].map((one) => areTwoPeople(independence, one, second.id))).toEqual([false, false]);
    expect(areTwoPeople(independence, olgaId, bobId)).toBe(true);
  });

  it("and in each workspace that it makes", async () => {
    const olga = await as("owner");
    const olgaId = await idOf(olga);
    const second = await secondOf(olga, "owner");
    const { workspaceId } = (await second.page.mutate("access.createWorkspace", { name: "Third" })).value as {
      workspaceId: string;
    };
    await server.database.prisma.membership.create({ data: { workspaceId, personId: olgaId, role: "admin" } });
    expect(areTwoPeople(await independenceIn(server.database.prisma, workspaceId), olgaId, second.id)).toBe(false);
  });
});
