/** The assignments that reach agents, including unreadable ones, which may reach any agent. */
import type { Tx } from "../../platform/db.ts";
import { listGroups } from "../repository.ts";
import { SCOPES } from "./assignment-schema.ts";
import { listProven } from "./audience-repository.ts";
import { AUDIENCES } from "./resolve-assignments.ts";
import { everyTagOf, readAssignment, readTags } from "./stored-assignment.ts";

/** Assignments whose target does not exist. */
export async function listLostTargets(tx: Tx, workspaceId: string): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT one.id FROM assignment AS one WHERE one.workspace_id = ${workspaceId}::uuid AND one.target_id IS NOT NULL
      AND NOT EXISTS (SELECT FROM agent WHERE agent.workspace_id = one.workspace_id AND agent.id = one.target_id)
      AND NOT EXISTS (SELECT FROM agent_group AS own WHERE own.workspace_id = one.workspace_id AND own.id = one.target_id)
      AND NOT EXISTS (SELECT FROM principal AS own WHERE own.workspace_id = one.workspace_id AND own.id = one.target_id)
      AND NOT EXISTS (SELECT FROM sign_on_group AS own WHERE own.workspace_id = one.workspace_id AND own.id = one.target_id)`;
  return rows.map(({ id }) => id);
}

/** Every assignment that may reach these agents, or any agent with null, with its policy's revisions. */
export async function listReaching(tx: Tx, workspaceId: string, agentIds: readonly string[] | null) {
  const groups = (await listGroups(tx, workspaceId)).filter(
    (group) => agentIds === null || agentIds.some((id) => group.agentIds.includes(id)),
  );
  const groupIds = groups.map((group) => group.id);
  const lost = await listLostTargets(tx, workspaceId);
  const proven = await listProven(tx, workspaceId, agentIds);
  const tagged = (
    await tx.agent.findMany({
      where: { workspaceId, tags: { isEmpty: false }, ...(agentIds === null ? {} : { id: { in: [...agentIds] } }) },
      select: { id: true, name: true, tags: true },
    })
  ).map(({ id, name, tags }) => ({ id, name, tags: readTags(tags) }));
  const hasAnyTag = tagged.some(({ tags }) => tags === null);
  const whose =
    agentIds === null
      ? {}
      : {
          OR: [
            { scope: "workspace" },
            hasAnyTag
              ? { scope: "tag" }
              : { scope: "tag", tag: { in: [...new Set(tagged.flatMap(({ tags }) => tags ?? []))] } },
            { scope: { in: [...AUDIENCES] }, targetId: { in: groupIds } },
            { scope: "agent", targetId: { in: [...agentIds] } },
            // Those that cannot be read may be of any agent.
            { scope: { notIn: [...SCOPES] } },
            { scope: { in: [...AUDIENCES, "agent"] }, targetId: null },
            { scope: "tag", tag: null },
            { id: { in: lost } },
          ],
        };
  const found = await tx.assignment.findMany({
    where: { workspaceId, ...whose },
    include: { policy: { omit: { packId: true, packVersion: true, packSha256: true }, include: { monitors: true } } },
  });
  const lostIds = new Set(lost);
  const assignments = found.map((row) => ({ ...row, read: readAssignment(row, lostIds.has(row.id)) }));
  const everyTag = everyTagOf(assignments);
  const tagsById = new Map(tagged.map(({ id, tags }) => [id, tags ?? everyTag]));
  const unreadableTags = tagged.flatMap(({ name, tags }) => (tags === null ? [name] : []));
  return { groups, proven, tagsById, unreadableTags, assignments };
}
