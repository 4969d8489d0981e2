import type { Pool } from "pg";
import type { Prisma } from "../../prisma/generated/client.ts";
import type { Tx } from "../platform/db.ts";
import { type RollupRange, selectRollupsParameters, selectRollupsSql } from "../recording/index.ts";
import { type AudienceRow, listAudiences } from "./assignments/audience-repository.ts";
import type { BindingTx } from "./binding/binding-tx.ts";
import type { InForceTx } from "./publishing/in-force.ts";
import { REVISIONS_PAGE_ROWS } from "./schema.ts";

const withState = { draft: true, assignments: true, monitors: true } as const satisfies Prisma.PolicyInclude;

type Bare = Prisma.PolicyGetPayload<{ include: typeof withState }>;
export type RevisionRow = Prisma.PolicyRevisionGetPayload<object>;

/** A policy with its current revisions; each is null if it does not exist. */
export interface PolicyRow extends Bare {
  readonly live: RevisionRow | null;
  readonly latest: RevisionRow | null;
  /** The revision that some agents try before the others. */
  readonly canary: RevisionRow | null;
}

async function withRevisions(tx: Tx, workspaceId: string, rows: readonly Bare[]): Promise<PolicyRow[]> {
  const wanted = rows.flatMap(({ id, liveRevision, latestRevision, canaryRevision }) =>
    [...new Set([liveRevision, latestRevision, canaryRevision ?? 0])].map((number) => ({ policyId: id, number })),
  );
  const asked = wanted.filter(({ number }) => number > 0);
  const found = asked.length > 0 ? await tx.policyRevision.findMany({ where: { workspaceId, OR: asked } }) : [];
  const byName = new Map(found.map((revision) => [`${revision.policyId} ${revision.number}`, revision]));
  return rows.map((row) => {
    const of = (number: number | null) => byName.get(`${row.id} ${number}`) ?? null;
    return { ...row, live: of(row.liveRevision), latest: of(row.latestRevision), canary: of(row.canaryRevision) };
  });
}

async function one(tx: Tx, workspaceId: string, row: Bare | null): Promise<PolicyRow | null> {
  return row ? ((await withRevisions(tx, workspaceId, [row]))[0] ?? null) : null;
}

/** Policies by name, those after the name `after`; all of them when `rowsMax` is absent. */
export async function list(
  tx: Tx,
  workspaceId: string,
  { after = null, rowsMax }: { after?: string | null; rowsMax?: number } = {},
): Promise<PolicyRow[]> {
  const rows = await tx.policy.findMany({
    where: { workspaceId, ...(after === null ? {} : { name: { gt: after } }) },
    include: withState,
    orderBy: { name: "asc" },
    ...(rowsMax === undefined ? {} : { take: rowsMax }),
  });
  return withRevisions(tx, workspaceId, rows);
}

export async function find(tx: Tx, workspaceId: string, id: string): Promise<PolicyRow | null> {
  const where = { workspaceId, id };
  return one(tx, workspaceId, await tx.policy.findFirst({ where, include: withState }));
}

export async function findByName(tx: Tx, workspaceId: string, name: string): Promise<PolicyRow | null> {
  const where = { workspaceId, name };
  return one(tx, workspaceId, await tx.policy.findFirst({ where, include: withState }));
}

/** Locks the policy's row until the transaction ends, so that two publications queue. */
export async function findForUpdate(tx: Tx, workspaceId: string, id: string): Promise<PolicyRow | null> {
  await tx.$queryRaw`SELECT id FROM policy WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid FOR UPDATE`;
  return find(tx, workspaceId, id);
}

/** False when the name is taken, also by a policy that is being made at this very moment. */
export async function insert(
  tx: Tx,
  workspaceId: string,
  policy: { id: string; name: string; isDemo: boolean },
): Promise<boolean> {
  const made = await tx.policy.createMany({ data: [{ workspaceId, ...policy }], skipDuplicates: true });
  return made.count === 1;
}

/** Stores the pack and version of the policy's text, and that text's hash. */
export async function updatePack(
  tx: Tx,
  workspaceId: string,
  id: string,
  pack: { packId: string; packVersion: number; packSha256: string },
): Promise<void> {
  await tx.policy.update({ where: { workspaceId_id: { workspaceId, id } }, data: pack });
}

/** The policies that are applied to one of these tags. */
export async function listOfTags(tx: Tx, workspaceId: string, tags: readonly string[]): Promise<PolicyRow[]> {
  const where = { workspaceId, assignments: { some: { scope: "tag", tag: { in: [...tags] } } } };
  return withRevisions(tx, workspaceId, await tx.policy.findMany({ where, include: withState }));
}

/** The policies that are applied to one of these groups, or have a canary in one. */
export async function listOfGroups(tx: Tx, workspaceId: string, groupIds: readonly string[]): Promise<PolicyRow[]> {
  const some = { in: [...groupIds] };
  const rows = await tx.policy.findMany({
    where: {
      workspaceId,
      OR: [{ canaryGroupId: some }, { assignments: { some: { scope: "group", targetId: some } } }],
    },
    include: withState,
  });
  return withRevisions(tx, workspaceId, rows);
}

/** The policies that are applied to one of these people or groups of the sign-on provider. */
export async function listOfTargets(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<PolicyRow[]> {
  if (ids.length === 0) return [];
  const some = { scope: { in: ["person", "sign_on_group"] }, targetId: { in: [...ids] } };
  const rows = await tx.policy.findMany({ where: { workspaceId, assignments: { some } }, include: withState });
  return withRevisions(tx, workspaceId, rows);
}

export function listFromPacks(tx: Tx, workspaceId: string) {
  return tx.policy.findMany({
    where: { workspaceId, packId: { not: null } },
    select: { id: true, name: true, packId: true, packVersion: true, latestRevision: true },
    orderBy: { createdAt: "asc" },
    take: 500,
  });
}

export async function remove(tx: BindingTx, workspaceId: string, id: string): Promise<void> {
  await tx.policy.delete({ where: { workspaceId_id: { workspaceId, id } } });
}

/** Stores the revision as the newest. Nobody is bound by it yet. */
export async function insertRevision(
  tx: InForceTx,
  workspaceId: string,
  revision: Omit<Prisma.PolicyRevisionUncheckedCreateInput, "workspaceId">,
): Promise<void> {
  await tx.policyRevision.create({ data: { workspaceId, ...revision } });
  const where = { workspaceId_id: { workspaceId, id: revision.policyId } };
  await tx.policy.update({ where, data: { latestRevision: revision.number } });
}

/** Sets the revision for every agent, and ends a canary. */
export async function updateLive(tx: BindingTx, workspaceId: string, id: string, liveRevision: number): Promise<void> {
  const where = { workspaceId_id: { workspaceId, id } };
  await tx.policy.update({ where, data: { liveRevision, ...NO_CANARY } });
}

export interface CanaryRow {
  readonly canaryRevision: number;
  readonly canaryShare: number;
  readonly canaryGroupId: string | null;
  readonly canaryBy: string;
  /** JSON; null without limits. */
  readonly canaryLimits: string | null;
}

const NO_CANARY = {
  canaryRevision: null,
  canaryShare: null,
  canaryGroupId: null,
  canaryBy: null,
  canarySince: null,
  canaryLimits: null,
  canaryCheckedAt: null,
  canaryComparison: null,
  canaryFault: null,
  canaryWithdrawal: null,
} as const;

/** Begins a canary, changes it, or ends it with null; the live revision does not change. */
export async function updateCanary(
  tx: BindingTx,
  workspaceId: string,
  id: string,
  canary: CanaryRow | null,
): Promise<void> {
  const data = { ...NO_CANARY, ...(canary && { ...canary, canarySince: new Date() }) };
  await tx.policy.update({ where: { workspaceId_id: { workspaceId, id } }, data });
}

/** Revisions before the number `before`, the newest first, without their texts. */
export function listRevisions(tx: Tx, workspaceId: string, policyId: string, before: number | null) {
  return tx.policyRevision.findMany({
    where: { workspaceId, policyId, ...(before === null ? {} : { number: { lt: before } }) },
    omit: { source: true },
    orderBy: { number: "desc" },
    take: REVISIONS_PAGE_ROWS,
  });
}

export function findRevision(tx: Tx, workspaceId: string, policyId: string, number: number) {
  return tx.policyRevision.findFirst({ where: { workspaceId, policyId, number } });
}

export type AssignmentRow = Prisma.AssignmentGetPayload<object>;

export async function removeAssignments(tx: BindingTx, workspaceId: string, ids: readonly string[]): Promise<void> {
  await tx.assignment.deleteMany({ where: { workspaceId, id: { in: [...ids] } } });
}

export async function insertAssignments(
  tx: BindingTx,
  workspaceId: string,
  assignments: readonly Omit<AssignmentRow, "workspaceId">[],
): Promise<void> {
  await tx.assignment.createMany({ data: assignments.map((one) => ({ workspaceId, ...one })) });
}

/** The stored columns of a target. */
export interface TargetColumns {
  readonly scope: string;
  readonly targetId: string | null;
  readonly tag?: string | null | undefined;
}

/** The target as one text: `"group <id>"`, `"tag prod"`, `"workspace null"`. */
export const targetKey = ({ scope, targetId, tag = null }: TargetColumns): string => `${scope} ${tag ?? targetId}`;

/** Everything assigned to one target, in order. */
export function listAssignmentsOf(tx: Tx, workspaceId: string, { scope, targetId, tag = null }: TargetColumns) {
  return tx.assignment.findMany({
    where: { workspaceId, scope, targetId, tag },
    include: { policy: { select: { id: true, name: true, latestRevision: true } } },
    orderBy: [{ position: "asc" }, { policyId: "asc" }],
  });
}

/** The assignments to one target, in order. */
export function listAssignments(tx: Tx, workspaceId: string, { scope, targetId, tag = null }: TargetColumns) {
  return tx.assignment.findMany({
    where: { workspaceId, scope, targetId, tag },
    orderBy: [{ position: "asc" }, { policyId: "asc" }],
  });
}

/** The last position of each target that has any, by `targetKey`. */
export async function listLastPositions(tx: Tx, workspaceId: string): Promise<ReadonlyMap<string, number>> {
  const found = await tx.assignment.groupBy({
    by: ["scope", "targetId", "tag"],
    where: { workspaceId },
    _max: { position: true },
  });
  return new Map(found.map(({ _max, ...target }) => [targetKey(target), _max.position ?? 0]));
}

export async function updatePosition(tx: BindingTx, workspaceId: string, id: string, position: number): Promise<void> {
  await tx.assignment.update({ where: { workspaceId_id: { workspaceId, id } }, data: { position } });
}

/** Observes these assignments until then; null enforces them. */
export async function updateObserved(
  tx: BindingTx,
  workspaceId: string,
  ids: readonly string[],
  observed: { observeUntil: Date; observeBy: string } | null,
): Promise<void> {
  const data = observed
    ? { mode: "observe", observeSince: new Date(), ...observed }
    : { mode: "enforce", observeUntil: null, observeSince: null, observeBy: null };
  await tx.assignment.updateMany({ where: { workspaceId, id: { in: [...ids] } }, data });
}

export interface RuleMonitorRow {
  readonly policyId: string;
  readonly event: string;
  readonly hook: string;
  readonly until: Date;
  readonly monitoredBy: string;
}

/** Monitors one rule until then, from now on. */
export async function insertMonitor(tx: BindingTx, workspaceId: string, monitor: RuleMonitorRow): Promise<void> {
  await tx.ruleMonitor.create({ data: { workspaceId, ...monitor } });
}

/** Removes the monitor of a rule, and every monitor of the policy that has ended. */
export async function removeMonitor(
  tx: BindingTx,
  workspaceId: string,
  { policyId, event, hook }: Pick<RuleMonitorRow, "policyId" | "event" | "hook">,
): Promise<void> {
  const where = { workspaceId, policyId, OR: [{ event, hook }, { until: { lte: new Date() } }] };
  await tx.ruleMonitor.deleteMany({ where });
}

/** The number of these agents that exist; none of them is removed before this transaction ends. */
export async function lockAgents(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<number> {
  const found = await tx.$queryRaw<unknown[]>`SELECT id FROM agent
    WHERE workspace_id = ${workspaceId}::uuid AND id = ANY(${[...ids]}::uuid[]) ORDER BY id FOR KEY SHARE`;
  return found.length;
}

/** Every agent with its tags, by name. */
/** A value as a column of JSON returns it: with the keys of each object in the database's order. */
export async function readAsStored(tx: Tx, value: object): Promise<unknown> {
  const [row] = await tx.$queryRaw<{ value: unknown }[]>`SELECT ${JSON.stringify(value)}::jsonb AS value`;
  return row?.value;
}

export function listAgentNames(tx: Tx, workspaceId: string) {
  const signs = { client: true, clientVersion: true, yoloAt: true, polledAt: true } as const;
  const select = { id: true, name: true, tags: true, retiredAt: true, ...signs } as const;
  return tx.agent.findMany({ where: { workspaceId }, select, orderBy: { name: "asc" } });
}
export type AgentNameRow = Awaited<ReturnType<typeof listAgentNames>>[number];

export type GroupRow = AudienceRow;

/**
 * Every group with its members' ids, in the order of groups. Then the people and the groups of the sign-on provider that
 * policies are assigned to, with the agents that work for them.
 */
export async function listGroups(tx: Tx, workspaceId: string): Promise<GroupRow[]> {
  const found = await tx.agentGroup.findMany({
    where: { workspaceId },
    include: { members: { select: { agentId: true } } },
    orderBy: [{ position: "asc" }, { id: "asc" }],
  });
  const groups = found.map(({ id, name, position, members }) => ({
    ...({ kind: "group", id, name, position } as const),
    agentIds: members.map((member) => member.agentId),
  }));
  return [...groups, ...(await listAudiences(tx, workspaceId))];
}

/** Keeps a group from being deleted until the transaction ends. False if the group does not exist. */
export async function lockGroup(tx: Tx, workspaceId: string, id: string): Promise<boolean> {
  const found = await tx.$queryRaw<unknown[]>`
    SELECT id FROM agent_group WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid FOR SHARE`;
  return found.length === 1;
}

/** The hooks of these revisions, without their texts. */
export function listRevisionHooks(
  tx: Tx,
  workspaceId: string,
  wanted: readonly { readonly policyId: string; readonly number: number }[],
) {
  if (wanted.length === 0) return Promise.resolve([]);
  return tx.policyRevision.findMany({ where: { workspaceId, OR: [...wanted] }, omit: { source: true } });
}

export type FreezeRow = Prisma.WorkspaceFreezeGetPayload<object>;

/** The freeze that a person set. */
export function findFreeze(tx: Tx, workspaceId: string): Promise<FreezeRow | null> {
  return tx.workspaceFreeze.findFirst({ where: { workspaceId } });
}

/** Changes of what is in force hold this lock; they do not wait for each other. */
export async function lockForShare(tx: Tx, workspaceId: string): Promise<void> {
  await tx.$queryRaw`SELECT id FROM workspace WHERE id = ${workspaceId}::uuid FOR SHARE`;
}

/** Waits for every change in progress of what is in force; no other change begins. */
export async function lockForUpdate(tx: Tx, workspaceId: string): Promise<void> {
  await tx.$queryRaw`SELECT id FROM workspace WHERE id = ${workspaceId}::uuid FOR NO KEY UPDATE`;
}

export async function insertFreeze(
  tx: Tx,
  workspaceId: string,
  freeze: { reason: string; frozenBy: string },
): Promise<void> {
  await tx.workspaceFreeze.create({ data: { workspaceId, ...freeze } });
}

export async function removeFreeze(tx: Tx, workspaceId: string): Promise<void> {
  await tx.workspaceFreeze.delete({ where: { workspaceId } });
}

/** Gate calls and denials of each agent that had any. */
export async function countGatesByAgent(
  pool: Pool,
  workspaceId: string,
  stretch: RollupRange,
): Promise<{ agentId: string; gates: number; denied: number }[]> {
  const found = await pool.query<{ agentId: string; gates: number; denied: number }>({
    text: `SELECT agent_id AS "agentId", sum(gates)::float8 AS gates, sum(gate_denied)::float8 AS denied
           FROM (${selectRollupsSql("agent_id, gates, gate_denied")}) AS cell GROUP BY agent_id HAVING sum(gates) > 0`,
    values: selectRollupsParameters(workspaceId, stretch),
  });
  return found.rows;
}

/**
 * The tools that decisions were about, by name, at most `namesMax`; counted since `from`, at most `countMax` each. Steps from
 * name to name along an index, so that the number of decisions does not matter.
 */
export async function listToolsSeen(
  pool: Pool,
  workspaceId: string,
  from: Date,
  namesMax: number,
  countMax: number,
): Promise<{ name: string; count: number }[]> {
  const found = await pool.query<{ name: string; count: number }>({
    name: "tools_seen",
    text: `WITH RECURSIVE seen AS (
             (SELECT tool_name::name AS name FROM tool_decision WHERE workspace_id = $1
              ORDER BY tool_name::name LIMIT 1)
             UNION ALL
             SELECT (SELECT tool_name::name FROM tool_decision
                     WHERE workspace_id = $1 AND tool_name::name > seen.name
                     ORDER BY tool_name::name LIMIT 1)
             FROM seen WHERE seen.name IS NOT NULL
           )
           SELECT name, (SELECT count(*)::int FROM (
                           SELECT 1 FROM tool_decision
                           WHERE workspace_id = $1 AND tool_name::name = seen.name AND occurred_at >= $2 LIMIT $4
                         ) AS newest) AS count
           FROM seen WHERE name <> '' LIMIT $3`,
    values: [workspaceId, from, namesMax, countMax],
  });
  return found.rows;
}
