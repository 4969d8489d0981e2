/**
 * The sessions that have compactions: marked with every event of one, so that what follows it is joined to it in time.
 */
import type { Table } from "./insert-rows.ts";
import type { ProjectedRecord } from "./tables.ts";

interface Marked {
  readonly workspaceId: string;
  readonly agentId: string;
  readonly sessionId: string;
  marks: number;
}

export const compactionSessionTable: Table<Marked> = {
  name: "compaction_session",
  columns: {
    workspace_id: ["uuid", (one) => one.workspaceId],
    agent_id: ["uuid", (one) => one.agentId],
    session_id: ["text", (one) => one.sessionId],
    marks: ["int8", (one) => one.marks],
  },
  tail: `ON CONFLICT (workspace_id, agent_id, session_id) DO UPDATE SET
    marks = compaction_session.marks + excluded.marks`,
};

/** The sessions of these compaction events, in the order of their keys so that concurrent batches lock alike. */
export function markedSessions(entries: readonly ProjectedRecord[]): Marked[] {
  const sessions = new Map<string, Marked>();
  for (const { record, projection } of entries) {
    const { workspaceId, agentId } = record;
    const { sessionId } = projection;
    const key = `${workspaceId}\0${agentId}\0${sessionId}`;
    const marked = sessions.get(key);
    if (marked) marked.marks += 1;
    else sessions.set(key, { workspaceId, agentId, sessionId, marks: 1 });
  }
  return [...sessions].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, marked]) => marked);
}
