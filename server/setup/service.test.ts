/** The setup checklist, step by step, on a real database. */
import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newWorkspace } from "../../e2e/fixtures/browser.ts";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { newMember } from "../../e2e/fixtures/member.ts";
import type { Administrator } from "../access/actor.ts";
import * as agents from "../agents/index.ts";
import { setRules } from "../approvals/approver-rules.ts";
import { NO_APPROVER_RULES } from "../approvals/approver-rules-schema.ts";
import { DEFAULT_CHOICES } from "../notices/schema.ts";
import { saveChoices } from "../notices/service.ts";
import { addressRule } from "../platform/outgoing/address-rule.ts";
import * as policies from "../policies/index.ts";
import { setCheckpoints } from "../record/settings.ts";
import type { SetupStep } from "./schema.ts";
import { checklist, setDismissed } from "./service.ts";

const HERE = { dataDir: "/var/lib/deck" };
const HELD = JSON.stringify([{ call: 1, event: "PreToolUse", outcome: "blocked", policy: "allow" }]);

let db: TestDatabase;
let gateway: TestGateway;
let ada: Administrator;
beforeAll(async () => {
  db = await testDatabase();
  gateway = await testGateway(db.url);
});
afterAll(async () => {
  await gateway?.stop();
  await db?.drop();
});

async function freshAdmin(): Promise<Administrator> {
  const workspaceId = await newWorkspace(db.database, "setup");
  return newMember(db, workspaceId, { name: "Ada", role: "admin" });
}

const done = async (actor = ada, place: Parameters<typeof checklist>[2] = HERE): Promise<SetupStep[]> =>
  (await checklist(db.database, actor, place)).steps.filter(({ isDone }) => isDone).map(({ step }) => step);

async function drill(agentId: string, results: string, reportedAt: string): Promise<void> {
  await db.owner.query(
    `INSERT INTO agent_drill (workspace_id, id, agent_id, mode, nonce_sha256, key_fingerprint, begun_at, expires_at, reported_at, client, results)
     VALUES ($1, $2, $3, 'liveness', $4, '', ${reportedAt}, ${reportedAt}, ${reportedAt}, 'codex', $5)`,
    [ada.workspaceId, randomUUID(), agentId, randomBytes(32), results],
  );
}

test("each step is done by its own fact, and by nothing of the demo", async () => {
  ada = await freshAdmin();
  const { workspaceId } = ada;
  const { bus } = gateway.running.app;
  expect(await done()).toEqual([]);

  const demo = await agents.create(db.database, bus, ada, { name: "of the demo" }, true);
  await db.owner.query("UPDATE agent SET last_seen_at = now() WHERE id = $1", [demo.agentId]);
  expect(await done()).toEqual([]);

  const { agentId } = await agents.create(db.database, bus, ada, { name: "own" });
  expect(await done()).toEqual([]);
  await db.owner.query("UPDATE agent SET last_seen_at = now() WHERE id = $1", [agentId]);
  expect(await done()).toEqual(["agent"]);

  const source = "hooks:\n  stop:\n    - type: command\n      command: exit 0\n";
  const { policyId } = await policies.create(db.database, bus, ada, { name: "one" });
  await policies.assign(db.database, bus, ada, { policyId, scope: "workspace", groupIds: [], agentIds: [] });
  expect(await done()).toEqual(["agent"]);
  const text = { policyId, source, note: "", baseRevision: 0, draftVersion: 0 };
  await policies.publish(db.database, bus, ada, text, policies.NO_CASES);
  expect(await done()).toEqual(["agent", "policy"]);

  await drill(agentId, HELD, "now() - interval '40 days'");
  expect(await done()).not.toContain("drill");
  await drill(agentId, HELD.replace("blocked", "passed"), "now() - interval '1 hour'");
  expect(await done()).not.toContain("drill");
  await drill(agentId, HELD, "now()");
  expect(await done()).toContain("drill");

  const bo = await newMember(db, workspaceId, { name: "Bo", role: "admin" });
  expect(await done()).toEqual(["agent", "policy", "drill", "second_admin"]);
  const lists = [{ name: "on call", from: "high", people: [bo.id], forSeconds: 60 }] as const;
  const rules = { ...NO_APPROVER_RULES, lists: lists.map((list) => ({ ...list, people: [...list.people] })) };
  await setRules({ db: db.database, bus }, ada, rules);
  expect(await done()).toContain("approvers");
});

test("sign-in and notifications are each person's own, checkpoints are the workspace's or the installation's", async () => {
  ada = await freshAdmin();
  const { workspaceId } = ada;
  const bo = await newMember(db, workspaceId, { name: "Bo", role: "viewer" });
  await db.owner.query(
    "INSERT INTO person_account (id, account_id, provider_id, person_id) VALUES ($1, $2, 'credential', $3)",
    [randomUUID(), ada.id, ada.id],
  );
  expect(await done()).toEqual(["sign_in"]);
  expect(await done(bo)).toEqual([]);

  const webhookId = randomUUID();
  await db.owner.query(
    `INSERT INTO webhook (workspace_id, id, url, kinds, is_enabled, secret, secret_set_at, updated_by)
     VALUES ($1, $2, 'https://hooks.test/deck', ARRAY['notice'], true, '\\x00', now(), 'Ada')`,
    [workspaceId, webhookId],
  );
  const ways = { ...DEFAULT_CHOICES.ways, approvals: ["page", "webhook"] as const };
  await saveChoices(db.database, ada, {
    ...DEFAULT_CHOICES,
    ways: { ...ways, approvals: [...ways.approvals] },
    webhookId,
  });
  expect(await done()).toEqual(["sign_in", "notifications"]);
  expect(await done(bo)).toEqual([]);

  expect(await done(ada, { ...HERE, checkpointDir: "/var/lib/deck/checkpoints" })).not.toContain("checkpoints");
  expect(await done(ada, { ...HERE, checkpointDir: "/mnt/other" })).toContain("checkpoints");
  await setCheckpoints(db.database, addressRule("none", "QUARTERDECK_ALLOW_PRIVATE_WEBHOOKS"), ada, {
    entries: 10,
    seconds: 60,
    webhookUrl: "https://store.test/deck",
  });
  expect(await done()).toContain("checkpoints");
});

test("a person dismisses the list for themselves, and can have it back", async () => {
  ada = await freshAdmin();
  const bo = await newMember(db, ada.workspaceId, { name: "Bo", role: "admin" });
  const isDismissed = async (actor: Administrator) => (await checklist(db.database, actor, HERE)).isDismissed;
  await setDismissed(db.database, ada, true);
  await setDismissed(db.database, ada, true);
  expect(await isDismissed(ada)).toBe(true);
  expect(await isDismissed(bo)).toBe(false);
  await setDismissed(db.database, ada, false);
  expect(await isDismissed(ada)).toBe(false);
});
