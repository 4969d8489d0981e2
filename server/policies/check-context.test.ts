import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { uuidv7 } from "../platform/ids.ts";
import { checkContextView, TOOL_COUNT_MAX } from "./schema.ts";
import { check, checkContext } from "./service.ts";

let at: TestDatabase;
beforeAll(async () => {
  at = await testDatabase();
});
afterAll(() => at.drop());

const NOW = new Date("2026-11-20T12:00:00Z");

async function decide(workspaceId: string, tool: string, times: number, occurredAt = NOW): Promise<void> {
  await at.database.pool.query(
    `INSERT INTO tool_decision SELECT $1, $2, gen_random_uuid(), 'gate', $3, 'a', 's', 'pre_tool_use', $4, NULL, 'allow', '', '', ''
     FROM generate_series(1, $5)`,
    [workspaceId, occurredAt, uuidv7(), tool, times],
  );
}

it("every tool that was ever decided about is named once, with what is recent counted and no other workspace seen", async () => {
  const [one, other] = [uuidv7(), uuidv7()];
  await decide(one, "shell", 3);
  await decide(one, "edit_file", TOOL_COUNT_MAX + 10);
  await decide(one, "fetch", 2, new Date("2026-01-01T00:00:00Z"));
  await decide(one, "", 1);
  await decide(other, "secret_tool", 1);
  const view = checkContextView.parse(await checkContext(at.database, one, NOW.getTime()));
  expect(view.tools).toEqual([
    { name: "edit_file", count: TOOL_COUNT_MAX },
    { name: "fetch", count: 0 },
    { name: "shell", count: 3 },
  ]);
});

it("a workspace without decisions has seen no tools, and then no matcher is called into question", async () => {
  const nobody = uuidv7();
  expect((await checkContext(at.database, nobody)).tools).toEqual([]);
  const source = "hooks:\n  pre_tool_use:\n    - matcher: shel\n      hooks: [{type: command, command: 'true'}]\n";
  expect((await check(at.database, { workspaceId: nobody, id: nobody }, source)).findings).toEqual([]);
  const busy = uuidv7();
  await decide(busy, "shell", 1);
  expect((await check(at.database, { workspaceId: busy, id: busy }, source)).findings.map(({ rule }) => rule)).toEqual([
    "matcher-matches-nothing-seen",
  ]);
});
