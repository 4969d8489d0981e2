import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../e2e/fixtures/database.ts";
import type { Administrator } from "../../access/actor.ts";
import type { AppError } from "../../errors/app-error.ts";
import { type Bus, createBus } from "../../events/index.ts";
import { uuidv7 } from "../../platform/ids.ts";
import { log } from "../../platform/log.ts";
import * as policies from "../service.ts";
import { type CaseGate, NO_CASES } from "./case-gate.ts";
import * as publications from "./publish.ts";

const HOOKS = "hooks:\n  stop:\n    - type: command\n      command: echo a\n";

let at: TestDatabase;
let bus: Bus;
let admin: Administrator;
beforeAll(async () => {
  at = await testDatabase();
  bus = createBus(at.url, log());
});
beforeEach(async () => {
  asked.length = 0;
  const workspaceId = uuidv7();
  await at.database.prisma.workspace.create({ data: { id: workspaceId, name: "test" } });
  await at.database.pool.query("INSERT INTO audit_head (workspace_id) VALUES ($1)", [workspaceId]);
  admin = { kind: "person", role: "owner", workspaceId, id: uuidv7(), name: "Ada" };
});
afterAll(async () => {
  await bus.close();
  await at.drop();
});

const asked: string[] = [];
const gate: CaseGate = {
  failing: async (_policyId, { source }) => {
    asked.push(source);
    return [{ caseId: "c1", name: "denies rm -rf", says: "expected deny, got allow" }];
  },
};
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: AppError) => error,
  );
const published = async () =>
  (
    await at.database.pool.query<{ body: string }>(
      "SELECT body FROM audit_entry WHERE workspace_id = $1 AND kind = 'policy_published' ORDER BY seq",
      [admin.workspaceId],
    )
  ).rows.map(({ body }) => JSON.parse(body) as unknown);

it("a failing case keeps a text from being published until a person types the name and says why, which is on record", async () => {
  const { policyId } = await policies.create(at.database, bus, admin, { name: "guard" });
  const input = { policyId, source: HOOKS, note: "", baseRevision: 0, draftVersion: 0 };
  const publish = (override?: { typed: string; reason: string }) =>
    publications.publish(at.database, bus, admin, { ...input, ...(override && { override }) }, gate);
  const refused = await failureOf(publish());
  expect(refused?.code).toBe("cases_failing");
  expect(refused?.options.problems).toEqual([{ path: "denies rm -rf", message: "expected deny, got allow" }]);
  expect(asked).toEqual([HOOKS]);
  const other = await failureOf(publish({ typed: "another", reason: "r" }));
  expect([other?.code, other?.message]).toEqual(["invalid_input", expect.stringContaining("guard")]);
  expect(await published()).toEqual([]);

  expect((await publish({ typed: "guard", reason: "The case is wrong." })).number).toBe(1);
  const cases = [{ case: "c1", name: "denies rm -rf" }];
  expect(await published()).toMatchObject([{ version: 3, override: { reason: "The case is wrong.", cases } }]);
});

it("a script is refused in the same way, and an override without a failing case leaves no trace", async () => {
  const earlier = { name: "guard", source: HOOKS, note: "" };
  await publications.publishByName(at.database, bus, admin, earlier, NO_CASES);
  const source = `${HOOKS}# changed\n`;
  const byName = (over: object, through: CaseGate) =>
    publications.publishByName(at.database, bus, admin, { name: "guard", source, note: "", ...over }, through);
  expect((await failureOf(byName({}, gate)))?.code).toBe("cases_failing");
  await byName({ override: { typed: "anything", reason: "r" } }, NO_CASES);
  expect((await published()).at(-1)).toMatchObject({ revision: 2, override: null });
});
