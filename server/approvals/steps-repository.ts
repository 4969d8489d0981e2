/** SQL of reminders and escalations: each is taken once, by the first node. */
import type { Pool, PoolClient } from "../platform/db.ts";
import { isOver } from "./leases-repository.ts";

const OPEN = `state = 'pending' AND NOT ${isOver("request", "clock_timestamp()")}`;
const TO_REMIND = "request.remind_at <= clock_timestamp() AND request.reminded_at IS NULL";
const NEXT = "request.route -> (request.route_step + 1)";
const TO_ESCALATE = `(${NEXT} ->> 'fromSeconds')::float8 <= extract(epoch FROM clock_timestamp() - request.asked_at)`;

/** The workspaces with requests whose people are to be reminded, or whose next list is to be asked. */
export async function listDueWorkspaces(pool: Pool): Promise<readonly string[]> {
  const { rows } = await pool.query<{ workspaceId: string }>(
    `SELECT DISTINCT request.workspace_id AS "workspaceId" FROM approval_request AS request
     WHERE (request.route IS NOT NULL OR request.remind_at IS NOT NULL) AND ${OPEN} AND (${TO_REMIND} OR ${TO_ESCALATE})`,
  );
  return rows.map(({ workspaceId }) => workspaceId);
}

export interface StepRow {
  readonly id: string;
  readonly number: number;
  /** The list that is asked from now on; null of a reminder. */
  readonly to: string | null;
}

const due = (
  condition: string,
) => `request.workspace_id = $1 AND request.id IN (SELECT request.id FROM approval_request AS request
    WHERE request.workspace_id = $1 AND ${OPEN} AND ${condition} ORDER BY request.id LIMIT $2 FOR UPDATE SKIP LOCKED)`;

export async function remindDue(client: PoolClient, workspaceId: string, limit: number): Promise<readonly StepRow[]> {
  const { rows } = await client.query<StepRow>(
    `UPDATE approval_request AS request SET reminded_at = clock_timestamp() WHERE ${due(TO_REMIND)}
     RETURNING request.id, request.number::float8 AS number, NULL AS "to"`,
    [workspaceId, limit],
  );
  return rows;
}

/** One list further: of a request whose jobs were away for long, the next call takes the next. */
export async function escalateDue(client: PoolClient, workspaceId: string, limit: number): Promise<readonly StepRow[]> {
  const { rows } = await client.query<StepRow>(
    `UPDATE approval_request AS request SET route_step = request.route_step + 1 WHERE ${due(TO_ESCALATE)}
     RETURNING request.id, request.number::float8 AS number, request.route -> request.route_step::int ->> 'name' AS "to"`,
    [workspaceId, limit],
  );
  return rows;
}
