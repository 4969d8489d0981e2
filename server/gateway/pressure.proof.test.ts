/**
 * PostgreSQL that is slow, not dead: commits wait for a lock. Other work gives way, gates beyond the limit are refused at
 * once, the shell hook denies, and afterwards everything is as before.
 */
import { execFile } from "node:child_process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { hangCommits } from "../../e2e/fixtures/hung-commits.ts";

/** The machine that runs the test may be busy itself. */
const RECOVERED_MS_MAX = 60_000;

let db: TestDatabase;
let server: TestGateway;
let key: string;
beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url, { watchesDelays: true });
  key = await server.agent("agent");
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

function send(path: string, body: unknown): Promise<Response> {
  return fetch(`${server.url}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}
const gate = () => send("/api/v1/hooks/pre_tool_use", { session_id: "s", tool_name: "shell" });
const report = () =>
  send("/api/v1/events", [{ event_id: crypto.randomUUID(), event: "turn_start", input: { session_id: "s" } }]);

/** The shell hook's exit code and what it says to the agent. */
function askByHook(): Promise<{ readonly code: number; readonly says: string }> {
  return new Promise((resolve) => {
    const env = { ...process.env, QUARTERDECK_KEY: key, QUARTERDECK_URL: server.url };
    const child = execFile("sh", ["scripts/quarterdeck-hook.sh", "pre_tool_use"], { env }, (error, _out, says) =>
      resolve({ code: Number(error?.code ?? 0), says }),
    );
    child.stdin?.end('{"session_id":"s","tool_name":"shell"}');
  });
}

const read = (procedure: string) =>
  fetch(`${server.url}/api/trpc/${procedure}`, { headers: { authorization: `Bearer ${server.secrets.adminToken}` } });

/** Sends the signals of another gateway until `end`. */
function signalled(level: number) {
  const source = crypto.randomUUID();
  let sequence = 0;
  const send = (of: number) => {
    sequence += 1;
    server.running.app.pressure.send({ source, sequence, level: of });
  };
  send(level);
  const timer = setInterval(() => send(level), 100);
  return {
    end() {
      clearInterval(timer);
      send(0);
    },
  };
}

const statusesOf = async () => [(await gate()).status, (await report()).status];
const isAsUsual = () => expect.poll(statusesOf, { timeout: RECOVERED_MS_MAX }).toEqual([200, 200]);

test("while commits hang, gates are refused at once, and afterwards all is as before", async () => {
  await isAsUsual();
  const hung = await hangCommits(db, server, gate);
  try {
    const refused = await gate();
    // A commit that PostgreSQL ended would have another code.
    expect([refused.status, await refused.json()]).toEqual([
      503,
      { error: { code: "overloaded", message: expect.stringContaining("this call was refused at once") } },
    ]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    const deferred = await report();
    expect([deferred.status, Number(deferred.headers.get("retry-after")) > 0]).toEqual([429, true]);
    expect(await askByHook()).toEqual({ code: 2, says: expect.stringContaining("this call was refused at once") });
    expect(await server.metrics.text()).toMatch(/quarterdeck_shed_total\{class="gate"\} [1-9]/);
  } finally {
    await hung.end();
  }
  // Each admitted gate is answered or denied.
  for (const { status } of await Promise.all(hung.admitted)) expect([200, 503]).toContain(status);
  await isAsUsual();
}, 180_000);

test("reads of pages wait for their turn, then they are refused with a sentence; what explains the load is answered", async () => {
  await isAsUsual();
  const pressed = signalled(4);
  const refused = await read("agents.list");
  const body = await refused.text();
  expect([refused.status, body]).toEqual([503, expect.stringContaining("so pages are not read now")]);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await read("doctor.examine")).status).toBe(200);
  pressed.end();
  await expect.poll(async () => (await read("agents.list")).status, { timeout: RECOVERED_MS_MAX }).toBe(200);
}, 180_000);

test("pressure that another gateway signals without end refuses no gate that need not wait", async () => {
  await isAsUsual();
  const pressed = signalled(5);
  await expect.poll(async () => (await report()).status).toBe(429);
  expect((await gate()).status).toBe(200);
  expect(await askByHook()).toEqual({ code: 0, says: "" });
  pressed.end();
  await isAsUsual();
}, 180_000);
