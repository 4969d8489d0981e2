/**
 * What a stranger, an agent, or the owner of another workspace may try over the network. Every attempt is judged the same
 * way: it is refused (or answered without a word of the victim's), and not a row of the victim's workspace changes.
 */
import { createHmac, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { z } from "zod";
import { type Browser, browser, signedIn } from "../../e2e/fixtures/browser.ts";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { rawConnection } from "../../e2e/fixtures/raw-http.ts";
import { create as createAgent } from "../agents/service.ts";
import { uuidv7 } from "../platform/ids.ts";
import { appRouter } from "../trpc/root.ts";

/** Stands in everything of the victim's that has words. */
const MARK = "vermilion-heron";
const POLICY = `# ${MARK}
hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
        - type: command
          command: "echo ${MARK} >&2; exit 2"
`;

let db: TestDatabase;
let server: TestGateway;
/** The owner of another workspace: as mighty as one can be, elsewhere. */
let attacker: Browser;
let viewer: Browser;
let otherKey: string;
let victimKey: string;
const ids = {
  policy: "",
  agent: "",
  key: "",
  group: "",
  connection: "",
  prompt: "",
  case: "",
  person: "",
  service: "",
  session: "",
  invitation: "",
  decision: "",
  hold: "",
  workspace: "",
};

beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  const { url, database, admin } = server;
  ids.workspace = admin.workspaceId;
  const owner = await signedIn(url, database, admin.workspaceId, "owner");
  viewer = await signedIn(url, database, admin.workspaceId, "viewer");

  const made = (await owner.mutate("agents.create", { name: `agent ${MARK}` })).value as {
    agentId: string;
    key: string;
  };
  ids.agent = made.agentId;
  victimKey = made.key;
  const agents = (await owner.query("agents.list")).value as { id: string; keys: { id: string }[] }[];
  ids.key = agents.find(({ id }) => id === made.agentId)?.keys[0]?.id ?? "";
  const draft = { name: `policy ${MARK}`, source: POLICY };
  ids.policy = ((await owner.mutate("policies.create", draft)).value as { policyId: string }).policyId;
  await server.publish(POLICY, `published ${MARK}`);
  ids.group = (
    (await owner.mutate("agents.createGroup", { name: `group ${MARK}` })).value as { groupId: string }
  ).groupId;
  ids.prompt = ((await owner.mutate("prompts.create", { name: MARK })).value as { promptId: string }).promptId;
  const connection = {
    name: MARK,
    provider: "openai-compatible",
    baseUrl: "http://127.0.0.1:9/v1",
    credential: "sk-vermilion",
    callsPerDay: null,
    nanoPerDay: null,
    prices: [],
  };
  ids.connection = ((await owner.mutate("judges.save", connection)).value as { id: string }).id;
  ids.person = ((await viewer.query("access.me")).value as { id: string }).id;
  ids.service = (
    (await owner.mutate("services.create", { name: MARK, role: "viewer" })).value as { serviceId: string }
  ).serviceId;
  await owner.mutate("services.createToken", { serviceId: ids.service, days: 30 });
  await owner.mutate("people.invite", { email: `${MARK}@example.org`, role: "viewer" });
  ids.invitation = ((await owner.query("people.invitations")).value as { id: string }[])[0]?.id ?? "";
  ids.hold = randomUUID();
  ids.session = (await database.pool.query("SELECT id FROM browser_session LIMIT 1")).rows[0]?.id ?? "";
  await hook(victimKey, { session_id: MARK, tool_name: "shell", tool_use_id: "1", tool_input: { cmd: MARK } });
  ids.decision =
    (await database.pool.query("SELECT dispatch_id FROM tool_decision LIMIT 1")).rows[0]?.dispatch_id ?? "";

  const elsewhere = uuidv7();
  await database.pool.query("INSERT INTO workspace (id, name) VALUES ($1, 'elsewhere')", [elsewhere]);
  await database.pool.query("INSERT INTO audit_head (workspace_id) VALUES ($1)", [elsewhere]);
  attacker = await signedIn(url, database, elsewhere, "owner");
  const other = { kind: "script", workspaceId: elsewhere, id: "x", name: "x" } as const;
  otherKey = (await createAgent(database, server.running.app.bus, other, { name: "other" })).key;
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

function hook(key: string, input: unknown, event = "pre_tool_use", headers: Record<string, string> = {}) {
  return fetch(`${server.url}/api/v1/hooks/${event}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    body: typeof input === "string" ? input : JSON.stringify(input),
  });
}

/** Sessions breathe by themselves; everything else of the victim's stands still unless somebody acts. */
const RESTLESS = new Set(["browser_session"]);

/** Every row of the victim's workspace, as one hash per table. */
async function victim(): Promise<unknown> {
  const { pool } = server.database;
  if (everything === "") {
    const { rows } = await pool.query<{ name: string }>(
      `SELECT c.table_name AS name FROM information_schema.columns c JOIN pg_class t ON t.relname = c.table_name
       WHERE c.table_schema = 'public' AND c.column_name = 'workspace_id' AND NOT t.relispartition ORDER BY 1`,
    );
    const names = rows.map(({ name }) => name).filter((name) => !RESTLESS.has(name));
    everything = names.map(hashSql).join(" UNION ALL ");
  }
  return (await pool.query(everything, [ids.workspace])).rows;
}
/** The question, once it is known which tables there are. */
let everything = "";
const hashSql = (name: string) =>
  `SELECT '${name}' AS name, md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) AS hash
   FROM "${name}" t WHERE workspace_id = $1`;

/** Status and text of what came back, however it was asked. */
type Attempt = () => Promise<{ status: number; text: string }>;
const byPage = (who: () => Browser, path: string, input: unknown, verb: "query" | "mutate"): Attempt => {
  return async () => {
    const { status, value } = await who()[verb](path, input);
    return { status, text: JSON.stringify(value, (_, one) => (typeof one === "bigint" ? String(one) : one)) ?? "" };
  };
};
const byHttp = (ask: () => Promise<Response>): Attempt => {
  return async () => {
    const response = await ask();
    return { status: response.status, text: await response.text() };
  };
};

/** What a procedure takes; undefined when it takes nothing. */
function inputOf(path: string): z.ZodType | undefined {
  const { procedures } = appRouter._def;
  // At run time the paths are flat, and tRPC keeps the schemas there.
  const procedure = (procedures as unknown as Record<string, { _def: { inputs: readonly z.ZodType[] } }>)[path];
  if (!procedure) throw new Error(`there is no ${path}`);
  return procedure._def.inputs[0];
}

let attempts = 0;
/** Runs an attempt. `allowed`: statuses that are no success of the attacker's; an empty answer may be 200. */
async function resisted(attempt: Attempt, allowed: readonly number[]): Promise<void> {
  attempts += 1;
  const before = await victim();
  const { status, text } = await attempt();
  expect(allowed).toContain(status);
  expect(text).not.toContain(MARK);
  expect(await victim()).toEqual(before);
}

const REFUSED = [400, 401, 403, 404, 405, 409, 410, 413, 415, 422, 429, 431];
/** A list of somebody else's things may also be an empty list of one's own. */
const OR_EMPTY = [200, ...REFUSED];

const RANGE = { from: new Date(Date.now() - 86_400_000), to: new Date(Date.now() + 86_400_000) };

test("what the victim does itself is seen, so that nothing goes unseen", async () => {
  const before = await victim();
  await server.agent("one more");
  expect(await victim()).not.toEqual(before);
});

describe("another workspace's things, by their ids", () => {
  const write: readonly (readonly [path: string, input: () => unknown])[] = [
    ["policies.saveDraft", () => ({ policyId: ids.policy, source: "hooks: {}", baseVersion: 1, baseRevision: 0 })],
    ["policies.discardDraft", () => ({ policyId: ids.policy })],
    ["policies.publish", () => ({ policyId: ids.policy, source: "hooks: {}", baseRevision: 0, draftVersion: 0 })],
    ["policies.assign", () => ({ policyId: ids.policy, scope: "nobody" })],
    ["policies.rollBack", () => ({ policyId: ids.policy, number: 1, expectedLive: 1 })],
    [
      "policies.setCanary",
      () => ({ policyId: ids.policy, revision: 1, share: 50, groupId: null, expectedCanary: null }),
    ],
    ["policies.remove", () => ({ policyId: ids.policy })],
    ["agents.createKey", () => ({ agentId: ids.agent })],
    ["agents.rotateKey", () => ({ agentId: ids.agent, keyId: ids.key, overlapHours: 0 })],
    ["agents.revokeKey", () => ({ agentId: ids.agent, keyId: ids.key })],
    ["agents.renameGroup", () => ({ groupId: ids.group, name: "mine" })],
    ["agents.deleteGroup", () => ({ groupId: ids.group })],
    ["agents.setGroupMembers", () => ({ groupId: ids.group, agentIds: [ids.agent] })],
    ["judges.remove", () => ({ id: ids.connection })],
    ["judges.test", () => ({ id: ids.connection, model: "m" })],
    ["prompts.discardDraft", () => ({ promptId: ids.prompt })],
    ["prompts.remove", () => ({ promptId: ids.prompt })],
    ["reviews.request", () => ({ policyId: ids.policy, draftVersion: 1 })],
    ["reviews.setFourEyes", () => ({ policyId: ids.policy, isOn: true })],
    ["people.setRole", () => ({ personId: ids.person, role: "owner" })],
    ["people.remove", () => ({ personId: ids.person })],
    ["people.createResetLink", () => ({ personId: ids.person })],
    ["people.withdraw", () => ({ invitationId: ids.invitation })],
    ["services.remove", () => ({ serviceId: ids.service })],
    ["services.createToken", () => ({ serviceId: ids.service, days: 30 })],
    ["access.endSession", () => ({ sessionId: ids.session })],
    ["access.switchWorkspace", () => ({ workspaceId: ids.workspace })],
    ["bench.deleteCase", () => ({ policyId: ids.policy, caseId: ids.hold })],
  ];
  test.each(write)("%s changes nothing", async (path, input) => {
    await resisted(
      byPage(() => attacker, path, input(), "mutate"),
      path.endsWith(".discardDraft") ? OR_EMPTY : REFUSED,
    );
  });

  // A refusal for its shape would prove nothing.
  test("each attempt is one that its owner could make", () => {
    for (const [path, input] of [...write, ...read]) {
      const parsed = inputOf(path)?.safeParse(input());
      expect.soft(parsed?.error?.issues ?? [], path).toEqual([]);
    }
  });

  const read: readonly (readonly [path: string, input: () => unknown])[] = [
    ["policies.get", () => ({ policyId: ids.policy })],
    ["policies.revisions", () => ({ policyId: ids.policy })],
    ["policies.revision", () => ({ policyId: ids.policy, number: 1 })],
    ["policies.exportByName", () => ({ name: `published ${MARK}` })],
    ["policies.exportAgent", () => ({ name: `agent ${MARK}` })],
    ["policies.exportBundle", () => ({ policy: { id: ids.policy } })],
    ["prompts.get", () => ({ promptId: ids.prompt })],
    ["bench.cases", () => ({ policyId: ids.policy })],
    ["decisions.get", () => ({ occurredAt: new Date(), id: ids.decision })],
    ["decisions.list", () => ({ range: RANGE, filters: { session: [MARK] } })],
    ["judges.connections", () => undefined],
    ["agents.list", () => undefined],
    ["audit.list", () => ({ range: RANGE })],
  ];
  test.each(read)("%s tells nothing", async (path, input) => {
    await resisted(
      byPage(() => attacker, path, input(), "query"),
      OR_EMPTY,
    );
  });
});

describe("more than one's role", () => {
  const beyond: readonly (readonly [path: string, input: () => unknown])[] = [
    ["policies.create", () => ({ name: "mine" })],
    ["policies.publishByName", () => ({ name: "mine", source: "hooks: {}" })],
    ["agents.createKey", () => ({ agentId: ids.agent })],
    ["people.setRole", () => ({ personId: ids.person, role: "owner" })],
    ["people.invite", () => ({ email: "me@example.org", role: "owner" })],
    ["access.createSignInLink", () => undefined],
    ["services.create", () => ({ name: "mine", role: "owner" })],
    ["audit.setRetention", () => ({})],
  ];
  test.each(beyond)("a viewer is refused %s", async (path, input) => {
    await resisted(
      byPage(() => viewer, path, input(), "mutate"),
      [403],
    );
  });

  test("a field that is nobody's to set is refused, not ignored", async () => {
    const given = { name: "mine", role: "owner", workspaceId: ids.workspace, isDemo: true };
    await resisted(
      byPage(() => attacker, "agents.create", given, "mutate"),
      [400],
    );
  });

  test("nobody renames themselves into a role or another workspace", async () => {
    await resisted(
      byPage(() => viewer, "access.rename", { name: "me", role: "owner" }, "mutate"),
      [400],
    );
    await resisted(
      byPage(() => viewer, "access.rename", { name: "me", workspaceId: ids.workspace }, "mutate"),
      [400],
    );
  });
});

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
      OR_EMPTY,
    );
  });

  test("a header cannot be smuggled into an answer or a log line", async () => {
    const connection = await rawConnection(server.port);
    connection.write(
      "GET /api/v1/policy HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer a\r\nX-A: b\r\n Set-Cookie: folded=1\r\n\r\n",
    );
    const folded = await connection.answer();
    expect(folded.headers["set-cookie"]).toBeUndefined();
    connection.socket.destroy();
    attempts += 1;
    await resisted(
      byHttp(() => fetch(`${server.url}/api/v1/hooks/pre_tool_use%0d%0aSet-Cookie:%20a=b`, { method: "POST" })),
      [400, 401, 404],
    );
  });

  test("two lengths, or a length and chunks, are one refusal and not two requests", async () => {
    for (const framing of [
      "Content-Length: 4\r\nContent-Length: 5",
      "Content-Length: 4\r\nTransfer-Encoding: chunked",
    ]) {
      const connection = await rawConnection(server.port);
      connection.write(
        `POST /api/v1/hooks/stop HTTP/1.1\r\nHost: x\r\n${framing}\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n`,
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
    connection.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
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
  test("five megabytes, ten thousand levels, a hundred thousand keys, half a character", async () => {
    const keys = `{${Array.from({ length: 100_000 }, (_, at) => `"k${at}":1`).join()}}`;
    const bodies = [huge(5 * 1024 * 1024), "[".repeat(10_000), keys, '{"session_id":"\\ud800"', "", "\0"];
    for (const body of bodies)
      await resisted(
        byHttp(() => hook(otherKey, body, "turn_start")),
        [400, 413],
      );
  });

  test("a thousand and one reports, or a batch of procedures too long", async () => {
    const reports = Array.from({ length: 1_001 }, () => ({ event: "turn_start" }));
    const headers = { authorization: `Bearer ${otherKey}`, "content-type": "application/json" };
    const sent = { method: "POST", headers, body: JSON.stringify(reports) };
    await resisted(
      byHttp(() => fetch(`${server.url}/api/v1/events`, sent)),
      [400, 413],
    );
    const paths = Array.from({ length: 50 }, () => "policies.list").join(",");
    const asked = { headers: attacker.header() };
    await resisted(
      byHttp(() => fetch(`${server.url}/api/trpc/${paths}?batch=1&input={}`, asked)),
      [400, 414],
    );
  });
});

describe("making the server ask for somebody", () => {
  const INSIDE = [
    "http://169.254.169.254/latest/meta-data",
    "http://10.0.0.1/v1",
    "http://192.168.0.1:8080/v1",
    "http://[fd00::1]/v1",
    "http://0.0.0.0/v1",
    "file:///etc/passwd",
    "gopher://127.0.0.1:5432/",
    "http://user:password@example.org/v1",
    "https://[::ffff:169.254.169.254]/",
  ];
  test.each(INSIDE)("a judge is not asked at %s", async (baseUrl) => {
    const prices: never[] = [];
    const input = {
      name: "inside",
      provider: "openai-compatible",
      baseUrl,
      callsPerDay: null,
      nanoPerDay: null,
      prices,
    };
    await resisted(
      byPage(() => attacker, "judges.save", input, "mutate"),
      [400],
    );
  });

  test.each(INSIDE)("a checkpoint is not sent to %s", async (webhookUrl) => {
    const input = { everyEntries: 100, everySeconds: 60, webhookUrl };
    await resisted(
      byPage(() => attacker, "audit.setCheckpoints", input, "mutate"),
      [400],
    );
  });
});

test("there were at least sixty of them", () => {
  console.info(`${attempts} attempts, none succeeded`);
  expect(attempts).toBeGreaterThan(60);
});
