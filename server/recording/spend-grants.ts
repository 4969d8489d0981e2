/** The grants of people (server/approvals) that a batch spends: each in the transaction of the record of its call. */
import type { Send } from "../platform/db.ts";
import type { SpentGrant } from "./dispatch-record.ts";
import type { ProjectedRecord } from "./tables.ts";

/**
 * The grant was used, withdrawn, taken by another call or expired before its call could be recorded: nothing was
 * recorded.
 */
export class GrantLostError extends Error {}

/** Rolls a batch back, to be committed again without these. */
export class GrantsLost extends Error {
  constructor(readonly lost: ReadonlySet<ProjectedRecord>) {
    super(`${lost.size} calls lost their grants`);
  }
}

const SPEND = `UPDATE approval_request
  SET used_at = coalesce(used_at, clock_timestamp()), held_until = NULL, spent_by = spent_by || $5::uuid,
    used_gates = CASE WHEN $4 = ANY (used_gates) THEN used_gates ELSE used_gates || $4::text END
  WHERE workspace_id = $1 AND id = $2 AND call_id = $3 AND state = 'approved' AND granted_until > clock_timestamp()
    AND ($6 OR NOT $4 = ANY (used_gates))`;

/** Spends the grants of these calls. Errors: `GrantsLost` with the calls that have lost their grants. */
export async function spendGrants(send: Send, entries: readonly ProjectedRecord[]): Promise<void> {
  // One after the other, and in the same order everywhere: of two deliveries of one call, the second finds the grant of
  // the first.
  const granted = entries
    .filter(({ record }) => record.grant !== undefined)
    .sort((a, b) => (grantOf(a).requestId < grantOf(b).requestId ? -1 : 1));
  if (granted.length === 0) return;
  const spent = await Promise.all(
    granted.map(async (entry) => {
      const { requestId, callId, gate, isWaited } = grantOf(entry);
      const { workspaceId, id } = entry.record;
      const values = [workspaceId, requestId, callId, gate, id, isWaited];
      return (await send({ name: "spend_grant", text: SPEND, values })).rowCount === 1;
    }),
  );
  const lost = new Set(granted.filter((_, index) => !spent[index]));
  if (lost.size > 0) throw new GrantsLost(lost);
}

function grantOf({ record: { id, grant } }: ProjectedRecord): SpentGrant {
  if (grant === undefined) throw new Error(`dispatch ${id} has no grant`);
  return grant;
}
