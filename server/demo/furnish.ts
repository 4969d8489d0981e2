/**
 * The things that people add to a workspace over time, made by the product's own acts: groups, people with roles, a
 * service account, a webhook, a halt that was resumed, test cases and a review. repository.ts removes each with the demo.
 */
import type { Administrator } from "../access/actor.ts";
import { createGroup, groups, setGroupMembers } from "../agents/index.ts";
import { halt, list as listHalts, resume } from "../halts/index.ts";
import { acceptInvitation, createService, invite, type PeopleWorld } from "../people/index.ts";
import { randomToken } from "../platform/ids.ts";
import { saveCase } from "../playground/index.ts";
import { get as getPolicy, saveDraft } from "../policies/index.ts";
import { request as requestReview } from "../reviews/index.ts";
import { list as listWebhooks, save as saveWebhook, type Webhooks } from "../webhooks/index.ts";
import * as demo from "./repository.ts";

export interface FurnishWorld extends PeopleWorld {
  readonly webhooks: Webhooks;
}

interface DemoAgentRow {
  readonly id: string;
  readonly name: string;
}

/** One part of the furniture: made once, and kept as a person changed it. */
type Part = (world: FurnishWorld, actor: Administrator, agents: readonly DemoAgentRow[]) => Promise<void>;

const GROUPS = [
  { name: "Demo - product", agents: ["demo-bugfix", "demo-frontend", "demo-docs"] },
  { name: "Demo - operations", agents: ["demo-release", "demo-migrations"] },
];
const PEOPLE = [
  { name: "Mia (demo)", mailbox: "mia", role: "admin" },
  { name: "Ben (demo)", mailbox: "ben", role: "approver" },
  { name: "Zoe (demo)", mailbox: "zoe", role: "auditor" },
] as const;
const HALTED = "demo-migrations";
const POLICY = "Demo - safe shell";
const CASES = [
  { name: "a bulk delete is denied", cmd: "rm -rf build", verdict: "deny" },
  { name: "a push is asked for", cmd: "git push origin main", verdict: "ask" },
  { name: "a test run passes", cmd: "npm test", verdict: "none" },
] as const;
/** The rule that the draft under review adds. */
const DRAFTED = `        - name: no system changes
          type: rules
          rules:
            - deny: Packages of the system are installed by its administrators.
              command: { program: [apt, apt-get, yum], subcommand: install }
`;

const addGroups: Part = async ({ db, webhooks: { bus } }, actor, agents) => {
  const known = new Set((await groups(db, actor.workspaceId)).map(({ name }) => name));
  for (const { name, agents: members } of GROUPS) {
    if (known.has(name)) continue;
    const { groupId } = await createGroup(db, bus, actor, { name });
    const agentIds = agents.filter((agent) => members.includes(agent.name)).map(({ id }) => id);
    await setGroupMembers(db, bus, actor, { groupId, agentIds });
  }
};

/** Their passwords are random and stored nowhere else, and no mail is sent to them. */
const addPeople: Part = async (world, actor) => {
  const known = new Set(await demo.listDemoAddresses(world.db.prisma, actor.workspaceId));
  const silent = { ...world, mailer: { ...world.mailer, send: async () => false } };
  for (const { name, mailbox, role } of PEOPLE) {
    const email = `${mailbox}@${demo.DEMO_HOST}`;
    if (known.has(email)) continue;
    const { link } = await invite(silent, actor, { email, role });
    const token = link === null ? null : new URL(link).searchParams.get("token");
    if (token !== null) await acceptInvitation(silent, null, { token, account: { name, password: randomToken() } });
  }
};

const addServiceAccount: Part = async ({ db }, actor) => {
  if (await demo.hasServiceAccount(db.prisma, actor.workspaceId)) return;
  await createService(db, actor, { name: demo.SERVICE_ACCOUNT, role: "viewer" });
};

/** Disabled, since no server answers at its address. */
const addWebhook: Part = async ({ db, webhooks }, actor) => {
  const all = await listWebhooks(db, actor.workspaceId);
  if (all.some(({ url }) => new URL(url).host === demo.WEBHOOK_HOST)) return;
  const url = `https://${demo.WEBHOOK_HOST}/quarterdeck`;
  await saveWebhook(webhooks, actor, {
    url,
    kinds: ["alert.fired", "approval.denied"],
    shape: "json",
    isEnabled: false,
  });
};

const addHalt: Part = async ({ db, webhooks: { bus } }, actor, agents) => {
  const agent = agents.find(({ name }) => name === HALTED);
  const past = await listHalts({ pool: db.pool }, actor.workspaceId);
  if (!agent || past.some((one) => one.agentId === agent.id)) return;
  const target = { scope: "agent", agentId: agent.id } as const;
  const { id } = await halt({ db, bus }, actor, { target, reason: "The backfill deleted its own checkpoint." });
  await resume({ db, bus }, actor, { id, reason: "The script keeps its checkpoint now." });
};

const addCasesAndReview: Part = async ({ db, webhooks: { bus } }, actor) => {
  const policyId = (await demo.findPolicies(db.prisma, actor.workspaceId)).find(({ name }) => name === POLICY)?.id;
  if (policyId === undefined) return;
  const { source, draftVersion, latestRevision } = await getPolicy(db, actor.workspaceId, policyId);
  if (draftVersion > 0 || latestRevision !== 1) return;
  for (const { name, cmd, verdict } of CASES) {
    const input = JSON.stringify({ session_id: "case", tool_name: "shell", tool_input: { cmd } });
    const common = { event: "pre_tool_use", lane: "default", keepsSecrets: false } as const;
    await saveCase(db, actor, {
      ...common,
      policyId,
      name,
      input,
      expect: { verdict },
      judgeReplies: [],
      runsAgentHooks: false,
    });
  }
  const drafted = `${source.trimEnd()}\n${DRAFTED}`;
  const { version } = await saveDraft(db, bus, actor, { policyId, source: drafted, baseVersion: 0, baseRevision: 1 });
  await requestReview(db, bus, actor, { policyId, draftVersion: version, note: "Agents installed packages twice." });
};

const PARTS: readonly Part[] = [addGroups, addPeople, addServiceAccount, addWebhook, addHalt, addCasesAndReview];

export async function furnish(world: FurnishWorld, actor: Administrator): Promise<void> {
  const agents = await demo.findAgents(world.db.prisma, actor.workspaceId);
  for (const add of PARTS) await add(world, actor, agents);
}
