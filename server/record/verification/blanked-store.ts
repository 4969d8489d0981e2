/**
 * Dispatches without content that a verification has seen and no entry explains yet. They are stored outside its
 * progress, because an erasure may cover a million.
 */

import type { Blanked } from "../../audit/verify-batches.ts";
import type { Pool } from "../../platform/db.ts";

export interface BlankedChange {
  readonly blanked: readonly Blanked[];
  /** Ids that entries have explained. */
  readonly explained: readonly string[];
}

export interface BlankedStore {
  /** Twice does no harm: a range may be done again. */
  note(change: BlankedChange): Promise<void>;
  list(limit: number): Promise<readonly Blanked[]>;
}

export function createBlankedMemory(): BlankedStore {
  const kept = new Map<string, number>();
  return {
    note({ blanked, explained }) {
      for (const [id, seq] of blanked) kept.set(id, seq);
      for (const id of explained) kept.delete(id);
      return Promise.resolve();
    },
    list: (limit) => Promise.resolve([...kept].slice(0, limit)),
  };
}

export function createBlankedTable(pool: Pool, workspaceId: string, runId: string): BlankedStore {
  return {
    async note({ blanked, explained }) {
      if (blanked.length > 0)
        await pool.query(
          `INSERT INTO verification_blanked (workspace_id, run_id, dispatch_id, seq)
           SELECT $1, $2, * FROM unnest($3::uuid[], $4::bigint[]) ON CONFLICT DO NOTHING`,
          [workspaceId, runId, blanked.map(([id]) => id), blanked.map(([, seq]) => seq)],
        );
      const ids = explained.filter((id) => /^[0-9a-f]{32}$/.test(id));
      if (ids.length > 0)
        await pool.query(
          "DELETE FROM verification_blanked WHERE workspace_id = $1 AND run_id = $2 AND dispatch_id = ANY ($3::uuid[])",
          [workspaceId, runId, ids],
        );
    },
    async list(limit) {
      const { rows } = await pool.query<{ id: string; seq: number }>(
        `SELECT replace(dispatch_id::text, '-', '') AS id, seq::float8 AS seq FROM verification_blanked
         WHERE workspace_id = $1 AND run_id = $2 ORDER BY seq, dispatch_id LIMIT $3`,
        [workspaceId, runId, limit],
      );
      return rows.map(({ id, seq }) => [id, seq] as const).map(([id, seq]): Blanked => [id, seq]);
    },
  };
}
