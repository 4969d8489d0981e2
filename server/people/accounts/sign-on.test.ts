import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type Browser, browser, newWorkspace, signedIn } from "../../../e2e/fixtures/browser.ts";
import { type TestDatabase, testDatabase } from "../../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../../e2e/fixtures/gateway.ts";
import { type OidcStub, oidcStub } from "../../../e2e/fixtures/oidc-stub.ts";
import { smtpStub } from "../../../e2e/fixtures/smtp-stub.ts";

let at: TestDatabase;
let server: TestGateway;
let oidc: OidcStub;
let owner: Browser;

beforeAll(async () => {
  at = await testDatabase();
  server = await testGateway(at.url, { trustedProxies: "loopback" });
  // The address it knows itself by, which is not where the test reaches it.
  oidc = await oidcStub(`${server.running.app.url}/api/auth/callback/sign-on`);
  owner = await signedIn(server.url, at.database, server.admin.workspaceId, "owner");
  const { issuer, clientId, clientSecret } = oidc;
  const saved = await owner.mutate("installation.saveSignOn", { label: "Acme", issuer, clientId, clientSecret });
  expect(saved.status).toBe(200);
});
afterAll(async () => {
  await oidc?.close();
  await server?.stop();
  await at?.drop();
});

let visitors = 0;
/** Each asks from an address of their own: the sign-ins from one address are limited. */
function newVisitor(): Browser {
  visitors += 1;
  return browser(server.url, `203.0.113.${visitors}`);
}

/** Goes through the provider and back; answers where that ends. */
async function arrive(
  visitor: Browser,
  who: Partial<OidcStub["visitor"]>,
  path = "/sign-in/social",
  additionalParams: Record<string, string> = {},
): Promise<string> {
  oidc.visitor = { sub: who.email ?? "", email: "", isVerified: true, name: "Edsger Dijkstra", ...who };
  const begun = await visitor.account(path, {
    provider: "sign-on",
    callbackURL: "/landed",
    errorCallbackURL: "/sign-in",
    additionalParams,
  });
  let { url } = begun.value as { url: string };
  const there = browser(oidc.issuer);
  for (let hop = 0; hop < 10; hop++) {
    const isOurs = url.startsWith(server.running.app.url);
    if (isOurs && !url.includes("/api/auth/")) return url.slice(server.running.app.url.length);
    const response = await (isOurs ? visitor : there).get(
      isOurs ? url.replace(server.running.app.url, server.url) : url,
    );
    url = new URL(response.headers.get("location") ?? "/nowhere", url).href;
  }
  return url;
}
/** The provider is to ask who somebody is, and to say when it did. */
const ASK_AGAIN = { prompt: "login", max_age: "0" };
const invite = (email: string, role: string) => owner.mutate("people.invite", { email, role });
const me = async (visitor: Browser) => (await visitor.query("access.me")).value;

it("lets in whom an invitation names by an address that the provider verified, and nobody else", async () => {
  const email = "edsger@example.org";
  expect(await arrive(newVisitor(), { email })).toMatch(/^\/sign-in\?error=not_invited/);
  await invite(email, "auditor");
  expect(await arrive(newVisitor(), { email, isVerified: false })).toMatch(/^\/sign-in\?error=not_invited/);
  const visitor = newVisitor();
  expect(await arrive(visitor, { email })).toBe("/landed");
  expect(await me(visitor)).toMatchObject({ role: "auditor", name: "Edsger Dijkstra", email });
  const asked = oidc.asked.at(-1);
  expect(asked?.get("code_challenge_method")).toBe("S256");
  expect([asked?.has("state"), asked?.has("nonce")]).toEqual([true, true]);
});

it("knows a person by the provider's subject from then on, and no other subject by the same address", async () => {
  const email = "knuth@example.org";
  await invite(email, "viewer");
  await arrive(newVisitor(), { sub: "knuth", email });
  const again = newVisitor();
  expect(await arrive(again, { sub: "knuth", email: "renamed@example.org" })).toBe("/landed");
  expect(await me(again)).toMatchObject({ email });
  expect(await arrive(newVisitor(), { sub: "mallory", email, isVerified: false })).toMatch(/account_not_linked/);
});

it("records each sign-in by the provider, and no attempt that it or the workspace refused", async () => {
  const email = "lamport@example.org";
  await invite(email, "viewer");
  const visitor = newVisitor();
  await arrive(visitor, { email });
  const { id } = (await me(visitor)) as { id: string };
  const signIns = async () => {
    const { rows } = await at.database.pool.query(
      `SELECT body::json ->> 'how' AS how FROM audit_entry WHERE kind = 'account_used' AND body::json ->> 'act' = 'signed_in'
         AND body::json ->> 'person' = $1`,
      [id],
    );
    return rows.map(({ how }) => how);
  };
  expect(await signIns()).toEqual(["sign-on"]);
  expect(await arrive(newVisitor(), { sub: "another", email, isVerified: false })).toMatch(/account_not_linked/);
  expect(await signIns()).toEqual(["sign-on"]);
  await arrive(newVisitor(), { email });
  expect(await signIns()).toEqual(["sign-on", "sign-on"]);
});

it("never leads to an account whose owner gave themselves the address, until they connect it themselves", async () => {
  const email = "squatted@example.org";
  const squatter = await signedIn(server.url, at.database, server.admin.workspaceId, "viewer");
  await squatter.mutate("access.setPassword", { email, password: "correct horse battery" });
  expect(await arrive(newVisitor(), { email })).toMatch(/account_not_linked/);
  expect(await arrive(squatter, { email }, "/link-social")).toBe("/landed");
  const later = newVisitor();
  expect(await arrive(later, { email })).toBe("/landed");
  expect(await me(later)).toMatchObject({ email });
});

it("gives an account that somebody else made in a person's name to that person, and ends what opened it before", async () => {
  const email = "victim@example.org";
  const password = "known to the attacker";
  const elsewhere = await newWorkspace(at.database, "the attacker's");
  const attacker = await signedIn(server.url, at.database, elsewhere, "owner");
  const made = (await attacker.mutate("people.invite", { email, role: "owner" })).value as { link: string };
  const bait = new URL(made.link).searchParams.get("token") ?? "";
  const squatter = newVisitor();
  await squatter.mutate("access.acceptInvitation", { token: bait, account: { name: "Victim", password } });
  await squatter.account("/sign-in/email", { email, password });
  expect(await me(squatter)).toMatchObject({ email, role: "owner" });
  const spare = (await squatter.mutate("access.createSignInLink")).value as { token: string };
  const reset = (await attacker.query("people.list")).value as { personId: string; email: string | null }[];
  const personId = reset.find((one) => one.email === email)?.personId;
  const { link } = (await attacker.mutate("people.createResetLink", { personId })).value as { link: string };

  const invited = (await invite(email, "admin")).value as { link: string };
  const token = new URL(invited.link).searchParams.get("token") ?? "";
  expect((await squatter.mutate("access.acceptInvitation", { token })).value).toBe("not_signed_in");

  const victim = newVisitor();
  expect(await arrive(victim, { email })).toBe("/landed");
  expect(await me(squatter)).toBe("not_signed_in");
  expect((await newVisitor().account("/sign-in/email", { email, password })).status).toBe(401);
  expect((await newVisitor().mutate("access.signIn", spare)).status).toBe(401);
  const stale = { token: new URL(link).searchParams.get("token"), newPassword: "a wholly new password" };
  expect((await browser(server.url, "203.0.113.4").account("/reset-password", stale)).status).toBe(400);
  expect((await victim.mutate("access.acceptInvitation", { token })).status).toBe(200);
  await victim.mutate("access.switchWorkspace", { workspaceId: server.admin.workspaceId });
  expect(await me(victim)).toMatchObject({ email, role: "admin" });
});

it("ends a password that an admin's link set, when its owner signs on again", async () => {
  const email = "reset@example.org";
  await invite(email, "viewer");
  await arrive(newVisitor(), { email });
  const listed = (await owner.query("people.list")).value as { personId: string; email: string | null }[];
  const personId = listed.find((one) => one.email === email)?.personId;
  const { link } = (await owner.mutate("people.createResetLink", { personId })).value as { link: string };
  const newPassword = "known to the admin";
  const token = new URL(link).searchParams.get("token");
  const fresh = browser(server.url, "203.0.113.5");
  expect((await fresh.account("/reset-password", { token, newPassword })).status).toBe(200);
  const signIn = async () => (await newVisitor().account("/sign-in/email", { email, password: newPassword })).status;
  expect(await signIn()).toBe(200);
  const again = newVisitor();
  expect(await arrive(again, { email })).toBe("/landed");
  expect(await signIn()).toBe(401);
  expect(await me(again)).toMatchObject({ email });
});

it("opens no account whose address was proven by mail since, when it was connected under another address", async () => {
  const [email, taken] = ["joiner@example.org", "colleague@example.org"];
  await invite(email, "viewer");
  const joiner = newVisitor();
  await arrive(joiner, { email }, "/sign-in/social", ASK_AGAIN);
  expect((await joiner.mutate("access.setPassword", { email: taken, password: "a wholly own password" })).status).toBe(
    200,
  );
  const smtp = await smtpStub();
  try {
    const mail = { host: "127.0.0.1", port: smtp.port, security: "none", user: "", from: "quarterdeck@example.org" };
    expect((await owner.mutate("installation.saveMail", mail)).status).toBe(200);
    const colleague = newVisitor();
    await colleague.account("/request-password-reset", { email: taken });
    await vi.waitUntil(() => smtp.letters.length > 0, { timeout: 10_000 });
    const letter = (smtp.letters.at(-1) ?? "").replaceAll("=\r\n", "").replaceAll("=3D", "=");
    const [, token] = /sign-in\/reset\?token=([\w-]+)/.exec(letter) ?? [];
    const newPassword = "the colleague's password";
    expect((await colleague.account("/reset-password", { token, newPassword })).status).toBe(200);
    expect((await colleague.account("/sign-in/email", { email: taken, password: newPassword })).status).toBe(200);
    expect(await me(colleague)).toMatchObject({ email: taken });
  } finally {
    await smtp.close();
  }
  const again = newVisitor();
  expect(await arrive(again, { email })).toMatch(/^\/sign-in\?error=/);
  expect(await me(again)).toBe("not_signed_in");
});

it("confirms who somebody is when the provider says that it has just asked them, and not otherwise", async () => {
  const email = "grace@example.org";
  await invite(email, "owner");
  const grave = async (visitor: Browser) =>
    (await visitor.mutate("halts.resume", { id: crypto.randomUUID(), reason: "over" })).value;
  const visitor = newVisitor();
  expect(await arrive(visitor, { email })).toBe("/landed");
  expect(await grave(visitor)).toBe("step_up_required");
  // A page can leave out what makes the provider ask: then its token names no time.
  expect(await arrive(visitor, { email }, "/sign-in/social", { prompt: "consent" })).toBe("/landed");
  expect(await grave(visitor)).toBe("step_up_required");
  expect(await arrive(visitor, { email }, "/sign-in/social", ASK_AGAIN)).toBe("/landed");
  expect(await grave(visitor)).toBe("halt_not_found");
});

it("keeps the groups that the provider names, as the newest sign-in has them", async () => {
  const email = "grouped@example.org";
  await invite(email, "viewer");
  const groupsOf = async () => {
    const { rows } = await at.owner.query<{ name: string }>(
      `SELECT own.name FROM sign_on_group_member AS member JOIN person ON person.id = member.person_id
       JOIN sign_on_group AS own ON own.workspace_id = member.workspace_id AND own.id = member.group_id
       WHERE person.email = $1 AND member.workspace_id = $2 ORDER BY own.name`,
      [email, server.admin.workspaceId],
    );
    return rows.map(({ name }) => name);
  };
  const signsIn = (groups?: unknown) => arrive(newVisitor(), { email, ...(groups !== undefined && { groups }) });
  expect(await signsIn(["platform", " platform ", "research", 7, "a\u0000b", "x".repeat(201), ""])).toBe("/landed");
  expect(await groupsOf()).toEqual(["platform", "research"]);
  expect(oidc.asked.at(-1)?.get("scope")?.split(" ")).toContain("groups");
  expect(await signsIn(["research", "sales"])).toBe("/landed");
  expect(await groupsOf()).toEqual(["research", "sales"]);
  // A provider that sends no groups changes none.
  expect(await signsIn()).toBe("/landed");
  expect(await groupsOf()).toEqual(["research", "sales"]);
  expect(await signsIn("one")).toBe("/landed");
  expect(await groupsOf()).toEqual(["one"]);
  expect(await signsIn(Array.from({ length: 300 }, (_, n) => `group ${1_000 + n}`))).toBe("/landed");
  expect(await groupsOf()).toHaveLength(200);
  expect(await signsIn([])).toBe("/landed");
  expect(await groupsOf()).toEqual([]);
});

it("does not take an answer twice, nor one that another browser asked for", async () => {
  const email = "replayed@example.org";
  await invite(email, "viewer");
  const visitor = newVisitor();
  oidc.visitor = { sub: email, email, isVerified: true, name: "R" };
  const begun = await visitor.account("/sign-in/social", {
    provider: "sign-on",
    callbackURL: "/landed",
    errorCallbackURL: "/sign-in",
  });
  let { url } = begun.value as { url: string };
  const there = browser(oidc.issuer);
  while (!url.startsWith(server.running.app.url))
    url = new URL((await there.get(url)).headers.get("location") ?? "", url).href;
  const callback = url.replace(server.running.app.url, server.url);
  const thief = newVisitor();
  expect((await thief.get(callback)).headers.get("location")).toMatch(/error=/);
  expect(await me(thief)).toBe("not_signed_in");
  await visitor.get(callback);
  const second = newVisitor();
  for (const [name, value] of visitor.cookies) if (!name.includes("session")) second.cookies.set(name, value);
  expect((await second.get(callback)).headers.get("location")).toMatch(/error=/);
  expect(await me(second)).toBe("not_signed_in");
});

it("a provider inside the network is refused unless the operator lists it, also behind a name", async () => {
  const save = (issuer: string) =>
    owner.mutate("installation.saveSignOn", { label: "Acme", issuer, clientId: "x", clientSecret: "y" });
  for (const issuer of [
    "https://10.0.0.5",
    "https://169.254.169.254/",
    "https://[fd00:ec2::254]",
    "https://nowhere.invalid",
  ])
    expect(await save(issuer)).toMatchObject({ status: 400, value: "invalid_input" });
});

it("is set by nobody of another workspace, who does not learn which names there are either", async () => {
  const stranger = await signedIn(server.url, at.database, await newWorkspace(at.database, "curious"), "owner");
  for (const issuer of ["https://nowhere.invalid", "https://localhost", "https://10.0.0.5"]) {
    const asked = { label: "Acme", issuer, clientId: "x", clientSecret: "y" };
    expect(await stranger.mutate("installation.saveSignOn", asked)).toMatchObject({ status: 403, value: "forbidden" });
  }
});
