import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type RecordedWorkspace, recordedWorkspace } from "../../e2e/fixtures/recorded.ts";
import type { Administrator } from "../access/actor.ts";
import { type Bus, createBus } from "../events/index.ts";
import { uuidv7 } from "../platform/ids.ts";
import { createLog } from "../platform/log.ts";
import { OWNED_RULES_MAX, setRuleOwner } from "./schema.ts";
import * as service from "./service.ts";

const RULE = { policyId: uuidv7(), event: "pre_tool_use", hook: "no force push" };
const TICKET = "https://tickets.example/SEC-12";

let db: TestDatabase;
let bus: Bus;
let one: RecordedWorkspace;
let other: RecordedWorkspace;
let ada: Administrator;

beforeAll(async () => {
  db = await testDatabase();
  bus = createBus(db.url, createLog("silent"));
  [one, other] = [await recordedWorkspace(db, "one"), await recordedWorkspace(db, "other")];
  ada = await newPerson("Ada", "author");
  await db.owner.query("INSERT INTO policy (workspace_id, id, name) VALUES ($1, $2, 'Git')", [
    ...[one.workspaceId, RULE.policyId],
  ]);
});
afterAll(async () => {
  await Promise.all([one.close(), other.close()]);
  await bus.close();
  await db.drop();
});

async function newPerson(name: string, role: "author" | "viewer"): Promise<Administrator> {
  const id = uuidv7();
  await db.owner.query("INSERT INTO person (id, name, email, email_verified) VALUES ($1, $2, $3, true)", [
    ...[id, name, `${id}@example.org`],
  ]);
  await db.owner.query("INSERT INTO membership (workspace_id, person_id, role) VALUES ($1, $2, $3)", [
    ...[one.workspaceId, id, role],
  ]);
  return { kind: "person", workspaceId: one.workspaceId, id, name, role };
}

const set = (personId: string | null, ticket = "", rule = RULE) =>
  service.set({ db: db.database, bus }, ada, { ...rule, personId, ticket });
const get = () => service.get(db.database, one.workspaceId, RULE);
const entries = async () =>
  (await db.owner.query("SELECT body FROM audit_entry WHERE kind = 'rule_owner_set' ORDER BY seq")).rows.map(
    ({ body }) => JSON.parse(String(body)),
  );

it("keeps the owner and the ticket of a rule, each change with an entry", async () => {
  expect(await get()).toEqual({ owner: null, ticket: "" });
  await set(ada.id, TICKET);
  expect(await get()).toEqual({ owner: { id: ada.id, name: "Ada" }, ticket: TICKET });
  expect(await service.get(db.database, other.workspaceId, RULE)).toEqual({ owner: null, ticket: "" });
  await set(ada.id, TICKET);
  await set(null);
  expect(await get()).toEqual({ owner: null, ticket: "" });
  expect(await entries()).toMatchObject([
    { policy: RULE.policyId, hook: RULE.hook, person: ada.id, ticket: TICKET },
    { person: null, ticket: null },
  ]);
});

it("shows a former member without a name, and lets the ticket change", async () => {
  const bo = await newPerson("Bo", "author");
  await set(bo.id);
  await db.owner.query("DELETE FROM membership WHERE person_id = $1", [bo.id]);
  expect(await get()).toEqual({ owner: { id: bo.id, name: null }, ticket: "" });
  await set(bo.id, TICKET);
  expect((await get()).ticket).toBe(TICKET);
});

it("refuses strangers, viewers, unknown policies and addresses that are none", async () => {
  const viewer = await newPerson("Vi", "viewer");
  await expect(set(viewer.id)).rejects.toMatchObject({ code: "person_not_found" });
  await expect(set(uuidv7())).rejects.toMatchObject({ code: "person_not_found" });
  await expect(set(ada.id, "", { ...RULE, policyId: uuidv7() })).rejects.toMatchObject({ code: "policy_not_found" });
  for (const ticket of [
    "SEC-12",
    "javascript:alert(1)",
    "https://a:b@tickets.example/",
    `https://t.example/${"x".repeat(500)}`,
  ])
    expect(setRuleOwner.safeParse({ ...RULE, personId: null, ticket }).success).toBe(false);
});

it("has a limit", async () => {
  await set(null);
  await db.owner.query(
    `INSERT INTO rule_owner (workspace_id, policy_id, event, hook, ticket)
     SELECT $1, $2, 'pre_tool_use', 'rule ' || number, 'https://t.example/' FROM generate_series(1, $3) AS number`,
    [one.workspaceId, RULE.policyId, OWNED_RULES_MAX],
  );
  await expect(set(ada.id)).rejects.toMatchObject({ code: "invalid_input" });
});
