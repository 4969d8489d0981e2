/** The state kept on the agent's machine belongs to the agent, whatever key it has today. */
import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { type LocalExecutor, localExecutor } from "../../e2e/fixtures/local-executor.ts";
import * as agents from "../agents/index.ts";

const POLICY = `
hooks:
  pre_tool_use:
    - matcher: shell
      hooks: [{ type: command, run_on: agent, command: 'echo never >&2; exit 2' }]
`;

let db: TestDatabase;
let server: TestGateway;
let local: LocalExecutor;
let console: Server;
let isOn: boolean;
let agentId: string;
let first: string;

beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  await server.publish(POLICY);
  // The same address, whether the real console answers behind it or not.
  console = createServer(async (request, response) => {
    if (!isOn) return request.socket.destroy();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { host: _host, connection: _connection, "content-length": _length, ...headers } = request.headers;
    const answer = await fetch(`${server.url}${request.url}`, {
      method: request.method ?? "GET",
      headers: headers as Record<string, string>, // single values, all of ours
      ...(request.method === "POST" && { body: new Uint8Array(Buffer.concat(chunks)) }),
    });
    const kept = [...answer.headers].filter(
      ([name]) => !/^(connection|keep-alive|content-length|transfer-)/.test(name),
    );
    response.writeHead(answer.status, Object.fromEntries(kept)).end(Buffer.from(await answer.arrayBuffer()));
    return undefined;
  });
  await new Promise<void>((resolve) => console.listen(0, "127.0.0.1", resolve));
}, 120_000);
beforeEach(async () => {
  isOn = true;
  const made = await agents.create(server.database, server.running.app.bus, server.admin, {
    name: `laptop ${performance.now()}`,
  });
  agentId = made.agentId;
  first = made.key;
  local = await localExecutor({
    QUARTERDECK_URL: `http://127.0.0.1:${(console.address() as AddressInfo).port}`, // a TCP server's address
    QUARTERDECK_TRUST_KEY: server.secrets.signingPublicKey.export({ type: "spki", format: "der" }).toString("base64"),
  });
});
afterEach(() => local.remove());
afterAll(async () => {
  console?.closeAllConnections();
  await new Promise((resolve) => console?.close(resolve));
  await server?.stop();
  await db?.drop();
});

const nextKey = async () => {
  const { bus, answerKeys } = server.running.app;
  return answerKeys.complete((await agents.createKey(server.database, bus, server.admin, { agentId })).key);
};
const gate = (key: string) =>
  local.run(["pre_tool_use"], { session_id: "s", tool_name: "shell", tool_input: {} }, { QUARTERDECK_KEY: key });
const stop = (key: string, session: string) => local.run(["stop"], { session_id: session }, { QUARTERDECK_KEY: key });
const flush = (key: string) => local.run(["--flush"], "", { QUARTERDECK_KEY: key });
const stored = async (session: string) =>
  (await db.database.pool.query("SELECT count(*)::int AS n FROM dispatch WHERE session_id = $1", [session])).rows[0].n;
const folders = async (start: string) => (await readdir(local.dir)).filter((name) => name.startsWith(start));

it("what the old key spooled is reported under the new one, and the policy it fetched still holds", async () => {
  expect((await gate(first)).stdout).toContain("never");
  isOn = false;
  await stop(first, "under the old key");
  isOn = true;
  const second = await nextKey();
  expect((await gate(second)).stdout).toContain("never");
  expect(await flush(second)).toMatchObject({ code: 0 });
  await expect.poll(() => stored("under the old key"), { timeout: 30_000 }).toBe(1);
  expect(await folders("agent-")).toHaveLength(1);
  expect((await stat(join(local.dir, (await folders("agent-"))[0] ?? ""))).mode & 0o777).toBe(0o700);
  isOn = false;
  expect((await gate(second)).stdout).toContain("never");
});

it("what was spooled before the console ever answered comes along", async () => {
  isOn = false;
  await stop(first, "before the first contact");
  expect(await folders("agent-")).toEqual([]);
  isOn = true;
  expect(await flush(first)).toMatchObject({ code: 0, stdout: "1 events reported\n" });
  expect(await stored("before the first contact")).toBe(1);
});

it("a directory that an older program named after an earlier key of this agent is taken over, another agent's is not", async () => {
  isOn = false;
  await stop(first, "older program");
  const own = (await readdir(local.dir)).find((name) => /^[0-9a-f]{16}$/.test(name)) ?? "";
  isOn = true;
  const keep = async (folder: string, key: string) => {
    const answer = await fetch(`${server.url}/api/v1/policy`, {
      headers: { authorization: `Bearer ${key}`, accept: "application/vnd.quarterdeck.policy.v2+json" },
    });
    const head = `${answer.headers.get("etag")}\t${answer.headers.get("quarterdeck-signature")}\n`;
    await mkdir(join(local.dir, folder), { recursive: true, mode: 0o700 });
    await writeFile(join(local.dir, folder, "policy.signed"), `${head}${await answer.text()}`);
  };
  const [earlier, foreign] = ["0123456789abcdef", "fedcba9876543210"];
  await rename(join(local.dir, own), join(local.dir, earlier));
  await keep(earlier, first);
  await keep(foreign, await server.agent(`other ${performance.now()}`));
  await mkdir(join(local.dir, foreign, "spool"));
  await writeFile(join(local.dir, foreign, "spool", `${"1".padStart(15, "0")}-${agentId}-3.ndjson`), "{}\n");
  const second = await nextKey();
  expect((await gate(second)).stdout).toContain("never");
  await flush(second);
  await expect.poll(() => stored("older program"), { timeout: 30_000 }).toBe(1);
  expect(await readdir(join(local.dir, foreign, "spool"))).toHaveLength(1);
  await rm(join(local.dir, foreign), { recursive: true });
});
