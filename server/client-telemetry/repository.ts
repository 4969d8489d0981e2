/** The counts of clients' own metrics, by session and day. Beside the ledger, and part of no sum of it. */
import { type Pool, transaction } from "../platform/db.ts";
import type { MetricPoint } from "./read-metrics.ts";

/**
 * Adds points in their order. Of a cumulative series its growth counts, and all of it once it began anew; a point that is not
 * newer than the last one of its series was counted before.
 */
const ADD = `WITH last AS (
    SELECT start_nano, last_nano, last_value FROM client_metric
    WHERE workspace_id = $1 AND agent_id = $2 AND session_id = $3 AND series = $4 ORDER BY last_nano DESC LIMIT 1
  ), added AS (
    SELECT CASE WHEN $7::bool OR last_nano IS NULL OR start_nano <> $8::numeric OR last_value > $10::numeric THEN $10::numeric
      ELSE $10::numeric - last_value END AS value
    FROM (SELECT 1) AS one LEFT JOIN last ON true WHERE last_nano IS NULL OR last_nano < $9::numeric
  )
  INSERT INTO client_metric (workspace_id, agent_id, session_id, series, day, kind, client, value, start_nano, last_nano, last_value)
  SELECT $1, $2, $3, $4, quarterdeck_day_of($1, to_timestamp(($9::numeric / 1000000000)::float8)), $5, $6, value, $8, $9, $10
  FROM added
  ON CONFLICT (workspace_id, agent_id, session_id, series, day) DO UPDATE SET value = client_metric.value + excluded.value,
    start_nano = excluded.start_nano, last_nano = excluded.last_nano, last_value = excluded.last_value`;

export function addPoints(
  pool: Pool,
  { workspaceId, agentId }: { readonly workspaceId: string; readonly agentId: string },
  points: readonly MetricPoint[],
): Promise<void> {
  return transaction(pool, async (client) => {
    // Two exports of one agent at once would both read the same last point.
    await client.query("SELECT pg_advisory_xact_lock(hashtextextended('client metrics ' || $1::text, 0))", [agentId]);
    for (const { sessionId, series, kind, client: of, isDelta, startNano, timeNano, value } of points)
      await client.query({
        name: "add_client_metric",
        text: ADD,
        values: [workspaceId, agentId, sessionId, series, kind, of, isDelta, startNano, timeNano, value],
      });
  });
}
