/** The attempts of another workspace's owner, and of a viewer of this one, through the console's procedures. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { z } from "zod";
import { type Attempt, byPage, OR_EMPTY, REFUSED, resisted as resistedBy } from "../../e2e/fixtures/attempt.ts";
import type { Browser } from "../../e2e/fixtures/browser.ts";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { MARK, type Victim, victimOf } from "../../e2e/fixtures/victim.ts";
import { appRouter } from "../composition/router.ts";

let db: TestDatabase;
let server: TestGateway;
let target: Victim;
let ids: Victim["ids"];
let viewer: Browser;
let attacker: Browser;

beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  target = await victimOf(server);
  ({ ids, viewer, attacker } = target);
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

let attempts = 0;
/** Runs an attempt. `allowed`: statuses that are no success of the attacker's. */
function resisted(attempt: Attempt, allowed: readonly number[]): Promise<void> {
  attempts += 1;
  return resistedBy(target, attempt, allowed);
}

/** The input of a procedure; undefined when it takes nothing. */
function inputOf(path: string): z.ZodType | undefined {
  const { procedures } = appRouter._def;
  // At run time the paths are flat, and tRPC keeps the schemas there.
  const procedure = (procedures as unknown as Record<string, { _def: { inputs: readonly z.ZodType[] } }>)[path];
  if (!procedure) throw new Error(`there is no ${path}`);
  return procedure._def.inputs[0];
}

const RANGE = { from: new Date(Date.now() - 86_400_000), to: new Date(Date.now() + 86_400_000) };

test("what the victim does itself is seen, so that nothing goes unseen", async () => {
  const before = await target.rows();
  await server.agent("one more");
  expect(await target.rows()).not.toEqual(before);
});

describe("another workspace's things, by their ids", () => {
  const write: readonly (readonly [path: string, input: () => unknown])[] = [
    ["policies.saveDraft", () => ({ policyId: ids.policy, source: "hooks: {}", baseVersion: 1, baseRevision: 0 })],
    ["policies.discardDraft", () => ({ policyId: ids.policy })],
    ["policies.publish", () => ({ policyId: ids.policy, source: "hooks: {}", baseRevision: 0, draftVersion: 0 })],
    ["policies.assign", () => ({ policyId: ids.policy, scope: "nobody" })],
    ["policies.rollBack", () => ({ policyId: ids.policy, number: 1, expectedLive: 1 })],
    [
      "policies.setCanary",
      () => ({ policyId: ids.policy, revision: 1, share: 50, groupId: null, expectedCanary: null }),
    ],
    ["policies.remove", () => ({ policyId: ids.policy })],
    ["agents.rename", () => ({ agentId: ids.agent, name: "mine" })],
    ["agents.retire", () => ({ agentId: ids.agent })],
    ["agents.restore", () => ({ agentId: ids.agent })],
    ["agents.remove", () => ({ agentId: ids.agent })],
    ["agents.createKey", () => ({ agentId: ids.agent })],
    ["agents.rotateKey", () => ({ agentId: ids.agent, keyId: ids.key, overlapHours: 0 })],
    ["agents.revokeKey", () => ({ agentId: ids.agent, keyId: ids.key })],
    ["agents.undoKeyRevocation", () => ({ agentId: ids.agent, keyId: ids.key })],
    ["agents.renameGroup", () => ({ groupId: ids.group, name: "mine" })],
    ["agents.deleteGroup", () => ({ groupId: ids.group })],
    ["agents.setGroupMembers", () => ({ groupId: ids.group, agentIds: [ids.agent] })],
    ["deviceLogin.confirm", () => ({ userCode: ids.loginCode })],
    ["deviceLogin.refuse", () => ({ userCode: ids.loginCode })],
    ["judges.remove", () => ({ id: ids.connection })],
    ["judges.test", () => ({ id: ids.connection, model: "m" })],
    ["prompts.discardDraft", () => ({ promptId: ids.prompt })],
    ["prompts.remove", () => ({ promptId: ids.prompt })],
    ["reviews.request", () => ({ policyId: ids.policy, draftVersion: 1 })],
    ["reviews.setFourEyes", () => ({ policyId: ids.policy, isOn: true })],
    ["people.setRole", () => ({ personId: ids.person, role: "owner" })],
    ["people.remove", () => ({ personId: ids.person })],
    ["people.createResetLink", () => ({ personId: ids.person })],
    ["people.withdraw", () => ({ invitationId: ids.invitation })],
    ["serviceAccounts.remove", () => ({ serviceId: ids.service })],
    ["serviceAccounts.createToken", () => ({ serviceId: ids.service, days: 30 })],
    ["access.endSession", () => ({ sessionId: ids.session })],
    ["access.switchWorkspace", () => ({ workspaceId: ids.workspace })],
    ["playground.deleteCase", () => ({ policyId: ids.policy, caseId: ids.hold })],
  ];
  test.each(write)("%s changes nothing", async (path, input) => {
    await resisted(
      byPage(() => attacker, path, input(), "mutate"),
      path.endsWith(".discardDraft") ? OR_EMPTY : REFUSED,
    );
  });

  // A refusal for its shape would prove nothing.
  test("each attempt is one that its owner could make", () => {
    for (const [path, input] of [...write, ...read]) {
      const parsed = inputOf(path)?.safeParse(input());
      expect.soft(parsed?.error?.issues ?? [], path).toEqual([]);
    }
  });

  const read: readonly (readonly [path: string, input: () => unknown])[] = [
    ["policies.get", () => ({ policyId: ids.policy })],
    ["policies.revisions", () => ({ policyId: ids.policy })],
    ["policies.revision", () => ({ policyId: ids.policy, number: 1 })],
    ["policies.exportByName", () => ({ name: `published ${MARK}` })],
    ["policies.exportAgent", () => ({ name: `agent ${MARK}` })],
    ["policies.exportNative", () => ({ of: { agent: `agent ${MARK}` } })],
    ["policies.exportBundle", () => ({ policy: { id: ids.policy } })],
    ["prompts.get", () => ({ promptId: ids.prompt })],
    ["playground.cases", () => ({ policyId: ids.policy })],
    ["decisions.get", () => ({ occurredAt: new Date(), id: ids.decision })],
    ["decisions.list", () => ({ range: RANGE, filters: { session: [MARK] } })],
    ["judges.connections", () => undefined],
    ["agents.list", () => undefined],
    ["agents.search", () => ({})],
    ["inventory.list", () => ({})],
    ["extensions.list", () => ({})],
    ["inventory.unchecked", () => ({ agentId: ids.agent })],
    ["inventory.allowList", () => ({ agentId: ids.agent })],
    ["deviceLogin.find", () => ({ userCode: ids.loginCode })],
    ["agents.names", () => undefined],
    ["agents.get", () => ({ agentId: ids.agent })],
    ["audit.list", () => ({ range: RANGE })],
  ];
  test.each(read)("%s tells nothing", async (path, input) => {
    await resisted(
      byPage(() => attacker, path, input(), "query"),
      OR_EMPTY,
    );
  });
});

describe("more than one's role", () => {
  const beyond: readonly (readonly [path: string, input: () => unknown])[] = [
    ["policies.create", () => ({ name: "mine" })],
    ["policies.publishByName", () => ({ name: "mine", source: "hooks: {}" })],
    ["agents.createKey", () => ({ agentId: ids.agent })],
    ["people.setRole", () => ({ personId: ids.person, role: "owner" })],
    ["people.invite", () => ({ email: "me@example.org", role: "owner" })],
    ["access.createSignInLink", () => undefined],
    ["serviceAccounts.create", () => ({ name: "mine", role: "owner" })],
    ["audit.setRetention", () => ({})],
  ];
  test.each(beyond)("a viewer is refused %s", async (path, input) => {
    await resisted(
      byPage(() => viewer, path, input(), "mutate"),
      [403],
    );
  });

  test("a field that is nobody's to set is refused, not ignored", async () => {
    const given = { name: "mine", role: "owner", workspaceId: ids.workspace, isDemo: true };
    await resisted(
      byPage(() => attacker, "agents.create", given, "mutate"),
      [400],
    );
  });

  test("nobody renames themselves into a role or another workspace", async () => {
    await resisted(
      byPage(() => viewer, "access.rename", { name: "me", role: "owner" }, "mutate"),
      [400],
    );
    await resisted(
      byPage(() => viewer, "access.rename", { name: "me", workspaceId: ids.workspace }, "mutate"),
      [400],
    );
  });
});

// In whatever order they were made.
afterAll(() => {
  console.info(`${attempts} attempts, none succeeded`);
  expect(attempts).toBeGreaterThan(40);
});
