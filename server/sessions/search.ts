/**
 * Sessions by words of their titles, ids and agents. A title is read from the recorded prompt of each session, so an
 * erased or masked text is not found. The search reads a limited number of sessions.
 */
import type { Database } from "../platform/db.ts";
import * as lists from "./list-repository.ts";
import type { SessionKey, SessionsView } from "./schema.ts";
import { findTitles } from "./titles.ts";

/** Sessions read by one search before it answers with those that it found. */
export const SEARCHED_MAX = 2_000;
const CHUNK = 500;

export interface SearchResult {
  readonly found: readonly lists.NamedRow[];
  readonly searched: SessionsView["searched"];
  /** The last session read, when the search stopped before the end. */
  readonly next: SessionKey | null;
}

/** At most `limit` sessions whose names hold every word, the most recent first. */
export async function searchSessions(
  db: Database,
  workspaceId: string,
  filters: lists.SessionFilters,
  { words, activeSince, limit }: { words: readonly string[]; activeSince: Date; limit: number },
): Promise<SearchResult> {
  const found: lists.NamedRow[] = [];
  const sought = words.map((word) => word.toLowerCase());
  let cursor = filters.cursor;
  for (let read = 0; read < SEARCHED_MAX; ) {
    const chunk = await lists.listNames(db, workspaceId, { ...filters, cursor }, { activeSince, limit: CHUNK });
    const titleOf = await findTitles(db, workspaceId, chunk.map(refOf));
    for (const row of chunk) {
      cursor = keyOf(row);
      const names = `${titleOf(refOf(row)) ?? ""} ${row.session_id} ${row.agent_name}`.toLowerCase();
      if (sought.every((word) => names.includes(word))) found.push(row);
      if (found.length === limit) return { found, searched: null, next: cursor };
    }
    read += chunk.length;
    if (chunk.length < CHUNK) return { found, searched: null, next: null };
  }
  const until = cursor?.lastAt;
  return { found, searched: until ? { sessions: SEARCHED_MAX, until } : null, next: cursor ?? null };
}

const refOf = (row: lists.NamedRow) => ({
  agentId: row.agent_id,
  sessionId: row.session_id,
  firstAt: row.first_at,
});

const keyOf = (row: lists.NamedRow): SessionKey => ({
  lastAt: row.last_at,
  agentId: row.agent_id,
  sessionId: row.session_id,
});
