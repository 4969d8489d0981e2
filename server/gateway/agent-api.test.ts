import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";

let db: TestDatabase;
let server: TestGateway;
let key: string;

beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  key = await server.agent("tester");
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

function post(path: string, body: string | Uint8Array, headers: Record<string, string> = {}) {
  return fetch(server.url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    body: body as BodyInit,
  });
}

describe("POST /api/v1/hooks/{event}", () => {
  it("answers with hook output JSON and names the stored dispatch", async () => {
    const answer = await post("/api/v1/hooks/stop", JSON.stringify({ session_id: "s1", newer_field: [1] }));
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({});
    const id = answer.headers.get("quarterdeck-dispatch-id");
    const stored = await db.database.pool.query("SELECT event, input FROM dispatch WHERE id = $1", [id]);
    expect(stored.rows).toEqual([{ event: "stop", input: '{"session_id":"s1","newer_field":[1]}' }]);
  });
});
