import { BREAKER_LIMITS } from "@quarterdeck/hooks";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { appRouter } from "../composition/router.ts";
import { uuidv7 } from "../platform/ids.ts";
import { createCallerFactory } from "../trpc/init.ts";

const BROKEN = `hooks:
  pre_tool_use:
    - hooks:
        - {name: lost, type: command, command: "true", working_dir: /nowhere/at/all}
`;

let db: TestDatabase;
let server: TestGateway;
let key: string;
beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  key = await server.agent("one");
  await server.publish(BROKEN, "gate");
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

function callerIn(workspaceId: string) {
  const actor = { ...server.admin, workspaceId };
  const { app } = server.running;
  const context = { db: server.database, actor, app, session: null, setHeader: () => undefined };
  return createCallerFactory(appRouter)(context).circuitBreakers;
}

async function reason(): Promise<string> {
  const response = await fetch(`${server.url}/api/v1/hooks/pre_tool_use`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: '{"session_id":"s","tool_name":"shell"}',
  });
  const answer = (await response.json()) as { decision: string; reason: string }; // the API's own shape
  expect(answer.decision).toBe("block");
  return answer.reason;
}

it("a hook that cannot be had is left alone, still denies, is shown to its workspace, and tried when a person says so", async () => {
  const circuits = callerIn(server.admin.workspaceId);
  for (let failure = 0; failure < BREAKER_LIMITS.failuresMax; failure += 1)
    expect(await reason()).toContain("no such directory");
  expect(await reason()).toContain("circuit");

  const [open, ...more] = await circuits.list();
  expect(more).toEqual([]);
  expect(open).toMatchObject({ policy: "gate", revision: 1, hook: "lost", failures: BREAKER_LIMITS.failuresMax });
  expect(open?.lastError).toContain("no such directory");

  const stranger = callerIn(uuidv7());
  const id = open?.id ?? "";
  expect(await stranger.list()).toEqual([]);
  expect(await stranger.tryNow({ id })).toEqual({ isTried: false });
  expect(await reason()).toContain("circuit");

  expect(await circuits.tryNow({ id })).toEqual({ isTried: true });
  const { rows } = await server.database.pool.query("SELECT 1 FROM audit_entry WHERE body::text LIKE '%hook_tried%'");
  expect(rows).toHaveLength(1);
  expect(await reason()).toContain("no such directory");
  expect(await reason()).toContain("circuit");
});
