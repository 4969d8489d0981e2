/** Ready plans per agent: compiled once per set of revisions, cached until somebody changes a policy. */
import { LRUCache } from "lru-cache";
import type { AgentActor } from "../access/actor.ts";
import type { Breakers, Executor } from "../hooks/index.ts";
import type { Bus } from "../live/service.ts";
import type { Database } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import { type EffectiveSet, effectiveSet } from "./effective.ts";
import { type ExecutorSurroundings, executorFor } from "./executor-for.ts";

export interface EffectivePlan extends EffectiveSet {
  readonly executor: Executor;
}

export interface Plans {
  /** The plan that binds `agent` now. Errors: those of the database; then the gate stays shut. */
  planFor(agent: AgentActor): Promise<EffectivePlan>;
}

export interface PlansOptions extends ExecutorSurroundings {
  readonly db: Database;
  readonly bus: Bus;
  readonly log: Log;
  readonly breakers: Breakers;
}

const AGENTS_MAX = 5_000;
const PLANS_MAX = 500;
/** A change arrives over the bus at once; this bounds what a lost message could cost. */
const TRUST_MS = 30_000;

export function createPlans(options: PlansOptions): Plans {
  const { db, bus, log, ...surroundings } = options;
  const byAgent = new LRUCache<string, Promise<EffectivePlan>>({ max: AGENTS_MAX, ttl: TRUST_MS });
  const byRevision = new LRUCache<string, Executor>({ max: PLANS_MAX });
  bus.subscribe((_workspaceId, topics) => {
    if (topics.includes("policies")) byAgent.clear();
  });

  // A revision names policies by their ids, so no two workspaces share one that holds hooks.
  function executorOf(set: EffectiveSet, workspaceId: string): Executor {
    const known = byRevision.get(set.revision);
    if (known) return known;
    const sources = set.members.map(({ name, number, hooks }) => ({
      origin: { policy: name, revision: number },
      hooks,
    }));
    const { executor, problems } = executorFor(surroundings, { sources, profile: set.profile, workspaceId });
    // Publishing refuses these; one that is met here was stored by an older release.
    for (const problem of problems)
      log.error({ problem, revision: set.revision }, "a hook entry is not part of its plan");
    byRevision.set(set.revision, executor);
    return executor;
  }

  async function load(agent: AgentActor): Promise<EffectivePlan> {
    const set = await effectiveSet(db, agent.workspaceId, agent.id);
    return { ...set, executor: executorOf(set, agent.workspaceId) };
  }

  return {
    planFor(agent) {
      const known = byAgent.get(agent.id);
      if (known) return known;
      const loading = load(agent);
      byAgent.set(agent.id, loading);
      // A failure is not remembered: the next dispatch tries again.
      loading.catch(() => {
        if (byAgent.peek(agent.id) === loading) byAgent.delete(agent.id);
      });
      return loading;
    },
  };
}
