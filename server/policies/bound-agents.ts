/** The agents that a policy binds by name or by group; of one that binds the workspace, nobody is listed. */
import type { Database } from "../platform/db.ts";
import * as policies from "./repository.ts";
import type { PolicyView } from "./schema.ts";

export async function boundAgents(
  db: Database,
  workspaceId: string,
  policy: Pick<PolicyView, "agents" | "groups">,
): Promise<string[]> {
  const chosen = new Set(policy.groups.map(({ id }) => id));
  const groups = chosen.size === 0 ? [] : await policies.listGroups(db.prisma, workspaceId);
  const members = groups.filter(({ id }) => chosen.has(id)).flatMap(({ agentIds }) => agentIds);
  return [...new Set([...policy.agents.map(({ id }) => id), ...members])];
}
