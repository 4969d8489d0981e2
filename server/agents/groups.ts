/** Groups of agents: policies are applied to them, canaries begin in them. Their order is that of their policies. */
import type { Administrator } from "../access/actor.ts";
import { diffFields } from "../audit/diff-fields.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { AppError } from "../errors/app-error.ts";
import type { Bus } from "../events/index.ts";
import { isGroupHalted } from "../halts/index.ts";
import type { Database, Tx } from "../platform/db.ts";
import { uuidv7 } from "../platform/ids.ts";
import {
  type Authority,
  activePolicyTransaction,
  listReorderedPolicies,
  OWN,
  permitGroups,
  policyTransaction,
} from "../policies/index.ts";
import { matchesPattern } from "./name-pattern-schema.ts";
import * as agents from "./repository.ts";
import type { CreateGroup, GroupById, GroupView, OrderGroups, RenameGroup, SetGroupMembers } from "./schema.ts";

export const GROUPS_MAX = 200;

/** In their order, each with its members by name and its assignments. */
export async function groups(db: Database, workspaceId: string): Promise<GroupView[]> {
  const [rows, used] = await Promise.all([
    agents.listGroups(db.prisma, workspaceId),
    agents.listUsesOfGroups(db.prisma, workspaceId),
  ]);
  return rows.map(({ id, name, namePattern, members }) => ({
    id,
    name,
    namePattern,
    agentIds: members.map(({ agent }) => agent.id),
    policies: used
      .filter((use) => use.groupId === id)
      .map(({ policyId, name, isCanary }) => ({ id: policyId, name, isCanary })),
  }));
}

/** Creates an empty group, last in order. No policy in force changes. Errors: `name_taken`. */
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

/** Renames a group. Assignments refer to the group, not to its name. Errors: `group_not_found`, `name_taken`. */
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
        says: `The group "${group.name}" is used by ${names.map((name) => `"${name}"`).join(", ")}. Remove it there first.`,
      });
    if (await isGroupHalted(tx, workspaceId, group.id))
      throw new AppError("group_in_use", group.id, {
        says: `The group "${group.name}" is halted. Resume it first. Without the group, its agents would run again.`,
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

/**
 * Sets a group's agents: exactly this list, or all agents whose names match a pattern, including future ones. Clearing
 * a pattern keeps its agents as a list. Errors: `group_not_found`, `agent_not_found`; `group_has_pattern` for a list
 * while there is a pattern.
 */
export async function setGroupMembers(
  db: Database,
  bus: Bus,
  actor: Administrator,
  input: SetGroupMembers,
  authority: Authority = OWN,
): Promise<void> {
  const { workspaceId } = actor;
  await activePolicyTransaction(db, bus, actor, async (tx) => {
    const group = await agents.findGroupForUpdate(tx, workspaceId, input.groupId);
    if (!group) throw new AppError("group_not_found");
    const before = await agents.listMemberIds(tx, workspaceId, group.id);
    const next = await membersOf(tx, workspaceId, group, before, input);
    const { agentIds, namePattern } = next;
    // A pattern binds agents to come: without it they are lost, and with it they are gained.
    const isOtherPattern = namePattern !== group.namePattern;
    const bound = await permitGroups(
      tx,
      actor,
      {
        kind: "set_group_members",
        input,
        summary: summaryOf(group, before.length, next),
        groupIds: [group.id],
        losesAgents: (isOtherPattern && group.namePattern !== null) || !isSubset(before, agentIds),
        gainsAgents: (isOtherPattern && namePattern !== null) || !isSubset(agentIds, before),
      },
      authority,
    );
    await agents.replaceMembers(bound, workspaceId, group.id, agentIds);
    if (isOtherPattern) {
      await agents.updateNamePattern(bound, workspaceId, group.id, namePattern);
      const about = { group: group.id, pattern: namePattern };
      const change = diffFields({ namePattern: group.namePattern }, { namePattern });
      await recordAudit(tx, actor, { kind: "group_pattern_set", version: 1, by: actor.name, ...about }, change);
    }
    await recordAudit(tx, actor, {
      kind: "group_members_set",
      version: 1,
      by: actor.name,
      group: group.id,
      agents: agentIds,
    });
  });
}

interface NamedGroup {
  readonly name: string;
  readonly namePattern: string | null;
}
interface Membership {
  readonly agentIds: string[];
  readonly namePattern: string | null;
}

/** Errors: `agent_not_found`, `group_has_pattern`. */
async function membersOf(
  tx: Tx,
  workspaceId: string,
  group: NamedGroup,
  before: string[],
  input: SetGroupMembers,
): Promise<Membership> {
  const { namePattern } = input;
  if (typeof namePattern === "string") {
    const named = await agents.listNames(tx, workspaceId);
    return { agentIds: named.filter(({ name }) => matchesPattern(namePattern, name)).map(({ id }) => id), namePattern };
  }
  if (namePattern === undefined && group.namePattern !== null)
    throw new AppError("group_has_pattern", group.namePattern, {
      says: `The group "${group.name}" uses the name pattern ${group.namePattern}. Change the pattern, or clear it to list agents individually.`,
    });
  if (!("agentIds" in input)) return { agentIds: before, namePattern: null };
  const agentIds = [...new Set(input.agentIds)];
  if ((await agents.countKnown(tx, workspaceId, agentIds)) < agentIds.length) throw new AppError("agent_not_found");
  return { agentIds, namePattern: null };
}

function isSubset(some: readonly string[], all: readonly string[]): boolean {
  const known = new Set(all);
  return some.every((id) => known.has(id));
}

function summaryOf({ name, namePattern }: NamedGroup, before: number, next: Membership): string {
  const { length } = next.agentIds;
  const count = `${length} ${length === 1 ? "agent" : "agents"} instead of ${before}`;
  if (next.namePattern !== null)
    return `Makes the group ${name} the agents whose names match ${next.namePattern}: ${count}, and those to come.`;
  if (namePattern !== null)
    return `Makes the group ${name} a list: ${count}, and none to come whose names match ${namePattern}.`;
  return `Changes who is in the group ${name}: ${count}.`;
}

/** Sets the order of all groups. Errors: `group_not_found` when the list is not exactly the existing groups. */
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
      throw new AppError("group_not_found", undefined, { says: "The groups have changed. Check the order again." });
    const moved = listReorderedPolicies(known, groupIds);
    const hasMoved = moved.length > 0;
    const change = { summary: "Changes the order of groups.", losesAgents: hasMoved, gainsAgents: hasMoved };
    const asked = { kind: "order_groups", input, groupIds: moved, ...change } as const;
    const bound = await permitGroups(tx, actor, asked, authority);
    for (const [position, id] of groupIds.entries())
      await agents.updateGroupPosition(bound, actor.workspaceId, id, position);
    await recordAudit(tx, actor, { kind: "groups_ordered", version: 1, by: actor.name, groups: groupIds });
  });
}

const taken = (name: string) => new AppError("name_taken", name, { says: `There is already a group named "${name}".` });
