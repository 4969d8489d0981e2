import type { Pool } from "../../platform/db.ts";
import { DOWNTIME_SPANS_MAX } from "./schema.ts";

export async function insert(pool: Pool, id: string): Promise<void> {
  await pool.query("INSERT INTO uptime (id, started_at, last_at) VALUES ($1, now(), now())", [id]);
}

export async function update(pool: Pool, id: string): Promise<void> {
  await pool.query("UPDATE uptime SET last_at = now() WHERE id = $1", [id]);
}

export async function removeBefore(pool: Pool, before: Date): Promise<void> {
  await pool.query("DELETE FROM uptime WHERE last_at < $1", [before]);
}

/**
 * The gaps of at least `shortestMs` between the rows, within the range: after the first row, and before the end of the
 * newest one. Each row is compared with the latest end of all earlier rows, since several processes run at a time.
 */
export async function listDowntime(pool: Pool, range: { from: Date; to: Date }, shortestMs: number) {
  const { rows } = await pool.query<{ from: Date; to: Date }>({
    name: "downtime",
    text: `SELECT greatest(ended, $1) AS "from", least(started_at, $2) AS "to" FROM (
             SELECT started_at, max(last_at) OVER (ORDER BY started_at ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS ended
             FROM uptime
           ) AS run
           WHERE ended < $2 AND started_at > $1 AND started_at - ended >= $3 * interval '1 millisecond'
           ORDER BY started_at DESC LIMIT $4`,
    values: [range.from, range.to, shortestMs, DOWNTIME_SPANS_MAX],
  });
  return rows.reverse();
}
