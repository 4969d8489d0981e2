/** A monitored rule on the agent's machine: it has no effect there either, and its end needs no console. */
import { readdir, readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { type LocalExecutor, localExecutor } from "../../e2e/fixtures/local-executor.ts";
import * as policies from "../policies/index.ts";
import { placeHooks } from "./placement.ts";
import { concernsOf, policyOf } from "./policy.ts";

const POLICY = `
profile: "2026-07"
hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
        - { name: here, type: command, run_on: agent, command: 'echo "not here" >&2; exit 2' }
        - { name: second, type: command, run_on: agent, command: 'grep -q "rm -rf" && { echo never >&2; exit 2; }; true' }
    - matcher: read_file
      hooks: [{ name: there, type: command, command: 'cat >/dev/null; echo "not there" >&2; exit 2' }]
`;

describe("a signed policy with monitored hooks", () => {
  const hook = { type: "command", command: "exit 2", run_on: "agent" } as const;
  const hooks = { pre_tool_use: [{ matcher: "shell", hooks: [hook] }], stop: [{ ...hook, run_on: "server" }] };
  const policyAt = (monitored: unknown, nowMs: number) =>
    policyOf(
      Buffer.from(
        JSON.stringify({
          ...{ version: 2, agent: "a", revision: "r", profile: "2026-08" },
          sources: [{ policy: "p", revision: 1, hooks, monitored }],
        }),
      ),
      nowMs,
    );
  const END = Date.parse("2026-11-29T12:00:00Z");
  const monitored = ["hooks.pre_tool_use[0].hooks[0]", "hooks.stop[0]"].map((path) => ({
    ...{ path, until: new Date(END).toISOString() },
  }));
  const consoleHook = { type: "console" };

  it("has their effect from the instant that each one names", () => {
    for (const [event, tool] of [
      ["pre_tool_use", "shell"],
      ["stop", ""],
    ] as const)
      for (const [nowMs, hasEffect] of [
        [END - 1, false],
        [END, true],
      ] as const) {
        const policy = policyAt(monitored, nowMs);
        const { here, there } = concernsOf(policy, event, "default", tool);
        expect([event, nowMs, here || there]).toEqual([event, nowMs, hasEffect]);
        const placed = placeHooks(policy, [], { event, lane: "default", tool }, consoleHook);
        expect(placed.before.size + placed.after.size + Number(placed.isConsoleConcerned)).toBe(hasEffect ? 1 : 0);
      }
  });

  it("has their effect where the list is of an unknown kind", () => {
    for (const broken of [
      null,
      "all",
      {},
      [null],
      [7],
      [{ path: "hooks.stop[0]" }],
      [{ path: "hooks.stop[0]", until: "soon" }],
    ])
      expect(concernsOf(policyAt(broken, END), "stop", "default", "")).toEqual({ here: false, there: true });
  });
});

describe("the local executor", () => {
  let db: TestDatabase;
  let server: TestGateway;
  let local: LocalExecutor;
  let relay: Server;
  let isOn = true;

  beforeAll(async () => {
    db = await testDatabase();
    server = await testGateway(db.url);
    const key = await server.agent("laptop");
    const trustKey = server.secrets.signingPublicKey.export({ type: "spki", format: "der" }).toString("base64");
    await server.publish(POLICY);
    relay = createServer(async (request, response) => {
      if (!isOn) return request.socket.destroy();
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const { host: _host, connection: _connection, "content-length": _length, ...headers } = request.headers;
      const answer = await fetch(`${server.url}${request.url}`, {
        method: request.method ?? "GET",
        headers: headers as Record<string, string>, // single values, all of ours
        ...(request.method === "POST" && { body: Buffer.concat(chunks) }),
      });
      const kept = [...answer.headers].filter(
        ([name]) => !/^(connection|keep-alive|content-length|transfer-)/.test(name),
      );
      response.writeHead(answer.status, Object.fromEntries(kept)).end(Buffer.from(await answer.arrayBuffer()));
      return undefined;
    });
    await new Promise<void>((resolve) => relay.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(relay.address() as AddressInfo).port}`; // a TCP server's address
    local = await localExecutor({ QUARTERDECK_URL: url, QUARTERDECK_KEY: key, QUARTERDECK_TRUST_KEY: trustKey });
  }, 120_000);
  afterAll(async () => {
    await local?.remove();
    relay?.closeAllConnections();
    await new Promise((resolve) => relay?.close(resolve));
    await server?.stop();
    await db?.drop();
  });

  const run = (tool: string, cmd: string) =>
    local.run(["pre_tool_use"], { session_id: "s", tool_name: tool, tool_input: { cmd } });
  const monitor = async (hook: string, until: Date | null) => {
    const [policy] = await policies.list(server.database, server.admin.workspaceId);
    const input = { policyId: policy?.id ?? "", event: "pre_tool_use", hook, until };
    await policies.monitorRule(server.database, server.running.app.bus, server.admin, input);
  };
  const keptPolicy = async () => {
    const [folder = ""] = (await readdir(local.dir)).filter((name) => name.startsWith("agent-"));
    return readFile(join(local.dir, folder, "policy.signed"), "latin1");
  };
  const NOTHING = { code: 0, stdout: "{}\n", stderr: "" };

  it("lets pass what monitored rules of both sides deny, and keeps the other rules", async () => {
    expect(JSON.parse((await run("shell", "ls")).stdout)).toMatchObject({ reason: "not here" });
    expect(JSON.parse((await run("read_file", "ls")).stdout)).toMatchObject({ reason: "not there" });
    for (const hook of ["here", "there"]) await monitor(hook, new Date(Date.now() + 3_600_000));
    await vi.waitFor(async () => expect(await run("shell", "ls")).toEqual(NOTHING), { timeout: 30_000 });
    expect(await run("read_file", "ls")).toEqual(NOTHING);
    expect(JSON.parse((await run("shell", "rm -rf /")).stdout)).toMatchObject({ reason: "never" });
  });

  it("enforces them again at their end while the console is away", async () => {
    const end = Date.now() + 15_000;
    for (const hook of ["here", "there"]) await monitor(hook, new Date(end));
    const isFetched = async () => {
      await run("shell", "ls");
      expect(await keptPolicy()).toContain(new Date(end).toISOString());
    };
    await vi.waitFor(isFetched, { timeout: 10_000 });
    isOn = false;
    expect([await run("shell", "ls"), await run("read_file", "ls")]).toEqual([NOTHING, NOTHING]);
    expect(Date.now()).toBeLessThan(end);
    const isDenied = async (tool: string) => {
      const { code, stdout } = await run(tool, "ls");
      expect(code === 2 || /"decision":"block"/.test(stdout)).toBe(true);
    };
    await vi.waitFor(() => isDenied("shell"), { timeout: 30_000, interval: 500 });
    await isDenied("read_file");
    expect(Date.now()).toBeGreaterThanOrEqual(end);
  }, 60_000);
});
