/** The demo: scripted agents under real policies, marked as a demo and removable as a whole. */
import { setTimeout as delay } from "node:timers/promises";
import type { Administrator, AgentActor } from "../access/actor.ts";
import { KEY_SCOPES } from "../access/role-schema.ts";
import { create as createAgent } from "../agents/index.ts";
import { budgetStatuses, create as createBudget } from "../budgets/index.ts";
import type { Dispatcher } from "../dispatches/index.ts";
import type { Bus } from "../events/index.ts";
import { topic } from "../events/schema.ts";
import type { Database } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import type { WorkerRpc } from "../platform/worker-rpc.ts";
import { assign, create as createPolicy, NO_CASES, publish, requireThawed } from "../policies/index.ts";
import { DEMO_BUDGETS } from "./budgets.ts";
import { ensureExtras } from "./extras.ts";
import { type FurnishWorld, furnish } from "./furnish.ts";
import { history } from "./history.ts";
import { ensureJudge } from "./judge.ts";
import { type DemoAgent, type Live, startLive } from "./live.ts";
import { DEMO_POLICIES } from "./policies.ts";
import * as demo from "./repository.ts";
import { SCENARIOS } from "./scenarios/all.ts";
import { keepAsking } from "./waiting-calls.ts";

export interface DemoWorld extends FurnishWorld {
  readonly bus: Bus;
  readonly log: Log;
  readonly workerRpc: WorkerRpc;
}

export interface Demo {
  /** Stops the agents and keeps the data. Resolves after the last started event is recorded. */
  stop(): Promise<void>;
}

/** Removing the demo first stops it in the process that runs it. */
const STOP = "stop the demo";

const HISTORY_AT_ONCE = 256;
const RETRY_MS = 3_000;
/** The agent whose calls wait for a person. */
const ASKER = "demo-release";

/**
 * Creates the missing parts of the demo and starts its agents, in the background. A second start does not record the
 * history again.
 */
export function startDemo(world: DemoWorld, workspaceId: string): Demo {
  const stopping = new AbortController();
  const { signal } = stopping;
  const setting = untilSetUp(world, workspaceId, signal);
  const demo: Demo = {
    async stop() {
      stopping.abort();
      await (await setting)?.stop();
    },
  };
  world.workerRpc.answer(STOP, () => demo.stop());
  return demo;
}

/** Null if it was stopped before. Created parts are kept, so a failure only costs another attempt. */
async function untilSetUp(world: DemoWorld, workspaceId: string, signal: AbortSignal): Promise<Live | null> {
  while (!signal.aborted) {
    try {
      return await setUp(world, workspaceId, signal);
    } catch (error) {
      if (signal.aborted) break;
      world.log.warn({ err: error }, "the demo could not be set up yet");
      await delay(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
  return null;
}

async function setUp(world: DemoWorld, workspaceId: string, signal: AbortSignal): Promise<Live> {
  const { db, bus, log, dispatcher } = world;
  const actor: Administrator = { kind: "script", workspaceId, id: "demo", name: demo.MAKER };
  const made = await ensureAgents(db, bus, actor);
  await ensureJudge(world, actor);
  await ensurePolicies(db, bus, actor, made);
  for (const { hand, madeMs } of made) await tellHistory(dispatcher, hand, madeMs, signal);
  await ensureBudgets(db, bus, actor, made);
  signal.throwIfAborted();
  await ensureExtras(db, bus, actor);
  await furnish(world, actor);
  const hands = made.map(({ hand }) => hand);
  const asker = hands.find(({ actor }) => actor.name === ASKER);
  const asking = asker ? keepAsking({ dispatcher, log }, asker.actor, signal) : undefined;
  const live = startLive(dispatcher, log, hands);
  return {
    async stop() {
      await live.stop();
      await asking;
    },
  };
}

interface Made {
  readonly hand: DemoAgent;
  /** When the agent was made: its history ends there. */
  readonly madeMs: number;
}

async function ensureAgents(db: Database, bus: Bus, actor: Administrator): Promise<Made[]> {
  const { workspaceId } = actor;
  const known = new Set((await demo.findAgents(db.prisma, workspaceId)).map(({ name }) => name));
  for (const { agent } of SCENARIOS) if (!known.has(agent)) await createAgent(db, bus, actor, { name: agent }, true);
  const agents = await demo.findAgents(db.prisma, workspaceId);
  return SCENARIOS.flatMap((scenario) => {
    const agent = agents.find(({ name }) => name === scenario.agent);
    if (!agent) return [];
    const own: AgentActor = { kind: "agent", workspaceId, id: agent.id, name: agent.name, scopes: KEY_SCOPES };
    return [{ hand: { actor: own, scenario }, madeMs: agent.createdAt.getTime() }];
  });
}

/** Bound before it is published: a policy's first publication would otherwise bind everyone. */
async function ensurePolicies(db: Database, bus: Bus, actor: Administrator, hands: readonly Made[]): Promise<void> {
  const known = await demo.findPolicies(db.prisma, actor.workspaceId);
  for (const { name, note, source, isForDockerAgent = false } of DEMO_POLICIES) {
    const found = known.find((one) => one.name === name);
    if (found && found.latestRevision > 0) continue;
    const bound = hands.filter(({ hand }) => !isForDockerAgent || hand.scenario.client === undefined);
    const agentIds = bound.map(({ hand }) => hand.actor.id);
    const policyId = found?.id ?? (await createPolicy(db, bus, actor, { name }, true)).policyId;
    await assign(db, bus, actor, { policyId, scope: "chosen", groupIds: [], agentIds });
    await publish(db, bus, actor, { policyId, source, note, baseRevision: 0, draftVersion: 0 }, NO_CASES);
  }
}

/**
 * Creates the budgets after the history, which they count from their first day. A deleted budget is created again at
 * the next start.
 */
async function ensureBudgets(db: Database, bus: Bus, actor: Administrator, made: readonly Made[]): Promise<void> {
  const known = new Set((await budgetStatuses(db, actor.workspaceId, Date.now())).map(({ name }) => name));
  for (const { agent, ...budget } of DEMO_BUDGETS) {
    const agentId = made.find(({ hand }) => hand.actor.name === agent)?.hand.actor.id;
    if (agentId === undefined || known.has(budget.name)) continue;
    await createBudget({ db, bus }, actor, { ...budget, about: { scope: "agent", agentId } });
  }
}

async function tellHistory(
  dispatcher: Dispatcher,
  { actor, scenario }: DemoAgent,
  untilMs: number,
  signal: AbortSignal,
) {
  let telling: Promise<unknown>[] = [];
  for (const { input, ...past } of history(scenario, untilMs)) {
    const text = JSON.stringify(input);
    telling.push(dispatcher.report(actor, { ...past, lane: "default", text, input }));
    if (telling.length < HISTORY_AT_ONCE) continue;
    await Promise.all(telling);
    signal.throwIfAborted();
    telling = [];
  }
  await Promise.all(telling);
}

/** Stops the scripted agents and removes them with all of their records. Real data is kept. */
export async function remove(
  { db, bus, workerRpc }: Pick<DemoWorld, "db" | "bus" | "workerRpc">,
  actor: Administrator,
): Promise<void> {
  // The demo's policies are removed too, and a frozen workspace does not permit that.
  await requireThawed(db, actor.workspaceId);
  await workerRpc.ask(STOP);
  const { workspaceId, name: by } = actor;
  const topics = topic.options;
  const byId = actor.kind === "person" ? actor.id : null;
  const message = bus.message(workspaceId, topics);
  await demo.removeAll(db.pool, workspaceId, { by, byId, channel: bus.channel, message });
  bus.announce(workspaceId, topics);
}
