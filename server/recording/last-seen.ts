/** Stores when agents were last seen, with which revision, and which client they are. */
import type { Send } from "../platform/db.ts";
import type { ProjectedRecord } from "./tables.ts";

/** "Last seen" is for people: writing it more often than this only bloats the agent's row. */
const EVERY = "interval '2 seconds'";

export function writeLastSeen(send: Send, entries: readonly ProjectedRecord[]): void {
  const latest = new Map<string, ProjectedRecord["record"] & Pick<ProjectedRecord, "client">>();
  for (const { record, client } of entries) {
    const known = latest.get(record.agentId);
    if (known === undefined || known.receivedAt <= record.receivedAt) latest.set(record.agentId, { ...record, client });
  }
  const agents = [...latest.values()].sort((a, b) => (a.agentId < b.agentId ? -1 : 1));
  void send({
    name: "touch_agents",
    text: `UPDATE agent SET last_seen_at = greatest(last_seen_at, seen.at),
             last_revision = CASE WHEN last_seen_at > seen.at THEN last_revision ELSE seen.revision END,
             client = CASE WHEN last_seen_at > seen.at THEN agent.client ELSE coalesce(seen.client, agent.client) END
           FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::text[], $5::text[]) AS seen (workspace_id, id, at, revision, client)
           WHERE agent.workspace_id = seen.workspace_id AND agent.id = seen.id
             AND (last_seen_at IS NULL OR last_seen_at < seen.at - ${EVERY}
               OR last_seen_at <= seen.at AND (last_revision IS DISTINCT FROM seen.revision OR agent.client IS NULL AND seen.client IS NOT NULL))`,
    values: [
      agents.map(({ workspaceId }) => workspaceId),
      agents.map(({ agentId }) => agentId),
      agents.map(({ receivedAt }) => receivedAt.toISOString()),
      agents.map(({ revision }) => revision),
      agents.map(({ client }) => client),
    ],
  });
}
