import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";

const POLICY = `
hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
        - type: command
          command: cat; grep -o 'gh[p]_[a-zA-Z0-9]*' >&2; exit 2
    - matcher: rewrite
      hooks:
        - type: command
          command: |
            printf '{"hook_specific_output":{"updated_input":{"header":"%s"}}}' "$(grep -o 'gh[p]_[a-zA-Z0-9]*')"
`;
const SECRET = ["gh", "p_", "aZ3".repeat(12)].join("");

let db: TestDatabase;
let server: TestGateway;
let key: string;
beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  key = await server.agent("careless");
  await server.publish(POLICY);
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

async function post(path: string, input: unknown, more: Record<string, string> = {}) {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", ...more };
  const response = await fetch(server.url + path, { method: "POST", headers, body: JSON.stringify(input) });
  expect(response.status).toBe(200);
  return response.text();
}

/** The names of the tables that have the secret in any column. */
async function leaks(): Promise<string[]> {
  const { pool } = db.database;
  const { rows } = await pool.query<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'",
  );
  const found: string[] = [];
  for (const { name } of rows) {
    const { rowCount } = await pool.query(`SELECT 1 FROM "${name}" AS t WHERE t::text LIKE $1`, [`%${SECRET}%`]);
    if (rowCount) found.push(name);
  }
  return found;
}

it("stores no secret of a dispatch in any table, and answers with the arguments as the hook wrote them", async () => {
  const input = { session_id: "s", tool_name: "shell", tool_input: { cmd: `curl -H 'token ${SECRET}'` } };
  await post("/api/v1/hooks/pre_tool_use", input);
  const answer = await post("/api/v1/hooks/pre_tool_use", { ...input, tool_name: "rewrite" });
  expect(answer).toContain(SECRET);
  expect(await leaks()).toEqual([]);
  const { rows } = await db.database.pool.query<{ excerpt: string }>("SELECT excerpt FROM tool_decision");
  expect(rows.map(({ excerpt }) => excerpt)).toContain("curl -H 'token [REDACTED]'");
});

it("a repeat gets the answer as it was first given, and no table holds its secret", async () => {
  const input = { session_id: "s", tool_name: "rewrite", tool_input: { cmd: SECRET } };
  const named = { "idempotency-key": "given-once" };
  const first = await post("/api/v1/hooks/pre_tool_use", input, named);
  expect(first).toContain(SECRET);
  expect(await post("/api/v1/hooks/pre_tool_use", input, named)).toBe(first);
  expect(await leaks()).toEqual([]);
});

it("stores no secret of what was reported or summarised", async () => {
  const input = { session_id: "s", summary: `the token is ${SECRET}`, compaction_reason: "manual" };
  await post("/api/v1/hooks/after_compaction", input);
  const event = { event_id: crypto.randomUUID(), event: "user_prompt_submit", input: { prompt: SECRET } };
  const report = await post("/api/v1/events", [event]);
  expect(JSON.parse(report).stored).toBe(1);
  expect(await leaks()).toEqual([]);
});
