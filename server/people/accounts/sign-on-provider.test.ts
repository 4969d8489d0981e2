import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, it, test } from "vitest";
import { type Browser, browser, signedIn } from "../../../e2e/fixtures/browser.ts";
import { type TestDatabase, testDatabase } from "../../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../../e2e/fixtures/gateway.ts";
import { type AddressRule, addressRule, VARIABLES } from "../../platform/outgoing/address-rule.ts";
import { createOutgoing } from "../../platform/outgoing/outgoing.ts";
import { discover } from "./discovery.ts";

let at: TestDatabase;
let server: TestGateway;
let owner: Browser;
/** The provider that the operator lists, and another service of this machine, which is not listed. */
let listed: Awaited<ReturnType<typeof listener>>;
let unlisted: Awaited<ReturnType<typeof listener>>;
/** The discovery document by the issuer's path. */
const documents = new Map<string, Record<string, unknown>>();
const CODE = "code-of-the-provider";

async function listener(host: string) {
  const asked: string[] = [];
  const http: Server = createServer((request, response) => {
    const path = request.url ?? "";
    asked.push(path);
    if (path.startsWith("/moved/")) return void response.writeHead(302, { location: `${unlisted.url}/moved` }).end();
    const document = documents.get(path.replace("/.well-known/openid-configuration", ""));
    response
      .writeHead(document ? 200 : 404, { "content-type": "application/json" })
      .end(JSON.stringify(document ?? {}));
  }).listen(0, host);
  await once(http, "listening");
  const { port } = http.address() as AddressInfo; // a TCP server's address, once it listens
  let connections = 0;
  http.on("connection", () => {
    connections += 1;
  });
  const close = () => {
    http.closeAllConnections();
    http.close();
  };
  return { url: `http://${host}:${port}`, asked, connections: () => connections, close };
}

beforeAll(async () => {
  at = await testDatabase();
  listed = await listener("127.0.0.1");
  unlisted = await listener("127.0.0.2");
  server = await testGateway(at.url, { allowed: { privateSignOn: "127.0.0.1" } });
  owner = await signedIn(server.url, at.database, server.admin.workspaceId, "owner");
});
beforeEach(() => {
  listed.asked.length = 0;
});
afterAll(async () => {
  await server?.stop();
  listed?.close();
  unlisted?.close();
  await at?.drop();
});

/** Sets the provider whose document this is; answers the first step of signing on by it. */
async function begin(name: string, changed: Record<string, unknown> = {}) {
  const issuer = `${listed.url}/${name}`;
  documents.set(`/${name}`, {
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    userinfo_endpoint: `${issuer}/me`,
    ...changed,
  });
  const value = { label: "Acme", issuer, clientId: "x", clientSecret: "y" };
  expect((await owner.mutate("installation.saveSignOn", value)).status).toBe(200);
  const visitor = browser(server.url);
  const asked = { provider: "sign-on", callbackURL: "/landed", errorCallbackURL: "/sign-in" };
  const answer = await visitor.account("/sign-in/social", asked);
  return { issuer, visitor, answer };
}

it("leads to a provider all of whose endpoints may be asked, and asks its token endpoint", async () => {
  const { issuer, visitor, answer } = await begin("good");
  expect(answer.status).toBe(200);
  const to = new URL((answer.value as { url: string }).url);
  expect(to.href.startsWith(`${issuer}/auth?`)).toBe(true);
  expect(to.searchParams.get("scope")).toBe("openid email profile");
  const state = to.searchParams.get("state") ?? "";
  const back = await visitor.get(`${server.url}/api/auth/callback/sign-on?code=${CODE}&state=${state}`);
  expect(back.headers.get("location")).toMatch(/^\/sign-in\?error=invalid_code/);
  expect(listed.asked).toEqual(["/good/.well-known/openid-configuration", "/good/token"]);
});

it.each(["authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint"])(
  "asks nobody when the discovery document names another private address as its %s",
  async (field) => {
    const { answer } = await begin(`bad-${field}`, { [field]: `${unlisted.url}/inside` });
    expect(answer).toMatchObject({ status: 502, value: "sign_on_unavailable" });
    expect(listed.asked).toEqual([`/bad-${field}/.well-known/openid-configuration`]);
    expect(unlisted.connections()).toBe(0);
  },
);

it("follows no redirect of the discovery document, and takes none of another issuer", async () => {
  expect((await begin("moved")).answer.status).toBe(502);
  expect((await begin("other", { issuer: "https://issuer.example" })).answer.status).toBe(502);
  expect(unlisted.connections()).toBe(0);
});

it("takes no identity token from a visitor", async () => {
  const { visitor } = await begin("token");
  const asked = { provider: "sign-on", callbackURL: "/landed", idToken: { token: "a.b.c" } };
  const { status, value } = await visitor.account("/sign-in/social", asked);
  expect([status, value]).toEqual([404, "ID_TOKEN_NOT_SUPPORTED"]);
});

test("an endpoint is judged by the address that is connected to, whatever its name passed as", async () => {
  const none = addressRule("none", VARIABLES.signOn);
  const rule: AddressRule = { ...none, refusal: () => null };
  const outgoing = createOutgoing(rule, { bytesMax: 1_000, timeoutMs: 5_000 });
  const issuer = listed.url.replace("127.0.0.1", "localhost");
  await expect(discover(outgoing, rule, issuer)).rejects.toThrow(VARIABLES.signOn);
  expect(listed.asked).toEqual([]);
  outgoing.close();
});
