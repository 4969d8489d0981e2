/** The immediate effect of a new revision: the agents that it binds, all or some first, and their number today. */
import type { Administrator } from "../access/actor.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { AppError } from "../errors/app-error.ts";
import { uuidv7 } from "../platform/ids.ts";
import type { BindingTx } from "./binding/binding-tx.ts";
import { isInCanary } from "./canary-share.ts";
import * as policies from "./repository.ts";
import type { Rollout } from "./schema.ts";

const EVERYONE: Rollout = { kind: "everyone" };

/** Puts the revision into effect and returns the number of agents under it from now on. Errors: `group_not_found`. */
export async function takeEffect(
  tx: BindingTx,
  actor: Administrator,
  policy: policies.PolicyRow,
  number: number,
  rollout: Rollout = EVERYONE,
): Promise<number> {
  const { workspaceId } = actor;
  // A first publication binds the whole workspace: a policy that silently binds nobody would be an open gate.
  const bindsAll = number === 1 && policy.assignments.length === 0;
  if (bindsAll) {
    const wide = { scope: "workspace", targetId: null, policyId: policy.id, ...ENFORCED };
    const position = ((await policies.listLastPositions(tx, workspaceId)).get("workspace null") ?? -1) + 1;
    await policies.insertAssignments(tx, workspaceId, [{ id: uuidv7(), position, ...wide }]);
  }
  if (rollout.kind === "everyone") await policies.updateLive(tx, workspaceId, policy.id, number);
  else await beginCanary(tx, actor, policy.id, { revision: number, ...rollout });
  const groups = await policies.listGroups(tx, workspaceId);
  const agentIds = (await policies.listAgentNames(tx, workspaceId)).map((agent) => agent.id);
  const reached = bindsAll ? agentIds : reachedBy(policy.assignments, groups, agentIds);
  if (rollout.kind === "everyone") return reached.length;
  return reached.filter((id) => isInCanary(rollout, policy.id, id, groupsOf(groups, id))).length;
}

export const ENFORCED = { mode: "enforce", observeUntil: null, observeSince: null, observeBy: null } as const;

/** The ids of the agents that assignments reach, each once. */
export function reachedBy(
  assignments: readonly Pick<policies.AssignmentRow, "scope" | "targetId">[],
  groups: readonly policies.GroupRow[],
  agentIds: readonly string[],
): string[] {
  if (assignments.some((one) => one.scope === "workspace")) return [...agentIds];
  const targets = new Set(assignments.map((one) => one.targetId ?? ""));
  const members = groups.filter((group) => targets.has(group.id)).flatMap((group) => group.agentIds);
  const reached = new Set([...targets, ...members]);
  return agentIds.filter((id) => reached.has(id));
}

/** The ids of the groups that an agent is in. */
export const groupsOf = (groups: readonly policies.GroupRow[], agentId: string): ReadonlySet<string> =>
  new Set(groups.filter((group) => group.agentIds.includes(agentId)).map((group) => group.id));

/** Gives some agents the revision before the others, or changes whom. Errors: `group_not_found`. */
export async function beginCanary(
  tx: BindingTx,
  actor: Administrator,
  policyId: string,
  canary: { readonly revision: number; readonly share: number; readonly groupId: string | null },
): Promise<void> {
  const { revision, share, groupId } = canary;
  if (groupId !== null && !(await policies.lockGroup(tx, actor.workspaceId, groupId)))
    throw new AppError("group_not_found");
  await policies.updateCanary(tx, actor.workspaceId, policyId, {
    canaryRevision: revision,
    canaryShare: share,
    canaryGroupId: groupId,
    canaryBy: actor.name,
  });
  await recordAudit(tx, actor, {
    kind: "policy_canary_set",
    version: 1,
    by: actor.name,
    policy: policyId,
    revision,
    share,
    group: groupId,
  });
}
