/** Groups of agents: policies are applied to them, canaries begin in them. Their order is that of their policies. */
import type { Administrator } from "../access/actor.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { AppError } from "../errors/app-error.ts";
import type { Bus } from "../live/service.ts";
import type { Database } from "../platform/db.ts";
import { uuidv7 } from "../platform/ids.ts";
import {
  type Authority,
  activePolicyTransaction,
  listReorderedPolicies,
  OWN,
  permitGroups,
  policyTransaction,
} from "../policies/service.ts";
import * as agents from "./repository.ts";
import type { CreateGroup, GroupById, GroupView, OrderGroups, RenameGroup, SetGroupMembers } from "./schema.ts";

export const GROUPS_MAX = 200;

/** In their order, each with its members by name and what is applied to it. */
export async function groups(db: Database, workspaceId: string): Promise<GroupView[]> {
  const [rows, used] = await Promise.all([
    agents.listGroups(db.prisma, workspaceId),
    agents.listUsesOfGroups(db.prisma, workspaceId),
  ]);
  return rows.map(({ id, name, members }) => ({
    id,
    name,
    agentIds: members.map(({ agent }) => agent.id),
    policies: used
      .filter((use) => use.groupId === id)
      .map(({ policyId, name, isCanary }) => ({ id: policyId, name, isCanary })),
  }));
}

/** A group of nobody, last in order. Nothing in force changes by it. Errors: `name_taken`. */
export async function createGroup(
  db: Database,
  bus: Bus,
  actor: Administrator,
  input: CreateGroup,
): Promise<{ groupId: string }> {
  const { workspaceId } = actor;
  const groupId = uuidv7();
  await policyTransaction(db, bus, actor, async (tx) => {
    const last = await agents.lastGroup(tx, workspaceId);
    if (last.count >= GROUPS_MAX)
      throw new AppError("invalid_input", undefined, { says: `A workspace has at most ${GROUPS_MAX} groups.` });
    const made = { id: groupId, name: input.name, position: last.position + 1 };
    if (!(await agents.insertGroup(tx, workspaceId, made))) throw taken(input.name);
    await recordAudit(tx, actor, {
      kind: "group_created",
      version: 1,
      by: actor.name,
      group: groupId,
      name: input.name,
    });
  });
  return { groupId };
}

/** A name is for people: what is in force goes by the group itself. Errors: `group_not_found`, `name_taken`. */
export async function renameGroup(db: Database, bus: Bus, actor: Administrator, input: RenameGroup): Promise<void> {
  const { groupId, name } = input;
  await policyTransaction(db, bus, actor, async (tx) => {
    const group = await agents.findGroupForUpdate(tx, actor.workspaceId, groupId);
    if (!group) throw new AppError("group_not_found");
    if (group.name === name) return;
    if (await agents.isGroupNameTaken(tx, actor.workspaceId, name)) throw taken(name);
    await agents.renameGroup(tx, actor.workspaceId, groupId, name);
    await recordAudit(tx, actor, {
      kind: "group_renamed",
      version: 1,
      by: actor.name,
      group: groupId,
      from: group.name,
      to: name,
    });
  });
}

/** Errors: `group_not_found`; `group_in_use` while a policy is applied to it or has a canary in it. */
export async function deleteGroup(db: Database, bus: Bus, actor: Administrator, input: GroupById): Promise<void> {
  const { workspaceId } = actor;
  await activePolicyTransaction(db, bus, actor, async (tx) => {
    const group = await agents.findGroupForUpdate(tx, workspaceId, input.groupId);
    if (!group) throw new AppError("group_not_found");
    const uses = (await agents.listUsesOfGroups(tx, workspaceId)).filter((use) => use.groupId === group.id);
    const names = [...new Set(uses.map((use) => use.name))];
    if (names.length > 0)
      throw new AppError("group_in_use", group.id, {
        says: `The group "${group.name}" is used by ${names.map((name) => `"${name}"`).join(", ")}. Take it off there first.`,
      });
    await agents.removeGroup(tx, workspaceId, group.id);
    await recordAudit(tx, actor, {
      kind: "group_deleted",
      version: 1,
      by: actor.name,
      group: group.id,
      name: group.name,
    });
  });
}

/** These agents and no others. Errors: `group_not_found`, `agent_not_found`. */
export async function setGroupMembers(
  db: Database,
  bus: Bus,
  actor: Administrator,
  input: SetGroupMembers,
  authority: Authority = OWN,
): Promise<void> {
  const { workspaceId } = actor;
  const agentIds = [...new Set(input.agentIds)];
  await activePolicyTransaction(db, bus, actor, async (tx) => {
    const group = await agents.findGroupForUpdate(tx, workspaceId, input.groupId);
    if (!group) throw new AppError("group_not_found");
    if ((await agents.countKnown(tx, workspaceId, agentIds)) < agentIds.length) throw new AppError("agent_not_found");
    const before = await agents.listMemberIds(tx, workspaceId, group.id);
    const bound = await permitGroups(
      tx,
      actor,
      {
        kind: "set_group_members",
        input,
        summary: `Changes who is in the group ${group.name}: ${agentIds.length} agents instead of ${before.length}.`,
        groupIds: [group.id],
        losesAgents: before.some((id) => !agentIds.includes(id)),
        gainsAgents: agentIds.some((id) => !before.includes(id)),
      },
      authority,
    );
    await agents.replaceMembers(bound, workspaceId, input.groupId, agentIds);
    await recordAudit(tx, actor, {
      kind: "group_members_set",
      version: 1,
      by: actor.name,
      group: input.groupId,
      agents: agentIds,
    });
  });
}

/** Puts the groups, all of them, in this order. Errors: `group_not_found` when they are not the groups there are. */
export async function orderGroups(
  db: Database,
  bus: Bus,
  actor: Administrator,
  input: OrderGroups,
  authority: Authority = OWN,
): Promise<void> {
  const { groupIds } = input;
  await activePolicyTransaction(db, bus, actor, async (tx) => {
    const known = await agents.listGroupsForUpdate(tx, actor.workspaceId);
    const isSame = known.length === groupIds.length && known.every((id) => groupIds.includes(id));
    if (!isSame)
      throw new AppError("group_not_found", undefined, { says: "The groups changed meanwhile. Look at them again." });
    const moved = listReorderedPolicies(known, groupIds);
    const hasMoved = moved.length > 0;
    const change = { summary: "Puts the groups in another order.", losesAgents: hasMoved, gainsAgents: hasMoved };
    const asked = { kind: "order_groups", input, groupIds: moved, ...change } as const;
    const bound = await permitGroups(tx, actor, asked, authority);
    for (const [position, id] of groupIds.entries())
      await agents.updateGroupPosition(bound, actor.workspaceId, id, position);
    await recordAudit(tx, actor, { kind: "groups_ordered", version: 1, by: actor.name, groups: groupIds });
  });
}

const taken = (name: string) => new AppError("name_taken", name, { says: `There is already a group named "${name}".` });
