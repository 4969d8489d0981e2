/** The immediate effect of a new revision: the agents that it binds, all or some first, and their number today. */
import type { Administrator } from "../../access/actor.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { AppError } from "../../errors/app-error.ts";
import { uuidv7 } from "../../platform/ids.ts";
import type { BindingTx } from "../binding/binding-tx.ts";
import type { CanaryLimits } from "../canary-watch/limits-schema.ts";
import * as policies from "../repository.ts";
import { isInCanary } from "../rollout/canary-share.ts";
import type { Rollout } from "../schema.ts";

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
  // A first publication binds the whole workspace: a policy that silently binds no agent would be an open gate.
  const bindsAll = number === 1 && policy.assignments.length === 0;
  if (bindsAll) {
    const wide = { scope: "workspace", targetId: null, tag: null, policyId: policy.id, ...ENFORCED };
    const position = ((await policies.listLastPositions(tx, workspaceId)).get("workspace null") ?? -1) + 1;
    await policies.insertAssignments(tx, workspaceId, [{ id: uuidv7(), position, ...wide }]);
  }
  if (rollout.kind === "canary")
    return beginCanary(tx, actor, { ...policy, bindsAll }, { revision: number, ...rollout });
  await policies.updateLive(tx, workspaceId, policy.id, number);
  return (await listReached(tx, workspaceId, { ...policy, bindsAll })).agentIds.length;
}

type Reaching = Pick<policies.PolicyRow, "id" | "assignments"> & { readonly bindsAll: boolean };

async function listReached(tx: BindingTx, workspaceId: string, { assignments, bindsAll }: Reaching) {
  const groups = await policies.listGroups(tx, workspaceId);
  const everyone = await policies.listAgentNames(tx, workspaceId);
  return { groups, agentIds: bindsAll ? everyone.map(({ id }) => id) : reachedBy(assignments, groups, everyone) };
}

export const ENFORCED = { mode: "enforce", observeUntil: null, observeSince: null, observeBy: null } as const;

/** The ids of the agents that assignments reach, each once. */
export function reachedBy(
  assignments: readonly Pick<policies.AssignmentRow, "scope" | "targetId" | "tag">[],
  groups: readonly policies.GroupRow[],
  agents: readonly Pick<policies.AgentNameRow, "id" | "tags">[],
): string[] {
  if (assignments.some((one) => one.scope === "workspace")) return agents.map(({ id }) => id);
  const tags = new Set(assignments.map((one) => one.tag ?? ""));
  const targets = new Set(assignments.map((one) => one.targetId ?? ""));
  const members = groups.filter((group) => targets.has(group.id)).flatMap((group) => group.agentIds);
  const reached = new Set([...targets, ...members]);
  return agents.filter((one) => reached.has(one.id) || one.tags.some((tag) => tags.has(tag))).map(({ id }) => id);
}

/** The ids of the groups that an agent is in. */
export const groupsOf = (groups: readonly policies.GroupRow[], agentId: string): ReadonlySet<string> =>
  new Set(groups.filter((group) => group.agentIds.includes(agentId)).map((group) => group.id));

/**
 * Gives some agents the revision before the others, or changes whom, and returns their number. Errors: `group_not_found`;
 * `invalid_input` when the policy binds agents and none of them is inside: such a canary would say nothing about its revision.
 */
export async function beginCanary(
  tx: BindingTx,
  actor: Administrator,
  policy: Reaching,
  canary: {
    readonly revision: number;
    readonly share: number;
    readonly groupId: string | null;
    readonly limits?: CanaryLimits | null | undefined;
  },
): Promise<number> {
  const { workspaceId } = actor;
  const { revision, share, groupId, limits = null } = canary;
  if (groupId !== null && !(await policies.lockGroup(tx, workspaceId, groupId))) throw new AppError("group_not_found");
  const { groups, agentIds } = await listReached(tx, workspaceId, policy);
  const inside = agentIds.filter((id) => isInCanary(canary, policy.id, id, groupsOf(groups, id))).length;
  if (agentIds.length > 0 && inside === 0) throw emptyCanary(agentIds.length);
  await policies.updateCanary(tx, workspaceId, policy.id, {
    canaryRevision: revision,
    canaryShare: share,
    canaryGroupId: groupId,
    canaryBy: actor.name,
    canaryLimits: limits && JSON.stringify(limits),
  });
  await recordAudit(tx, actor, {
    kind: "policy_canary_set",
    version: 2,
    by: actor.name,
    policy: policy.id,
    revision,
    share,
    group: groupId,
    limits,
  });
  return inside;
}

const emptyCanary = (bound: number): AppError =>
  new AppError("invalid_input", undefined, {
    says: `This canary would include 0 of ${bound === 1 ? "1 agent" : `${bound} agents`}. Choose a larger share, or a group with some of them.`,
  });
