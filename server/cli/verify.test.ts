import { afterEach, beforeEach, expect, test } from "vitest";
import { quarterdeck } from "../../e2e/fixtures/command-line.ts";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { createLog } from "../platform/log.ts";
import { createRetention } from "../record/retention/retention.ts";

let db: TestDatabase;
let server: TestGateway;
beforeEach(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  const key = await server.agent("ci");
  for (const cmd of ["ls", "make"]) {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const body = JSON.stringify({ session_id: "s", tool_name: "shell", tool_input: { cmd } });
    expect((await fetch(`${server.url}/api/v1/hooks/pre_tool_use`, { method: "POST", headers, body })).status).toBe(
      200,
    );
  }
});
afterEach(async () => {
  await server?.stop();
  await db?.drop();
});

const verify = (args: readonly string[], url = server.url) =>
  quarterdeck(["verify", "projections", ...args], process.cwd(), {
    QUARTERDECK_URL: url,
    QUARTERDECK_TOKEN: server.secrets.adminToken,
  });

test("figures that are the log's end in 0", async () => {
  const { code, stdout, stderr } = await verify([]);
  expect(stdout).toMatch(
    /^1 day: 1 equal, 0 different, 0 of the older rule, 0 as sealed, 0 whose log is gone\n2 dispatches read, \d+ rows compared, 0 rows different\n/,
  );
  expect(stderr).toMatch(/^\d{4}-\d\d-\d\d \(1 of 1\)\n$/);
  expect(code).toBe(0);
  const other = await verify(["--month", "2001-01", "--workspace", server.admin.workspaceId, "--json"]);
  expect(JSON.parse(other.stdout)).toEqual({ isEqual: true, days: [] });
});

test("a difference is a line that names it, and ends in 1; what cannot be looked at ends in 2", async () => {
  await db.database.pool.query("UPDATE session SET events = 3");
  const { code, stdout } = await verify([]);
  await db.database.pool.query("UPDATE session SET events = 2");
  expect(stdout).toMatch(/^\d{4}-\d\d-\d\d session agent_id=[-0-9a-f]{36} session_id=s events is 3, from the log 2\n/);
  expect(code).toBe(1);
  expect((await verify([], "http://127.0.0.1:9")).code).toBe(2);
  expect((await verify(["--month", "November"])).code).toBe(2);
  const stranger = await verify(["--workspace", "00000000-0000-7000-8000-000000000000"]);
  expect(stranger.code).toBe(2);
});

test("a day whose log is gone is said to be as it was sealed, and what is not names the seal", async () => {
  await db.database.pool.query("INSERT INTO retention (workspace_id, kind, days) VALUES ($1, 'dispatches', 1)", [
    server.admin.workspaceId,
  ]);
  const clock = { now: () => Date.now() + 3 * 86_400_000, monotonic: () => 0 };
  await createRetention({ pool: db.database.pool, log: createLog("silent"), clock }).run();
  const { code, stdout } = await verify([]);
  expect(stdout).toMatch(/^\d{4}-\d\d-\d\d sealed at \S+Z, entry \d+ of the record; its log is gone\n/);
  expect(stdout).toContain("\n1 day: 0 equal, 0 different, 0 of the older rule, 1 as sealed, 0 whose log is gone\n");
  expect(code).toBe(0);
  await db.database.pool.query("UPDATE session SET events = 3");
  const changed = await verify([]);
  expect(changed.stdout).toMatch(/ session agent_id=[-0-9a-f]{36} session_id=s differs from the seal\n/);
  expect(changed.code).toBe(1);
});
