import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { rawConnection } from "../../e2e/fixtures/raw-http.ts";

let db: TestDatabase;
let server: TestGateway;
let cookie: string;
let key: string;

interface Call {
  readonly input?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const asScript = () => ({ authorization: `Bearer ${server.secrets.adminToken}` });

function mutate(path: string, { input, headers = {} }: Call = {}): Promise<Response> {
  return fetch(`${server.url}/api/trpc/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ json: input }),
  });
}

function query(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(`${server.url}/api/trpc/${path}`, { headers });
}

async function outcome(response: Response): Promise<[number, unknown]> {
  const body = await response.json();
  return [response.status, body.error?.code ?? body.error?.json?.data?.appCode ?? body.result?.data?.json ?? null];
}

beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  key = await server.agent("tester");
  const signedIn = await mutate("access.signIn", {
    input: { token: server.linkToken },
    headers: { origin: server.url },
  });
  expect(signedIn.status).toBe(200);
  cookie = (signedIn.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

describe("who asks", () => {
  it("is the person whose link was spent, by the cookie it was spent for", async () => {
    expect(cookie).toMatch(/^quarterdeck_session=\w{43}\.[\w%]+$/);
    expect(await outcome(await query("access.whoami", { cookie }))).toMatchObject([
      200,
      { kind: "person", name: "admin" },
    ]);
  });

  it("is an admin's script by the data directory's token", async () => {
    expect(await outcome(await query("access.whoami", asScript()))).toMatchObject([200, { kind: "script" }]);
  });

  it("is an agent by its key, and an agent is no administrator", async () => {
    const authorization = `Bearer ${key}`;
    expect(await outcome(await query("agent.policy", { authorization }))).toMatchObject([200, { revision: "none" }]);
    expect(await outcome(await query("access.whoami", { authorization }))).toEqual([403, "forbidden"]);
    expect(await outcome(await query("agent.policy", { cookie }))).toEqual([403, "forbidden"]);
  });

  it.each([
    ["nobody", {}],
    ["a cookie nobody has", { cookie: "quarterdeck_session=stolen" }],
    ["a token nobody has", { authorization: "Bearer qda_wrong" }],
    ["another scheme", { authorization: "Basic YTpi" }],
  ])("is nobody: %s", async (_title, headers) => {
    expect(await outcome(await query("access.whoami", headers))).toEqual([401, "not_signed_in"]);
  });

  it("hears that its key is no key", async () => {
    const authorization = `Bearer qd_${"x".repeat(43)}`;
    expect(await outcome(await query("agent.policy", { authorization }))).toEqual([401, "unauthenticated"]);
  });

  it("spends a link once, and is nobody again after signing out", async () => {
    const again = await mutate("access.signIn", {
      input: { token: server.linkToken },
      headers: { origin: server.url },
    });
    expect(await outcome(again)).toEqual([401, "sign_in_link_spent"]);
    const made = await outcome(await mutate("access.createSignInLink", { headers: asScript() }));
    const { token } = made[1] as { token: string };
    const other = await mutate("access.signIn", { input: { token }, headers: { origin: server.url } });
    const own = { cookie: (other.headers.get("set-cookie") ?? "").split(";")[0] ?? "", origin: server.url };
    expect((await mutate("access.signOut", { headers: own })).status).toBe(200);
    expect(await outcome(await query("access.whoami", own))).toEqual([401, "not_signed_in"]);
  });
});

describe("a change", () => {
  const create = (name: string, headers: Readonly<Record<string, string>>) =>
    mutate("agents.create", { input: { name }, headers });

  it.each([
    ["the console itself", () => ({ cookie, origin: server.url })],
    ["the address it is known by outside", () => ({ cookie, origin: server.running.app.url })],
    ["a browser that leaves Origin out on its own site", () => ({ cookie, "sec-fetch-site": "same-origin" })],
    ["a script", () => asScript()],
  ])("from %s is made", async (title, headers) => {
    expect((await create(`from ${title}`.slice(0, 60), headers())).status).toBe(200);
  });

  it.each([
    ["another site", () => ({ cookie, origin: "https://evil.example" })],
    ["the same host on another port", () => ({ cookie, origin: "http://127.0.0.1:1" })],
    ["a sandboxed frame", () => ({ cookie, origin: "null" })],
    ["nowhere, with a cookie", () => ({ cookie })],
    ["another site that leaves Origin out", () => ({ cookie, "sec-fetch-site": "cross-site" })],
    ["another site, with a script's token", () => ({ ...asScript(), origin: "https://evil.example" })],
  ])("from %s is refused and not made", async (_title, headers) => {
    expect(await outcome(await create("from elsewhere", headers()))).toEqual([403, "foreign_origin"]);
    const { rowCount } = await db.database.pool.query("SELECT 1 FROM agent WHERE name = 'from elsewhere'");
    expect(rowCount).toBe(0);
  });

  it("by GET is refused", async () => {
    expect((await query("agents.create", { cookie })).status).toBe(405);
  });
});

describe("hostile input", () => {
  it("over 4 MiB is refused, and the next call is answered", async () => {
    const source = "a".repeat(4 * 1024 * 1024);
    expect(await outcome(await mutate("policies.check", { input: { source }, headers: asScript() }))).toEqual([
      413,
      "body_too_large",
    ]);
    expect((await query("access.whoami", asScript())).status).toBe(200);
  });

  it.each([
    ["text that is not JSON", "{oops", 400],
    ["nothing", "", 400],
    ["a million levels", "[".repeat(1_000_000), 400],
    ["prototypes", '{"json":{"source":"hooks: {}"},"meta":{"values":{"__proto__.polluted":["Date"]}}}', 400],
  ])("of %s is refused", async (_title, body, status) => {
    const response = await fetch(`${server.url}/api/trpc/policies.check`, {
      method: "POST",
      headers: { "content-type": "application/json", ...asScript() },
      body,
    });
    expect(response.status).toBe(status);
    expect("polluted" in {}).toBe(false);
  });

  it.each([
    ["a pattern", "/(a+)+$/", "regexp"],
    ["an address", "http://127.0.0.1/", "URL"],
    ["an error", { message: "x" }, "Error"],
    ["a set", ["x"], "set"],
    ["a map", [["x", "y"]], "map"],
    ["a number that is none", "NaN", "number"],
    ["a symbol", "x", ["symbol", "x"]],
    ["a class", {}, ["class", "Object"]],
    ["a type of its own", "x", ["custom", "x"]],
    ["bytes", [1], ["typed-array", "Uint8Array"]],
    ["a number of a million digits", "9".repeat(1_000_000), "bigint"],
    ["a number of a million hexadecimal digits", `0x${"f".repeat(1_000_000)}`, "bigint"],
    ["a number of a million digits in a list", ["9".repeat(1_000_000)], "bigint"],
  ])("that wants to become %s is refused at once", async (_title, json, type) => {
    const startedMs = performance.now();
    const response = await fetch(`${server.url}/api/trpc/policies.check`, {
      method: "POST",
      headers: { "content-type": "application/json", ...asScript() },
      body: JSON.stringify({ json: { source: json, safe: "x" }, meta: { values: { source: [type] }, v: 1 } }),
    });
    expect(response.status).toBe(400);
    expect(performance.now() - startedMs).toBeLessThan(5_000);
  });

  it("of the types that forms use is read", async () => {
    const range = { from: "2026-01-01T00:00:00.000Z", to: "2026-01-02T00:00:00.000Z" };
    const meta = { values: { "range.from": ["Date"], "range.to": ["Date"], nothing: ["undefined"] }, v: 1 };
    const input = encodeURIComponent(JSON.stringify({ json: { range }, meta: { ...meta, referentialEqualities: {} } }));
    expect((await query(`decisions.facets?input=${input}`, asScript())).status).toBe(400); // nothing is at "nothing"
    const dates = { values: { "range.from": ["Date"], "range.to": ["Date"] }, v: 1 };
    const asked = encodeURIComponent(JSON.stringify({ json: { range }, meta: dates }));
    expect((await query(`decisions.facets?input=${asked}`, asScript())).status).toBe(200);
    const amount = {
      json: { name: "b", amountNano: "9".repeat(40) },
      meta: { values: { amountNano: ["bigint"] }, v: 1 },
    };
    const response = await fetch(`${server.url}/api/trpc/budgets.create`, {
      method: "POST",
      headers: { "content-type": "application/json", ...asScript() },
      body: JSON.stringify(amount),
    });
    // The schema has read it as a number, and finds it too large.
    expect(await response.text()).toContain("At most one million.");
  });

  it("of another content type is refused", async () => {
    const headers = { ...asScript(), "content-type": "text/plain" };
    expect(await outcome(await mutate("policies.check", { headers }))).toEqual([415, "wrong_content_type"]);
  });

  it("of too many calls in one is refused", async () => {
    const paths = Array.from({ length: 21 }, () => "access.whoami").join(",");
    expect((await query(`${paths}?batch=1`, asScript())).status).toBe(400);
  });

  it("at an unknown procedure is a 404, by an unknown method a 405", async () => {
    expect(await outcome(await query("no.such", asScript()))).toEqual([404, "not_found"]);
    const response = await fetch(`${server.url}/api/trpc/access.whoami`, { method: "DELETE" });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, POST"]);
  });

  it("never comes back from a cache", async () => {
    expect((await query("access.whoami", asScript())).headers.get("cache-control")).toBe("no-store");
  });
});

describe("agent.dispatch and agent.report", () => {
  const asAgent = () => ({ authorization: `Bearer ${key}` });

  it("are the same as over plain HTTP", async () => {
    const asked = {
      event: "pre_tool_use",
      input: { session_id: "s", tool_name: "shell", newer: 1 },
      idempotencyKey: "one",
    };
    const [status, first] = await outcome(await mutate("agent.dispatch", { input: asked, headers: asAgent() }));
    expect([status, first]).toMatchObject([200, { answer: {}, revision: "none", isRepeated: false }]);
    const again = await outcome(await mutate("agent.dispatch", { input: asked, headers: asAgent() }));
    expect(again).toEqual([200, { ...(first as object), isRepeated: true }]);
    const plain = await fetch(`${server.url}/api/v1/hooks/pre_tool_use`, {
      method: "POST",
      headers: { ...asAgent(), "content-type": "application/json", "idempotency-key": "one" },
      body: JSON.stringify(asked.input),
    });
    expect(plain.headers.get("quarterdeck-dispatch-id")).toBe((first as { dispatchId: string }).dispatchId);
  });

  it("take 512 KiB, and plain HTTP takes the rest", async () => {
    const input = { session_id: "s", tool_name: "shell", tool_input: { text: "a".repeat(512 * 1024) } };
    const asked = { event: "pre_tool_use", input };
    const refused = await mutate("agent.dispatch", { input: asked, headers: asAgent() });
    expect([refused.status, await refused.text()]).toEqual([413, expect.stringContaining("POST /api/v1/hooks/")]);
    const plain = await fetch(`${server.url}/api/v1/hooks/pre_tool_use`, {
      method: "POST",
      headers: { ...asAgent(), "content-type": "application/json" },
      body: JSON.stringify(input),
    });
    expect(plain.status).toBe(200);
  });

  it("refuse a lane that the event has not", async () => {
    const input = { event: "stop", lane: "preempt_yolo", input: {} };
    expect(await outcome(await mutate("agent.dispatch", { input, headers: asAgent() }))).toEqual([
      400,
      "invalid_input",
    ]);
  });

  it("refuse a bad event alone", async () => {
    const good = { event_id: "22222222-2222-4222-8222-222222222222", event: "stop", input: {} };
    const input = { events: [good, { event: "stop" }] };
    expect(await outcome(await mutate("agent.report", { input, headers: asAgent() }))).toMatchObject([
      200,
      { stored: 1, refused: 1 },
    ]);
  });
});

describe("a subscription", () => {
  async function subscribe({ port } = server, credentials = `Cookie: ${cookie}`) {
    const connection = await rawConnection(port);
    let text = "";
    connection.socket.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
    connection.write(
      `GET /api/trpc/events.changes?input=%7B%7D HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${credentials}\r\nAccept: text/event-stream\r\n\r\n`,
    );
    await expect.poll(() => text, { timeout: 10_000 }).toContain('"topics":[]');
    return { connection, text: () => text };
  }

  it("streams what happens, as it happens", async () => {
    const { connection, text } = await subscribe();
    expect(text()).toMatch(/^HTTP\/1\.1 200 [\s\S]*content-type: text\/event-stream/i);
    await server.agent("seen live");
    await expect.poll(text, { timeout: 5_000 }).toContain('"agents"');
    connection.socket.destroy();
  });

  it("tells a stranger so, and ends", async () => {
    const response = await query("events.changes", { accept: "text/event-stream" });
    expect(await response.text()).toContain("not_signed_in");
  });

  it("that fails once it runs says why, and not that the server failed", async () => {
    const policyId = "00000000-0000-4000-8000-000000000000";
    const of = { kind: "draft", version: 0 };
    const input = encodeURIComponent(JSON.stringify({ json: { policyId, of } }));
    const response = await query(`backtest.measure?input=${input}`, { accept: "text/event-stream", cookie });
    const text = await response.text();
    expect(text).toContain('"appCode":"policy_not_found"');
    expect(text).toContain('"httpStatus":404');
    expect(text).not.toContain("INTERNAL_SERVER_ERROR");
  });

  it("ends when the server shuts down", async () => {
    const other = await testGateway(db.url);
    const { connection } = await subscribe(other, `Authorization: Bearer ${other.secrets.adminToken}`);
    other.draining.abort();
    await connection.closed;
    await other.stop();
  });
});
