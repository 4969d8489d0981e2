/** The people, services and groups of the sign-on provider that budgets are about. */
import type { Pool, Tx } from "../platform/db.ts";

export interface OwnedRow {
  readonly agentId: string;
  /** The principal that it works for; merged ones are followed. */
  readonly personId: string;
  /** The ids of that person's groups at the sign-on provider. */
  readonly groups: readonly string[];
}

/** The agents with an owner who is a person or a service. */
export async function listOwned(pool: Pool, workspaceId: string): Promise<readonly OwnedRow[]> {
  const { rows } = await pool.query<OwnedRow>({
    name: "budgets_owned_agents",
    text: `SELECT owned.agent_id AS "agentId", coalesce(known.merged_into, known.id) AS "personId", ARRAY(
             SELECT DISTINCT member.group_id::text FROM principal AS own
             JOIN sign_on_group_member AS member ON member.workspace_id = own.workspace_id AND member.person_id = own.account_id
             WHERE own.workspace_id = $1 AND coalesce(own.merged_into, own.id) = coalesce(known.merged_into, known.id)) AS groups
           FROM agent_owner AS owned
           JOIN principal AS known ON known.workspace_id = owned.workspace_id AND known.id = owned.principal_id
           WHERE owned.workspace_id = $1`,
    values: [workspaceId],
  });
  return rows;
}

export interface SignOnGroupRow {
  readonly id: string;
  readonly name: string;
  readonly members: number;
}

/** The groups that the sign-on provider named, by name; at most `limit`. */
export async function listSignOnGroups(
  pool: Pool,
  workspaceId: string,
  limit: number,
): Promise<readonly SignOnGroupRow[]> {
  const { rows } = await pool.query<SignOnGroupRow>({
    name: "budgets_sign_on_groups",
    text: `SELECT own.id, own.name, (SELECT count(*)::int FROM sign_on_group_member AS member
             WHERE member.workspace_id = own.workspace_id AND member.group_id = own.id) AS members
           FROM sign_on_group AS own WHERE own.workspace_id = $1 ORDER BY own.name LIMIT $2`,
    values: [workspaceId, limit],
  });
  return rows;
}

/** Locks a principal against a merge and an erasure. True if it was neither merged nor erased. */
export async function lockPerson(tx: Tx, workspaceId: string, id: string): Promise<boolean> {
  const found = await tx.$queryRaw<{ isUsable: boolean }[]>`
    SELECT merged_into IS NULL AND erased_at IS NULL AS "isUsable" FROM principal
    WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid FOR SHARE`;
  return found[0]?.isUsable === true;
}

/** True if the group exists. It is locked, so that it is not removed before the budget is there. */
export async function lockSignOnGroup(tx: Tx, workspaceId: string, id: string): Promise<boolean> {
  const found = await tx.$queryRaw<unknown[]>`
    SELECT id FROM sign_on_group WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid FOR KEY SHARE`;
  return found.length > 0;
}

/** The ids of the budgets of these principals. */
export async function listOfPeople(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await tx.budget.findMany({
    where: { workspaceId, scope: "person", target: { in: [...ids] } },
    select: { id: true },
    orderBy: { id: "asc" },
  });
  return rows.map(({ id }) => id);
}

export async function updateTarget(tx: Tx, workspaceId: string, ids: readonly string[], target: string): Promise<void> {
  await tx.budget.updateMany({ where: { workspaceId, id: { in: [...ids] } }, data: { target } });
}
