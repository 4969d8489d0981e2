/** One address with many wrong tokens, passwords or links: its neighbours behind the same address are served. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browser, signedIn } from "../../e2e/fixtures/browser.ts";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { GUESS_LIMITS } from "../access/credential-throttle.ts";

const WRONG = 1_000;
const AT_ONCE = 10;
const PASSWORD = "correct horse battery";
/** The office of all of them. */
const OFFICE = "203.0.113.7";
/** The address from which made-up accounts are tried; sign-in from it is slowed down for some seconds. */
const GUESSING_OFFICE = "203.0.113.8";
let db: TestDatabase;
let server: TestGateway;
let number = 0;

beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url, { trustedProxies: "loopback" });
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

const send = async (path: string, headers: Record<string, string>, body?: object) => {
  const response = await fetch(`${server.url}${path}`, {
    headers: { "content-type": "application/json", "x-forwarded-for": OFFICE, ...headers },
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
  });
  await response.arrayBuffer();
  return response;
};
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const policy = (key: string) => send("/api/v1/policy", bearer(key));
const wrong = (prefix: string) => `${prefix}_${String(++number).padStart(43, "0")}`;
const origin = () => ({ origin: server.url });

async function serviceToken(): Promise<string> {
  const owner = await signedIn(server.url, db.database, server.admin.workspaceId, "owner");
  const made = await owner.mutate("serviceAccounts.create", { name: `ci ${++number}`, role: "admin" });
  const { serviceId } = made.value as { serviceId: string };
  return ((await owner.mutate("serviceAccounts.createToken", { serviceId, days: 1 })).value as { token: string }).token;
}
async function enrolmentToken(): Promise<string> {
  const owner = await signedIn(server.url, db.database, server.admin.workspaceId, "owner");
  const made = await owner.mutate("agents.createEnrolmentToken", { name: `t ${++number}`, uses: 9, hours: 1 });
  return (made.value as { token: string }).token;
}
async function signInLink(): Promise<string> {
  const owner = await signedIn(server.url, db.database, server.admin.workspaceId, "owner");
  return ((await owner.mutate("access.createSignInLink")).value as { token: string }).token;
}
async function account() {
  const page = await signedIn(server.url, db.database, server.admin.workspaceId, "viewer");
  const email = `neighbour${++number}@example.org`;
  await page.mutate("access.setPassword", { email, password: PASSWORD });
  return email;
}
const signIn = (email: string, password = PASSWORD, office = OFFICE) =>
  send("/api/auth/sign-in/email", { ...origin(), "x-forwarded-for": office }, { email, password });

/** Wrong credentials of one kind, a thousand of them. */
const ATTACKS: Readonly<Record<string, () => Promise<Response>>> = {
  "agent keys": () => policy(wrong("qd")),
  "service tokens": () => send("/api/trpc/access.whoami", bearer(wrong("qds"))),
  "admin tokens": () => send("/api/trpc/access.whoami", bearer(wrong("x"))),
  "enrolment tokens": () => send("/api/v1/join", bearer(wrong("qdj")), { name: `machine ${number}` }),
  "sign-in links": () => send("/api/trpc/access.signIn", origin(), { json: { token: wrong("x") } }),
};

async function attack(one: () => Promise<Response>): Promise<Set<number>> {
  const statuses = new Set<number>();
  for (let sent = 0; sent < WRONG; sent += AT_ONCE) {
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, one));
    for (const { status } of answers) statuses.add(status);
  }
  return statuses;
}

/** Neighbours that the server has not seen before. */
async function expectServed(): Promise<void> {
  expect((await policy(await server.agent(`unseen ${++number}`))).status).toBe(200);
  expect((await send("/api/trpc/access.whoami", bearer(await serviceToken()))).status).toBe(200);
  expect((await send("/api/trpc/access.whoami", bearer(server.secrets.adminToken))).status).toBe(200);
  expect((await send("/api/v1/join", bearer(await enrolmentToken()), { name: `machine ${++number}` })).status).toBe(
    201,
  );
  expect((await send("/api/trpc/access.signIn", origin(), { json: { token: await signInLink() } })).status).toBe(200);
  expect((await signIn(await account())).status).toBe(200);
}

describe(`after ${WRONG} wrong credentials of the same address, every neighbour is served`, () => {
  it.each(Object.entries(ATTACKS))("%s", async (_, one) => {
    const statuses = await attack(one);
    expect([...statuses].filter((status) => status < 400 || status >= 500)).toEqual([]);
    await expectServed();
  });

  it("while the attack goes on", async () => {
    let isOver = false;
    const attacking = Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (!isOver) await policy(wrong("qd"));
      }),
    );
    try {
      await expectServed();
    } finally {
      isOver = true;
      await attacking;
    }
  });

  it("passwords of made-up accounts", async () => {
    const signInHere = (email: string, password = PASSWORD) => signIn(email, password, GUESSING_OFFICE);
    const known = await account();
    expect((await signInHere(known)).status).toBe(200);
    const statuses: number[] = [];
    for (let guess = 0; guess < 105; guess += 1)
      statuses.push((await signInHere(`nobody${++number}@example.org`, "a wrong password")).status);
    // The hundredth slows the address down, for accounts that were never signed in to from it.
    expect(statuses.slice(0, 100).every((status) => status === 401)).toBe(true);
    expect(statuses.slice(100)).toContain(429);
    expect((await signInHere(known)).status).toBe(200);
    const unknown = await account();
    await expect.poll(async () => (await signInHere(unknown)).status, { timeout: 8_000, interval: 500 }).toBe(200);
  });
});

it("one wrong credential that is sent again and again is not looked up any more", async () => {
  const key = wrong("qd");
  for (let sent = 0; sent < GUESS_LIMITS.failuresMax; sent += 1) expect((await policy(key)).status).toBe(401);
  const refused = await policy(key);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
});

it("a password of one account that is guessed is still refused for that account, and for no other", async () => {
  const attacked = await account();
  const page = browser(server.url, "203.0.113.9");
  const guess = (email: string, password: string) => page.account("/sign-in/email", { email, password });
  for (let sent = 0; sent < 7; sent += 1) await guess(attacked, "a wrong password");
  expect((await guess(attacked, PASSWORD)).status).toBe(429);
  expect((await guess(await account(), PASSWORD)).status).toBe(200);
});
