/** The enrolled agents, and those of them that a policy answers, each with its revision. */
import type { Database } from "../../platform/db.ts";
import { isEnforcedAt } from "../assignments/resolve-assignments.ts";
import { groupsOf, reachedBy } from "../publishing/activate-revision.ts";
import * as policies from "../repository.ts";
import { isInCanary } from "../rollout/canary-share.ts";
import { readStoredPolicy } from "../text/stored-policy.ts";
import { enforcedHooks } from "./member.ts";
import { listRecentCalls } from "./recent-calls.ts";
import type { BoundAgent, EnforcedHooks, RecentCalls } from "./unheld-agents.ts";

/** Every enrolled agent with its recent calls, and the groups. */
export interface Fleet {
  readonly agents: readonly policies.AgentNameRow[];
  readonly names: ReadonlyMap<string, string>;
  readonly groups: readonly policies.GroupRow[];
  readonly recentById: ReadonlyMap<string, RecentCalls>;
}

export async function fleetOf(db: Database, workspaceId: string): Promise<Fleet> {
  const [agents, groups, recentById] = await Promise.all([
    policies.listAgentNames(db.prisma, workspaceId),
    policies.listGroups(db.prisma, workspaceId),
    listRecentCalls(db.pool, workspaceId),
  ]);
  return { agents, names: new Map(agents.map(({ id, name }) => [id, name])), groups, recentById };
}

export const boundBy = ({ assignments }: policies.PolicyRow, { groups, agents }: Fleet) =>
  reachedBy(assignments, groups, agents);

/** Also once the time for which it only observes is over. */
export const isEnforcing = (row: policies.AssignmentRow) => isEnforcedAt(row, Date.now());

/**
 * Returns a function from an agent's id to its revision: the canary's for agents in the canary, else the live one; null
 * without a revision.
 */
export function revisionsFor(
  row: policies.PolicyRow,
  groups: Fleet["groups"],
): (id: string) => policies.RevisionRow | null {
  const { canaryRevision, canaryShare, canaryGroupId } = row;
  const live = row.liveRevision === 0 ? null : row.live;
  if (canaryRevision === null) return () => live;
  const canary = { share: canaryShare ?? 0, groupId: canaryGroupId };
  return (id) => (isInCanary(canary, row.id, id, groupsOf(groups, id)) ? row.canary : live);
}

/** The agents that an enforced policy answers, with their revision. Retired agents make no calls and are left out. */
export function listAnswered(row: policies.PolicyRow, bound: readonly string[], fleet: Fleet): BoundAgent[] {
  if (!row.assignments.some(isEnforcing)) return [];
  const ids = new Set(bound);
  const revisionOf = revisionsFor(row, fleet.groups);
  const hooksByNumber = new Map<number, EnforcedHooks>();
  const enforcedBy = (revision: policies.RevisionRow): EnforcedHooks => {
    const { number, createdAt } = revision;
    const known = hooksByNumber.get(number);
    if (known) return known;
    const { hooks } = readStoredPolicy(revision);
    const read = { hooks: enforcedHooks(hooks, row.monitors), sinceMs: createdAt.getTime() };
    hooksByNumber.set(number, read);
    return read;
  };
  return fleet.agents.flatMap((agent) => {
    const revision = ids.has(agent.id) && agent.retiredAt === null ? revisionOf(agent.id) : null;
    return revision ? [{ agent, enforced: enforcedBy(revision) }] : [];
  });
}
