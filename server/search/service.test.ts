import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newWorkspace } from "../../e2e/fixtures/browser.ts";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import type { Administrator } from "../access/actor.ts";
import { may } from "../access/permissions.ts";
import { ROLES, type Role } from "../access/role-schema.ts";
import * as agents from "../agents/index.ts";
import { MEASURE_NAMES } from "../alerts/measure-schema.ts";
import { appRouter } from "../composition/router.ts";
import { inWorkspace } from "../platform/scope.ts";
import * as policies from "../policies/index.ts";
import { createCallerFactory } from "../trpc/init.ts";
import { FOUND_MAX } from "./schema.ts";
import { find } from "./service.ts";

let db: TestDatabase;
let gateway: TestGateway;
let own: string;
let foreign: string;
beforeAll(async () => {
  db = await testDatabase();
  gateway = await testGateway(db.url);
  [own, foreign] = await Promise.all([furnished("payments"), furnished("payments of others")]);
}, 120_000);
afterAll(async () => {
  await gateway?.stop();
  await db?.drop();
});

const source = (name: string) =>
  `hooks:\n  pre_tool_use:\n    - hooks:\n        - { type: command, name: "${name} rule", command: "exit 0" }\n`;

/** A workspace with an agent, a group, a policy with a rule, a prompt, a budget, an alert, a session and a person of that name. */
async function furnished(name: string): Promise<string> {
  const workspaceId = await newWorkspace(db.database, name);
  const admin: Administrator = { ...gateway.admin, workspaceId };
  const { bus } = gateway.running.app;
  await inWorkspace(workspaceId, async () => {
    const { agentId } = await agents.create(gateway.database, bus, admin, { name: `${name} agent` });
    await agents.createGroup(gateway.database, bus, admin, { name: `${name} group` });
    const policy = { name: `${name} policy`, source: source(name), note: "" };
    await policies.publishByName(gateway.database, bus, admin, policy, policies.NO_CASES);
    await db.owner.query(
      `INSERT INTO session (workspace_id, agent_id, session_id, agent_name, first_at, last_at, events, denied, compactions,
         calls_priced, calls_free, calls_unpriced, cost_nano, tokens)
       VALUES ($1, $2, 'Payments-7f3a', $3, now(), now(), 1, 0, 0, 0, 0, 0, 0, 0)`,
      [workspaceId, agentId, `${name} agent`],
    );
  });
  const made = createCallerFactory(appRouter)({
    db: gateway.database,
    app: gateway.running.app,
    session: null,
    ...quiet,
    actor: admin,
  });
  await made.prompts.create({ name: `${name.replaceAll(" ", "-")}-prompt` });
  await made.budgets.create({
    ...{ name: `${name} budget`, about: { scope: "workspace" }, period: "day", amountNano: 1n, reserveNano: null },
    ...{ thresholds: [], isHard: false, unpriced: "pass" },
  });
  await made.alerts.save({
    ...{
      name: `${name} alert`,
      measure: MEASURE_NAMES[0],
      agentId: null,
      groupId: null,
      modelId: null,
      personId: null,
      windowMinutes: 5,
    },
    ...{ comparison: "above", threshold: 5n, forMinutes: 0, severity: "warning", emails: [], isEnabled: true },
  });
  const personId = randomUUID();
  await db.owner.query("INSERT INTO person (id, name, email) VALUES ($1, $2, $3)", [
    ...[personId, `${name} person`, `${personId}@example.org`],
  ]);
  await db.owner.query("INSERT INTO membership (workspace_id, person_id, role) VALUES ($1, $2, 'viewer')", [
    ...[workspaceId, personId],
  ]);
  return workspaceId;
}

const quiet = { setHeader: () => undefined };
const by = (role: Role, workspaceId = own): Administrator => ({
  ...{ kind: "person", role, workspaceId, id: randomUUID(), name: role },
});
const found = (role: Role, text: string) =>
  inWorkspace(own, () => find(db.database, by(role), { text })).then((results) =>
    results.map((one) => ("name" in one ? `${one.kind} ${one.name}` : one.kind)),
  );
const KINDS = ["agent", "alert", "budget", "group", "policy", "prompt", "rule", "session"];

describe("search", () => {
  test.each(ROLES)("finds as %s every kind that the role may read, and nothing of another workspace", async (role) => {
    const results = await found(role, "payments");
    const kinds = [...new Set(results.map((one) => one.split(" ")[0]))].sort();
    expect(kinds).toEqual(may(by(role), "people:read") ? [...KINDS, "person"].sort() : KINDS);
    expect(results.filter((one) => one.includes("others"))).toEqual([]);
    expect(await found(role, "of others")).toEqual([]);
  });

  test("a session is found by its whole id and by its beginning, in its own workspace alone", async () => {
    for (const text of ["Payments-7f3a", "payments-7f"]) {
      const results = await inWorkspace(own, () => find(db.database, by("viewer"), { text }));
      expect(results).toMatchObject([{ kind: "session", sessionId: "Payments-7f3a", agentName: "payments agent" }]);
    }
    expect(await found("viewer", "7f3a")).toEqual([]);
    // Row-level security holds also where a query would ask for another workspace.
    expect(await inWorkspace(own, () => find(db.database, by("owner", foreign), { text: "payments" }))).toEqual([]);
  });

  test("wildcards are letters, a blank text finds nothing, and no kind fills the list", async () => {
    for (const text of ["%", "_", "pay%", ""]) expect(await found("owner", text)).toEqual([]);
    const admin = { ...gateway.admin, workspaceId: own };
    const { bus } = gateway.running.app;
    for (let each = 0; each < FOUND_MAX + 2; each += 1)
      await inWorkspace(own, () => agents.createGroup(gateway.database, bus, admin, { name: `many ${each}` }));
    expect(await found("viewer", "many")).toHaveLength(FOUND_MAX);
  });
});
