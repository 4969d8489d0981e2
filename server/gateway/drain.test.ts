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
