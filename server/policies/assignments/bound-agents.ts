/** The agents that a policy binds by name, by group or by tag; empty for a policy that binds the workspace. */
import type { Database } from "../../platform/db.ts";
import * as policies from "../repository.ts";
import type { PolicyView } from "../schema.ts";

export async function boundAgents(
  db: Database,
  workspaceId: string,
  policy: Pick<PolicyView, "agents" | "groups" | "people" | "signOnGroups" | "tags">,
): Promise<string[]> {
  const chosen = new Set([...policy.groups, ...policy.people, ...policy.signOnGroups].map(({ id }) => id));
  const groups = chosen.size === 0 ? [] : await policies.listGroups(db.prisma, workspaceId);
  const members = groups.filter(({ id }) => chosen.has(id)).flatMap(({ agentIds }) => agentIds);
  const wanted = new Set(policy.tags);
  const agents = wanted.size === 0 ? [] : await policies.listAgentNames(db.prisma, workspaceId);
  const tagged = agents.filter(({ tags }) => tags.some((tag) => wanted.has(tag))).map(({ id }) => id);
  return [...new Set([...policy.agents.map(({ id }) => id), ...members, ...tagged])];
}
