/** One agent whose hooks hang takes nothing from the others: real HTTP, a real database, real processes. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { list as openCircuits } from "../circuit-breakers/index.ts";

const HANGS_WHEN_ASKED = `hooks:
  pre_tool_use:
    - hooks:
        - {type: command, timeout: 60, command: "if grep -q please_hang; then sleep 60; fi; echo not today >&2; exit 2"}
`;

let db: TestDatabase;
let server: TestGateway;
beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  await server.publish(HANGS_WHEN_ASKED);
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

it("a hundred hung hooks of one agent leave the gates of another as they are, and open no circuit", async () => {
  const [hanging, other] = [await server.agent("hanging"), await server.agent("other")];
  const leave = new AbortController();
  const ask = (key: string, tool: string, signal?: AbortSignal) =>
    fetch(`${server.url}/api/v1/hooks/pre_tool_use`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ session_id: "s", tool_name: tool }),
      ...(signal && { signal }),
    });
  const hung = Array.from({ length: 100 }, () => ask(hanging, "please_hang", leave.signal).catch(() => undefined));
  const { spawner } = server.running;
  await expect.poll(() => spawner.load, { timeout: 30_000 }).toEqual({ running: 16, waiting: 84 });

  const answers = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const response = await ask(other, "shell");
      return (await response.json()) as { decision: string; reason: string }; // the API's own shape
    }),
  );
  for (const answer of answers)
    expect(answer).toMatchObject({ decision: "block", reason: expect.stringContaining("not today") });

  // The longest that a hook waits is ten seconds; then it is refused in words of its own.
  await expect.poll(() => spawner.load.waiting, { timeout: 30_000 }).toBe(0);
  const refused = (await (await ask(hanging, "please_hang")).json()) as { decision: string; reason: string };
  expect(refused).toMatchObject({ decision: "block", reason: expect.stringContaining("busy running other hooks") });
  expect(await openCircuits(server.database, server.running.app.workerRpc, server.admin.workspaceId)).toEqual([]);
  leave.abort();
  await Promise.all(hung);
}, 90_000);
