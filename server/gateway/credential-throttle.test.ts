import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { GUESS_LIMITS } from "../access/credential-throttle.ts";

let db: TestDatabase;
let server: TestGateway;

beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

it("whoever guesses keys is heard no more, and a key that was just in use opens all the same", async () => {
  const key = await server.agent("honest");
  const policy = (token: string) =>
    fetch(`${server.url}/api/v1/policy`, { headers: { authorization: `Bearer ${token}` } }).then(async (response) => {
      await response.arrayBuffer();
      return response;
    });
  expect((await policy(key)).status).toBe(200);
  const guess = (index: number) => `qd_${String(index).padStart(43, "0")}`;
  for (let index = 0; index < GUESS_LIMITS.failuresMax; index++) expect((await policy(guess(index))).status).toBe(401);
  const refused = await policy(guess(GUESS_LIMITS.failuresMax));
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await policy(key)).status).toBe(200);

  // The same address guesses elsewhere: links and tokens are no longer looked at either.
  const trpc = (path: string, headers: Record<string, string>, body?: string) =>
    fetch(`${server.url}/api/trpc/${path}`, {
      headers: { "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { method: "POST", body }),
    }).then(({ status }) => status);
  expect(await trpc("access.whoami", { authorization: `Bearer ${server.secrets.adminToken}x` })).toBe(429);
  expect(await trpc("access.signIn", { origin: server.url }, JSON.stringify({ json: { token: "x".repeat(43) } }))).toBe(
    429,
  );
  expect(await trpc("access.waysIn", {})).toBe(200);
});
