/** The move of a policy to a profile in which its gate only labels calls, and its neighbour's. Real database. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../e2e/fixtures/database.ts";
import type { Administrator } from "../../access/actor.ts";
import type { AppError } from "../../errors/app-error.ts";
import { type Bus, createBus } from "../../events/index.ts";
import { uuidv7 } from "../../platform/ids.ts";
import { log } from "../../platform/log.ts";
import { NO_CASES } from "./case-gate.ts";
import { publishByName } from "./publish.ts";

const textOf = (profile: string, more = "") => `profile: "${profile}"
hooks:
  pre_tool_use:
    - matcher: "shell|Bash"
      preempt_yolo: true
      hooks:
        - { name: commands, type: builtin, command: safer_shell }
${more}`;
const RULES = `        - name: what changes
          type: rules
          rules:
            - { ask: A person decides., not: { command: { program: [ls, cat] } } }
`;

let at: TestDatabase;
let bus: Bus;
let admin: Administrator;
beforeAll(async () => {
  at = await testDatabase();
  bus = createBus(at.url, log());
});
beforeEach(async () => {
  const workspaceId = uuidv7();
  await at.database.prisma.workspace.create({ data: { id: workspaceId, name: "test" } });
  await at.database.pool.query("INSERT INTO audit_head (workspace_id) VALUES ($1)", [workspaceId]);
  admin = { kind: "person", role: "owner", workspaceId, id: uuidv7(), name: "Ada" };
});
afterAll(async () => {
  await bus.close();
  await at.drop();
});

const publish = (source: string) =>
  publishByName(at.database, bus, admin, { name: "guard", source, note: "" }, NO_CASES);
const refusalOf = (source: string): Promise<AppError | null> =>
  publish(source).then(
    () => null,
    (error: AppError) => error,
  );

it.each(["2026-07", "2026-08"])("a policy of %s whose gate would only label is not moved", async (profile) => {
  await publish(textOf(profile));
  const refused = await refusalOf(textOf("2026-11"));
  expect(refused?.code).toBe("policy_invalid");
  expect(refused?.options.problems).toMatchObject([{ line: 7, path: "hooks.pre_tool_use[0].hooks[0].command" }]);
  expect(refused?.options.says).toContain("only labels calls in 2026-11");
  expect(refused?.options.says).toContain("type: rules");
});

it("it is moved with a rule that decides over the same calls, and labels from then on", async () => {
  await publish(textOf("2026-08"));
  expect(await refusalOf(textOf("2026-11", RULES))).toBeNull();
  expect(await refusalOf(textOf("2026-11"))).toBeNull();
});

it("a policy that never asked may label", async () => {
  expect(await refusalOf(textOf("2026-11"))).toBeNull();
});
