/** The policies that apply to one agent, in the order of force, and why; and those that do not. */
import { AppError } from "../errors/app-error.ts";
import type { Database } from "../platform/db.ts";
import type { ApplyingView } from "./assignment-schema.ts";
import { resolveAgent } from "./effective.ts";
import * as policies from "./repository.ts";
import type { ResolvedAssignment } from "./resolve-assignments.ts";

/** Errors: `agent_not_found`. */
export async function explainAgent(db: Database, workspaceId: string, agentId: string): Promise<ApplyingView> {
  const agents = await policies.listAgentNames(db.prisma, workspaceId);
  if (!agents.some((agent) => agent.id === agentId)) throw new AppError("agent_not_found");
  const [standings, all, groups] = await Promise.all([
    resolveAgent(db, workspaceId, agentId),
    policies.list(db.prisma, workspaceId),
    policies.listGroups(db.prisma, workspaceId),
  ]);
  const reached = new Set(standings.map(({ policy }) => policy.id));
  return {
    policies: standings.map(viewOf),
    groups: groups.filter((group) => group.agentIds.includes(agentId)).map(({ id, name }) => ({ id, name })),
    others: all
      .filter((row) => !reached.has(row.id))
      .map((row) => ({
        id: row.id,
        name: row.name,
        isApplied: row.assignments.length > 0,
        groups: groups
          .filter((group) => row.assignments.some((one) => one.targetId === group.id))
          .map((group) => group.name),
      })),
  };
}

function viewOf({
  policy,
  through,
  revision,
  isCanary,
  observeUntil,
}: ResolvedAssignment): ApplyingView["policies"][number] {
  const { id, name, canary, liveRevision } = policy;
  return {
    id,
    name,
    revision,
    liveRevision,
    through: through.map(({ scope, group }) => ({ scope, group: group?.name ?? null })),
    state: revision === 0 ? (canary ? "outside_canary" : "unpublished") : observeUntil ? "observed" : "enforced",
    observeUntil: revision === 0 ? null : observeUntil,
    canary: canary && { revision: canary.revision, share: canary.share, isInside: isCanary },
  };
}
