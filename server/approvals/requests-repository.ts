/** Requests as people see and answer them. */
import type { Pool, Tx } from "../platform/db.ts";
import { isOver } from "./leases-repository.ts";
import type { RouteStep } from "./risk-class.ts";
import { type ApprovalView, type AskingHook, PRECEDENTS_MAX, type PrecedentView } from "./schema.ts";
import { readRequest, readRoute, STORED_ROUTE } from "./stored-request.ts";

type Answer = ApprovalView["answers"][number];

export type RequestRow = Omit<
  ApprovalView,
  | "askedBy"
  | "isOwn"
  | "isForReader"
  | "answerers"
  | "isRouted"
  | "askedOf"
  | "escalation"
  | "answers"
  | "moreNeeded"
  | "ownAllowance"
> & {
  readonly askedBy: readonly AskingHook[];
  readonly answers: readonly Omit<Answer, "isCounted">[];
  readonly inputSha256: Buffer;
  readonly route: readonly RouteStep[] | null;
  /** Since it was asked, until it was closed, by the database's clock. */
  readonly elapsedSeconds: number;
};

const columnsWith = (
  input: string,
) => `request.id, request.number::float8 AS number, request.state, request.is_waiting AS "isWaiting",
  request.agent_id AS "agentId", request.agent_name AS "agentName",
  CASE WHEN request.certainty IS NOT NULL THEN jsonb_build_object('id', request.principal_id, 'certainty', request.certainty) END AS principal,
  request.session_id AS "sessionId", request.tool_name AS "toolName",
  ${input}, request.is_whole AS "isWhole", request.cwd, request.reason, request.asked_by AS "askedBy", request.risk,
  request.people_needed::int AS "peopleNeeded", request.asked_at AS "askedAt", request.expires_at AS "expiresAt",
  request.closed_at AS "closedAt", request.words, request.edited_input AS "editedInput", request.granted_until AS "grantedUntil",
  request.used_at AS "usedAt", request.input_sha256 AS "inputSha256", request.risk_class AS "riskClass",
  request.needs_confirmation AS "needsConfirmation", ${STORED_ROUTE} AS route, request.reminded_at AS "remindedAt",
  extract(epoch FROM coalesce(request.closed_at, clock_timestamp()) - request.asked_at)::float8 AS "elapsedSeconds",
  coalesce((SELECT jsonb_agg(jsonb_build_object('personId', answer.person_id, 'name', answer.person_name, 'isAllow', answer.is_allow,
      'answeredAt', answer.answered_at) ORDER BY answer.answered_at)
    FROM approval_answer AS answer
    WHERE answer.workspace_id = request.workspace_id AND answer.request_id = request.id), '[]') AS answers`;
const COLUMNS = columnsWith("request.input");
const CLOSED_COLUMNS = columnsWith(
  "CASE WHEN request.edited_input IS NULL THEN left(request.input, $3) ELSE request.input END AS input",
);

/**
 * Takes from each agent in turn the request that ends first, so that one agent cannot hide the calls of another, up to
 * the amount that a browser can hold. Sorted by expiry.
 */
export async function listOpen(
  pool: Pool,
  workspaceId: string,
  { limit, bytesMax }: { readonly limit: number; readonly bytesMax: number },
): Promise<readonly RequestRow[]> {
  const { rows } = await pool.query<RequestRow>({
    name: "approvals_open",
    text: `SELECT ${COLUMNS} FROM approval_request AS request WHERE request.workspace_id = $1 AND request.state = 'pending'
        AND request.id IN (SELECT listed.id FROM (
          SELECT waiting.id, sum(waiting.bytes) OVER (ORDER BY waiting.turn, waiting.expires_at, waiting.id) AS bytes FROM (
            SELECT one.id, one.expires_at, octet_length(one.input) AS bytes,
              row_number() OVER (PARTITION BY one.agent_id ORDER BY one.expires_at, one.id) AS turn
            FROM approval_request AS one WHERE one.workspace_id = $1 AND one.state = 'pending'
            ORDER BY turn, one.expires_at, one.id LIMIT $2) AS waiting) AS listed WHERE listed.bytes <= $3)
      ORDER BY request.expires_at, request.id`,
    values: [workspaceId, limit, bytesMax],
  });
  return rows.map(readRequest);
}

/** The newest first; of an input that was not edited, the beginning. */
export async function listClosed(
  pool: Pool,
  workspaceId: string,
  { limit, inputCharsMax }: { readonly limit: number; readonly inputCharsMax: number },
): Promise<readonly RequestRow[]> {
  const { rows } = await pool.query<RequestRow>({
    name: "approvals_closed",
    text: `SELECT ${CLOSED_COLUMNS}
      FROM approval_request AS request WHERE request.workspace_id = $1 AND request.state <> 'pending'
      ORDER BY request.asked_at DESC, request.id LIMIT $2`,
    values: [workspaceId, limit, inputCharsMax],
  });
  return rows.map(readRequest);
}

export async function find(pool: Pool, workspaceId: string, id: string): Promise<RequestRow | null> {
  const { rows } = await pool.query<RequestRow>({
    name: "approvals_find",
    text: `SELECT ${COLUMNS} FROM approval_request AS request WHERE request.workspace_id = $1 AND request.id = $2`,
    values: [workspaceId, id],
  });
  return rows[0] ? readRequest(rows[0]) : null;
}

/** The id of each of these policies by its name. */
export async function listPolicyIds(
  pool: Pool,
  workspaceId: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (names.length === 0) return new Map();
  const { rows } = await pool.query<{ id: string; name: string }>({
    name: "approvals_policy_ids",
    text: "SELECT id, name FROM policy WHERE workspace_id = $1 AND name = ANY($2::text[])",
    values: [workspaceId, names],
  });
  return new Map(rows.map(({ id, name }) => [name, id]));
}

export interface UnansweredRow {
  readonly agentId: string;
  readonly route: readonly RouteStep[] | null;
  readonly elapsedSeconds: number;
}

/** The open requests that a person has not answered yet, without their inputs. */
export async function listUnanswered(
  pool: Pool,
  workspaceId: string,
  personId: string,
  limit: number,
): Promise<readonly UnansweredRow[]> {
  const { rows } = await pool.query<UnansweredRow>({
    name: "approvals_unanswered",
    text: `SELECT request.agent_id AS "agentId", ${STORED_ROUTE} AS route,
        extract(epoch FROM clock_timestamp() - request.asked_at)::float8 AS "elapsedSeconds"
      FROM approval_request AS request
      WHERE request.workspace_id = $1 AND request.state = 'pending' AND NOT ${isOver("request", "clock_timestamp()")}
        AND NOT EXISTS (SELECT FROM approval_answer AS answer
          WHERE answer.workspace_id = request.workspace_id AND answer.request_id = request.id AND answer.person_id = $2)
      LIMIT $3`,
    values: [workspaceId, personId, limit],
  });
  return rows.map((row) => ({ ...row, route: readRoute(row.route) }));
}

export async function figures(pool: Pool, workspaceId: string) {
  const { rows } = await pool.query<{
    answered: number;
    allowed: number;
    unchanged: number;
    lapsed: number;
    p50Ms: number | null;
    p95Ms: number | null;
  }>({
    name: "approvals_figures",
    text: `SELECT count(*) FILTER (WHERE state <> 'lapsed')::int AS answered,
        count(*) FILTER (WHERE state IN ('approved', 'withdrawn'))::int AS allowed,
        count(*) FILTER (WHERE state IN ('approved', 'withdrawn') AND edited_input IS NULL)::int AS unchanged,
        count(*) FILTER (WHERE state = 'lapsed')::int AS lapsed,
        percentile_disc(0.5) WITHIN GROUP (ORDER BY ms) FILTER (WHERE state <> 'lapsed') AS "p50Ms",
        percentile_disc(0.95) WITHIN GROUP (ORDER BY ms) FILTER (WHERE state <> 'lapsed') AS "p95Ms"
      FROM (SELECT state, edited_input, extract(epoch FROM closed_at - asked_at)::float8 * 1000 AS ms FROM approval_request
        WHERE workspace_id = $1 AND state <> 'pending' AND asked_at > now() - interval '7 days') AS closed`,
    values: [workspaceId],
  });
  const [row] = rows;
  if (row === undefined) throw new Error("an aggregate without a row");
  return row;
}

/** The request with its row locked; `isOver` once it has expired or its gateway is gone, regardless of its state. */
export async function findForUpdate(
  tx: Tx,
  workspaceId: string,
  id: string,
): Promise<(RequestRow & { readonly isOver: boolean }) | null> {
  const [row = null] = await tx.$queryRawUnsafe<(RequestRow & { isOver: boolean })[]>(
    `SELECT ${COLUMNS}, ${isOver("request", "clock_timestamp()")} AS "isOver"
     FROM approval_request AS request WHERE request.workspace_id = $1::uuid AND request.id = $2::uuid FOR UPDATE OF request`,
    workspaceId,
    id,
  );
  return row && readRequest(row);
}

export async function insertAnswer(
  tx: Tx,
  workspaceId: string,
  requestId: string,
  { personId, name, isAllow }: { readonly personId: string; readonly name: string; readonly isAllow: boolean },
): Promise<boolean> {
  const written = await tx.$executeRaw`
    INSERT INTO approval_answer (workspace_id, request_id, person_id, person_name, is_allow)
    VALUES (${workspaceId}::uuid, ${requestId}::uuid, ${personId}, ${name}, ${isAllow}) ON CONFLICT DO NOTHING`;
  return written === 1;
}

/**
 * The people who allowed it and may still answer. A separate statement under the request's lock: the locking
 * statement's snapshot does not see the answers of the lock's previous holder.
 */
export async function listAllowers(
  tx: Tx,
  workspaceId: string,
  requestId: string,
  roles: readonly string[],
): Promise<readonly string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`SELECT answer.person_id AS id FROM approval_answer AS answer
    WHERE answer.workspace_id = ${workspaceId}::uuid AND answer.request_id = ${requestId}::uuid AND answer.is_allow
      AND EXISTS (SELECT FROM membership AS member
        WHERE member.workspace_id = answer.workspace_id AND member.person_id::text = answer.person_id AND member.role = ANY (${roles}))
    ORDER BY answer.answered_at, answer.person_id`;
  return rows.map(({ id }) => id);
}

export interface Close {
  readonly state: "approved" | "denied";
  readonly words: string;
  readonly editedInput: string | null;
  readonly editedSha256: Buffer | null;
  /** Milliseconds for which the allowed call may be made. */
  readonly forMs: number;
}

export async function close(tx: Tx, workspaceId: string, id: string, close: Close): Promise<void> {
  const { state, words, editedInput, editedSha256, forMs } = close;
  await tx.$executeRaw`UPDATE approval_request SET state = ${state}, words = ${words}, edited_input = ${editedInput},
      edited_sha256 = ${editedSha256}, closed_at = clock_timestamp(), lease_until = NULL,
      granted_until = CASE WHEN ${state} = 'approved' THEN clock_timestamp() + ${forMs} * interval '1 millisecond' END
    WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid`;
}

/** False when the call has been made, or the grant has ended. */
export async function withdraw(tx: Tx, workspaceId: string, id: string): Promise<boolean> {
  const written = await tx.$executeRaw`UPDATE approval_request SET state = 'withdrawn'
    WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid AND state = 'approved' AND used_at IS NULL
      AND granted_until > clock_timestamp()`;
  return written === 1;
}

const ENDINGS = `count(*) FILTER (WHERE state IN ('approved', 'withdrawn'))::int AS allowed,
  count(*) FILTER (WHERE state = 'denied')::int AS denied, count(*) FILTER (WHERE state = 'lapsed')::int AS lapsed`;

/** Counts requests that ended: an agent may have more pending ones than are counted. */
export async function precedent(pool: Pool, workspaceId: string, id: string): Promise<PrecedentView | null> {
  const like = (
    condition: string,
  ) => `(SELECT to_jsonb(ends) FROM (SELECT ${ENDINGS} FROM (SELECT one.state FROM approval_request AS one
    WHERE one.workspace_id = $1 AND one.state <> 'pending' AND one.id <> request.id AND one.asked_at > now() - interval '30 days' AND ${condition}
    ORDER BY one.asked_at DESC LIMIT $3) AS newest) AS ends)`;
  const { rows } = await pool.query<PrecedentView>({
    name: "approvals_precedent",
    text: `SELECT ${like("one.tool_name = request.tool_name AND one.input_sha256 = request.input_sha256")} AS same,
        ${like("one.tool_name = request.tool_name AND one.agent_id = request.agent_id")} AS tool
      FROM approval_request AS request WHERE request.workspace_id = $1 AND request.id = $2`,
    values: [workspaceId, id, PRECEDENTS_MAX],
  });
  return rows[0] ?? null;
}
