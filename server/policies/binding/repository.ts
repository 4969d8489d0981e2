import type { Tx } from "../../platform/db.ts";

/** A change of what binds agents, as it is kept. */
export interface RequestedChange {
  readonly id: string;
  readonly kind: string;
  readonly input: string;
  readonly summary: string;
  readonly policyIds: readonly string[];
  readonly baseSha256: string;
  readonly requestedBy: string;
  readonly requestedName: string;
}
export type ChangeState = "open" | "approved" | "declined" | "withdrawn" | "applied" | "emergency";

export async function insert(
  tx: Tx,
  workspaceId: string,
  change: RequestedChange & { readonly note: string; readonly state: ChangeState },
): Promise<void> {
  await tx.bindingChange.create({ data: { workspaceId, ...change, policyIds: [...change.policyIds] } });
}

export function find(tx: Tx, workspaceId: string, id: string) {
  return tx.bindingChange.findFirst({ where: { workspaceId, id } });
}
export type ChangeRow = NonNullable<Awaited<ReturnType<typeof find>>>;

export async function findForUpdate(tx: Tx, workspaceId: string, id: string): Promise<ChangeRow | null> {
  await tx.$queryRaw`SELECT id FROM binding_change
    WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid FOR UPDATE`;
  return find(tx, workspaceId, id);
}

export async function updateState(
  tx: Tx,
  workspaceId: string,
  id: string,
  next: { state: ChangeState; decidedBy?: string; decidedName?: string; decidedAt?: Date },
): Promise<void> {
  await tx.bindingChange.update({ where: { workspaceId_id: { workspaceId, id } }, data: next });
}

/** The newest first. */
export function list(tx: Tx, workspaceId: string, states: readonly ChangeState[], from: Date, take: number) {
  return tx.bindingChange.findMany({
    where: { workspaceId, state: { in: [...states] }, createdAt: { gte: from } },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take,
  });
}

/** The declined requests of one person since an instant, the newest first. */
export function listDeclined(tx: Tx, workspaceId: string, requestedBy: string, since: Date, take: number) {
  return tx.bindingChange.findMany({
    where: { workspaceId, requestedBy, state: "declined", decidedAt: { gte: since } },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take,
  });
}

/** The agents that have one of these tags, by id. */
export function listTagged(tx: Tx, workspaceId: string, tags: readonly string[]) {
  if (tags.length === 0) return Promise.resolve([]);
  const where = { workspaceId, tags: { hasSome: [...tags] } };
  return tx.agent.findMany({ where, select: { id: true, tags: true }, orderBy: { id: "asc" } });
}

/** Every group with its members and its name pattern, independent of assigned policies. */
export async function listGroups(tx: Tx, workspaceId: string) {
  const found = await tx.agentGroup.findMany({
    where: { workspaceId },
    include: { members: { select: { agentId: true } } },
  });
  return found.map(({ id, position, namePattern, members }) => ({
    ...{ id, position, namePattern },
    agentIds: members.map(({ agentId }) => agentId),
  }));
}
