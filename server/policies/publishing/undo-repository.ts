import type { Tx } from "../../platform/db.ts";

/** The kinds of entries by which the state in force of one policy changes. */
const CHANGE_KINDS = [
  ...["policy_published", "policy_rolled_back", "policy_assigned"],
  ...["policy_canary_set", "policy_canary_ended", "policy_canary_withdrawn", "policy_observed", "rule_monitored"],
];

export interface ChangeRow {
  readonly seq: bigint;
  readonly kind: string;
  readonly body: string;
  readonly changes: string | null;
}

/** The first two changes of a policy from this entry on. */
export function listChangesFrom(tx: Tx, workspaceId: string, policyId: string, seq: number): Promise<ChangeRow[]> {
  return tx.$queryRaw<ChangeRow[]>`
    SELECT seq, kind, body, changes FROM audit_entry
    WHERE workspace_id = ${workspaceId}::uuid AND seq >= ${seq}::bigint AND kind <> 'dispatches_recorded'
      AND target = ${`policy/${policyId}`} AND kind = ANY(${CHANGE_KINDS}::text[])
    ORDER BY seq LIMIT 2`;
}

/** The number of the workspace's newest entry: in a transaction that recorded one, its own last. */
export async function findNewestEntry(tx: Tx, workspaceId: string): Promise<number> {
  const [head] = await tx.$queryRaw<{ seq: bigint }[]>`
    SELECT seq FROM audit_head WHERE workspace_id = ${workspaceId}::uuid`;
  if (!head) throw new Error("no audit head for this workspace");
  return Number(head.seq);
}
