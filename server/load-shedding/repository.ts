import type { LoadClass } from "../access/load-class.ts";
import type { Pool } from "../platform/db.ts";

export interface Stretch {
  readonly workspaceId: string;
  readonly id: string;
  readonly node: string;
  readonly class: LoadClass;
  readonly from: Date;
  readonly to: Date;
  readonly requests: number;
}

export async function insert(pool: Pool, stretches: readonly Stretch[]): Promise<void> {
  const column = <K extends keyof Stretch>(name: K) => stretches.map((one) => one[name]);
  await pool.query(
    `INSERT INTO load_shed (workspace_id, id, node, class, from_at, to_at, requests)
     SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[], $7::bigint[])
     ON CONFLICT DO NOTHING`,
    [
      column("workspaceId"),
      column("id"),
      column("node"),
      column("class"),
      column("from"),
      column("to"),
      column("requests"),
    ],
  );
}

export interface Shed {
  readonly class: LoadClass;
  readonly requests: number;
  readonly from: Date;
  readonly to: Date;
}

/** The requests turned away since `from`, by class, over all nodes. */
export async function sumBy(pool: Pool, workspaceId: string, from: Date): Promise<Shed[]> {
  const { rows } = await pool.query<Shed>(
    `SELECT class, sum(requests)::float8 AS requests, min(from_at) AS "from", max(to_at) AS "to"
     FROM load_shed WHERE workspace_id = $1 AND to_at >= $2 GROUP BY class`,
    [workspaceId, from],
  );
  return rows;
}

/** Runs of observed policies that there was no time for. */
export async function countDropped(pool: Pool, workspaceId: string, from: Date): Promise<number> {
  const { rows } = await pool.query<{ dropped: number }>(
    `SELECT coalesce(sum(dropped), 0)::float8 AS dropped FROM observation_hour WHERE workspace_id = $1 AND bucket >= $2`,
    [workspaceId, from],
  );
  return rows[0]?.dropped ?? 0;
}
