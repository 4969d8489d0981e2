import { createPublicKey, verify } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { newWorkspace } from "../../../e2e/fixtures/browser.ts";
import { type TestDatabase, testDatabase } from "../../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../../e2e/fixtures/gateway.ts";
import * as agents from "../../agents/index.ts";
import { type Bus, createBus } from "../../events/index.ts";
import { createLog } from "../../platform/log.ts";
import { NO_CASES } from "../publishing/case-gate.ts";
import { publishByName } from "../publishing/publish.ts";
import { readPolicy } from "../text/source.ts";
import { createPolicyWatch } from "./watch.ts";

const guard = (reason: string) => `
hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
        - { type: command, command: "echo ${reason} >&2; exit 2", run_on: agent }
`;

const SHELL_GATE = `
hooks:
  pre_tool_use:
    - { preempt_yolo: true, hooks: [{ type: builtin, command: safer_shell }] }
`;

let db: TestDatabase;
let server: TestGateway;
/** With the policies "a", which says first, and "b", which says second. Nobody changes them. */
let governed: Agent;

beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  governed = await newAgent("first", "second");
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

type Get = (query?: string, headers?: Record<string, string>, signal?: AbortSignal) => Promise<Response>;

interface Agent {
  readonly key: string;
  readonly get: Get;
  /** Anew, as the policy "a" unless it is named. */
  publish(reason: string, name?: string, bus?: Bus, source?: string): Promise<unknown>;
}

/** In a workspace of its own, with a policy "a", and "b", for each reason. */
async function newAgent(...reasons: string[]): Promise<Agent> {
  const { bus: own } = server.running.app;
  const admin = { ...server.admin, workspaceId: await newWorkspace(db.database, "test") };
  const { key } = await agents.create(server.database, own, admin, { name: "tester" });
  const publish = (reason: string, name = "a", bus = own, source = guard(reason)) => {
    const policy = { name, source, note: "" };
    return publishByName(server.database, bus, admin, policy, NO_CASES);
  };
  for (const [index, reason] of reasons.entries()) await publish(reason, ["a", "b"][index]);
  const get: Get = (query = "", headers = {}, signal) =>
    fetch(`${server.url}/api/v1/policy${query}`, {
      headers: { authorization: `Bearer ${key}`, ...headers },
      ...(signal ? { signal } : {}),
    });
  return { key, get, publish };
}

const get: Get = (...asked) => governed.get(...asked);

const etagOf = (response: Response) => response.headers.get("etag") ?? "";

describe("GET /api/v1/policy", () => {
  it("of an agent without any says so", async () => {
    const response = await (await newAgent()).get();
    expect([response.status, await response.json()]).toEqual([
      200,
      { revision: "none", profile: "2026-07", policies: [], hooks: {} },
    ]);
  });

  it("is the hooks of every policy assigned to the agent, one list after the other", async () => {
    const response = await get();
    const view = await response.json();
    expect(view.policies).toMatchObject([
      { name: "a", revision: 1 },
      { name: "b", revision: 1 },
    ]);
    const commands = view.hooks.pre_tool_use.map((entry: { hooks: { command: string }[] }) => entry.hooks[0]?.command);
    expect(commands).toEqual(["echo first >&2; exit 2", "echo second >&2; exit 2"]);
    expect(view.revision).toBe(response.headers.get("quarterdeck-revision"));
    const dispatched = await fetch(`${server.url}/api/v1/hooks/stop`, {
      method: "POST",
      headers: { authorization: `Bearer ${governed.key}`, "content-type": "application/json" },
      body: "{}",
    });
    expect(dispatched.headers.get("quarterdeck-revision")).toBe(view.revision);
  });

  it.each([
    ["application/yaml", "application/yaml; charset=utf-8"],
    ["text/yaml", "application/yaml; charset=utf-8"],
    ["text/html, application/yaml;q=0.9, application/json;q=0.8", "application/yaml; charset=utf-8"],
    ["application/yaml;q=0.5, application/json", "application/json"],
    ["*/*", "application/json"],
    ["image/png", "application/json"],
    ["application/yaml;q=0", "application/json"],
  ])("to an agent that accepts %s is %s", async (accept, type) => {
    const response = await get("", { accept });
    expect([response.status, response.headers.get("content-type"), response.headers.get("vary")]).toEqual([
      200,
      type,
      "Accept",
    ]);
  });

  it("in YAML is docker-agent's own block, without our keys", async () => {
    const text = await (await get("", { accept: "application/yaml" })).text();
    const { hooks } = parse(text);
    expect(hooks.pre_tool_use[0]).toEqual({
      matcher: "shell",
      hooks: [{ type: "command", command: "echo first >&2; exit 2" }],
    });
    expect(readPolicy(text)).toMatchObject({ problems: [] });
  });

  it("in YAML is for the release that is asked for or reported, and refused where it would lose a gate", async () => {
    const agent = await newAgent("first");
    await agent.publish("second", "shell", undefined, SHELL_GATE);
    const yaml = { accept: "application/yaml" };
    const reported = (version: string) => ({ ...yaml, "quarterdeck-client-version": version });
    const refused = await agent.get("", yaml);
    expect([refused.status, (await refused.json()).error]).toEqual([
      422,
      expect.objectContaining({
        code: "export_loses_gates",
        message: expect.stringMatching(/"safer_shell" on pre_tool_use: docker-agent 1\.147 and later only labels/),
      }),
    ]);
    const older = await agent.get("?release=1.100", yaml);
    expect([older.status, await older.text()]).toEqual([
      200,
      expect.stringContaining("# For docker-agent 1.100 to 1.107\n"),
    ]);
    expect((await agent.get("", reported("1.102.1"))).status).toBe(200);
    expect((await agent.get("", reported("1.138.0"))).status).toBe(422);
    expect((await agent.get("?release=1.138", reported("1.102.1"))).status).toBe(422);
    const unknown = await agent.get("?release=0.9", yaml);
    expect([unknown.status, await unknown.text()]).toEqual([400, expect.stringContaining("Known: 1.100 to 1.107")]);
    // JSON has everything, whatever runs it.
    expect((await agent.get("", { accept: "application/json" })).status).toBe(200);
  });

  it.each(["application/json", "application/yaml"])("in %s is signed over its exact bytes", async (accept) => {
    const { keyid, public_key } = await (await fetch(`${server.url}/api/v1/signing-key`)).json();
    const response = await get("", { accept });
    const body = Buffer.from(await response.arrayBuffer());
    const [, id, signature = ""] =
      /^keyid=(\w+); ed25519=(\S+)$/.exec(response.headers.get("quarterdeck-signature") ?? "") ?? [];
    expect(id).toBe(keyid);
    const isSigned = (bytes: Buffer) =>
      verify(null, bytes, createPublicKey(public_key), Buffer.from(signature, "base64"));
    expect(isSigned(body)).toBe(true);
    expect(isSigned(Buffer.concat([body, Buffer.from(" ")]))).toBe(false);
  });
});

describe("a conditional request", () => {
  it.each([
    ["the same tag", (etag: string) => etag],
    ["a list of tags", (etag: string) => `"x", ${etag}`],
    ["a weak tag", (etag: string) => `W/${etag}`],
    ["any tag", () => "*"],
  ])("with %s is a 304 without a body", async (_title, header) => {
    const etag = etagOf(await get());
    const response = await get("", { "if-none-match": header(etag) });
    expect([response.status, await response.text(), etagOf(response)]).toEqual([304, "", etag]);
  });

  it("with another form's tag, or after a change, is a 200", async () => {
    const agent = await newAgent("first");
    const json = etagOf(await agent.get());
    const yaml = etagOf(await agent.get("", { accept: "application/yaml" }));
    expect(yaml).not.toBe(json);
    expect((await agent.get("", { "if-none-match": yaml })).status).toBe(200);
    await agent.publish("changed");
    const after = await agent.get("", { "if-none-match": json });
    expect([after.status, etagOf(after) === json]).toEqual([200, false]);
  });
});

describe("?wait", () => {
  let etag: string;
  beforeEach(async () => {
    etag = etagOf(await get());
  });

  it("answers the moment the policy changes", async () => {
    const agent = await newAgent("first");
    const before = etagOf(await agent.get());
    const waiting = agent.get("?wait=30", { "if-none-match": before });
    const quick = await Promise.race([waiting.then(() => "answered"), agent.get().then(() => "other request")]);
    expect(quick).toBe("other request");
    await agent.publish("changed");
    const response = await waiting;
    expect([response.status, etagOf(response) === before]).toEqual([200, false]);
  });

  it("answers when another node changed it", async () => {
    const agent = await newAgent("first");
    const waiting = agent.get("?wait=30", { "if-none-match": etagOf(await agent.get()) });
    const elsewhere = createBus(db.url, createLog("silent"));
    await agent.publish("from elsewhere", "a", elsewhere);
    expect((await waiting).status).toBe(200);
    await elsewhere.close();
  });

  it("answers 304 at the end", async () => {
    const response = await get("?wait=1", { "if-none-match": etag });
    expect([response.status, etagOf(response)]).toEqual([304, etag]);
  });

  it("does not keep an agent waiting that has nothing yet", async () => {
    expect((await get("?wait=60")).status).toBe(200);
    expect((await get("?wait=60", { "if-none-match": '"old"' })).status).toBe(200);
  });

  it.each(["-1", "61", "x", "1.5", ""])("of %s is refused", async (wait) => {
    const response = await get(`?wait=${wait}`, { "if-none-match": etag });
    expect([response.status, (await response.json()).error.code]).toEqual([400, "invalid_input"]);
  });

  it("by one agent too often is refused with Retry-After, and frees its places when clients leave", async () => {
    const leave = new AbortController();
    const held = Array.from({ length: 64 }, () => get("?wait=60", { "if-none-match": etag }, leave.signal));
    const gone = Promise.allSettled(held);
    const beyond = async () => {
      const response = await get("?wait=0", { "if-none-match": etag });
      expect(response.status).toBe(304);
      return (await get("?wait=1", { "if-none-match": etag })).status;
    };
    await expect.poll(beyond, { interval: 50, timeout: 20_000 }).toBe(429);
    leave.abort();
    await gone;
    await expect.poll(beyond, { interval: 50, timeout: 20_000 }).toBe(304);
  });
});

describe("the watch", () => {
  it("forgets whoever stops, hears only its workspace, and ends when told to", async () => {
    const bus = createBus(db.url, createLog("silent"));
    const watch = createPolicyWatch(bus, { totalMax: 2, perAgentMax: 1 });
    const mine = watch.begin("w1", "a1");
    expect(() => watch.begin("w1", "a1")).toThrow(/wait/);
    const other = watch.begin("w2", "a2");
    expect(() => watch.begin("w3", "a3")).toThrow(/wait/);
    const ended = new AbortController();
    let hasChanged = false;
    const changed = mine.changed(60_000, [ended.signal]).then(() => {
      hasChanged = true;
    });
    bus.announce("w2", ["policies"]);
    bus.announce("w1", ["decisions"]);
    await other.changed(60_000, []);
    expect(hasChanged).toBe(false);
    ended.abort();
    await changed;
    mine.stop();
    other.stop();
    expect(watch.waiting).toBe(0);
    await bus.close();
  });
});
