import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../e2e/fixtures/database.ts";
import type { Administrator } from "../../access/actor.ts";
import * as agents from "../../agents/index.ts";
import { type Bus, createBus } from "../../events/index.ts";
import { uuidv7 } from "../../platform/ids.ts";
import { log } from "../../platform/log.ts";
import { assign } from "../assignments/assignments.ts";
import { NO_CASES } from "../publishing/case-gate.ts";
import { publishByName } from "../publishing/publish.ts";
import { listTightenedPolicies } from "../publishing/tightened-policies.ts";

let at: TestDatabase;
let bus: Bus;
let admin: Administrator;
beforeAll(async () => {
  at = await testDatabase();
  bus = createBus(at.url, log());
  const workspaceId = uuidv7();
  await at.database.prisma.workspace.create({ data: { id: workspaceId, name: "test" } });
  await at.database.pool.query("INSERT INTO audit_head (workspace_id) VALUES ($1)", [workspaceId]);
  admin = { kind: "person", role: "owner", workspaceId, id: uuidv7(), name: "Ada" };
});
afterAll(async () => {
  await bus.close();
  await at.drop();
});

const text = (profile: string) =>
  `profile: "${profile}"\nhooks:\n  session_start:\n    - { type: builtin, command: add_date }\n`;
const publish = (name: string, profile: string) =>
  publishByName(at.database, bus, admin, { name, source: text(profile), note: "" }, NO_CASES);

it("names the policies that a newer profile would tighten, on the agents they share alone", async () => {
  const db = at.database;
  const { agentId: shared } = await agents.create(db, bus, admin, { name: "shared" });
  const { agentId: apart } = await agents.create(db, bus, admin, { name: "apart" });
  const { policyId: neighbour } = await publish("neighbour", "2026-07");
  const { policyId: elsewhere } = await publish("elsewhere", "2026-07");
  const { policyId: own } = await publish("own", "2026-07");
  const bind = (policyId: string, agentId: string) =>
    assign(db, bus, admin, { policyId, scope: "chosen", groupIds: [], agentIds: [agentId] });
  await bind(neighbour, shared);
  await bind(elsewhere, apart);
  await bind(own, shared);
  const { workspaceId } = admin;
  expect(await listTightenedPolicies(db, workspaceId, own, "2026-08")).toEqual(["neighbour"]);
  expect(await listTightenedPolicies(db, workspaceId, own, "2026-07")).toEqual([]);
  await publish("own", "2026-08");
  // It is so already.
  expect(await listTightenedPolicies(db, workspaceId, own, "2026-08")).toEqual([]);
});
