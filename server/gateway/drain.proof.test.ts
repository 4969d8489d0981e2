import { afterEach, beforeEach, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";

let db: TestDatabase;
let server: TestGateway;
let key: string;

beforeEach(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  key = await server.agent("tester");
});
afterEach(async () => {
  await server?.stop();
  await db?.drop();
});

it("a shutdown finishes and records what is under way, ends what only waits, and takes nothing new", async () => {
  await server.publish("hooks:\n  stop:\n    - { type: command, command: sleep 0.5 }\n");
  const authorization = `Bearer ${key}`;
  const policy = (headers: object) =>
    fetch(`${server.url}/api/v1/policy?wait=60`, { headers: { authorization, ...headers } });
  const etag = (await policy({})).headers.get("etag") ?? "";
  const waiting = policy({ "if-none-match": etag });
  const dispatching = fetch(`${server.url}/api/v1/hooks/stop`, {
    method: "POST",
    headers: { authorization, "content-type": "application/json" },
    body: '{"session_id":"last"}',
  });
  await expect.poll(() => server.running.spawner.load.running, { timeout: 10_000 }).toBe(1);

  server.draining.abort();
  const drained = server.gateway.drain(10_000);
  expect((await waiting).status).toBe(304);
  expect((await dispatching).status).toBe(200);
  await drained;
  const { rowCount } = await db.database.pool.query("SELECT 1 FROM dispatch WHERE session_id = 'last'");
  expect(rowCount).toBe(1);
  await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
});

it("a hook that outlasts the shutdown is ended, recorded as failed, and its caller is told to come back", async () => {
  await server.publish("hooks:\n  pre_tool_use:\n    - hooks: [{ type: command, command: sleep 60 }]\n");
  const gates = ["", "", "named-1", "named-2"].map((name, at) =>
    fetch(`${server.url}/api/v1/hooks/pre_tool_use`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        ...(name !== "" && { "idempotency-key": name }),
      },
      body: JSON.stringify({ session_id: `hung-${at}`, tool_name: "shell" }),
    }),
  );
  await expect.poll(() => server.running.spawner.load.running, { timeout: 10_000 }).toBe(4);

  server.draining.abort();
  const drained = server.gateway.drain(2_000);
  for (const response of await Promise.all(gates)) {
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ error: { code: "draining" } });
  }
  await drained;
  const { rows } = await db.database.pool.query<{ verdict: string; hooks: string }>(
    "SELECT verdict, hooks FROM dispatch WHERE session_id LIKE 'hung-%'",
  );
  expect(rows).toHaveLength(4);
  for (const row of rows) {
    expect(row.verdict).toBe("deny");
    expect(JSON.parse(row.hooks)).toMatchObject([{ outcome: "failed" }]);
  }
});

it("many hooks at once, in one dispatch and in many that are named, listen without a warning", async () => {
  const twelve = Array.from({ length: 12 }, (_one, at) => `{ type: command, command: "sleep 0.2; : ${at}" }`);
  await server.publish(`hooks:\n  pre_tool_use:\n    - hooks: [${twelve.join(", ")}]\n`);
  const warnings: string[] = [];
  const onWarning = (warning: Error) => void warnings.push(warning.name);
  process.on("warning", onWarning);
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_one, at) =>
      fetch(`${server.url}/api/v1/hooks/pre_tool_use`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          ...(at > 0 && { "idempotency-key": `many-${at}` }),
        },
        body: JSON.stringify({ session_id: "many", tool_name: "shell" }),
      }).then((response) => response.status),
    ),
  );
  process.off("warning", onWarning);
  expect(new Set(answers)).toEqual(new Set([200]));
  expect(warnings).toEqual([]);
}, 60_000);
