/** SQL for owners of rules. */
import type { Tx } from "../platform/db.ts";
import { OWNED_RULES_MAX, type OwnedRule, type RuleOwnerView, type SetRuleOwner } from "./schema.ts";

/** True if the workspace has the policy. */
export async function hasPolicy(tx: Tx, workspaceId: string, policyId: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`SELECT FROM policy
    WHERE workspace_id = ${workspaceId}::uuid AND id = ${policyId}::uuid`;
  return rows.length === 1;
}

/** Null for a rule without an owner and a ticket. */
export async function find(tx: Tx, workspaceId: string, rule: OwnedRule): Promise<RuleOwnerView | null> {
  const [row] = await tx.$queryRaw<{ id: string | null; name: string | null; ticket: string | null }[]>`
    SELECT one.person_id AS id, person.name, one.ticket FROM rule_owner AS one
    LEFT JOIN membership ON membership.workspace_id = one.workspace_id AND membership.person_id = one.person_id
    LEFT JOIN person ON person.id = membership.person_id
    WHERE one.workspace_id = ${workspaceId}::uuid AND one.policy_id = ${rule.policyId}::uuid
      AND one.event = ${rule.event} AND one.hook = ${rule.hook}`;
  if (row === undefined) return null;
  return { owner: row.id === null ? null : { id: row.id, name: row.name }, ticket: row.ticket ?? "" };
}

/** False when the workspace has `OWNED_RULES_MAX` others. */
export async function put(tx: Tx, workspaceId: string, { personId, ticket, ...rule }: SetRuleOwner): Promise<boolean> {
  const changed = await tx.$executeRaw`INSERT INTO rule_owner (workspace_id, policy_id, event, hook, person_id, ticket)
    SELECT ${workspaceId}::uuid, ${rule.policyId}::uuid, ${rule.event}, ${rule.hook}, ${personId}::uuid, nullif(${ticket}, '')
    WHERE (SELECT count(*) FROM rule_owner WHERE workspace_id = ${workspaceId}::uuid
      AND (policy_id, event, hook) <> (${rule.policyId}::uuid, ${rule.event}, ${rule.hook})) < ${OWNED_RULES_MAX}::int
    ON CONFLICT (workspace_id, policy_id, event, hook) DO UPDATE
      SET person_id = excluded.person_id, ticket = excluded.ticket, set_at = clock_timestamp()`;
  return changed === 1;
}

export async function remove(tx: Tx, workspaceId: string, { policyId, event, hook }: OwnedRule): Promise<void> {
  await tx.$executeRaw`DELETE FROM rule_owner WHERE workspace_id = ${workspaceId}::uuid AND policy_id = ${policyId}::uuid
    AND event = ${event} AND hook = ${hook}`;
}
