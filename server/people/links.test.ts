/** Links open what they were made for, as long as everything holds that was asked when they were made. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Browser, browser, newWorkspace, signedIn } from "../../e2e/fixtures/browser.ts";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { type SmtpStub, smtpStub } from "../../e2e/fixtures/smtp-stub.ts";
import { totpCode } from "../../e2e/fixtures/totp.ts";
import type { Role } from "../access/role-schema.ts";
import { uuidv7 } from "../platform/ids.ts";

let at: TestDatabase;
let server: TestGateway;
let smtp: SmtpStub;

beforeAll(async () => {
  at = await testDatabase();
  server = await testGateway(at.url, { trustedProxies: "loopback" });
  smtp = await smtpStub();
});
afterAll(async () => {
  await smtp?.close();
  await server?.stop();
  await at?.drop();
});

const PASSWORD = "correct horse battery";
const OTHER_PASSWORD = "a wholly new password";
let counter = 0;
let addresses = 0;
const home = () => server.admin.workspaceId;
const as = (role: Role, workspaceId = home()) => signedIn(server.url, at.database, workspaceId, role);
const stranger = () => browser(server.url, `198.51.100.${++addresses}`);
const tokenOf = (link: unknown) => new URL(String(link)).searchParams.get("token") ?? "";
const newAddress = () => `link${counter++}@example.org`;

async function invite(by: Browser, email: string, role: Role): Promise<string> {
  const { value } = await by.mutate("people.invite", { email, role });
  return tokenOf((value as { link: string }).link);
}
/** Somebody who joined by a link that `by` saw. */
async function member(by: Browser, role: Role) {
  const email = newAddress();
  const page = stranger();
  const account = { name: "Grace", password: PASSWORD };
  expect((await page.mutate("access.acceptInvitation", { token: await invite(by, email, role), account })).status).toBe(
    200,
  );
  await page.account("/sign-in/email", { email, password: PASSWORD });
  return { email, page, personId: await idOf(page) };
}
const idOf = async (page: Browser) => ((await page.query("access.me")).value as { id: string }).id;
const join = (page: Browser, token: string, account?: object) =>
  page.mutate("access.acceptInvitation", { token, ...(account && { account }) });
async function resetLink(by: Browser, personId: string): Promise<string> {
  const { value } = await by.mutate("people.createResetLink", { personId });
  return tokenOf((value as { link: string }).link);
}
const reset = async (token: string) =>
  (await stranger().account("/reset-password", { token, newPassword: OTHER_PASSWORD })).status;
const isProven = async (email: string) =>
  (await at.database.prisma.person.findFirstOrThrow({ where: { email } })).emailVerified;

describe("an admin's password link", () => {
  it("works once, and does not prove the address", async () => {
    const admin = await as("admin");
    const { email, personId, page } = await member(admin, "viewer");
    const token = await resetLink(admin, personId);
    expect((await stranger().account("/reset-password", { token, newPassword: "short" })).status).toBe(400);
    expect(await reset(token)).toBe(200);
    expect(await reset(token)).toBe(400);
    expect((await page.query("access.me")).value).toBe("not_signed_in");
    expect(await isProven(email)).toBe(false);
  });

  it("opens nothing once the person is in another workspace, however they came there", async () => {
    const admin = await as("admin");
    const { page, personId } = await member(admin, "viewer");
    const first = await resetLink(admin, personId);
    const { rows } = await at.database.pool.query(
      "UPDATE person SET email_verified = true WHERE id = $1 RETURNING email",
      [personId],
    );
    const elsewhere = await newWorkspace(at.database, "elsewhere");
    const token = await invite(await as("owner", elsewhere), String(rows[0].email), "admin");
    expect((await join(page, token)).status).toBe(200);
    expect(await reset(first)).toBe(400);

    const second = await member(admin, "viewer");
    const later = await resetLink(admin, second.personId);
    await at.database.prisma.membership.create({
      data: { workspaceId: elsewhere, personId: second.personId, role: "admin" },
    });
    expect(await reset(later)).toBe(400);
  });

  it("opens nothing once the person's role has changed", async () => {
    const [owner, admin] = [await as("owner"), await as("admin")];
    const { personId } = await member(admin, "viewer");
    const token = await resetLink(admin, personId);
    expect((await owner.mutate("people.setRole", { personId, role: "owner" })).status).toBe(200);
    expect(await reset(token)).toBe(400);

    const second = await member(admin, "viewer");
    const later = await resetLink(admin, second.personId);
    const where = { workspaceId: home(), personId: second.personId };
    await at.database.prisma.membership.updateMany({ where, data: { role: "owner" } });
    expect(await reset(later)).toBe(400);
  });

  it.each(["lowered", "removed", "lowered behind our back"])("opens nothing once its maker is %s", async (what) => {
    const [owner, admin] = [await as("owner"), await as("admin")];
    const { personId } = await member(owner, "viewer");
    const token = await resetLink(admin, personId);
    const maker = await idOf(admin);
    if (what === "lowered") await owner.mutate("people.setRole", { personId: maker, role: "viewer" });
    else if (what === "removed") await owner.mutate("people.remove", { personId: maker });
    else await at.database.prisma.membership.updateMany({ where: { personId: maker }, data: { role: "viewer" } });
    expect(await reset(token)).toBe(400);
  });
});

describe("an invitation", () => {
  it.each(["lowered", "removed", "lowered behind our back"])("opens nothing once its maker is %s", async (what) => {
    const [owner, admin] = [await as("owner"), await as("admin")];
    const email = newAddress();
    const token = await invite(admin, email, "viewer");
    const maker = await idOf(admin);
    if (what === "lowered") await owner.mutate("people.setRole", { personId: maker, role: "author" });
    else if (what === "removed") await owner.mutate("people.remove", { personId: maker });
    else await at.database.prisma.membership.updateMany({ where: { personId: maker }, data: { role: "viewer" } });
    expect((await stranger().query("access.openInvitation", { token })).value).toBe("invitation_spent");
    const account = { name: "Grace", password: PASSWORD };
    expect((await join(stranger(), token, account)).value).toBe("invitation_spent");
  });

  it("of an owner makes no owner once its maker is an admin", async () => {
    const [owner, second] = [await as("owner"), await as("owner")];
    const token = await invite(second, newAddress(), "owner");
    const kept = await invite(second, newAddress(), "viewer");
    await owner.mutate("people.setRole", { personId: await idOf(second), role: "admin" });
    expect((await join(stranger(), token, { name: "Eve", password: PASSWORD })).value).toBe("invitation_spent");
    expect((await join(stranger(), kept, { name: "Eve", password: PASSWORD })).status).toBe(200);
  });

  it("of a service account goes with the service account", async () => {
    const owner = await as("owner");
    const { serviceId } = (await owner.mutate("serviceAccounts.create", { name: `ci ${counter++}`, role: "admin" }))
      .value as {
      serviceId: string;
    };
    const made = (await owner.mutate("serviceAccounts.createToken", { serviceId, days: 1 })).value as { token: string };
    const answer = await fetch(`${server.url}/api/trpc/people.invite`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${made.token}` },
      body: JSON.stringify({ json: { email: newAddress(), role: "viewer" } }),
    });
    const body = (await answer.json()) as { result: { data: { json: { link: string } } } };
    const token = tokenOf(body.result.data.json.link);
    await owner.mutate("serviceAccounts.remove", { serviceId });
    expect((await join(stranger(), token, { name: "Eve", password: PASSWORD })).value).toBe("invitation_spent");
  });

  it("whose link its maker saw proves no address, and says nothing of people its maker cannot see", async () => {
    const email = newAddress();
    const elsewhere = await newWorkspace(at.database, "the attacker's");
    const attacker = await as("owner", elsewhere);
    const { email: known } = await member(await as("owner"), "viewer");
    const open = async (token: string) => (await stranger().query("access.openInvitation", { token })).value;
    const [ofKnown, ofNobody] = [await invite(attacker, known, "viewer"), await invite(attacker, email, "viewer")];
    expect(await open(ofKnown)).toMatchObject({ joinBy: "account" });
    expect(await open(ofNobody)).toMatchObject({ joinBy: "account" });
    expect((await join(stranger(), ofNobody, { name: "Eve", password: PASSWORD })).status).toBe(200);
    expect(await isProven(email)).toBe(false);
  });

  it("never lets an account in that somebody else may have made in that name", async () => {
    const email = newAddress();
    const squatter = await member(await as("owner", await newWorkspace(at.database, "the attacker's")), "owner");
    await at.database.prisma.person.update({ where: { id: squatter.personId }, data: { email } });
    const token = await invite(await as("owner"), email, "admin");
    expect((await join(squatter.page, token)).value).toBe("not_signed_in");
    expect((await join(stranger(), token, { name: "Victim", password: OTHER_PASSWORD })).value).toBe("not_signed_in");
  });

  it("of one address to two workspaces, accepted at once, makes one account and fails nowhere", async () => {
    const email = newAddress();
    const second = await as("owner", await newWorkspace(at.database, "second"));
    const tokens = [await invite(await as("owner"), email, "viewer"), await invite(second, email, "viewer")];
    const account = { name: "Grace", password: PASSWORD };
    const answers = await Promise.all(tokens.map((token) => join(stranger(), token, account)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(await at.database.prisma.person.count({ where: { email } })).toBe(1);
  });
});

describe("an invitation by mail", () => {
  beforeEach(async () => {
    const mail = { host: "127.0.0.1", port: smtp.port, security: "none", user: "", from: "quarterdeck@example.org" };
    const owner = await as("owner");
    expect((await owner.mutate("installation.saveMail", mail)).status).toBe(200);
    return () => at.database.pool.query("DELETE FROM installation_setting WHERE name = 'mail'").then(() => undefined);
  });
  const mailed = (path: string) => {
    const letter = (smtp.letters.at(-1) ?? "").replaceAll("=\r\n", "").replaceAll("=3D", "=");
    return new RegExp(`${path}\\?token=(\\w+)`).exec(letter)?.[1] ?? "";
  };
  async function inviteByMail(by: Browser, email: string, role: Role): Promise<string> {
    expect((await by.mutate("people.invite", { email, role })).value).toEqual({
      link: null,
      isMailed: true,
      mailProblem: null,
    });
    return mailed("/invite");
  }

  it("shows its link to nobody, and proves the address", async () => {
    const email = newAddress();
    const token = await inviteByMail(await as("admin"), email, "viewer");
    expect((await join(stranger(), token, { name: "Grace", password: PASSWORD })).status).toBe(200);
    expect(await isProven(email)).toBe(true);
  });

  it("takes an account from who made it in another's name: its password, its second factor and its sessions end", async () => {
    const attacker = await as("owner", await newWorkspace(at.database, "the attacker's"));
    await at.database.pool.query("DELETE FROM installation_setting WHERE name = 'mail'");
    const { email, page } = await member(attacker, "viewer");
    const enabled = (await page.account("/two-factor/enable", { password: PASSWORD })).value as { totpURI: string };
    await page.account("/two-factor/verify-totp", { code: totpCode(enabled.totpURI) });
    const mail = { host: "127.0.0.1", port: smtp.port, security: "none", user: "", from: "quarterdeck@example.org" };
    const owner = await as("owner");
    await owner.mutate("installation.saveMail", mail);
    const token = await inviteByMail(owner, email, "admin");
    const victim = stranger();
    expect((await victim.query("access.openInvitation", { token })).value).toMatchObject({ joinBy: "new_password" });
    expect((await join(victim, token, { name: "Victim", password: OTHER_PASSWORD })).status).toBe(200);
    expect((await page.query("access.me")).value).toBe("not_signed_in");
    expect((await stranger().account("/sign-in/email", { email, password: PASSWORD })).status).toBe(401);
    await victim.account("/sign-in/email", { email, password: OTHER_PASSWORD });
    expect((await victim.query("access.me")).value).toMatchObject({ email, name: "Victim" });
    expect(await isProven(email)).toBe(true);
  });

  it("a forgotten password that is set by a mailed link proves the address; links from before open nothing", async () => {
    const owner = await as("owner");
    await at.database.pool.query("DELETE FROM installation_setting WHERE name = 'mail'");
    const { email, personId } = await member(owner, "viewer");
    const mail = { host: "127.0.0.1", port: smtp.port, security: "none", user: "", from: "quarterdeck@example.org" };
    await owner.mutate("installation.saveMail", mail);
    const handed = await resetLink(owner, personId);
    await stranger().account("/request-password-reset", { email });
    await expect.poll(() => mailed("/sign-in/reset")).not.toBe("");
    expect(await reset(mailed("/sign-in/reset"))).toBe(200);
    expect(await isProven(email)).toBe(true);
    expect(await reset(handed)).toBe(400);
  });
});

describe("a sign-in link", () => {
  async function ownerWithFactor() {
    const { page, email } = await member(await as("owner"), "owner");
    const { totpURI } = (await page.account("/two-factor/enable", { password: PASSWORD })).value as { totpURI: string };
    await page.account("/two-factor/verify-totp", { code: totpCode(totpURI) });
    return { page, email, totpURI };
  }
  const linkOf = async (page: Browser) =>
    ((await page.mutate("access.createSignInLink")).value as { token: string }).token;

  it("that a browser made asks for the second factor of who has one", async () => {
    const { page, email, totpURI } = await ownerWithFactor();
    const fresh = stranger();
    const answer = await fresh.mutate("access.signIn", { token: await linkOf(page) });
    expect(answer.value).toEqual({ asksSecondFactor: true, firstPassword: null });
    expect((await fresh.query("access.me")).value).toBe("not_signed_in");
    const next = totpCode(totpURI, Date.now() + 30_000);
    expect((await fresh.account("/two-factor/verify-totp", { code: next })).status).toBe(200);
    expect((await fresh.query("access.me")).value).toMatchObject({ email });
  });

  it("that was made on the machine asks for none: a lost second factor locks nobody out", async () => {
    const { personId } = { personId: uuidv7() };
    const workspaceId = await newWorkspace(at.database, "lost");
    await at.database.prisma.person.create({ data: { id: personId, name: "Lost", twoFactorEnabled: true } });
    await at.database.prisma.membership.create({ data: { workspaceId, personId, role: "owner" } });
    const { createSignInLink } = await import("./first-run.ts");
    const { token } = await createSignInLink(at.database, { ...server.admin, workspaceId });
    const fresh = stranger();
    expect((await fresh.mutate("access.signIn", { token })).value).toEqual({
      asksSecondFactor: false,
      firstPassword: { email: null },
    });
    expect((await fresh.query("access.me")).value).toMatchObject({ name: "Lost" });
  });

  it("opens nothing once its maker is no owner any more, or has another password", async () => {
    const owner = await as("owner");
    const lowered = await member(owner, "owner");
    const first = await linkOf(lowered.page);
    const second = await linkOf(lowered.page);
    await owner.mutate("people.setRole", { personId: lowered.personId, role: "admin" });
    expect((await stranger().mutate("access.signIn", { token: first })).value).toBe("sign_in_link_spent");
    await owner.mutate("people.setRole", { personId: lowered.personId, role: "owner" });
    expect((await stranger().mutate("access.signIn", { token: second })).value).toBe("sign_in_link_spent");
    const third = await linkOf(lowered.page);
    await at.database.prisma.membership.updateMany({ where: { personId: lowered.personId }, data: { role: "admin" } });
    expect((await stranger().mutate("access.signIn", { token: third })).value).toBe("sign_in_link_spent");

    const changed = await member(owner, "owner");
    const fourth = await linkOf(changed.page);
    const body = { currentPassword: PASSWORD, newPassword: OTHER_PASSWORD };
    expect((await changed.page.account("/change-password", body)).status).toBe(200);
    expect((await stranger().mutate("access.signIn", { token: fourth })).value).toBe("sign_in_link_spent");
  });
});
