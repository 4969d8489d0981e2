/** The grant of a call, as long as those who allowed it may still answer for its agent. */
import { appendAudit } from "../audit/record-audit.ts";
import type { PoolClient } from "../platform/db.ts";
import { selectBy } from "../platform/select.ts";
import * as grants from "./grants-repository.ts";
import { listLasting } from "./own-agents.ts";
import type { Settlement } from "./repository.ts";

/**
 * Holds the call's grant. If its approver has made a key of the agent since, that grant is ended with an audit entry
 * and the next one is tried. Null when no grant is left, so people are asked.
 */
export async function claimGrant(
  client: PoolClient,
  workspaceId: string,
  claim: grants.Claim,
): Promise<Settlement | null> {
  for (;;) {
    const held = await grants.claim(client, workspaceId, claim);
    if (held === null || (await isStillAllowed(client, workspaceId, claim.agentId, held.id))) return held;
    await grants.end(client, workspaceId, held.id);
    const { id, number } = held;
    await appendAudit(client, workspaceId, {
      kind: "approval_withdrawn",
      version: 1,
      by: "Quarterdeck",
      approval: id,
      number,
      agent: claim.agentId,
    });
  }
}

async function isStillAllowed(client: PoolClient, workspaceId: string, agentId: string, requestId: string) {
  const { allowances, peopleNeeded } = await grants.findAllowances(client, workspaceId, requestId);
  return (await listLasting(selectBy(client), workspaceId, agentId, allowances)).length >= peopleNeeded;
}
