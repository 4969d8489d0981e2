/** Runs of events that only the newest profile has. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { inWorkspace } from "../platform/scope.ts";
import { type PlaygroundReport, type PlaygroundRun, playgroundRun } from "./schema.ts";

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

function run(source: string, more: Pick<PlaygroundRun, "event" | "input">): Promise<PlaygroundReport> {
  const asked = playgroundRun.parse({ subject: { kind: "text", source }, ...more });
  return inWorkspace(server.admin.workspaceId, () => server.running.app.bench.run(server.admin, asked));
}

it("shows the route, the instructions and the verdict of a content guard", async () => {
  const of = (event: "before_agent_run" | "turn_start" | "skill_content_guard", output: object, input: object) =>
    run(
      `profile: "2026-11"
hooks:
  ${event}:
    - name: one
      type: command
      command: >-
        echo '${JSON.stringify(output)}'
`,
      { event, input: JSON.stringify(input) },
    );
  const transition = { action: "route", agent: "writer" };
  const routed = await of("before_agent_run", { hook_specific_output: { transition } }, { input: "Write." });
  expect(routed.says).toContain('Routed to "writer" by "one"');
  expect(routed.result).toMatchObject({ allowed: true, route: "writer", instructions: [] });
  const instruction_context = [{ key: "rules", label: "house rules", content: "Be kind." }];
  const told = await of("turn_start", { hook_specific_output: { instruction_context } }, {});
  expect(told.result).toMatchObject({ route: null, instructions: ["house rules"] });
  const skill = { skill: { name: "notes", source: "local", content: "Be kind." } };
  const guarded = await of("skill_content_guard", { continue: true }, skill);
  expect([guarded.verdict, guarded.says]).toEqual(["allow", expect.stringContaining('Allowed by "one"')]);
  expect((await of("skill_content_guard", {}, skill)).verdict).toBe("deny");
});
