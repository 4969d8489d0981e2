/** Extensions over real HTTP and a real database: reports, acceptance, the rule and the measures of alerts. */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { countChanged, countUnaccepted } from "./repository.ts";
import { type ExtensionReport, listExtensions, REPORTED_MAX, REPORTS_MAX, type ReportedExtension } from "./schema.ts";
import * as service from "./service.ts";

const POLICY = `profile: "2026-08"
hooks:
  pre_tool_use:
    - matcher: "*"
      hooks:
        - name: accepted only
          type: rules
          rules:
            - deny: No person has accepted this version.
              unaccepted: true
`;

let db: TestDatabase;
let server: TestGateway;
let key: string;
let agents = 0;
beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  await server.publish(POLICY);
});
beforeEach(async () => {
  agents += 1;
  key = await server.agent(`laptop-${agents}`);
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

const digestOf = (text: string) => createHash("sha256").update(text).digest("hex");
const skill = (over: Partial<ReportedExtension> = {}): ReportedExtension => ({
  ...{ kind: "skill", name: `notes-${agents}`, path: "~/.claude/skills/notes", scope: "user", version: "1.0" },
  digest: digestOf(`one ${agents}`),
  ...over,
});

async function send(body: unknown, as = key) {
  const response = await fetch(`${server.url}/api/v1/inventory`, {
    method: "POST",
    headers: { authorization: `Bearer ${as.split("_").slice(0, 2).join("_")}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}
const report = (extensions: readonly ReportedExtension[], over: Partial<ExtensionReport> = {}) =>
  send({ client: "claude-code", project: null, is_complete: true, extensions, ...over });

async function call(tool_name: string, tool_input: object): Promise<"denied" | "passed"> {
  const response = await fetch(`${server.url}/api/v1/hooks/pre_tool_use`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ session_id: "s", tool_name, tool_input, cwd: "/srv" }),
  });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return text.includes("No person has accepted") ? "denied" : "passed";
}
/** Gates hear of a change a moment after it. */
const loadSkill = () => call("Skill", { skill: `notes-${agents}` });

const world = () => ({ db: server.database, bus: server.running.app.bus });
const rows = async (over: object = {}) =>
  (
    await service.list(
      server.database,
      server.admin.workspaceId,
      listExtensions.parse({ agents: [`laptop-${agents}`], ...over }),
    )
  ).rows;

async function accept() {
  const shown = (await rows()).flatMap(({ agentId, key, digest }) => (digest ? [{ agentId, key, digest }] : []));
  return service.accept(world(), server.admin, { extensions: shown });
}

const entries = async (kind: string) =>
  (await db.owner.query("SELECT body FROM audit_entry WHERE kind = $1 ORDER BY seq DESC LIMIT 1", [kind])).rows.map(
    ({ body }) => JSON.parse(body),
  )[0];

describe("a report", () => {
  it("is compared with the former one: new, changed, removed and back", async () => {
    expect(await report([skill()])).toEqual({
      status: 200,
      body: { extensions: 1, added: 1, changed: 0, removed: 0, unaccepted: 1 },
    });
    expect((await report([skill()])).body).toMatchObject({ added: 0, changed: 0 });
    const next = digestOf("two");
    expect((await report([skill({ digest: next, version: "1.1" })])).body).toMatchObject({ added: 0, changed: 1 });
    expect(await rows()).toMatchObject([
      { version: "1.1", formerVersion: "1.0", digest: next, formerDigest: digestOf(`one ${agents}`) },
    ]);
    expect(await entries("extensions_changed")).toMatchObject({
      ...{ client: "claude-code", count: 1 },
      changes: [{ extension: "skill", from: digestOf(`one ${agents}`), to: next }],
    });
    expect((await report([])).body).toMatchObject({ removed: 1 });
    expect(await rows()).toEqual([]);
    expect(await rows({ statuses: ["removed"] })).toHaveLength(1);
    expect((await report([skill({ digest: next })])).body).toMatchObject({ added: 0, changed: 0 });
    expect(await rows({ statuses: ["changed", "unaccepted"] })).toHaveLength(1);
  });

  it("concerns its own client and project only, and removes nothing when it is incomplete", async () => {
    const own = skill({ scope: "project", path: ".claude/skills/notes" });
    await report([skill(), own], { project: "/srv/one" });
    expect((await report([skill()], { project: "/srv/two" })).body).toMatchObject({ removed: 0 });
    expect((await report([], { client: "codex", project: "/srv/one" })).body).toMatchObject({ removed: 0 });
    expect((await report([skill()], { project: "/srv/one", is_complete: false })).body).toMatchObject({ removed: 0 });
    expect((await report([skill()], { project: "/srv/one" })).body).toMatchObject({ removed: 1 });
  });

  it.each<[title: string, body: object, pointer: string]>([
    ["an unknown client", { client: "emacs" }, "/client"],
    ["too many", { extensions: Array.from({ length: REPORTED_MAX + 1 }, () => skill()) }, "/extensions"],
    ["a digest that is none", { extensions: [skill({ digest: "abc" })] }, "/extensions/0/digest"],
    ["a name of two lines", { extensions: [skill({ name: "a\nb" })] }, "/extensions/0/name"],
    ["contents", { extensions: [{ ...skill(), content: "text" }] }, "/extensions/0"],
  ])("with %s is refused at its place", async (_, over, pointer) => {
    const body = { client: "claude-code", project: null, is_complete: true, extensions: [], ...over };
    expect(await send(body)).toMatchObject({ status: 400, body: { error: { pointer } } });
  });

  it("stores no secret in a name or a path", async () => {
    const secret = `ghp_${"a1B2".repeat(9)}`;
    await report([skill({ path: `~/.claude/skills/${secret}` })], { project: `/srv/${secret}` });
    const stored = await db.owner.query("SELECT agent_extension::text AS row FROM agent_extension");
    expect(stored.rows.map(({ row }) => row).join()).not.toContain(secret);
  });

  it("is refused beyond the limit of a client, and its key must be known", async () => {
    for (let sent = 0; sent < REPORTS_MAX; sent += 1) expect((await report([])).status).toBe(200);
    expect(await report([])).toMatchObject({ status: 429, body: { error: { code: "too_many_inventories" } } });
    expect((await report([], { client: "codex" })).status).toBe(200);
    expect((await send({}, "qd_unknown")).status).toBe(401);
  });
});

describe("a rule about accepted versions", () => {
  it("denies a skill until its version is accepted, and again once its digest changes", async () => {
    expect(await loadSkill()).toBe("denied");
    await report([skill()]);
    expect(await loadSkill()).toBe("denied");
    expect(await accept()).toEqual({ versions: 1 });
    expect(await entries("extensions_accepted")).toMatchObject({ extensions: [{ extension: "skill" }] });
    await expect.poll(() => loadSkill()).toBe("passed");
    await report([skill({ digest: digestOf("changed") })]);
    await expect.poll(() => loadSkill()).toBe("denied");
    await report([skill()]);
    await expect.poll(() => loadSkill()).toBe("passed");
  });

  it("takes an accepted version of one agent for that of every agent, until it is withdrawn", async () => {
    const first = skill();
    await report([first]);
    await accept();
    key = await server.agent(`laptop-${agents}-second`);
    await report([first]);
    await expect.poll(() => loadSkill()).toBe("passed");
    const [row] = await rows();
    const shown = { agentId: row?.agentId ?? "", key: row?.key ?? "", digest: row?.digest ?? "" };
    expect(await service.withdraw(world(), server.admin, { extensions: [shown] })).toEqual({ versions: 1 });
    await expect.poll(() => loadSkill()).toBe("denied");
  });

  it("leaves a client's own tools alone, and denies an MCP server that no report names", async () => {
    expect(await call("Read", { file_path: "/srv/a" })).toBe("passed");
    expect(await call("mcp__wiki__search", { query: "x" })).toBe("denied");
    await report([skill({ kind: "mcp_server", name: "wiki" })]);
    await accept();
    await expect.poll(() => call("mcp__wiki__search", { query: "x" })).toBe("passed");
  });

  it("never passes a version that could not be read", async () => {
    await report([skill({ digest: null })]);
    expect(await loadSkill()).toBe("denied");
    expect(await rows({ statuses: ["unaccepted"] })).toHaveLength(1);
  });
});

it("a version that changed since the page showed it is not accepted", async () => {
  await report([skill()]);
  const [row] = await rows();
  const shown = { agentId: row?.agentId ?? "", key: row?.key ?? "", digest: row?.digest ?? "" };
  await report([skill({ digest: digestOf("swapped") })]);
  await expect(service.accept(world(), server.admin, { extensions: [shown] })).rejects.toMatchObject({
    code: "extension_moved_on",
  });
});

it("alerts count changes within their window, and versions that are not accepted", async () => {
  await report([skill()]);
  const [row] = await rows();
  const of = { agentId: row?.agentId ?? null, groupId: null };
  const { workspaceId } = server.admin;
  const { pool } = server.database;
  const now = Date.now();
  const window = { from: new Date(now - 60_000), to: new Date(now + 60_000) };
  expect(await countChanged(pool, workspaceId, of, window)).toBe(0n);
  expect(await countUnaccepted(pool, workspaceId, of)).toBe(1n);
  await report([skill({ digest: digestOf("next") })]);
  expect(await countChanged(pool, workspaceId, of, window)).toBe(1n);
  expect(await countChanged(pool, workspaceId, of, { ...window, to: window.from })).toBe(0n);
  await accept();
  expect(await countUnaccepted(pool, workspaceId, of)).toBe(0n);
});

it("the list is read page by page to its end, in each order", async () => {
  const many = Array.from({ length: 7 }, (_, at) => skill({ name: `skill-${at % 4}`, path: `~/${at}` }));
  await report(many);
  for (const sort of ["seen", "changed", "name"] as const)
    for (const isDescending of [true, false]) {
      const paths: string[] = [];
      let cursor: ReturnType<typeof listExtensions.parse>["cursor"] = null;
      do {
        const input = listExtensions.parse({ agents: [`laptop-${agents}`], sort, isDescending, cursor, limit: 3 });
        const page = await service.list(server.database, server.admin.workspaceId, input);
        paths.push(...page.rows.map(({ path }) => path));
        cursor = page.next;
      } while (cursor !== null);
      expect(paths.toSorted()).toEqual(many.map(({ path }) => path));
    }
});
