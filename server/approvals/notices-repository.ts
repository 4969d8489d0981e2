/**
 * Notices of approval requests for subscribed webhooks, written in the transaction of the change. They are held until
 * the jobs combine them (`server/webhooks/gather-notices.ts`), so no agent waits for them.
 */
import type { WebhookKind } from "../audit/webhook-kinds-schema.ts";
import type { PoolClient, Tx } from "../platform/db.ts";
import { isOver } from "./leases-repository.ts";
import type { RouteStep } from "./risk-class.ts";
import { readRoute, STORED_ROUTE } from "./stored-request.ts";

type ApprovalNoticeKind = Extract<
  WebhookKind,
  "approval.requested" | "approval.reminded" | "approval.escalated" | "approval.answered" | "approval.lapsed"
>;

/** The body holds people by their ids: their names are on the page, where they can be erased. */
const HOLD_SQL = `
  INSERT INTO webhook_delivery (workspace_id, id, webhook_id, kind, state, group_key, body)
  SELECT webhook.workspace_id, gen_random_uuid(), webhook.id, $2::text, 'held',
    md5(concat_ws(chr(10), $2::text, request.state, request.agent_id, request.tool_name, encode(request.input_sha256, 'hex'))),
    json_build_object('type', $2::text,
      'timestamp', to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'workspace', request.workspace_id,
      'data', json_build_object('approval', request.id, 'number', request.number, 'state', request.state,
        'agent', request.agent_id, 'agentName', request.agent_name, 'session', request.session_id, 'tool', request.tool_name,
        'input', left(request.input, 2000), 'cwd', request.cwd, 'reason', left(request.reason, 1000), 'risk', request.risk,
        'isWaiting', request.is_waiting, 'peopleNeeded', request.people_needed,
        'expiresAt', to_char(request.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
        'words', request.words, 'isEdited', request.edited_input IS NOT NULL,
        'answeredBy', ARRAY(SELECT answer.person_id FROM approval_answer AS answer
          WHERE answer.workspace_id = request.workspace_id AND answer.request_id = request.id ORDER BY answer.answered_at)))::text
  FROM webhook JOIN approval_request AS request
    ON request.workspace_id = webhook.workspace_id AND request.id = ANY ($3::text[]::uuid[])
  WHERE webhook.workspace_id = $1::uuid AND webhook.is_enabled AND $2::text = ANY (webhook.kinds)`;

export async function holdNotices(
  client: PoolClient,
  workspaceId: string,
  kind: ApprovalNoticeKind,
  requestIds: readonly string[],
): Promise<void> {
  if (requestIds.length === 0) return;
  await client.query({ name: "approval_notices", text: HOLD_SQL, values: [workspaceId, kind, requestIds] });
}

export async function holdAnswerNotice(tx: Tx, workspaceId: string, requestId: string): Promise<void> {
  await tx.$executeRawUnsafe(HOLD_SQL, workspaceId, "approval.answered", [requestId]);
}

export interface OpenRequestRow {
  readonly id: string;
  readonly number: number;
  readonly agentId: string;
  readonly agentName: string;
  readonly toolName: string;
  readonly riskClass: string;
  readonly isWaiting: boolean;
  readonly route: readonly RouteStep[] | null;
  readonly elapsedSeconds: number;
  /** The same of equal calls, which are one card and get one answer. */
  readonly card: string;
}

/** The given requests that can still be answered. */
export async function listOpen(
  client: PoolClient,
  workspaceId: string,
  ids: readonly string[],
): Promise<readonly OpenRequestRow[]> {
  const { rows } = await client.query<Omit<OpenRequestRow, "route"> & { readonly route: unknown }>(
    `SELECT request.id, request.number::float8 AS number, request.agent_id AS "agentId",
       request.agent_name AS "agentName", request.tool_name AS "toolName",
       request.risk_class AS "riskClass", request.is_waiting AS "isWaiting", ${STORED_ROUTE} AS route,
       md5(concat_ws(chr(10), request.agent_id, request.session_id, request.tool_name, encode(request.input_sha256, 'hex'))) AS card,
       extract(epoch FROM clock_timestamp() - request.asked_at)::float8 AS "elapsedSeconds"
     FROM approval_request AS request
     WHERE request.workspace_id = $1 AND request.id = ANY ($2::uuid[]) AND request.state = 'pending'
       AND NOT ${isOver("request", "clock_timestamp()")}`,
    [workspaceId, ids],
  );
  return rows.map((row) => ({ ...row, route: readRoute(row.route) }));
}
