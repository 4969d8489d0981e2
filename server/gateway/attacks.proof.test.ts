/**
 * The attempts of a stranger, an agent, or the owner of another workspace over the network. Every attempt is judged the
 * same way: it is refused (or answered without a word of the victim's), and not a row of the victim's workspace
 * changes.
 */
import { createHmac, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Attempt, byHttp, byPage, resisted as resistedBy } from "../../e2e/fixtures/attempt.ts";
import { type Browser, browser, signedIn } from "../../e2e/fixtures/browser.ts";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { rawConnection } from "../../e2e/fixtures/raw-http.ts";
import { hook as askHook, MARK, type Victim, victimOf } from "../../e2e/fixtures/victim.ts";

let db: TestDatabase;
let server: TestGateway;
let target: Victim;
let ids: Victim["ids"];
let viewer: Browser;
let attacker: Browser;
let victimKey: string;
let otherKey: string;

beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  target = await victimOf(server);
  ({ ids, viewer, attacker, victimKey, otherKey } = target);
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

const hook = (key: string, input: unknown, event?: string, headers?: Record<string, string>) =>
  askHook(server.url, key, input, event, headers);

const RANGE = { from: new Date(Date.now() - 86_400_000), to: new Date(Date.now() + 86_400_000) };

let attempts = 0;
/** Runs an attempt. `allowed`: statuses that are no success of the attacker's. */
function resisted(attempt: Attempt, allowed: readonly number[]): Promise<void> {
  attempts += 1;
  return resistedBy(target, attempt, allowed);
}

describe("tokens and sessions", () => {
  const forged: readonly (readonly [name: string, bearer: () => string])[] = [
    ["a made-up key", () => `qd_${"a".repeat(43)}`],
    ["a key cut by its last character", () => victimKey.slice(0, -1)],
    ["a key with one more", () => `${victimKey}a`],
    ["a key in capitals", () => victimKey.toUpperCase()],
    ["a key's stored hash", () => createHmac("sha256", "").update(victimKey).digest("hex")],
    ["nothing at all", () => ""],
    ["an unsigned JSON web token", () => "eyJhbGciOiJub25lIn0.eyJyb2xlIjoib3duZXIifQ."],
    ["a key longer than any", () => `qd_${"a".repeat(8_000)}`],
  ];
  test.each(forged)("%s opens nothing", async (_name, bearer) => {
    await resisted(
      byHttp(() => hook(bearer(), { session_id: "s", tool_name: "shell", tool_input: {} })),
      [401, 431],
    );
  });

  test("an agent's key is no session, and an agent's scope is its limit", async () => {
    const ask = (path: string) =>
      byHttp(() => fetch(`${server.url}/api/trpc/${path}`, { headers: { authorization: `Bearer ${otherKey}` } }));
    for (const path of ["policies.list", "access.me", "audit.state", "people.list"])
      await resisted(ask(path), [401, 403]);
  });

  test("a session's signature alone, another's cookie name, or a guessed token opens nothing", async () => {
    const secret = server.secrets.sessionSecret;
    const token = "guessed";
    const signed = `${token}.${createHmac("sha256", secret).update(token).digest("base64")}`;
    for (const cookie of [signed, `${"a".repeat(43)}.x`, "", "null", "%00", "../../x"]) {
      const headers = { cookie: `quarterdeck_session=${encodeURIComponent(cookie)}`, origin: server.url };
      await resisted(
        byHttp(() => fetch(`${server.url}/api/trpc/policies.list`, { headers })),
        [401],
      );
    }
  });

  test("a session that was planted before signing in is not the one after", async () => {
    const { url, database, admin } = server;
    const planted = await signedIn(url, database, admin.workspaceId, "viewer");
    const before = new Map(planted.cookies);
    const victims = await signedIn(url, database, admin.workspaceId, "viewer");
    const after = [...victims.cookies.values()];
    expect([...before.values()].some((value) => after.includes(value))).toBe(false);
    attempts += 1;
  });

  test("a one-time link opens once, also when two spend it at the same moment", async () => {
    const { url, database, admin, linkToken } = server;
    const spend = () => browser(url).mutate("access.signIn", { token: linkToken });
    const statuses = (await Promise.all([spend(), spend(), spend()])).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 401, 401]);
    expect((await spend()).status).toBe(401);
    expect(database && admin.workspaceId).toBe(ids.workspace);
    attempts += 2;
  });

  test("a session that was ended is over, whoever still has its cookie", async () => {
    const { url, database, admin } = server;
    const gone = await signedIn(url, database, admin.workspaceId, "viewer");
    const kept = new Map(gone.cookies);
    await gone.mutate("access.signOut");
    for (const [name, value] of kept) gone.cookies.set(name, value);
    await resisted(
      byPage(() => gone, "policies.list", undefined, "query"),
      [401],
    );
  });

  test("a dispatch that was overheard is not answered for another agent", async () => {
    const input = { session_id: MARK, tool_name: "shell", tool_use_id: "1", tool_input: { cmd: MARK } };
    await hook(victimKey, input, "pre_tool_use", { "idempotency-key": "overheard" });
    await resisted(
      byHttp(() => hook(otherKey, { session_id: "s" }, "turn_start", { "idempotency-key": "overheard" })),
      [200],
    );
  });
});

describe("from another site's page", () => {
  const body = JSON.stringify({ json: { name: "forged" } });
  const post = (headers: Record<string, string>, contentType = "application/json", text = body) =>
    byHttp(() => {
      const { cookie = "" } = viewer.header();
      return fetch(`${server.url}/api/trpc/access.rename`, {
        method: "POST",
        headers: { cookie, "content-type": contentType, ...headers },
        body: text,
      });
    });
  test.each([
    ["another origin", { origin: "https://evil.example" }],
    ["a sandboxed page", { origin: "null" }],
    ["a host that ends like ours", { origin: "http://127.0.0.1.evil.example" }],
    ["another port of this machine", { origin: "http://127.0.0.1:1" }],
    ["a browser that says cross-site", { "sec-fetch-site": "cross-site" }],
    ["a browser that says same-site", { "sec-fetch-site": "same-site" }],
    ["a cookie and no word of where from", {}],
  ])("%s writes nothing", async (_name, headers) => {
    await resisted(post(headers as Record<string, string>), [403]);
  });

  test.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])(
    "a form of %s is not taken for JSON",
    async (contentType) => {
      await resisted(post({ origin: server.url }, contentType), [415]);
    },
  );

  test("our own page writes the same", async () => {
    const { status } = await post({ origin: server.url, "sec-fetch-site": "same-origin" })();
    expect(status).toBe(200);
  });

  test("a mutation is not made by a link", async () => {
    const { cookie = "" } = viewer.header();
    const input = encodeURIComponent(body);
    await resisted(
      byHttp(() => fetch(`${server.url}/api/trpc/access.rename?input=${input}`, { headers: { cookie } })),
      [405],
    );
  });
});

describe("text that wants to be something else", () => {
  const SQL = [
    "' OR 1=1 --",
    "%' OR '1'='1",
    "\\'; DROP TABLE policy; --",
    "$1",
    "%",
    "_",
    "1) UNION SELECT key_sha256 FROM agent_key--",
  ];
  test.each(SQL)("%s in a filter finds nothing of others", async (text) => {
    const filters = { text, tool: [text], agent: [text], session: [text], source: [text], verdict: [text] };
    await resisted(
      byPage(() => attacker, "decisions.list", { range: RANGE, filters }, "query"),
      [200],
    );
  });

  test("the victim's words in a filter find them for the victim alone", async () => {
    const ask = (who: Browser) => who.query("decisions.list", { range: RANGE, filters: { text: MARK } });
    expect((await ask(viewer)).text).toContain(ids.decision);
    expect((await ask(attacker)).value).toMatchObject({ rows: [] });
    attempts += 1;
  });

  test("a header cannot be smuggled into an answer or a log line", async () => {
    const connection = await rawConnection(server.port);
    connection.write(
      "GET /api/v1/policy HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer a\r\nX-A: b\r\n Set-Cookie: folded=1\r\n\r\n",
    );
    const folded = await connection.answer();
    expect(folded.headers["set-cookie"]).toBeUndefined();
    connection.socket.destroy();
    attempts += 1;
    await resisted(
      byHttp(() => hook(otherKey, { session_id: "s" }, "turn_start%0d%0aSet-Cookie:%20a=b")),
      [400, 404],
    );
  });

  test("two lengths, or a length and chunks, are one refusal and not two requests", async () => {
    for (const framing of [
      "Content-Length: 4\r\nContent-Length: 5",
      "Content-Length: 4\r\nTransfer-Encoding: chunked",
    ]) {
      const connection = await rawConnection(server.port);
      connection.write(
        `POST /api/v1/hooks/stop HTTP/1.1\r\nHost: localhost\r\n${framing}\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n`,
      );
      expect((await connection.answer()).status).toBe(400);
      connection.socket.destroy();
      attempts += 1;
    }
  });

  test.each([
    "/../../etc/passwd",
    "/..%2f..%2fetc/passwd",
    "/quarterdeck-hook.mjs/../../package.json",
    "//etc/passwd",
    "/api/v1/../../etc/passwd",
    "/api/__proto__",
  ])("%s reads no file", async (path) => {
    const connection = await rawConnection(server.port);
    connection.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    const { status, body } = await connection.answer();
    expect([400, 401, 404, 503]).toContain(status);
    expect(body).not.toMatch(/root:|"dependencies"/);
    connection.socket.destroy();
    attempts += 1;
  });

  test.each(["__proto__", "constructor", "hasOwnProperty", "toString", "../pre_tool_use"])(
    "an event called %s is no event",
    async (event) => {
      await resisted(
        byHttp(() => hook(otherKey, { session_id: "s" }, encodeURIComponent(event))),
        [400, 404],
      );
    },
  );

  test("a prototype in an input is a key like any other", async () => {
    const input = '{"session_id":"s","__proto__":{"allowed":true},"constructor":{"prototype":{"polluted":1}}}';
    await resisted(
      byHttp(() => hook(otherKey, input, "turn_start")),
      [200, 400],
    );
    expect(({} as { polluted?: number; allowed?: boolean }).polluted).toBeUndefined();
  });
});

describe("too much of it", () => {
  const huge = (bytes: number) => `{"session_id":"${"a".repeat(bytes)}"}`;
  const keys = Array.from({ length: 100_000 }, (_, at) => `,"k${at}":1`).join("");
  test.each([
    ["five megabytes", huge(5 * 1024 * 1024), [413]],
    ["ten thousand levels", `{"session_id":"s","x":${"[".repeat(10_000)}${"]".repeat(10_000)}}`, [400]],
    ["a hundred thousand keys", `{"session_id":"s"${keys}}`, [400, 413]],
    ["nothing", "", [400]],
    ["a NUL", "\0", [400]],
  ] as const)("%s is refused", async (_name, body, statuses) => {
    await resisted(
      byHttp(() => hook(otherKey, body, "turn_start")),
      statuses,
    );
  });

  test("half a character is a text like any other", async () => {
    await resisted(
      byHttp(() => hook(otherKey, '{"session_id":"\\ud800"}', "turn_start")),
      [200],
    );
  });

  test("a thousand and one reports, or a batch of procedures too long", async () => {
    const report = (count: number) => {
      const input = { session_id: "s" };
      const reports = Array.from({ length: count }, () => ({ event_id: randomUUID(), event: "stop", input }));
      const headers = { authorization: `Bearer ${otherKey}`, "content-type": "application/json" };
      return fetch(`${server.url}/api/v1/events`, { method: "POST", headers, body: JSON.stringify(reports) });
    };
    expect((await report(1)).status).toBe(200);
    await resisted(
      byHttp(() => report(1_001)),
      [400, 413],
    );
    const ask = (count: number) => {
      const paths = Array.from({ length: count }, () => "policies.list").join(",");
      return fetch(`${server.url}/api/trpc/${paths}?batch=1&input=%7B%7D`, { headers: attacker.header() });
    };
    expect((await ask(2)).status).toBe(200);
    await resisted(
      byHttp(() => ask(50)),
      [400, 414],
    );
  });
});

// In whatever order they were made.
afterAll(() => {
  console.info(`${attempts} attempts, none succeeded`);
  expect(attempts).toBeGreaterThan(60);
});
