/** The statements of the rules about who answers. */
import type { Pool, PoolClient, Tx } from "../platform/db.ts";

export interface ApproverRulesRow {
  readonly rules: unknown;
  readonly setAt: Date;
  readonly setBy: string;
}

const FIND = `SELECT rules, set_at AS "setAt", set_by AS "setBy" FROM approver_rules WHERE workspace_id = $1`;

export async function find(client: Pool | PoolClient, workspaceId: string): Promise<ApproverRulesRow | null> {
  const { rows } = await client.query<ApproverRulesRow>({ name: "approver_rules", text: FIND, values: [workspaceId] });
  return rows[0] ?? null;
}

/** Two changes of a workspace's rules wait for each other. */
export async function findForUpdate(tx: Tx, workspaceId: string): Promise<ApproverRulesRow | null> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('approver_rules'), hashtext(${workspaceId}))`;
  const [row = null] = await tx.$queryRaw<ApproverRulesRow[]>`SELECT rules, set_at AS "setAt", set_by AS "setBy"
    FROM approver_rules WHERE workspace_id = ${workspaceId}::uuid`;
  return row;
}

export async function save(tx: Tx, workspaceId: string, rules: object, by: string): Promise<void> {
  await tx.$executeRaw`INSERT INTO approver_rules (workspace_id, rules, set_by) VALUES (${workspaceId}::uuid, ${JSON.stringify(rules)}::jsonb, ${by})
    ON CONFLICT (workspace_id) DO UPDATE SET rules = excluded.rules, set_at = clock_timestamp(), set_by = excluded.set_by`;
}

/** The people of a workspace with one of the roles. */
export async function listApprovers(
  pool: Pool,
  workspaceId: string,
  roles: readonly string[],
): Promise<readonly { readonly id: string; readonly name: string }[]> {
  const { rows } = await pool.query<{ id: string; name: string }>({
    name: "approver_rules_people",
    text: `SELECT person.id, person.name FROM membership JOIN person ON person.id = membership.person_id
      WHERE membership.workspace_id = $1 AND membership.role = ANY ($2) ORDER BY person.name, person.id LIMIT 1000`,
    values: [workspaceId, roles],
  });
  return rows;
}
