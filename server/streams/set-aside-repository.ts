/** SQL of the events that receivers refused for their content. */
import type { Pool, Tx } from "../platform/db.ts";
import type { Position, SetAsideView } from "./schema.ts";
import type { SetAside } from "./turns/repository.ts";

/** The newest first. */
export async function list(pool: Pool, workspaceId: string, id: string, limit: number): Promise<SetAsideView[]> {
  const { rows } = await pool.query<SetAsideView>(
    `SELECT seq::float8 AS seq, place, at, kind, status, reason FROM stream_set_aside
     WHERE workspace_id = $1 AND stream_id = $2 ORDER BY stream_set_aside.seq DESC, place DESC LIMIT $3`,
    [workspaceId, id, limit],
  );
  return rows;
}

/** The events that were set aside within a span of time. */
export async function countSetAside(pool: Pool, workspaceId: string, from: Date, to: Date): Promise<number> {
  const { rows } = await pool.query<{ count: number }>({
    name: "stream_set_aside_count",
    text: "SELECT count(*)::int AS count FROM stream_set_aside WHERE workspace_id = $1 AND at >= $2 AND at < $3",
    values: [workspaceId, from, to],
  });
  return rows[0]?.count ?? 0;
}

/** Takes these off the list and off the stream's count. */
export async function remove(tx: Tx, workspaceId: string, id: string, positions: readonly Position[]): Promise<void> {
  const seqs = positions.map(({ seq }) => seq);
  const places = positions.map(({ place }) => place);
  const removed = await tx.$executeRaw`
    DELETE FROM stream_set_aside USING unnest(${seqs}::bigint[], ${places}::int[]) AS sent (seq, place)
    WHERE workspace_id = ${workspaceId}::uuid AND stream_id = ${id}::uuid
      AND stream_set_aside.seq = sent.seq AND stream_set_aside.place = sent.place`;
  await tx.$executeRaw`
    UPDATE stream SET set_aside = greatest(0, set_aside - ${removed}::int)
    WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid`;
}

/** Replaces the reasons by those of the last attempt. */
export async function update(tx: Tx, workspaceId: string, id: string, refused: readonly SetAside[]): Promise<void> {
  for (const { position, status, reason } of refused)
    await tx.$executeRaw`
      UPDATE stream_set_aside SET status = ${status}, reason = ${reason}
      WHERE workspace_id = ${workspaceId}::uuid AND stream_id = ${id}::uuid
        AND seq = ${position.seq}::bigint AND place = ${position.place}`;
}
