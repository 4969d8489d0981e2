/** Where the workspace requires reviewed loosenings, a second person accepts the changes that take rules away. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import type { PersonActor } from "../access/actor.ts";
import { insertMembership, insertPerson } from "../people/repository.ts";
import { uuidv7 } from "../platform/ids.ts";
import * as policies from "../policies/index.ts";
import { NO_REQUIREMENTS, type PublishRequirements } from "../policies/publishing/requirements-schema.ts";
import * as reviews from "./binding-changes.ts";

const SOURCE = `profile: 2026-11
hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
        - {name: shell rules, type: rules, rules: [{command: {program: git}, deny: no git}]}
`;

let db: TestDatabase;
let server: TestGateway;
let olga: PersonActor;
let ada: PersonActor;
let policyId: string;
const bus = () => server.running.app.bus;

const person = async (name: string): Promise<PersonActor> => {
  const { workspaceId } = server.admin;
  const id = uuidv7();
  await insertPerson(server.database.prisma, { id, name, emailVerified: true });
  await insertMembership(server.database.prisma, workspaceId, id, "admin");
  return { kind: "person", role: "admin", workspaceId, id, name };
};

beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  [olga, ada] = [await person("Olga"), await person("Ada")];
  await server.agent("one");
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});
let number = 0;
beforeEach(async () => {
  number += 1;
  await requireReviews({});
  await server.publish(SOURCE, `guard ${number}`);
  const found = await policies.list(server.database, server.admin.workspaceId);
  policyId = found.find(({ name }) => name === `guard ${number}`)?.id ?? "";
  await requireReviews({ needsReview: true });
});

const requireReviews = (some: Partial<PublishRequirements>) =>
  policies.setRequirements(server.database, bus(), olga, { ...NO_REQUIREMENTS, ...some });
const HOUR_MS = 3_600_000;
const until = () => new Date(Date.now() + HOUR_MS);
const unassigned = () => ({ policyId, scope: "nobody" as const, groupIds: [], agentIds: [] });

it.each([
  ["fewer assignments", () => policies.assign(server.database, bus(), olga, unassigned())],
  ["monitor mode", () => policies.observe(server.database, bus(), olga, { policyId, until: until() })],
  [
    "a monitored rule",
    () =>
      policies.monitorRule(server.database, bus(), olga, {
        ...{ policyId, event: "pre_tool_use", hook: "shell rules", until: until() },
      }),
  ],
  ["its removal", () => policies.remove(server.database, bus(), olga, policyId)],
])("one person alone does not bring %s", async (_what, change) => {
  await expect(change()).rejects.toMatchObject({ code: "review_required" });
  await expect(change()).rejects.toThrow("requires a review of changes that let more calls pass");
  await requireReviews({});
  await change();
});

it("a second person accepts exactly the change, and then it is made", async () => {
  const change = { kind: "assign", input: unassigned() } as const;
  const { changeId } = await reviews.requestChange(server.database, bus(), olga, { change, note: "" });
  const own = { changeId, outcome: "approved" } as const;
  await expect(reviews.decideChange(server.database, bus(), olga, own)).rejects.toThrow();
  await reviews.decideChange(server.database, bus(), ada, own);
  await reviews.applyChange(server.database, bus(), olga, { changeId });
  expect(await policies.get(server.database, olga.workspaceId, policyId)).toMatchObject({ scope: "nobody" });
});

it("an admin makes it alone in an emergency, on record", async () => {
  const change = { kind: "remove", input: { policyId } } as const;
  await reviews.changeInEmergency(server.database, bus(), olga, { change, reason: "It stops every deployment." });
  const { rows } = await db.owner.query("SELECT 1 FROM audit_entry WHERE body LIKE '%four_eyes_overridden%'");
  expect(rows).toHaveLength(1);
});

it("a change that takes no rule away needs no second person", async () => {
  await policies.observe(server.database, bus(), olga, { policyId, until: null });
  await policies.assign(server.database, bus(), olga, { ...unassigned(), scope: "workspace" });
});
