/** SQL of the lag of streams behind the record. */
import type { Pool } from "../platform/db.ts";

/** Milliseconds since the first entry that the stream has not passed was recorded; 0 when it passed all of them. */
export const LAG_MS_SQL = `(SELECT CASE WHEN min(at) IS NULL THEN 0
    ELSE greatest(1, extract(epoch FROM clock_timestamp() - min(at)) * 1000) END::float8 FROM (
    (SELECT recorded_at AS at FROM chain_batch AS batch WHERE batch.workspace_id = stream.workspace_id AND batch.ids IS NOT NULL
       AND batch.seq >= stream.seq AND (batch.seq > stream.seq OR batch.count > stream.place + 1) ORDER BY batch.seq LIMIT 1)
    UNION ALL
    (SELECT at FROM audit_entry AS entry WHERE entry.workspace_id = stream.workspace_id AND entry.seq > stream.seq
       AND entry.kind <> 'dispatches_recorded' ORDER BY entry.seq LIMIT 1)) AS waiting)`;

/** The longest lag of the enabled streams in milliseconds; null without one. */
export async function findLongestLag(pool: Pool, workspaceId: string): Promise<number | null> {
  const { rows } = await pool.query<{ ms: number | null }>({
    name: "stream_longest_lag",
    text: `SELECT max(${LAG_MS_SQL}) AS ms FROM stream WHERE workspace_id = $1 AND is_enabled`,
    values: [workspaceId],
  });
  return rows[0]?.ms ?? null;
}

export interface StreamProgress {
  /** The longest lag of the enabled streams of all workspaces, in milliseconds; 0 without one. */
  readonly behindMs: number;
  /** Enabled streams whose last request failed. */
  readonly failing: number;
}

export async function findProgress(pool: Pool): Promise<StreamProgress> {
  const { rows } = await pool.query<StreamProgress>({
    name: "stream_progress",
    text: `SELECT coalesce(max(${LAG_MS_SQL}), 0)::float8 AS "behindMs", count(error)::int AS failing FROM stream WHERE is_enabled`,
  });
  return rows[0] ?? { behindMs: 0, failing: 0 };
}
