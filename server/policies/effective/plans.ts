/** Ready plans per agent: compiled once per set of revisions, cached until a policy changes. */

import { type Breakers, compileMatchers, type Executor } from "@quarterdeck/hooks";
import { LRUCache } from "lru-cache";
import type { AgentActor } from "../../access/actor.ts";
import type { Bus } from "../../events/index.ts";
import type { Database } from "../../platform/db.ts";
import type { Log } from "../../platform/log.ts";
import { createPause } from "../../platform/pause.ts";
import { inWorkspace } from "../../platform/scope.ts";
import { type EffectiveSet, effectiveSet } from "./effective.ts";
import { type ExecutorEnvironment, executorFor } from "./executor-for.ts";
import { type ObservedMember, planSourceOf } from "./member.ts";

export interface EffectivePlan extends EffectiveSet {
  readonly executor: Executor;
  readonly observed: readonly ObservedPlan[];
}

/** An observed policy or rule with an executor of its own, because its verdict is recorded separately. */
export interface ObservedPlan extends ObservedMember {
  readonly executor: Executor;
}

export interface Plans {
  /**
   * The current plan of `agent`. A plan read before the change `sequenceMin` is read again, at most once a second.
   * Errors: those of the database; the gate then denies.
   */
  planFor(agent: AgentActor, sequenceMin?: number): Promise<EffectivePlan>;
}

export interface PlansOptions extends ExecutorEnvironment {
  readonly db: Database;
  readonly bus: Bus;
  readonly log: Log;
  readonly breakers: Breakers;
  /** The environment of the hooks that are only observed: in a room of their own, tripping circuits of their own. */
  readonly observedEnvironment: ExecutorEnvironment;
  /** Milliseconds since 1970; the machine's when absent. */
  readonly nowMs?: () => number;
}

const AGENTS_MAX = 5_000;
const PLANS_MAX = 500;
/** A change arrives over the bus at once, and nothing is recalled while the bus is silent; this is a second bound. */
const TRUST_MS = 30_000;
/** An agent that claims to have seen an unpublished revision causes at most one read in this time. */
const REREAD_MS = 1_000;

export function createPlans(options: PlansOptions): Plans {
  const { db, bus, log, observedEnvironment, nowMs = Date.now, ...environment } = options;
  const byAgent = new LRUCache<string, Promise<EffectivePlan>>({ max: AGENTS_MAX, ttl: TRUST_MS });
  /** The time until which a cached plan is valid: an observation ends at an instant that no event announces. */
  const changesAt = new WeakMap<Promise<EffectivePlan>, number>();
  const byRevision = new LRUCache<string, Executor>({ max: PLANS_MAX });
  const byObserved = new LRUCache<string, Executor>({ max: PLANS_MAX });
  const mayReread = createRereads(nowMs);
  bus.subscribe((_workspaceId, topics) => {
    if (topics.includes("policies")) byAgent.clear();
  });

  async function load({ workspaceId, id }: AgentActor): Promise<EffectivePlan> {
    const set = await inWorkspace(workspaceId, () => effectiveSet(db, workspaceId, id, nowMs()));
    if (!byRevision.has(set.revision) || set.observed.length > 0)
      await compileMatchers(
        [...set.members, ...set.observed].map(({ hooks }) => hooks),
        createPause(),
      );
    const observed = set.observed.map((member): ObservedPlan => {
      const { policyId, number, sha256, profile, rule, cannotAllow = false } = member;
      const name = [policyId, number, sha256, profile, cannotAllow, rule?.event ?? "", rule?.hook ?? ""].join(" ");
      const alone = { revision: name, profile, members: [member] };
      const make = () => executorOf(log, observedEnvironment, alone, workspaceId);
      return { ...member, executor: remembered(byObserved, name, make) };
    });
    const executor = remembered(byRevision, set.revision, () => executorOf(log, environment, set, workspaceId));
    return { ...set, observed, executor };
  }

  const planned = (agent: AgentActor): Promise<EffectivePlan> => {
    const known = bus.isCurrent() ? byAgent.get(agent.id) : undefined;
    if (known && nowMs() < (changesAt.get(known) ?? Number.POSITIVE_INFINITY)) return known;
    return reload(agent);
  };

  function reload(agent: AgentActor): Promise<EffectivePlan> {
    const loading = load(agent);
    byAgent.set(agent.id, loading);
    // A failure is not remembered: the next dispatch tries again.
    loading.then(
      ({ changesAtMs }) => {
        if (changesAtMs !== null) changesAt.set(loading, changesAtMs);
      },
      () => {
        if (byAgent.peek(agent.id) === loading) byAgent.delete(agent.id);
      },
    );
    return loading;
  }

  return {
    planFor(agent, sequenceMin = 0) {
      if (sequenceMin === 0) return planned(agent);
      return planned(agent).then((plan) => (plan.sequence < sequenceMin && mayReread(agent.id) ? reload(agent) : plan));
    },
  };
}

function executorOf(
  log: Log,
  world: ExecutorEnvironment,
  set: Pick<EffectiveSet, "revision" | "profile" | "members">,
  workspaceId: string,
): Executor {
  const sources = set.members.map(planSourceOf);
  // Publishing refuses these texts: an older release stored them, or the database was written to by another program.
  for (const { policyId, name, number, problems } of set.members)
    for (const { path, message } of problems)
      log.error({ policyId, policy: name, revision: number, path, message }, "a policy cannot be read; its gates deny");
  return executorFor(world, { sources, profile: set.profile, workspaceId }).executor;
}

// Names include policy ids, so two workspaces never share an entry with hooks.
function remembered(known: LRUCache<string, Executor>, name: string, make: () => Executor): Executor {
  const executor = known.get(name) ?? make();
  known.set(name, executor);
  return executor;
}

/** True once in a while for each agent: its plan may be read again. */
function createRereads(nowMs: () => number): (agentId: string) => boolean {
  const rereadAt = new LRUCache<string, number>({ max: AGENTS_MAX });
  return (agentId) => {
    if (nowMs() - (rereadAt.get(agentId) ?? Number.NEGATIVE_INFINITY) < REREAD_MS) return false;
    rereadAt.set(agentId, nowMs());
    return true;
  };
}
