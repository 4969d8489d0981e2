/** Reads of the follower: the calls that projectors have changed, and all decisions over them. */
import type { Pool } from "../../platform/db.ts";
import { type CallKey, callsSql, isOfCallSql } from "../calls-repository.ts";
import { COLUMNS, type DecisionRow, Statement } from "../repository.ts";

/** More batches of the log than these are not read one by one. */
const BATCHES_MAX = 128;
export const CHANGES_MAX = 500;

/** Where the figures of a workspace are, as the number of a batch of its log. */
export interface FollowedPosition {
  readonly workspaceId: string;
  readonly seq: string;
}

/** One record of a call. A workspace without such records has one row without a record. */
export interface ChangeRow extends Partial<DecisionRow> {
  readonly workspace_id: string;
  /** The number that the figures have reached. */
  readonly seq: string;
  /** Too many batches; their records are not listed. */
  readonly is_far: boolean;
  readonly id: string | null;
  readonly at: Date;
  readonly of_agent: string;
  readonly of_session: string;
  readonly of_call: string | null;
  readonly tool: string | null;
  readonly is_result: boolean;
  readonly enrolled_name: string | null;
}

export async function findPosition(pool: Pool, workspaceId: string): Promise<string> {
  const { rows } = await pool.query<{ seq: string }>({
    name: "live_calls_position",
    text: "SELECT seq::text FROM projection_cursor WHERE workspace_id = $1",
    values: [workspaceId],
  });
  return rows[0]?.seq ?? "0";
}

const OWN = COLUMNS.split(/,\s*/)
  .map((column) => `decision.${column}`)
  .join(", ");

/** The records behind the figures of these workspaces since the given positions, for all of them in one statement. */
export async function listChanges(pool: Pool, followed: readonly FollowedPosition[]): Promise<ChangeRow[]> {
  const { rows } = await pool.query<ChangeRow>({
    name: "live_calls_changes",
    // A limit of one makes PostgreSQL look up one row after the other.
    text: `SELECT reached.workspace_id, reached.seq::text AS seq, reached.seq - reached.since > ${BATCHES_MAX} AS is_far, change.*
      FROM (SELECT known.workspace_id, followed.seq AS since, known.seq
        FROM unnest($1::uuid[], $2::bigint[]) AS followed (workspace_id, seq)
        JOIN projection_cursor AS known ON known.workspace_id = followed.workspace_id
        WHERE known.seq > followed.seq) AS reached
      LEFT JOIN LATERAL (
        SELECT one.id, one.at, one.of_agent, one.of_session, one.of_call, one.tool, one.event = 'post_tool_use' AS is_result,
          enrolled.name AS enrolled_name, ${OWN}
        FROM chain_batch AS batch
        CROSS JOIN LATERAL unnest(batch.ids, batch.instants) AS named (id, at)
        CROSS JOIN LATERAL (SELECT id, occurred_at AS at, agent_id AS of_agent, session_id AS of_session,
            tool_use_id AS of_call, tool_name AS tool, event FROM dispatch
          WHERE workspace_id = reached.workspace_id AND occurred_at = named.at AND id = named.id LIMIT 1) AS one
        LEFT JOIN LATERAL (SELECT * FROM tool_decision
          WHERE workspace_id = reached.workspace_id AND occurred_at = named.at AND dispatch_id = named.id LIMIT 1)
          AS decision ON true
        LEFT JOIN agent AS enrolled ON enrolled.workspace_id = reached.workspace_id AND enrolled.id = one.of_agent
        WHERE batch.workspace_id = reached.workspace_id AND batch.seq > reached.since AND batch.seq <= reached.seq
          AND batch.ids IS NOT NULL AND (one.event = 'post_tool_use' OR decision.kind IS NOT NULL)
        LIMIT ${CHANGES_MAX + 1}) AS change ON reached.seq - reached.since <= ${BATCHES_MAX}`,
    values: [followed.map(({ workspaceId }) => workspaceId), followed.map(({ seq }) => seq)],
  });
  return rows;
}

export interface WholeRow extends DecisionRow {
  /** The number of its call, from 1. */
  readonly place: number;
}

/** As many decisions of each kind as a list reads of one call; a call with more is not whole. */
export const OF_CALL_MAX = 20;
/** Any list finds the decisions of a call within seven days of each other. */
const AROUND = "occurred_at > call.at - interval '8 days' AND occurred_at < call.at + interval '8 days'";

/** All decisions over these calls, the earliest first. */
export async function listWhole(pool: Pool, workspaceId: string, calls: readonly CallKey[]): Promise<WholeRow[]> {
  const statement = new Statement();
  const workspace = statement.bind(workspaceId);
  const ofKind = (kind: string) => `(SELECT ${COLUMNS} FROM tool_decision
    WHERE workspace_id = ${workspace} AND kind = '${kind}' AND ${isOfCallSql(AROUND)} LIMIT ${OF_CALL_MAX + 1})`;
  const { rows } = await pool.query<WholeRow>({
    name: "live_calls_whole",
    text: `SELECT call.place::int AS place, decision.* FROM ${callsSql(statement, calls)}
      CROSS JOIN LATERAL (${ofKind("gate")} UNION ALL ${ofKind("final")}) AS decision
      ORDER BY place, occurred_at, dispatch_id`,
    values: statement.values,
  });
  return rows;
}
