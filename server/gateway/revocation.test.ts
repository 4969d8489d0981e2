/** A stream ends with the right to it: within a second, on the node that revoked it and on the other one. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser, browser, signedIn } from "../../e2e/fixtures/browser.ts";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";

let at: TestDatabase;
let one: TestGateway;
let other: TestGateway;
let owner: Browser;

beforeAll(async () => {
  at = await testDatabase();
  one = await testGateway(at.url);
  other = await testGateway(at.url);
  owner = await signedIn(one.url, at.database, one.admin.workspaceId, "owner");
});
afterAll(async () => {
  await Promise.all([one?.stop(), other?.stop()]);
  await at?.drop();
});

const PASSWORD = "correct horse battery";

interface Stream {
  readonly text: () => string;
  readonly isOpen: () => boolean;
  close(): void;
}
/** Reads the stream of changes until it ends; resolves once it has begun. */
async function listen(
  url: string,
  headers: Readonly<Record<string, string>>,
  path = "events.changes",
): Promise<Stream> {
  const ending = new AbortController();
  const input = encodeURIComponent(JSON.stringify({ json: {} }));
  const response = await fetch(`${url}/api/trpc/${path}?input=${input}`, {
    headers: { ...headers, accept: "text/event-stream" },
    signal: ending.signal,
  });
  expect(response.status).toBe(200);
  let text = "";
  let isOpen = true;
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
  };
  void read()
    .catch(() => undefined)
    .finally(() => {
      isOpen = false;
    });
  await expect.poll(() => text).toContain("data:");
  return { text: () => text, isOpen: () => isOpen, close: () => ending.abort() };
}
/** The same reader on both nodes. */
const listenTwice = (headers: Readonly<Record<string, string>>) =>
  Promise.all([one, other].map(({ url }) => listen(url, headers)));
async function expectEnded(streams: readonly Stream[]): Promise<void> {
  await expect.poll(() => streams.map((stream) => stream.isOpen())).toEqual(streams.map(() => false));
  for (const stream of streams) expect(stream.text()).toContain("not_signed_in");
}
let counter = 0;
async function member() {
  const page = await signedIn(one.url, at.database, one.admin.workspaceId, "author");
  const email = `reader${counter++}@example.org`;
  await page.mutate("access.setPassword", { email, password: PASSWORD });
  const { id } = (await page.query("access.me")).value as { id: string };
  return { page, email, id };
}
async function secondBrowser(email: string) {
  const made = browser(one.url);
  expect((await made.account("/sign-in/email", { email, password: PASSWORD })).status).toBe(200);
  return made;
}

it.each(["setRole", "remove"])("a stream of calls ends by people.%s, on every node", async (act) => {
  const reader = await member();
  const streams = await Promise.all(
    [one, other].map(({ url }) => listen(url, reader.page.header(), "decisions.followCalls")),
  );
  const input = { personId: reader.id, ...(act === "setRole" && { role: "viewer" }) };
  expect((await owner.mutate(`people.${act}`, input)).status).toBe(200);
  await expectEnded(streams);
});

describe("a stream of changes", () => {
  it.each<[string, (reader: Awaited<ReturnType<typeof member>>) => Promise<unknown>]>([
    ["the person is removed", ({ id }) => owner.mutate("people.remove", { personId: id })],
    ["the person's role is another one", ({ id }) => owner.mutate("people.setRole", { personId: id, role: "viewer" })],
    ["the person signs out", ({ page }) => page.mutate("access.signOut")],
    [
      "the person ends the session in another browser",
      async ({ email, page }) => {
        const second = await secondBrowser(email);
        const { sessions } = (await page.query("access.security")).value as {
          sessions: { id: string; isThis: boolean }[];
        };
        await second.mutate("access.endSession", { sessionId: sessions.find(({ isThis }) => isThis)?.id });
      },
    ],
    [
      "the person changes the password in another browser",
      async ({ email }) => {
        const second = await secondBrowser(email);
        await second.account("/change-password", { currentPassword: PASSWORD, newPassword: "a wholly new password" });
      },
    ],
    [
      "an admin's link sets a new password",
      async ({ id }) => {
        const { link } = (await owner.mutate("people.createResetLink", { personId: id })).value as { link: string };
        const token = new URL(link).searchParams.get("token");
        await browser(one.url).account("/reset-password", { token, newPassword: "a wholly new password" });
      },
    ],
  ])("ends when %s, and nobody else's", async (_title, act) => {
    const reader = await member();
    const bystander = await listen(other.url, owner.header());
    const streams = await listenTwice(reader.page.header());
    await act(reader);
    await expectEnded(streams);
    await one.agent(`made after ${counter++}`);
    await expect.poll(() => bystander.text()).toContain("agents");
    expect(bystander.isOpen()).toBe(true);
    for (const stream of streams) expect(stream.text()).not.toContain('"agents"');
    bystander.close();
  });

  it.each(["serviceAccounts.revokeToken", "serviceAccounts.remove"])(
    "of a service account ends by %s",
    async (path) => {
      const { serviceId } = (await owner.mutate("serviceAccounts.create", { name: `ci ${counter++}`, role: "auditor" }))
        .value as {
        serviceId: string;
      };
      const made = (await owner.mutate("serviceAccounts.createToken", { serviceId, days: 1 })).value as {
        tokenId: string;
        token: string;
      };
      const streams = await listenTwice({ authorization: `Bearer ${made.token}` });
      const input = path === "serviceAccounts.remove" ? { serviceId } : { serviceId, tokenId: made.tokenId };
      expect((await owner.mutate(path, input)).status).toBe(200);
      await expectEnded(streams);
    },
  );
});

describe("a request for a policy that is held", () => {
  async function held(url: string, key: string) {
    const authorization = `Bearer ${key}`;
    const first = await fetch(`${url}/api/v1/policy`, { headers: { authorization } });
    const headers = { authorization, "if-none-match": first.headers.get("etag") ?? "" };
    const answer = { status: 0, body: "" };
    const done = fetch(`${url}/api/v1/policy?wait=30`, { headers }).then(async (response) => {
      answer.body = await response.text();
      answer.status = response.status;
    });
    return { answer, done };
  }
  async function agentWithKey() {
    const made = (await owner.mutate("agents.create", { name: `held ${counter++}` })).value as {
      agentId: string;
      keyId: string;
      key: string;
    };
    return made;
  }

  it("ends when its key is revoked", async () => {
    const { agentId, keyId, key } = await agentWithKey();
    const asked = await Promise.all([held(one.url, key), held(other.url, key)]);
    expect((await owner.mutate("agents.revokeKey", { agentId, keyId })).status).toBe(200);
    await expect.poll(() => asked.map(({ answer }) => answer.status)).toEqual([401, 401]);
  });

  it("never hands a later policy to a key that was revoked, though nobody told of it", async () => {
    const { keyId, key } = await agentWithKey();
    const asked = await Promise.all([held(one.url, key), held(other.url, key)]);
    await at.database.pool.query("UPDATE agent_key SET revoked_at = now() WHERE id = $1", [keyId]);
    await one.publish("hooks:\n  session_start:\n    - { type: builtin, command: add_date }\n", `later ${counter++}`);
    await Promise.all(asked.map(({ done }) => done));
    expect(asked.map(({ answer }) => answer.status)).toEqual([401, 401]);
    expect(asked.map(({ answer }) => answer.body).join()).not.toContain("add_date");
  });
});
