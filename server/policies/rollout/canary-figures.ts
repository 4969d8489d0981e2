/** The figures of those in a canary and of the others since it began. Denials of all policies: agents feel the sum. */
import type { Database } from "../../platform/db.ts";
import { rollupRangeOf } from "../../recording/index.ts";
import type { CanaryFigures, CanarySide } from "../assignments/assignment-schema.ts";
import { lastCheckOf } from "../canary-watch/watched-view.ts";
import { groupsOf, reachedBy } from "../publishing/activate-revision.ts";
import * as policies from "../repository.ts";
import { isInCanary } from "./canary-share.ts";

const MINUTE_MS = 60_000;

/** Null when the policy has no canary (any more). Counted by whole minutes, from the first that began after it. */
export async function canaryFigures(
  db: Database,
  workspaceId: string,
  policyId: string,
): Promise<CanaryFigures | null> {
  const policy = await policies.find(db.prisma, workspaceId, policyId);
  if (!policy || policy.canaryRevision === null || policy.canarySince === null) return null;
  const from = new Date(Math.ceil(policy.canarySince.getTime() / MINUTE_MS) * MINUTE_MS);
  const [agents, groups, counted] = await Promise.all([
    policies.listAgentNames(db.prisma, workspaceId),
    policies.listGroups(db.prisma, workspaceId),
    policies.countGatesByAgent(db.pool, workspaceId, rollupRangeOf({ from, to: new Date() })),
  ]);
  const canary = { share: policy.canaryShare ?? 0, groupId: policy.canaryGroupId };
  const bound = reachedBy(policy.assignments, groups, agents);
  const isInside = (id: string) => isInCanary(canary, policyId, id, groupsOf(groups, id));
  const sideOf = (ids: readonly string[]): CanarySide => {
    const own = counted.filter((one) => ids.includes(one.agentId));
    const sum = (of: "gates" | "denied") => own.reduce((all, one) => all + one[of], 0);
    return { agents: ids.length, active: own.length, gates: sum("gates"), denied: sum("denied") };
  };
  const others = sideOf(bound.filter((id) => !isInside(id)));
  return { from, inside: sideOf(bound.filter(isInside)), others, ...lastCheckOf(policy) };
}
