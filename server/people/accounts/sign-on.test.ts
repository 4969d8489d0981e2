import { afterAll, beforeAll, expect, it } from "vitest";
import { type Browser, browser, signedIn } from "../../../e2e/fixtures/browser.ts";
import { type TestDatabase, testDatabase } from "../../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../../e2e/fixtures/gateway.ts";
import { type OidcStub, oidcStub } from "../../../e2e/fixtures/oidc-stub.ts";

let at: TestDatabase;
let server: TestGateway;
let oidc: OidcStub;
let owner: Browser;

beforeAll(async () => {
  at = await testDatabase();
  server = await testGateway(at.url);
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

/** Goes through the provider and back; answers where that ends. */
async function arrive(visitor: Browser, who: Partial<OidcStub["visitor"]>, path = "/sign-in/social"): Promise<string> {
  oidc.visitor = { sub: who.email ?? "", email: "", isVerified: true, name: "Edsger Dijkstra", ...who };
  const begun = await visitor.account(path, {
    provider: "sign-on",
    callbackURL: "/landed",
    errorCallbackURL: "/sign-in",
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
const invite = (email: string, role: string) => owner.mutate("people.invite", { email, role });
const me = async (visitor: Browser) => (await visitor.query("access.me")).value;

it("lets in whom an invitation names by an address that the provider verified, and nobody else", async () => {
  const email = "edsger@example.org";
  expect(await arrive(browser(server.url), { email })).toMatch(/^\/sign-in\?error=not_invited/);
  await invite(email, "auditor");
  expect(await arrive(browser(server.url), { email, isVerified: false })).toMatch(/^\/sign-in\?error=not_invited/);
  const visitor = browser(server.url);
  expect(await arrive(visitor, { email })).toBe("/landed");
  expect(await me(visitor)).toMatchObject({ role: "auditor", name: "Edsger Dijkstra", email });
  const asked = oidc.asked.at(-1);
  expect(asked?.get("code_challenge_method")).toBe("S256");
  expect([asked?.has("state"), asked?.has("nonce")]).toEqual([true, true]);
});

it("knows a person by the provider's subject from then on, and no other subject by the same address", async () => {
  const email = "knuth@example.org";
  await invite(email, "viewer");
  await arrive(browser(server.url), { sub: "knuth", email });
  const again = browser(server.url);
  expect(await arrive(again, { sub: "knuth", email: "renamed@example.org" })).toBe("/landed");
  expect(await me(again)).toMatchObject({ email });
  expect(await arrive(browser(server.url), { sub: "mallory", email, isVerified: false })).toMatch(/account_not_linked/);
});

it("never leads to an account whose owner gave themselves the address, until they connect it themselves", async () => {
  const email = "squatted@example.org";
  const squatter = await signedIn(server.url, at.database, server.admin.workspaceId, "viewer");
  await squatter.mutate("access.setPassword", { email, password: "correct horse battery" });
  expect(await arrive(browser(server.url), { email })).toMatch(/account_not_linked/);
  expect(await arrive(squatter, { email }, "/link-social")).toBe("/landed");
  const later = browser(server.url);
  expect(await arrive(later, { email })).toBe("/landed");
  expect(await me(later)).toMatchObject({ email });
});

it("does not take an answer twice, nor one that another browser asked for", async () => {
  const email = "replayed@example.org";
  await invite(email, "viewer");
  const visitor = browser(server.url);
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
  const thief = browser(server.url);
  expect((await thief.get(callback)).headers.get("location")).toMatch(/error=/);
  expect(await me(thief)).toBe("not_signed_in");
  await visitor.get(callback);
  const second = browser(server.url);
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
