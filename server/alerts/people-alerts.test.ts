/** Alerts on the calls of a person, or of the members of a group of the sign-on provider. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import type { Administrator } from "../access/actor.ts";
import { createBus } from "../events/index.ts";
import { uuidv7 } from "../platform/ids.ts";
import { createLog } from "../platform/log.ts";
import { measure } from "./measure.ts";
import { preview } from "./preview.ts";
import { type SaveAlert, saveAlert } from "./schema.ts";
import * as service from "./service.ts";

const MINUTE = 60_000;
/** A whole minute, well before now. */
const start = Math.floor(Date.now() / MINUTE) * MINUTE - 300 * MINUTE;
const agent = uuidv7();
/** `twin` turned out to be `ada`, who is in the group with her account; `other` is in no group. */
const [ada, twin, other] = [uuidv7(), uuidv7(), uuidv7()];
const [account, group] = [uuidv7(), uuidv7()];

let at: TestDatabase;
let actor: Administrator;
let bus: ReturnType<typeof createBus>;

beforeAll(async () => {
  at = await testDatabase();
  bus = createBus(at.url, createLog("silent"));
  const workspaceId = uuidv7();
  actor = { kind: "script", workspaceId, id: "test", name: "ada" };
  const { pool } = at.database;
  await pool.query("INSERT INTO workspace (id, name) VALUES ($1, 'test')", [workspaceId]);
  await pool.query("INSERT INTO audit_head (workspace_id) VALUES ($1)", [workspaceId]);
  for (const [id, into, of] of [
    [ada, null, null],
    [twin, ada, account],
    [other, null, null],
  ])
    await pool.query(
      `INSERT INTO principal (workspace_id, id, kind, name, merged_into, account_id)
       VALUES ($1, $2::uuid, 'person', ($2::uuid)::text, $3, $4)`,
      [workspaceId, id, into, of],
    );
  await pool.query("INSERT INTO sign_on_group (workspace_id, id, name) VALUES ($1, $2, 'ops')", [workspaceId, group]);
  await pool.query("INSERT INTO sign_on_group_member (workspace_id, group_id, person_id) VALUES ($1, $2, $3)", [
    ...[workspaceId, group, account],
  ]);
});
afterAll(async () => {
  await bus.close();
  await at.drop();
});
beforeEach(async () => {
  await at.database.pool.query("DELETE FROM alert_rule");
});

const rule = (over: Partial<SaveAlert> = {}): SaveAlert =>
  saveAlert.parse({
    ...{ name: "of people", measure: "gate_denied", agentId: null, groupId: null, modelId: null },
    ...{ windowMinutes: 5, comparison: "above", threshold: 10n, forMinutes: 0 },
    ...{ severity: "warning", emails: [], isEnabled: true },
    ...over,
  });
const measured = async (over: Partial<SaveAlert>, minute = 5) =>
  (await measure(at.database.pool, actor.workspaceId, rule(over), new Date(start + minute * MINUTE))).value;
const save = (over: Partial<SaveAlert>) => service.save({ db: at.database, bus }, actor, rule(over));
const listed = async () => (await service.list(at.database, actor.workspaceId)).rows[0];

test("the cost of one person is measured apart, with that of people who were merged into them", async () => {
  const { workspaceId } = actor;
  const { pool } = at.database;
  for (const [person, nano] of [
    [ada, 3],
    [twin, 4],
    [other, 8],
  ] as const)
    await pool.query(
      `INSERT INTO spend_minute (workspace_id, bucket, agent_id, agent_name, model_id, principal_id, calls_priced, cost_nano)
       VALUES ($1, $2, $3, 'a', 'm', $4, 1, $5)`,
      [workspaceId, new Date(start), agent, person, nano],
    );
  const cost = (personId: string) => measured({ measure: "cost", personId });
  expect(await Promise.all([ada, twin, other].map(cost))).toEqual([7n, 7n, 8n]);
  expect(await measured({ measure: "cost", signOnGroupId: group })).toBe(7n);
  const { points } = await preview(pool, workspaceId, rule({ measure: "cost", personId: ada }), start + 10 * MINUTE);
  expect(points.map(({ value }) => value)).toContain(7n);
  const share = rule({ measure: "denied_share", threshold: 1_000n });
  expect(saveAlert.safeParse({ ...share, personId: ada }).success).toBe(false);
  await save({ measure: "cost", personId: ada, threshold: 5n });
  expect(await listed()).toMatchObject({ personId: ada, personName: ada });
  const unknown = save({ name: "x", measure: "cost", personId: uuidv7() });
  await expect(unknown).rejects.toMatchObject({ code: "person_not_found" });
});

const decided = (minute: number, kind: "gate" | "final", verdict: string, person: string | null, by = agent) =>
  at.database.pool.query(
    `INSERT INTO tool_decision (workspace_id, occurred_at, dispatch_id, kind, agent_id, agent_name, session_id, event,
       tool_name, verdict, source, reason, excerpt, principal_id)
     VALUES ($1, $2, $3, $4, $5, 'a', 's', 'pre_tool_use', 'shell', $6, '', '', '', $7)`,
    [actor.workspaceId, new Date(start + minute * MINUTE), uuidv7(), kind, by, verdict, person],
  );

test("denials are counted for a person and for the members of a group, and their absence is a known zero", async () => {
  await decided(1, "gate", "deny", ada);
  await decided(2, "gate", "deny", twin);
  await decided(2, "gate", "allow", ada);
  await decided(3, "final", "deny", ada);
  await decided(3, "gate", "deny", other);
  await decided(3, "gate", "deny", null);
  await decided(4, "gate", "deny", ada, uuidv7());
  const people = [{ personId: ada }, { personId: twin }, { signOnGroupId: group }, { personId: other }];
  expect(await Promise.all(people.map((one) => measured(one)))).toEqual([3n, 3n, 3n, 1n]);
  expect(await Promise.all(people.map((one) => measured({ ...one, measure: "denied" })))).toEqual([1n, 1n, 1n, 0n]);
  expect(await measured({ personId: ada, agentId: agent })).toBe(2n);
  expect(await measured({ personId: other, signOnGroupId: group })).toBe(0n);
  // The window ends before its last minute.
  expect(await measured({ personId: ada }, 2)).toBe(1n);
  expect(await measured({ personId: ada }, 60)).toBe(0n);

  const asked = rule({ personId: ada, threshold: 2n });
  const past = await preview(at.database.pool, actor.workspaceId, asked, start + 20 * MINUTE);
  expect(past.points.every(({ value }) => value !== null)).toBe(true);
  expect(past.firings).toEqual([{ from: new Date(start + 5 * MINUTE), to: new Date(start + 7 * MINUTE) }]);
});

test("an alert names the group of the sign-on provider, which has to exist", async () => {
  await save({ signOnGroupId: group });
  expect(await listed()).toMatchObject({ signOnGroupId: group, signOnGroupName: "ops" });
  await expect(save({ name: "x", signOnGroupId: uuidv7() })).rejects.toMatchObject({ code: "group_not_found" });
});
