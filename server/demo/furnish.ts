/**
 * The things that people add to a workspace over time, made by the product's own acts: groups, people with roles, a
 * service account, an enrolment token, a webhook, a halt that was resumed, tags, answered calls, an exception, drills,
 * an inventory, calls that a judge decided, test cases and a review. repository.ts removes each with the demo.
 */
import type { Administrator } from "../access/actor.ts";
import { createEnrolmentToken, createGroup, groups, setGroupMembers, setTags } from "../agents/index.ts";
import type { Dispatcher } from "../dispatches/index.ts";
import { halt, list as listHalts, resume } from "../halts/index.ts";
import type { Models } from "../judges/index.ts";
import { acceptInvitation, createService, invite, type PeopleWorld } from "../people/index.ts";
import { randomToken } from "../platform/ids.ts";
import { listCases, saveCase } from "../playground/index.ts";
import { get as getPolicy, saveDraft } from "../policies/index.ts";
import { request as requestReview } from "../reviews/index.ts";
import { list as listWebhooks, save as saveWebhook, type Webhooks } from "../webhooks/index.ts";
import { answerCalls, exceptCall } from "./answered-calls.ts";
import { drillAgents } from "./drilled-agents.ts";
import { judgeCalls } from "./judge.ts";
import { reportExtensions } from "./reported-extensions.ts";
import * as demo from "./repository.ts";
import { DEMO_CASES } from "./test-cases.ts";

export interface FurnishWorld extends PeopleWorld {
  readonly webhooks: Webhooks;
  readonly dispatcher: Dispatcher;
  readonly models: Models;
}

interface DemoAgentRow {
  readonly id: string;
  readonly name: string;
  readonly tags: readonly string[];
}

/** One part of the furniture: made once, and kept as a person changed it. */
type Part = (world: FurnishWorld, actor: Administrator, agents: readonly DemoAgentRow[]) => Promise<void>;

const GROUPS = [
  { name: "Demo - product", agents: ["demo-bugfix", "demo-frontend", "demo-docs"] },
  { name: "Demo - operations", agents: ["demo-release", "demo-migrations"] },
];
const TAGS: Readonly<Record<string, readonly string[]>> = {
  "demo-bugfix": ["invoices", "prod"],
  "demo-frontend": ["shop", "prod"],
  "demo-migrations": ["ledger", "prod"],
  "demo-release": ["ci"],
  "demo-docs": ["ci"],
};
const TOKEN = { name: demo.ENROLMENT_TOKEN, uses: 10, hours: 14 * 24 };
const PEOPLE = [
  { name: "Mia (demo)", mailbox: "mia", role: "admin" },
  { name: "Ben (demo)", mailbox: "ben", role: "approver" },
  { name: "Zoe (demo)", mailbox: "zoe", role: "auditor" },
] as const;
const HALTED = "demo-migrations";
const POLICY = "Demo - safe shell";
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

const addTags: Part = async ({ db, webhooks: { bus } }, actor, agents) => {
  if (agents.some(({ tags }) => tags.length > 0)) return;
  for (const { id: agentId, name } of agents) {
    const tags = TAGS[name];
    if (tags) await setTags(db, bus, actor, { agentId, tags: [...tags] });
  }
};

/** No machine joins with it, since its text is stored nowhere. */
const addEnrolmentToken: Part = async ({ db, webhooks: { bus } }, actor) => {
  if (await demo.hasEnrolmentToken(db.pool, actor.workspaceId)) return;
  await createEnrolmentToken(db, bus, actor, TOKEN);
};

const addDecidedCalls: Part = async ({ db, webhooks: { bus }, dispatcher }, actor, agents) => {
  const world = { db, bus, dispatcher };
  await answerCalls(world, actor, agents);
  await exceptCall(world, actor, agents);
  await drillAgents(world, actor, agents);
  await reportExtensions(world, actor, agents);
  await judgeCalls(world, actor, agents);
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

const addCases: Part = async ({ db }, actor) => {
  for (const { id: policyId, name } of await demo.findPolicies(db.prisma, actor.workspaceId)) {
    if ((await listCases(db, actor.workspaceId, policyId)).length > 0) continue;
    for (const one of DEMO_CASES[name] ?? []) await saveCase(db, actor, { ...one, policyId });
  }
};

const addReview: Part = async ({ db, webhooks: { bus } }, actor) => {
  const policyId = (await demo.findPolicies(db.prisma, actor.workspaceId)).find(({ name }) => name === POLICY)?.id;
  if (policyId === undefined) return;
  const { source, draftVersion, latestRevision } = await getPolicy(db, actor.workspaceId, policyId);
  if (draftVersion > 0 || latestRevision !== 1) return;
  const drafted = `${source.trimEnd()}\n${DRAFTED}`;
  const { version } = await saveDraft(db, bus, actor, { policyId, source: drafted, baseVersion: 0, baseRevision: 1 });
  await requestReview(db, bus, actor, { policyId, draftVersion: version, note: "Agents installed packages twice." });
};

const PARTS: readonly Part[] = [
  ...[addGroups, addTags, addPeople, addServiceAccount, addEnrolmentToken, addWebhook],
  ...[addHalt, addDecidedCalls, addCases, addReview],
];

export async function furnish(world: FurnishWorld, actor: Administrator): Promise<void> {
  const agents = await demo.findAgents(world.db.prisma, actor.workspaceId);
  for (const add of PARTS) await add(world, actor, agents);
}
