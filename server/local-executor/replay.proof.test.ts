/** Somebody between the machine and the console, with every answer that was ever signed: none but the one in force passes. */
import { createHash } from "node:crypto";
import { readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { type LocalExecutor, localExecutor } from "../../e2e/fixtures/local-executor.ts";
import type { Administrator } from "../access/actor.ts";
import * as agents from "../agents/index.ts";
import { createWorkspace } from "../people/index.ts";
import { attest } from "../policies/effective/attestation.ts";
import * as policies from "../policies/index.ts";

const MAX_AGE_MS = 24 * 3_600_000;
/** Decided on this machine, so that only the policy's own words count. */
const deny = (reason: string) => `
hooks:
  pre_tool_use:
    - matcher: shell
      hooks: [{ type: command, run_on: agent, command: 'echo ${reason} >&2; exit 2' }]
`;
const HARMLESS = `
hooks:
  pre_tool_use:
    - matcher: nothing
      hooks: [{ type: command, run_on: agent, command: 'true' }]
`;

interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

let db: TestDatabase;
let server: TestGateway;
let key: string;
let local: LocalExecutor;
let proxy: Server;
let url: string;
/** The proxy's answer for a policy, given the console's; the same, unless a test says otherwise. */
let between: (said: Answered) => Answered;
let last: Answered;

beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  key = await server.agent("laptop");
  await server.publish(HARMLESS);
  proxy = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const said = await ask(request.url ?? "", request.method ?? "GET", request.headers, Buffer.concat(chunks));
    const { status, headers, body } = request.url === "/api/v1/policy" ? between(said) : said;
    if (request.url === "/api/v1/policy") last = said;
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`; // a TCP server's address
}, 120_000);
beforeEach(async () => {
  between = (said) => said;
  const trustKey = server.secrets.signingPublicKey.export({ type: "spki", format: "der" }).toString("base64");
  local = await localExecutor({ QUARTERDECK_URL: url, QUARTERDECK_KEY: key, QUARTERDECK_TRUST_KEY: trustKey });
});
afterEach(() => local.remove());
afterAll(async () => {
  proxy?.closeAllConnections();
  await new Promise((resolve) => proxy?.close(resolve));
  await server?.stop();
  await db?.drop();
});

async function ask(path: string, method: string, given: IncomingHttpHeaders, body: Buffer): Promise<Answered> {
  const { host: _host, connection: _connection, "content-length": _length, ...headers } = given;
  const answer = await fetch(`${server.url}${path}`, {
    method,
    headers: headers as Record<string, string>, // single values, all of ours
    ...(method === "POST" && { body: new Uint8Array(body) }),
  });
  const kept = [...answer.headers].filter(([name]) => !/^(connection|keep-alive|content-length|transfer-)/.test(name));
  return {
    status: answer.status,
    headers: Object.fromEntries(kept),
    body: Buffer.from(await answer.arrayBuffer()),
  };
}

const gate = (env: Record<string, string> = {}) =>
  local.run(["pre_tool_use"], { session_id: "s", tool_name: "shell", tool_input: { cmd: "rm -rf /" } }, env);
const REASON = { code: 0, stdout: expect.stringContaining("block") };

async function statePath(name: string): Promise<string> {
  const folder = (await readdir(local.dir)).find((one) => one.startsWith("agent-")) ?? "";
  return join(local.dir, folder, name);
}
/** Long enough ago that the next call asks the console. */
async function unchecked(): Promise<void> {
  const then = new Date(Date.now() - 10_000);
  await utimes(await statePath("policy.signed"), then, then);
}

describe("an earlier policy played back", () => {
  it("never takes the place of a later one, which goes on deciding once the console is heard again", async () => {
    await server.publish(HARMLESS);
    expect(await gate()).toMatchObject({ code: 0, stdout: "{}\n" });
    const before = last;
    await server.publish(deny("never"));
    await unchecked();
    expect(await gate()).toMatchObject(REASON);
    await unchecked();
    between = () => before;
    expect(await gate()).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("earlier question") });
    // Refused again and again, it has not touched what is kept.
    expect(await gate()).toMatchObject({ code: 2 });
    between = (said) => said;
    expect(await gate()).toMatchObject(REASON);
  });

  it("is refused for its sequence even when the console itself comes up with it", async () => {
    await server.publish(HARMLESS);
    await gate();
    await db.owner.query("UPDATE policy_sequence SET value = value - 1");
    server.running.app.bus.announce(server.admin.workspaceId, ["policies"]);
    await unchecked();
    expect(await gate()).toMatchObject({ code: 2, stderr: expect.stringContaining("sequence") });
    await server.running.raiseSequences();
    expect(await gate()).toMatchObject({ code: 0, stdout: "{}\n" });
  });

  it("is refused on a machine that has none yet", async () => {
    await server.publish(HARMLESS);
    await gate();
    const before = last;
    await server.publish(deny("never"));
    const fresh = await localExecutor({});
    between = () => before;
    const env = { QUARTERDECK_HOOK_DIR: fresh.dir };
    expect(await gate(env)).toMatchObject({ code: 2, stderr: expect.stringContaining("earlier question") });
    between = (said) => said;
    expect(await gate(env)).toMatchObject(REASON);
    await fresh.remove();
  });
});

describe("another's policy", () => {
  it("of another workspace is refused on a fresh machine, which then takes its own", async () => {
    await server.publish(deny("never"));
    const { workspaceId } = await createWorkspace(server.database, server.admin, { name: "other" });
    const other: Administrator = { kind: "script", workspaceId, id: "other", name: "other" };
    const { bus } = server.running.app;
    const { key: foreign } = await agents.create(server.database, bus, other, { name: "theirs" });
    await policies.publishByName(
      server.database,
      bus,
      other,
      { name: "theirs", source: HARMLESS, note: "" },
      policies.NO_CASES,
    );
    let isAsking = false;
    proxy.once("request", (request) => {
      // Asked live and with the machine's own nonce: only the key tells it apart.
      request.headers.authorization = `Bearer ${foreign}`;
      isAsking = true;
    });
    const ran = await gate();
    expect(isAsking).toBe(true);
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("another agent") });
    expect(await gate()).toMatchObject(REASON);
  });
});

describe("an eternal 304", () => {
  it("without a signed date renews nothing and is refused", async () => {
    await server.publish(HARMLESS);
    await gate();
    await server.publish(deny("never"));
    await unchecked();
    between = ({ headers }) => ({ status: 304, headers: { etag: headers.etag ?? "" }, body: Buffer.alloc(0) });
    expect(await gate()).toMatchObject({ code: 2, stderr: expect.stringContaining("not signed") });
    between = (said) => said;
    expect(await gate()).toMatchObject(REASON);
  });

  it("that was signed once is refused, for it repeats another question's nonce", async () => {
    await server.publish(HARMLESS);
    await gate();
    await unchecked();
    await gate();
    const confirmed = last;
    expect(confirmed.status).toBe(304);
    await server.publish(deny("never"));
    await unchecked();
    between = () => confirmed;
    expect(await gate()).toMatchObject({ code: 2, stderr: expect.stringContaining("earlier question") });
  });

  it("or a cut line cannot make a policy last longer than its signed date, whatever the file's own time says", async () => {
    await server.publish(HARMLESS);
    await gate();
    const file = await statePath("policy.signed");
    const [, body = ""] = (await readFile(file, "utf8")).split("\n");
    const actor = await server.running.app.authenticator.authenticate(key);
    const plan = await server.running.app.plans.planFor(actor);
    const sha256 = createHash("sha256").update(body).digest("hex");
    const keep = async (ageMs: number) => {
      const nowMs = Date.now() - ageMs;
      const token = attest(server.secrets, actor, { ...plan, sha256, nonce: "", nowMs });
      await writeFile(file, `"x"\t${token}\n${body}`);
      await unchecked();
    };
    between = () => ({ status: 503, headers: {}, body: Buffer.alloc(0) });
    await keep(MAX_AGE_MS - 60_000);
    expect(await gate()).toMatchObject({ code: 0 });
    // Five minutes are left to clocks that differ.
    await keep(MAX_AGE_MS + 4 * 60_000);
    expect(await gate()).toMatchObject({ code: 0 });
    await keep(MAX_AGE_MS + 6 * 60_000);
    expect(await gate()).toMatchObject({ code: 2, stderr: expect.stringContaining("older than 24 h") });
    await keep(-4 * 60_000);
    expect(await gate()).toMatchObject({ code: 0 });
    await keep(-6 * 60_000);
    expect(await gate()).toMatchObject({ code: 2, stderr: expect.stringContaining("ahead of this machine's clock") });
    await keep(31 * 86_400_000);
    expect(await gate({ QUARTERDECK_POLICY_MAX_AGE: "60d" })).toMatchObject({ code: 2 });
  });
});

describe("a restored backup", () => {
  it("is ahead of what agents have seen once the console has started", async () => {
    await server.publish(HARMLESS);
    const { rows } = await db.owner.query("SELECT value FROM policy_sequence WHERE workspace_id = $1", [
      server.admin.workspaceId,
    ]);
    await server.publish(deny("published after the backup"));
    await gate();
    const { liveRevision } = await db.database.prisma.policy.findFirstOrThrow({ where: { name: "policy" } });
    await db.owner.query("UPDATE policy_sequence SET value = $1", [rows[0].value]);
    await db.owner.query("UPDATE policy SET live_revision = $1 WHERE name = 'policy'", [liveRevision - 1]);
    await server.running.raiseSequences();
    await unchecked();
    expect(await gate()).toMatchObject({ code: 0, stdout: "{}\n" });
  });
});

describe("a node that has not heard of a change", () => {
  it("looks again when the agent has seen more than it knows", async () => {
    await server.publish(HARMLESS);
    // An agent of its own: it is looked at again once a second at most.
    const own = await server.agent("desktop");
    const { sequence } = await server.running.app.plans.planFor(
      await server.running.app.authenticator.authenticate(own),
    );
    await db.owner.query("UPDATE policy_sequence SET value = value + 7");
    const sequenceAfter = async (headers: Record<string, string>) => {
      const { headers: said } = await ask(
        "/api/v1/policy",
        "GET",
        { authorization: `Bearer ${own}`, ...headers },
        Buffer.alloc(0),
      );
      const [, claims = ""] = (said["quarterdeck-attestation"] ?? "").split(".");
      return JSON.parse(Buffer.from(claims, "base64url").toString()).sequence;
    };
    expect(await sequenceAfter({})).toBe(sequence);
    expect(await sequenceAfter({ "quarterdeck-sequence": String(sequence + 7) })).toBe(sequence + 7);
    expect(
      (
        await fetch(`${server.url}/api/v1/policy`, {
          headers: { authorization: `Bearer ${key}`, "quarterdeck-nonce": "short" },
        })
      ).status,
    ).toBe(400);
  });
});
