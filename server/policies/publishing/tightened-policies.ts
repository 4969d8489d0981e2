/** Other policies that are read by a newer profile once a text is published: an agent's policies follow the newest of all. */
import { PROFILES, type Profile } from "@quarterdeck/hooks";
import type { Database } from "../../platform/db.ts";
import { effectiveSets } from "../effective/effective.ts";
import * as policies from "../repository.ts";
import { reachedBy } from "./activate-revision.ts";

/**
 * The names of the policies that share an agent with this one and are enforced there by an older profile than `profile` now.
 * A policy that was never published is taken to bind everyone, as its first revision would.
 */
export async function listTightenedPolicies(
  db: Database,
  workspaceId: string,
  policyId: string,
  profile: Profile,
): Promise<string[]> {
  const policy = await policies.find(db.prisma, workspaceId, policyId);
  if (!policy) return [];
  const [agents, groups, setOf] = await Promise.all([
    policies.listAgentNames(db.prisma, workspaceId),
    policies.listGroups(db.prisma, workspaceId),
    effectiveSets(db, workspaceId),
  ]);
  const bindsAll = policy.latestRevision === 0 && policy.assignments.length === 0;
  const reached = bindsAll ? agents.map(({ id }) => id) : reachedBy(policy.assignments, groups, agents);
  const names = reached.flatMap((id) => {
    const set = setOf(id);
    if (PROFILES.indexOf(set.profile) >= PROFILES.indexOf(profile)) return [];
    return set.members.filter((member) => member.policyId !== policyId).map(({ name }) => name);
  });
  return [...new Set(names)].sort();
}
