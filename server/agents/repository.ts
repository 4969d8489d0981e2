import { PAGE_ROWS } from "../access/role-schema.ts";
import type { Tx } from "../platform/db.ts";
import type { BindingTx, InForceTx } from "../policies/index.ts";

/** Returns the agent, locked: until this transaction ends, it cannot be renamed, retired, removed or given a key. */
export async function findForUpdate(tx: Tx, workspaceId: string, id: string) {
  await tx.$queryRaw`SELECT id FROM agent WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid FOR UPDATE`;
  return tx.agent.findFirst({ where: { workspaceId, id } });
}

export function findByName(tx: Tx, workspaceId: string, name: string) {
  return tx.agent.findFirst({ where: { workspaceId, name } });
}

/** A page of agents, the newest first. */
export function list(tx: Tx, workspaceId: string, cursor: string | null) {
  return tx.agent.findMany({
    where: { workspaceId, ...(cursor === null ? {} : { id: { lt: cursor } }) },
    include: WITH_KEYS,
    orderBy: { id: "desc" },
    take: PAGE_ROWS,
  });
}

const WITH_KEYS = { keys: { orderBy: { createdAt: "desc" } }, refusals: { orderBy: { reportedAt: "desc" } } } as const;

/** Returns one agent with its keys; null when there is no match. */
export function find(tx: Tx, workspaceId: string, id: string) {
  return tx.agent.findFirst({ where: { workspaceId, id }, include: WITH_KEYS });
}

export async function updateTags(tx: BindingTx, workspaceId: string, id: string, tags: string[]): Promise<void> {
  await tx.agent.update({ where: { workspaceId_id: { workspaceId, id } }, data: { tags } });
}

/** Errors: the database's own when the name is taken. */
export async function updateName(tx: Tx, workspaceId: string, id: string, name: string): Promise<void> {
  await tx.agent.update({ where: { workspaceId_id: { workspaceId, id } }, data: { name } });
}

export async function updateRetired(tx: Tx, workspaceId: string, id: string, retiredAt: Date | null): Promise<void> {
  await tx.agent.update({ where: { workspaceId_id: { workspaceId, id } }, data: { retiredAt } });
}

/** Removes an agent with its keys and memberships; its records stay, under the name of their time. */
export async function remove(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await tx.agent.delete({ where: { workspaceId_id: { workspaceId, id } } });
}

/** The names of the policies, budgets and alert rules that are assigned to exactly this agent. */
export async function listUses(tx: Tx, workspaceId: string, id: string): Promise<string[]> {
  const select = { name: true } as const;
  const orderBy = { name: "asc" } as const;
  const assignments = { some: { scope: "agent", targetId: id } };
  const policies = await tx.policy.findMany({ where: { workspaceId, assignments }, select, orderBy });
  const budgets = await tx.budget.findMany({ where: { workspaceId, scope: "agent", target: id }, select, orderBy });
  const rules = await tx.alertRule.findMany({ where: { workspaceId, agentId: id }, select, orderBy });
  return [
    ...policies.map(({ name }) => `the policy "${name}"`),
    ...budgets.map(({ name }) => `the budget "${name}"`),
    ...rules.map(({ name }) => `the alert "${name}"`),
  ];
}

/**
 * The names of policies with four eyes that bind the agent by a tag, or by a group with a list: a new agent of the same
 * name would not be in such a group.
 */
export async function listFourEyesPolicies(
  tx: Tx,
  workspaceId: string,
  { agentId, tags }: { readonly agentId: string; readonly tags: readonly string[] },
): Promise<string[]> {
  const groups = await tx.agentGroup.findMany({
    where: { workspaceId, namePattern: null, members: { some: { agentId } } },
    select: { id: true },
  });
  const bound = [
    { scope: "tag", tag: { in: [...tags] } },
    { scope: "group", targetId: { in: groups.map(({ id }) => id) } },
  ];
  const found = await tx.policy.findMany({
    where: { workspaceId, fourEyes: true, assignments: { some: { OR: bound } } },
    select: { name: true },
    orderBy: { name: "asc" },
  });
  return found.map(({ name }) => name);
}

/** False when the name is taken, also by an agent that is being made at this very moment. */
export async function insert(
  tx: Tx,
  workspaceId: string,
  agent: { id: string; name: string; isDemo: boolean; tags?: string[] },
): Promise<boolean> {
  const made = await tx.agent.createMany({ data: [{ workspaceId, ...agent }], skipDuplicates: true });
  return made.count === 1;
}

export async function insertKey(
  tx: Tx,
  workspaceId: string,
  key: {
    id: string;
    agentId: string;
    keySha256: Uint8Array;
    hint: string;
    scopes: string[];
    expiresAt: Date | null;
    /** The account that counts as its maker; null for the machine. */
    createdById: string | null;
  },
): Promise<void> {
  const { id, agentId, keySha256, hint, scopes, expiresAt, createdById } = key;
  // Uses the statement's time, like an approval answer: the later of the two has waited for the lock on the agent.
  await tx.$executeRaw`
    INSERT INTO agent_key (workspace_id, id, agent_id, key_sha256, hint, scopes, expires_at, created_by_id, created_at)
    VALUES (${workspaceId}::uuid, ${id}::uuid, ${agentId}::uuid, ${new Uint8Array(keySha256)}::bytea, ${hint}, ${[...scopes]}::text[],
      ${expiresAt}, ${createdById}, clock_timestamp())`;
}

/** The number of keys that this revoked: 0 when it does not exist or was revoked before. */
export async function revokeKey(tx: Tx, workspaceId: string, agentId: string, id: string, now: Date): Promise<number> {
  const where = { workspaceId, agentId, id, revokedAt: null };
  return (await tx.agentKey.updateMany({ where, data: { revokedAt: now } })).count;
}

/** The number of keys that work again: 0 when it does not exist, or was not revoked after `since`. */
export async function unrevokeKey(
  tx: Tx,
  workspaceId: string,
  agentId: string,
  id: string,
  since: Date,
): Promise<number> {
  const where = { workspaceId, agentId, id, revokedAt: { gte: since } };
  return (await tx.agentKey.updateMany({ where, data: { revokedAt: null } })).count;
}

/** A key that opens now, or null. */
export function findOpenKey(tx: Tx, workspaceId: string, agentId: string, id: string, now: Date) {
  return tx.agentKey.findFirst({
    where: { workspaceId, agentId, id, revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
  });
}

export async function updateKeyExpiry(tx: Tx, workspaceId: string, id: string, expiresAt: Date): Promise<void> {
  await tx.agentKey.update({ where: { workspaceId_id: { workspaceId, id } }, data: { expiresAt } });
}

export async function touchKey(tx: Tx, workspaceId: string, id: string, now: Date): Promise<void> {
  await tx.agentKey.updateMany({ where: { workspaceId, id }, data: { lastUsedAt: now } });
}

/** The key with this hash, in any workspace: the key determines the workspace. */
export function findKey(tx: Tx, keySha256: Uint8Array) {
  return tx.agentKey.findFirst({ where: { keySha256: new Uint8Array(keySha256) }, include: { agent: true } });
}

export function listGroups(tx: Tx, workspaceId: string) {
  return tx.agentGroup.findMany({
    where: { workspaceId },
    include: { members: { select: { agent: { select: { id: true } } }, orderBy: { agent: { name: "asc" } } } },
    orderBy: [{ position: "asc" }, { id: "asc" }],
  });
}

export interface UseOfGroup {
  readonly groupId: string;
  readonly policyId: string;
  readonly name: string;
  readonly isCanary: boolean;
}

/** The policies that are applied to a group, and those with a canary in one. */
export async function listUsesOfGroups(tx: Tx, workspaceId: string): Promise<UseOfGroup[]> {
  const policies = await tx.policy.findMany({
    where: {
      workspaceId,
      OR: [{ canaryGroupId: { not: null } }, { assignments: { some: { scope: "group" } } }],
    },
    select: {
      id: true,
      name: true,
      canaryGroupId: true,
      assignments: { where: { scope: "group" }, orderBy: { position: "asc" } },
    },
    orderBy: { name: "asc" },
  });
  return policies.flatMap(({ id: policyId, name, canaryGroupId, assignments }) => [
    ...assignments.flatMap(({ targetId }) =>
      targetId === null ? [] : [{ groupId: targetId, policyId, name, isCanary: false }],
    ),
    ...(canaryGroupId === null ? [] : [{ groupId: canaryGroupId, policyId, name, isCanary: true }]),
  ]);
}

/** The number of groups, and the highest position; -1 without groups. */
export async function lastGroup(tx: Tx, workspaceId: string): Promise<{ count: number; position: number }> {
  const found = await tx.agentGroup.aggregate({ where: { workspaceId }, _count: true, _max: { position: true } });
  return { count: found._count, position: found._max.position ?? -1 };
}

/** False when the name is taken, also by a group that is being made at this very moment. */
export async function insertGroup(
  tx: Tx,
  workspaceId: string,
  group: { id: string; name: string; position: number },
): Promise<boolean> {
  const made = await tx.agentGroup.createMany({ data: [{ workspaceId, ...group }], skipDuplicates: true });
  return made.count === 1;
}

export async function findGroupForUpdate(tx: Tx, workspaceId: string, id: string) {
  await tx.$queryRaw`SELECT id FROM agent_group
    WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid FOR UPDATE`;
  return tx.agentGroup.findFirst({ where: { workspaceId, id } });
}

export async function isGroupNameTaken(tx: Tx, workspaceId: string, name: string): Promise<boolean> {
  return (await tx.agentGroup.count({ where: { workspaceId, name } })) > 0;
}

export async function renameGroup(tx: Tx, workspaceId: string, id: string, name: string): Promise<void> {
  await tx.agentGroup.update({ where: { workspaceId_id: { workspaceId, id } }, data: { name } });
}

export async function removeGroup(tx: InForceTx, workspaceId: string, id: string): Promise<void> {
  await tx.agentGroup.delete({ where: { workspaceId_id: { workspaceId, id } } });
}

export function countKnown(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<number> {
  return tx.agent.count({ where: { workspaceId, id: { in: [...ids] } } });
}

/** Every agent's name, including retired ones. */
export function listNames(tx: Tx, workspaceId: string) {
  return tx.agent.findMany({ where: { workspaceId }, select: { id: true, name: true } });
}

export interface PatternGroup {
  readonly id: string;
  readonly name: string;
  readonly namePattern: string;
  /** The agent that was asked about is a member. */
  readonly isMember: boolean;
}

/** The groups whose members are found by a pattern, as one agent stands to them. */
export async function listPatternGroups(tx: Tx, workspaceId: string, agentId: string): Promise<PatternGroup[]> {
  const found = await tx.agentGroup.findMany({
    where: { workspaceId, namePattern: { not: null } },
    include: { members: { where: { agentId } } },
    orderBy: [{ position: "asc" }, { id: "asc" }],
  });
  return found.flatMap(({ id, name, namePattern, members }) =>
    namePattern === null ? [] : [{ id, name, namePattern, isMember: members.length > 0 }],
  );
}

/**
 * Waits for uncommitted halts of these groups, and makes new ones wait until the transaction ends. Memberships end
 * under this lock, so that a halted agent stays halted (the trigger `keep_halted`).
 */
async function lockForLeaving(tx: Tx, workspaceId: string, groupIds: readonly string[]): Promise<void> {
  await tx.$queryRaw`SELECT id FROM agent_group
    WHERE workspace_id = ${workspaceId}::uuid AND id = ANY (${[...groupIds]}::uuid[]) ORDER BY id FOR NO KEY UPDATE`;
}

/** The groups of an agent, locked: none of them is halted before the transaction ends. */
export async function lockGroupsOf(tx: Tx, workspaceId: string, agentId: string): Promise<void> {
  const found = await tx.agentGroupMember.findMany({ where: { workspaceId, agentId }, select: { groupId: true } });
  const groupIds = found.map(({ groupId }) => groupId);
  await lockForLeaving(tx, workspaceId, groupIds);
}

/** Makes one agent a member of some groups, and of others no longer. */
export async function updateMemberships(
  tx: BindingTx,
  workspaceId: string,
  agentId: string,
  { joined, left }: { readonly joined: readonly string[]; readonly left: readonly string[] },
): Promise<void> {
  await lockForLeaving(tx, workspaceId, left);
  await tx.agentGroupMember.deleteMany({ where: { workspaceId, agentId, groupId: { in: [...left] } } });
  await tx.agentGroupMember.createMany({ data: joined.map((groupId) => ({ workspaceId, groupId, agentId })) });
}

export async function updateNamePattern(
  tx: BindingTx,
  workspaceId: string,
  id: string,
  namePattern: string | null,
): Promise<void> {
  await tx.agentGroup.update({ where: { workspaceId_id: { workspaceId, id } }, data: { namePattern } });
}

/** The caller has locked the group (`findGroupForUpdate`), so no halt of it is in progress. */
export async function replaceMembers(
  tx: BindingTx,
  workspaceId: string,
  groupId: string,
  agentIds: readonly string[],
): Promise<void> {
  await tx.agentGroupMember.deleteMany({ where: { workspaceId, groupId } });
  await tx.agentGroupMember.createMany({ data: agentIds.map((agentId) => ({ workspaceId, groupId, agentId })) });
}

/** The ids of all groups in their order, locked. */
export async function listGroupsForUpdate(tx: Tx, workspaceId: string): Promise<string[]> {
  await tx.$queryRaw`SELECT id FROM agent_group WHERE workspace_id = ${workspaceId}::uuid ORDER BY id FOR UPDATE`;
  const order = [{ position: "asc" }, { id: "asc" }] as const;
  const found = await tx.agentGroup.findMany({ where: { workspaceId }, select: { id: true }, orderBy: [...order] });
  return found.map(({ id }) => id);
}

export async function listMemberIds(tx: Tx, workspaceId: string, groupId: string): Promise<string[]> {
  const found = await tx.agentGroupMember.findMany({ where: { workspaceId, groupId }, select: { agentId: true } });
  return found.map(({ agentId }) => agentId);
}

export async function updateGroupPosition(
  tx: BindingTx,
  workspaceId: string,
  id: string,
  position: number,
): Promise<void> {
  await tx.agentGroup.update({ where: { workspaceId_id: { workspaceId, id } }, data: { position } });
}
