import { randomInt } from "node:crypto";
import type { Pool } from "pg";
import type { Prisma } from "../../prisma/generated/client.ts";
import type { Tx } from "../platform/db.ts";

const withState = {
  draft: true,
  revisions: { orderBy: { number: "desc" }, take: 1 },
  assignments: true,
} as const satisfies Prisma.PolicyInclude;

export type PolicyRow = Prisma.PolicyGetPayload<{ include: typeof withState }>;

export function list(tx: Tx, workspaceId: string): Promise<PolicyRow[]> {
  return tx.policy.findMany({ where: { workspaceId }, include: withState, orderBy: { name: "asc" }, take: 500 });
}

export function find(tx: Tx, workspaceId: string, id: string): Promise<PolicyRow | null> {
  return tx.policy.findUnique({ where: { workspaceId_id: { workspaceId, id } }, include: withState });
}

export function findByName(tx: Tx, workspaceId: string, name: string): Promise<PolicyRow | null> {
  return tx.policy.findUnique({ where: { workspaceId_name: { workspaceId, name } }, include: withState });
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

/** Remembers which version of which pack the policy's text was taken from, and that text's hash. */
export async function updatePack(
  tx: Tx,
  workspaceId: string,
  id: string,
  pack: { packId: string; packVersion: number; packSha256: string },
): Promise<void> {
  await tx.policy.update({ where: { workspaceId_id: { workspaceId, id } }, data: pack });
}

export function listFromPacks(tx: Tx, workspaceId: string) {
  return tx.policy.findMany({
    where: { workspaceId, packId: { not: null } },
    select: { id: true, name: true, packId: true, packVersion: true, latestRevision: true },
    orderBy: { createdAt: "asc" },
    take: 500,
  });
}

export async function remove(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await tx.policy.delete({ where: { workspaceId_id: { workspaceId, id } } });
}

const FIRST_VERSION_MAX = 1_000_000_000;

/** A first version nobody has seen: an editor still open on a draft that is gone must not take this one for its own. */
export async function insertDraft(
  tx: Tx,
  workspaceId: string,
  draft: { policyId: string; source: string; baseRevision: number; updatedBy: string },
) {
  const version = randomInt(1, FIRST_VERSION_MAX);
  return tx.policyDraft.create({ data: { workspaceId, version, ...draft } });
}

/** The draft moved one version on; null when it is not at `version` any more. */
export async function updateDraft(
  tx: Tx,
  workspaceId: string,
  policyId: string,
  version: number,
  next: { source: string; updatedBy: string },
) {
  const data = { ...next, version: version + 1, updatedAt: new Date() };
  const moved = await tx.policyDraft.updateMany({ where: { workspaceId, policyId, version }, data });
  return moved.count === 1 ? { version: data.version, updatedAt: data.updatedAt } : null;
}

export async function deleteDraft(tx: Tx, workspaceId: string, policyId: string): Promise<void> {
  await tx.policyDraft.deleteMany({ where: { workspaceId, policyId } });
}

export async function insertRevision(
  tx: Tx,
  workspaceId: string,
  revision: Omit<Prisma.PolicyRevisionUncheckedCreateInput, "workspaceId">,
): Promise<void> {
  await tx.policyRevision.create({ data: { workspaceId, ...revision } });
  const where = { workspaceId_id: { workspaceId, id: revision.policyId } };
  await tx.policy.update({ where, data: { latestRevision: revision.number, liveRevision: revision.number } });
}

export function listRevisions(tx: Tx, workspaceId: string, policyId: string) {
  return tx.policyRevision.findMany({ where: { workspaceId, policyId }, orderBy: { number: "desc" }, take: 200 });
}

export function findRevision(tx: Tx, workspaceId: string, policyId: string, number: number) {
  return tx.policyRevision.findUnique({ where: { workspaceId_policyId_number: { workspaceId, policyId, number } } });
}

export async function replaceAssignments(
  tx: Tx,
  workspaceId: string,
  policyId: string,
  assignments: readonly { id: string; scope: "workspace" | "agent"; targetId: string | null }[],
): Promise<void> {
  await tx.assignment.deleteMany({ where: { workspaceId, policyId } });
  await tx.assignment.createMany({ data: assignments.map((one) => ({ workspaceId, policyId, ...one })) });
}

export function listAgentNames(tx: Tx, workspaceId: string) {
  return tx.agent.findMany({ where: { workspaceId }, select: { id: true, name: true }, orderBy: { name: "asc" } });
}

/** Who is governed by what: every enforced assignment of a published policy, with the revision in force. */
export function listEnforced(tx: Tx, workspaceId: string, agentId: string | null) {
  const whose = agentId === null ? {} : { OR: [{ scope: "workspace" }, { scope: "agent", targetId: agentId }] };
  return tx.assignment.findMany({
    where: { workspaceId, mode: "enforce", policy: { latestRevision: { gt: 0 } }, ...whose },
    include: { policy: { include: { revisions: { ...withState.revisions, omit: { source: true } } } } },
  });
}
export type EnforcedRow = Awaited<ReturnType<typeof listEnforced>>[number];

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
             (SELECT left(tool_name, 64) AS name FROM tool_decision WHERE workspace_id = $1
              ORDER BY left(tool_name, 64) LIMIT 1)
             UNION ALL
             SELECT (SELECT left(tool_name, 64) FROM tool_decision
                     WHERE workspace_id = $1 AND left(tool_name, 64) > seen.name
                     ORDER BY left(tool_name, 64) LIMIT 1)
             FROM seen WHERE seen.name IS NOT NULL
           )
           SELECT name, (SELECT count(*)::int FROM (
                           SELECT 1 FROM tool_decision
                           WHERE workspace_id = $1 AND left(tool_name, 64) = seen.name AND occurred_at >= $2 LIMIT $4
                         ) AS newest) AS count
           FROM seen WHERE name <> '' LIMIT $3`,
    values: [workspaceId, from, namesMax, countMax],
  });
  return found.rows;
}
