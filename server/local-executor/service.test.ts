/** The local executor as docker-agent runs it, beside a real server and a real database, in a real git repository. */
import { readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { type LocalExecutor, localExecutor } from "../../e2e/fixtures/local-executor.ts";
import * as agents from "../agents/index.ts";
import { examine } from "../doctor/index.ts";
import { inWorkspace } from "../platform/scope.ts";

/** Two hooks here, one at the console between them. */
const POLICY = `
profile: "2026-07"
hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
        - name: on trunk
          type: command
          run_on: agent
          command: 'grep -q "git push" && [ "$(git symbolic-ref --short HEAD)" = trunk ] && { echo "not from trunk" >&2; exit 2; }; true'
        - name: no rm
          type: command
          command: 'grep -q "rm -rf" && { echo "never" >&2; exit 2; }; true'
    - matcher: write_file
      hooks:
        - name: seen here
          type: command
          run_on: agent
          command: 'true'
  session_start:
    - { type: command, run_on: agent, command: 'git symbolic-ref --short HEAD' }
    - { type: command, command: 'echo from the console' }
`;

let db: TestDatabase;
let server: TestGateway;
let key: string;
let trustKey: string;
let local: LocalExecutor;
const open: Server[] = [];

beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  key = await server.agent("laptop");
  trustKey = server.secrets.signingPublicKey.export({ type: "spki", format: "der" }).toString("base64");
  await server.publish(POLICY);
}, 120_000);
beforeEach(async () => {
  local = await localExecutor({ QUARTERDECK_URL: server.url, QUARTERDECK_KEY: key, QUARTERDECK_TRUST_KEY: trustKey });
});
afterEach(async () => {
  for (const one of open.splice(0)) {
    one.closeAllConnections();
    await new Promise((resolve) => one.close(resolve));
  }
  await local.run(["--flush"], "");
  await local.remove();
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

const call = (session: string, cmd: string, tool = "shell") => ({
  session_id: session,
  cwd: "/work",
  hook_event_name: "pre_tool_use",
  tool_name: tool,
  tool_use_id: "t1",
  tool_input: { cmd },
});

interface Row {
  readonly event: string;
  readonly verdict: string;
  readonly origin: string;
  readonly reason: string;
  readonly input: string;
  readonly hooks: readonly { name: string; path: string; policy: string; said: string; ranOn?: string }[];
}
async function recorded(session: string): Promise<Row[]> {
  const { rows } = await server.database.pool.query(
    `SELECT d.event, d.verdict, d.origin, coalesce(t.reason, '') AS reason, d.input, d.hooks
       FROM dispatch d LEFT JOIN tool_decision t ON t.dispatch_id = d.id
      WHERE d.session_id = $1 ORDER BY d.occurred_at, d.id`,
    [session],
  );
  return rows.map((row) => ({ ...row, hooks: JSON.parse(row.hooks) }));
}

/** A console of our own making; `url` is where it listens. */
async function stranger(listener: RequestListener): Promise<string> {
  const one = createServer(listener);
  open.push(one);
  await new Promise<void>((resolve) => one.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(one.address() as AddressInfo).port}`; // a TCP server's address
}

/** The real console behind one that may be switched off, so that its address and our cache stay the same. */
async function switchable(): Promise<{ url: string; isOn: boolean; alter: (path: string, body: Buffer) => Buffer }> {
  const state = { url: "", isOn: true, alter: (_path: string, body: Buffer) => body };
  state.url = await stranger(async (request, response) => {
    if (!state.isOn) return request.socket.destroy();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const { host: _host, connection: _connection, "content-length": _length, ...headers } = request.headers;
    const answer = await fetch(`${server.url}${request.url}`, {
      method: request.method ?? "GET",
      headers: headers as Record<string, string>, // single values, all of ours
      ...(request.method === "POST" && { body }),
    });
    const altered = state.alter(request.url ?? "", Buffer.from(await answer.arrayBuffer()));
    const kept = [...answer.headers].filter(
      ([name]) => !/^(connection|keep-alive|content-length|transfer-)/.test(name),
    );
    response.writeHead(answer.status, Object.fromEntries(kept)).end(altered);
    return undefined;
  });
  return state;
}

async function stateFile(name: string): Promise<string> {
  const names = await readdir(local.dir);
  const one = names.find((folder) => folder.startsWith("agent-")) ?? names[0] ?? "";
  return join(local.dir, one, name);
}
const spooled = async () =>
  (await readdir(await stateFile("spool")).catch(() => [])).filter((name) => name.endsWith(".ndjson"));

describe("with the console there", () => {
  it("hooks of both sides decide as one, and the console shows which ran where", async () => {
    const denied = await local.run(["pre_tool_use"], call("both", "git push"));
    expect(denied).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(denied.stdout)).toEqual({ decision: "block", reason: "not from trunk" });
    const [row, ...more] = await recorded("both");
    expect(more).toEqual([]);
    expect(row).toMatchObject({
      verdict: "deny",
      origin: "dispatch",
      reason: expect.stringContaining("not from trunk"),
    });
    expect(row?.hooks.map(({ name, ranOn, policy, path }) => [name, ranOn, policy, path])).toEqual([
      ["on trunk", "agent", "policy", "hooks.pre_tool_use[0].hooks[0]"],
      ["no rm", undefined, "policy", "hooks.pre_tool_use[0].hooks[1]"],
    ]);
    expect(JSON.parse((await local.run(["pre_tool_use"], call("both", "rm -rf /"))).stdout)).toMatchObject({
      decision: "block",
      reason: "never",
    });
    expect(await local.run(["pre_tool_use"], call("both", "ls"))).toEqual({ code: 0, stdout: "{}\n", stderr: "" });
    expect((await recorded("both")).map(({ verdict }) => verdict)).toEqual(["deny", "deny", "none"]);
  });

  it("an event's hooks run in the agent's repository, and context keeps the policy's order", async () => {
    const { stdout } = await local.run(["session_start"], { session_id: "context", source: "startup" });
    expect(JSON.parse(stdout).hook_specific_output.additional_context).toBe("trunk\nfrom the console");
  });

  it("what only observes does not wait, and is reported once", async () => {
    const input = '{"session_id":"observed","model_id":"m/x","cost":0.10000000000000001}';
    expect(await local.run(["after_llm_call"], input)).toEqual({ code: 0, stdout: "", stderr: "" });
    await vi.waitFor(async () => expect(await recorded("observed")).toHaveLength(1), { timeout: 30_000 });
    const [row] = await recorded("observed");
    expect(row).toMatchObject({ event: "after_llm_call", origin: "report", verdict: "none" });
    expect(row?.input).toContain("0.10000000000000001");
  });

  it("the six flags add hooks after the policy's, for every tool, in their order", async () => {
    const flags = [
      "--hook-session-start",
      "echo one",
      "--hook-session-start",
      "echo two, three",
      "--hook-session-start",
      " ",
    ];
    const { stdout } = await local.run(["session_start", ...flags], { session_id: "flags" });
    expect(JSON.parse(stdout).hook_specific_output.additional_context).toBe("trunk\nfrom the console\none\ntwo, three");
    const gate = ["--hook-pre-tool-use", "echo no tools today >&2; exit 2"];
    const denied = await local.run(["pre_tool_use", ...gate], call("flags", "x", "any_tool"));
    expect(JSON.parse(denied.stdout)).toEqual({ decision: "block", reason: "no tools today" });
    const row = (await recorded("flags")).find(({ event }) => event === "pre_tool_use");
    expect(row).toMatchObject({
      verdict: "deny",
      hooks: [{ ranOn: "agent", policy: "", path: "flags.pre_tool_use[0].hooks[0]" }],
    });
    const preempt = await local.run(["pre_tool_use", "--lane", "preempt_yolo", ...gate], call("flags", "x"));
    expect(preempt).toEqual({ code: 0, stdout: "{}\n", stderr: "" });
    for (const [flag, event] of [
      ["--hook-post-tool-use", "post_tool_use"],
      ["--hook-session-end", "session_end"],
      ["--hook-on-user-input", "on_user_input"],
      ["--hook-stop", "stop"],
    ] as const) {
      const mark = join(local.repository, event);
      await local.run([event, flag, `touch ${mark}`], { session_id: "flags", tool_name: "t" });
      expect(await readFile(mark, "utf8")).toBe("");
    }
  });
});

describe("with the console away", () => {
  const away = "http://127.0.0.1:9";

  it("a gate without a policy denies, and says what to do", async () => {
    const ran = await local.run(["pre_tool_use"], call("away", "ls"), { QUARTERDECK_URL: away });
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toMatch(
      /^Quarterdeck: The console at .* cannot be reached.*Start the console.*This is blocked\.\n$/,
    );
    const preempt = ["pre_tool_use", "--lane", "preempt_yolo"];
    const early = await local.run(preempt, call("away", "ls"), { QUARTERDECK_URL: away });
    expect(early.code).toBe(0);
    expect(JSON.parse(early.stdout).hook_specific_output.permission_decision).toBe("deny");
  });

  it("what only observes is not disturbed", async () => {
    const ran = await local.run(["stop"], { session_id: "away" }, { QUARTERDECK_URL: away });
    expect(ran).toMatchObject({ code: 0, stdout: "" });
  });

  it("the last known good policy holds for its age, its console's hooks deny, and everything is reported once", async () => {
    const console = await switchable();
    const env = { QUARTERDECK_URL: console.url };
    expect((await local.run(["pre_tool_use"], call("kept", "ls"), env)).code).toBe(0);
    console.isOn = false;
    await age(10_000);
    // No hook of the console: decided here.
    expect(await local.run(["pre_tool_use"], call("kept", "x", "read_file"), env)).toEqual({
      code: 0,
      stdout: "{}\n",
      stderr: "",
    });
    expect(await local.run(["pre_tool_use"], call("kept", "x", "write_file"), env)).toMatchObject({
      code: 0,
      stdout: "{}\n",
    });
    // One hook of the console: it cannot be asked.
    const gate = await local.run(["pre_tool_use"], call("kept", "ls"), env);
    expect(JSON.parse(gate.stdout)).toMatchObject({
      decision: "block",
      reason: expect.stringContaining("cannot be reached"),
    });
    expect((await local.run(["stop"], { session_id: "kept" }, env)).code).toBe(0);
    expect(await spooled()).toHaveLength(4);

    const late = await local.run(["pre_tool_use"], call("kept", "x", "read_file"), {
      ...env,
      QUARTERDECK_POLICY_MAX_AGE: "5s",
    });
    expect(late).toMatchObject({ code: 2, stderr: expect.stringContaining("older than 5 s and holds no more") });
    await age(25 * 3_600_000);
    expect((await local.run(["pre_tool_use"], call("kept", "x", "read_file"), env)).code).toBe(2);
    expect(await local.run(["stop"], { session_id: "kept" }, env)).toMatchObject({ code: 0, stdout: "" });

    console.isOn = true;
    const flushed = await Promise.all([local.run(["--flush"], "", env), local.run(["--flush"], "", env)]);
    expect(flushed.map(({ code }) => code)).toEqual([0, 0]);
    await vi.waitFor(async () => expect(await spooled()).toEqual([]), { timeout: 30_000 });
    const rows = (await recorded("kept")).filter(({ origin }) => origin === "report");
    expect(rows.map(({ event, verdict }) => `${event} ${verdict}`).sort()).toEqual([
      "pre_tool_use deny",
      "pre_tool_use deny",
      "pre_tool_use deny",
      "pre_tool_use none",
      "pre_tool_use none",
      "stop none",
      "stop none",
    ]);
    expect(rows.flatMap(({ hooks }) => hooks).map(({ name, ranOn }) => [name, ranOn])).toContainEqual([
      "seen here",
      "agent",
    ]);
  });

  it("an event as large as an input may be is reported like any other, and one that decided here too", async () => {
    const console = await switchable();
    const env = { QUARTERDECK_URL: console.url };
    expect((await local.run(["pre_tool_use"], call("large", "ls"), env)).code).toBe(0);
    const filled = (outline: object) => {
      const bytes = 4 * 1024 * 1024 - Buffer.byteLength(JSON.stringify({ ...outline, pad: "" }));
      return JSON.stringify({ ...outline, pad: "x".repeat(bytes) });
    };
    // Beside the agent, and with the console there: what its hooks said travels with the whole input.
    expect(await local.run(["pre_tool_use"], filled(call("large", "x", "write_file")), env)).toMatchObject({
      code: 0,
      stdout: "{}\n",
    });
    console.isOn = false;
    await local.run(["stop"], filled({ session_id: "large" }), env);
    for (const index of [1, 2, 3]) await local.run(["stop"], { session_id: "large", index }, env);
    expect(await local.run(["pre_tool_use"], filled(call("large", "y", "write_file")), env)).toMatchObject({ code: 0 });
    console.isOn = true;
    expect(await local.run(["--flush"], "", env)).toMatchObject({ code: 0 });
    await vi.waitFor(async () => expect(await spooled()).toEqual([]), { timeout: 30_000 });
    const rows = await recorded("large");
    expect(rows.map(({ event, origin }) => `${event} ${origin}`).sort()).toEqual([
      "pre_tool_use dispatch",
      "pre_tool_use dispatch",
      "pre_tool_use report",
      "stop report",
      "stop report",
      "stop report",
      "stop report",
    ]);
  });

  it("an event that the console refuses is kept apart, and the agent's page and the doctor say so", async () => {
    const console = await switchable();
    const env = { QUARTERDECK_URL: console.url };
    await local.run(["turn_start"], { session_id: "refused" }, env);
    await local.run(["--flush"], "", env);
    console.isOn = false;
    const deep = `${'{"x":'.repeat(200)}1${"}".repeat(200)}`;
    await local.run(["stop"], `{"session_id":"refused","deep":${deep}}`, env);
    await local.run(["stop"], { session_id: "refused", kept: true }, env);
    console.isOn = true;
    await vi.waitFor(
      async () => {
        await local.run(["--flush"], "", env);
        expect(await spooled()).toEqual([]);
      },
      { timeout: 30_000 },
    );
    const names = await readdir(await stateFile("refused"));
    expect(names.filter((name) => name.endsWith(".too_deep.ndjson"))).toHaveLength(1);
    await age(10_000);
    await local.run(["pre_tool_use"], call("refused", "ls"), env);
    const expected = { kept: 1, dropped: 0, machines: 1, lastCode: "too_deep" };
    await vi.waitFor(
      async () => {
        const listed = await agents.list(server.database, server.admin.workspaceId);
        expect(listed.find(({ name }) => name === "laptop")?.refused).toMatchObject(expected);
      },
      { timeout: 30_000 },
    );
    const { db: served, machine, confinement, record, mailer } = server.running.app;
    const { findings } = await inWorkspace(server.admin.workspaceId, () =>
      examine({
        db: served,
        workspaceId: server.admin.workspaceId,
        url: server.url,
        ...machine,
        confinement,
        openCircuits: 0,
        record,
        mailer,
      }),
    );
    expect(findings.find(({ id }) => id === "refused_events")).toMatchObject({
      state: "warning",
      says: expect.stringContaining("1 event of laptop"),
    });
  });

  it("a spooled event that was sent before a crash is not stored twice", async () => {
    const console = await switchable();
    const env = { QUARTERDECK_URL: console.url };
    await local.run(["turn_start"], { session_id: "crash" }, env);
    await local.run(["--flush"], "", env);
    console.isOn = false;
    await local.run(["stop"], { session_id: "crash" }, env);
    const [name = ""] = await spooled();
    const line = await readFile(join(await stateFile("spool"), name), "utf8");
    console.isOn = true;
    await local.run(["--flush"], "", env);
    await vi.waitFor(async () => expect(await spooled()).toEqual([]), { timeout: 30_000 });
    await writeFile(join(await stateFile("spool"), name), line);
    await vi.waitFor(
      async () => {
        await local.run(["--flush"], "", env);
        expect(await spooled()).toEqual([]);
      },
      { timeout: 30_000 },
    );
    expect((await recorded("crash")).filter(({ event }) => event === "stop")).toHaveLength(1);
  });

  async function age(byMs: number): Promise<void> {
    const then = new Date(Date.now() - byMs);
    await utimes(await stateFile("policy.signed"), then, then);
  }
});

describe("a policy that the console did not sign", () => {
  const gate = (env: Record<string, string>, session = "forged") =>
    local.run(["pre_tool_use"], call(session, "ls"), env);

  it("is refused when it is signed with another key, or not at all, and the gate denies", async () => {
    const other = (await import("node:crypto")).generateKeyPairSync("ed25519").publicKey;
    const pem = other.export({ type: "spki", format: "pem" }).toString();
    const ran = await gate({ QUARTERDECK_TRUST_KEY: pem });
    expect(ran).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("signed with another key") });
    const unsigned = await stranger((_request, response) => response.writeHead(200, { etag: '"x"' }).end("{}"));
    expect((await gate({ QUARTERDECK_URL: unsigned })).stderr).toContain("The policy is not signed, so it is refused.");
    const without = await gate({ QUARTERDECK_TRUST_KEY: "" });
    expect(without).toMatchObject({ code: 2, stderr: expect.stringContaining("QUARTERDECK_TRUST_KEY is not set") });
  });

  it("is refused when its body was changed on the way, and nothing of it is kept", async () => {
    const console = await switchable();
    console.alter = (path, body) =>
      path === "/api/v1/policy" ? Buffer.from(body.toString().replace("not from trunk", "anything goes!")) : body;
    const ran = await gate({ QUARTERDECK_URL: console.url }, "tampered");
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("signature is wrong") });
    const kept = await readdir(local.dir, { recursive: true });
    expect(kept.filter((path) => path.endsWith("policy.signed"))).toEqual([]);
    expect(await recorded("tampered")).toEqual([]);
  });

  it("is refused when the kept one was changed, unless the console has a good one", async () => {
    const console = await switchable();
    const env = { QUARTERDECK_URL: console.url };
    expect((await gate(env)).code).toBe(0);
    const file = await stateFile("policy.signed");
    const good = await readFile(file, "utf8");
    await writeFile(file, good.replace("not from trunk", "anything goes!"));
    console.isOn = false;
    expect(await gate(env)).toMatchObject({ code: 2, stderr: expect.stringContaining("cannot be trusted") });
    console.isOn = true;
    expect((await gate(env)).code).toBe(0);
    const bodyOf = (kept: string) => kept.slice(kept.indexOf("\n"));
    expect(bodyOf(await readFile(file, "utf8"))).toBe(bodyOf(good));
  });

  it("is refused when the kept one is another agent's, and replaced as soon as the console is there", async () => {
    const console = await switchable();
    const env = { QUARTERDECK_URL: console.url };
    expect((await gate(env)).code).toBe(0);
    const file = await stateFile("policy.signed");
    const otherKey = await server.agent("somebody else");
    const answer = await fetch(`${server.url}/api/v1/policy`, {
      headers: { authorization: `Bearer ${otherKey}`, accept: "application/vnd.quarterdeck.policy.v2+json" },
    });
    const attestation = answer.headers.get("quarterdeck-attestation");
    await writeFile(file, `${answer.headers.get("etag")}\t${attestation}\n${await answer.text()}`);
    console.isOn = false;
    expect(await gate(env)).toMatchObject({ code: 2, stderr: expect.stringContaining("another agent's") });
    console.isOn = true;
    expect((await gate(env)).code).toBe(0);
    console.isOn = false;
    expect(await gate(env)).toMatchObject({ code: 0 });
  });
});

describe("asked wrongly", () => {
  it.each([
    [[], "{}", "Say which event"],
    [["no_such_event"], "{}", "There is no hook event"],
    [["stop", "--lane", "preempt_yolo"], "{}", "Only pre_tool_use has"],
    [["pre_tool_use", "--hook-nonsense", "x"], "{}", "--hook-nonsense"],
    [["pre_tool_use"], "not json", "not a JSON object"],
    [["pre_tool_use"], "[]", "not a JSON object"],
    [["pre_tool_use"], `{"x":"${"y".repeat(4 * 1024 * 1024)}"}`, "larger than 4 MiB"],
  ] as const)("%j is one sentence and exit 2", async (args, input, says) => {
    const ran = await local.run(args, input);
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toContain(says);
    expect(ran.stderr.trim().split("\n")).toHaveLength(1);
  });

  it("without a key, with a revoked one, or in a directory it cannot have, a gate denies and an observer is left alone", async () => {
    for (const env of [
      { QUARTERDECK_KEY: "" },
      { QUARTERDECK_KEY: `qd_${"x".repeat(43)}` },
      { QUARTERDECK_HOOK_DIR: "/proc/1" },
    ]) {
      expect(await local.run(["pre_tool_use"], call("keyless", "ls"), env)).toMatchObject({ code: 2, stdout: "" });
      expect(await local.run(["turn_end"], {}, env)).toMatchObject({ code: 0, stdout: "" });
    }
  });
});
