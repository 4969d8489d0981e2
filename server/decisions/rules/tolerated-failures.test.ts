/** Gates of a 2026-07 policy that allow when they fail, counted. Real hooks, real record. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../../e2e/fixtures/gateway.ts";
import * as policies from "../../policies/index.ts";
import { noteFoldVersions } from "../../projections/index.ts";
import { getToleratedFailures } from "./tolerated-failures.ts";
import { toleratedFailuresView } from "./tolerated-failures-schema.ts";

const textOf = (profile: string) => `profile: "${profile}"
hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
        - { name: missing, type: command, command: "exit 127" }
        - { name: half an object, type: command, command: "echo '{\\"decision\\":'" }
        - { name: other word, type: command, command: "echo '{\\"decision\\":\\"refuse\\"}'" }
        - { name: silent, type: command, command: "true" }
`;

let db: TestDatabase;
let server: TestGateway;
let key: string;
beforeEach(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  await noteFoldVersions(server.database.pool);
  key = await server.agent("one");
  await server.publish(textOf("2026-07"), "older");
});
afterEach(async () => {
  await server?.stop();
  await db?.drop();
});

async function call(tool: string): Promise<unknown> {
  const response = await fetch(`${server.url}/api/v1/hooks/pre_tool_use?lane=default`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ session_id: "s", tool_name: tool, tool_use_id: "t", tool_input: { cmd: "ls" } }),
  });
  expect(response.status).toBe(200);
  return response.json();
}

async function viewOf(nowMs?: number) {
  const { admin, database } = server;
  const [policy] = await policies.list(database, admin.workspaceId);
  return toleratedFailuresView.parse(await getToleratedFailures(database, admin.workspaceId, policy?.id ?? "", nowMs));
}
const counts = async () => (await viewOf()).gates.map(({ gate, count }) => `${gate}: ${count}`);

it("counts each way in which a gate fails and allows, by gate", async () => {
  await call("shell");
  await call("shell");
  await call("edit_file");
  await server.projected();
  expect(await counts()).toEqual([
    '"missing" on pre_tool_use: 2',
    '"half an object" on pre_tool_use: 2',
    '"other word" on pre_tool_use: 2',
    '"silent" on pre_tool_use: 0',
  ]);
});

it("a policy whose failures deny has no such gate", async () => {
  await server.publish(textOf("2026-11"), "older");
  await call("shell");
  await server.projected();
  expect(await counts()).toEqual([]);
});

it("says from when on failures are on record, unless that is all of the days", async () => {
  const day = 86_400_000;
  const since = (at: string) => server.database.pool.query("UPDATE projection_fold SET since = $1::timestamptz", [at]);
  await since("2000-01-01Z");
  expect((await viewOf()).countedSince).toBeNull();
  // Counted with a later release: the workspace recorded before.
  await since("2100-01-01Z");
  expect((await viewOf(Date.parse("2100-01-05Z"))).countedSince).toEqual(new Date("2100-01-01Z"));
  expect((await viewOf(Date.parse("2100-03-01Z"))).countedSince).toBeNull();
  await server.database.pool.query("INSERT INTO retention (workspace_id, kind, days) VALUES ($1, 'figures', 3)", [
    server.admin.workspaceId,
  ]);
  const now = Date.parse("2100-03-01Z");
  expect((await viewOf(now)).countedSince).toEqual(new Date(now - 3 * day));
});

it("a start that is not known is no cover", async () => {
  await server.database.pool.query("DELETE FROM projection_fold");
  const now = Date.now();
  expect((await viewOf(now)).countedSince).toEqual(new Date(now));
});
