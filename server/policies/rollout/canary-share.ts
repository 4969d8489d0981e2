/** The agents inside a canary. Pure: the same on every node and at every hour. */
import { createHash } from "node:crypto";

/** The resolution of shares: hundredths of a percent. */
const BUCKETS = 10_000;

export interface Canary {
  readonly revision: number;
  /** Percent of the agents, 0 to 100. */
  readonly share: number;
  readonly groupId: string | null;
}

/** The agent's place in the policy's own row of agents, from 0 to 9,999. Another policy lines them up differently. */
function bucketOf(policyId: string, agentId: string): number {
  const first = createHash("sha256").update(`${policyId}\n${agentId}`).digest().readUInt32BE(0);
  return Math.floor((first / 2 ** 32) * BUCKETS);
}

/** The smallest whole share, in percent, that reaches one of the agents; null without an agent. */
export function smallestShare(policyId: string, agentIds: readonly string[]): number | null {
  if (agentIds.length === 0) return null;
  const first = Math.min(...agentIds.map((id) => bucketOf(policyId, id)));
  return Math.floor((first * 100) / BUCKETS) + 1;
}

/** A larger share only adds agents: the place of each stays. `groupIds` are the agent's own groups. */
export function isInCanary(
  { share, groupId }: Pick<Canary, "share" | "groupId">,
  policyId: string,
  agentId: string,
  groupIds: { has(id: string): boolean },
): boolean {
  return (groupId !== null && groupIds.has(groupId)) || bucketOf(policyId, agentId) < (share * BUCKETS) / 100;
}
