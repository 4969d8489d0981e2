/** The agents that a canary would reach, by name, before it begins. */
import { AppError } from "../../errors/app-error.ts";
import type { Database } from "../../platform/db.ts";
import { groupsOf, reachedBy } from "../publishing/activate-revision.ts";
import * as policies from "../repository.ts";
import type { CanaryAgents, CanaryAgentsOf } from "./canary-schema.ts";
import { isInCanary, smallestShare } from "./canary-share.ts";

const NAMES_MAX = 20;

/** Errors: `policy_not_found`. */
export async function canaryAgents(
  db: Database,
  workspaceId: string,
  { policyId, ...canary }: CanaryAgentsOf,
): Promise<CanaryAgents> {
  const [policy, agents, groups] = await Promise.all([
    policies.find(db.prisma, workspaceId, policyId),
    policies.listAgentNames(db.prisma, workspaceId),
    policies.listGroups(db.prisma, workspaceId),
  ]);
  if (!policy) throw new AppError("policy_not_found", policyId);
  // The first revision of an unassigned policy binds every agent.
  const bindsAll = policy.assignments.length === 0 && policy.latestRevision === 0;
  const bound = new Set(bindsAll ? agents.map(({ id }) => id) : reachedBy(policy.assignments, groups, agents));
  const inside = agents.filter(({ id }) => bound.has(id) && isInCanary(canary, policyId, id, groupsOf(groups, id)));
  const names = inside.map(({ name }) => name).sort((a, b) => a.localeCompare(b));
  return {
    ...{ bound: bound.size, inside: names.length, names: names.slice(0, NAMES_MAX) },
    smallestShare: smallestShare(policyId, [...bound]),
  };
}
