import type { Pool } from "../platform/db.ts";
import type { RollupRange } from "../recording/index.ts";

export interface ComparedRow {
  /** Of the workspace's calendar: 2026-11-26. */
  readonly day: string;
  readonly agent_id: string;
  readonly session_id: string;
  readonly client: string;
  readonly calls: string;
  readonly nano: string | null;
  readonly ledger_nano: string;
  readonly tokens: string | null;
  readonly ledger_tokens: string;
  readonly differs: boolean;
  readonly total: string;
  readonly differing: string;
}

/** The newest so many sessions of a day are compared; each is a look into an index. */
const COMPARED_MAX = 2_000;
/** Clients add doubles, so that a sum may be off by less than this. */
const TOLERANCE_NANO = 1_000;

/** Sessions by day for which metrics came, those that differ first. */
export async function listComparedSessions(
  pool: Pool,
  workspaceId: string,
  { from, to }: RollupRange,
  limit: number,
): Promise<readonly ComparedRow[]> {
  const found = await pool.query<ComparedRow>({
    name: "costs_client_metrics",
    text: `WITH told AS MATERIALIZED (
        SELECT agent_id, session_id, day, min(client) AS client, round(sum(value) FILTER (WHERE kind = 'cost') * 1000000000) AS nano,
          round(sum(value) FILTER (WHERE kind = 'tokens')) AS tokens
        FROM client_metric WHERE workspace_id = $1 AND day >= quarterdeck_day_of($1, $2)
          AND day <= quarterdeck_day_of($1, $3::timestamptz - interval '1 millisecond')
        GROUP BY 1, 2, 3 ORDER BY day DESC, agent_id, session_id LIMIT ${COMPARED_MAX}
      ), compared AS (
        SELECT told.*, counted.*, coalesce(abs(nano - ledger_nano) > ${TOLERANCE_NANO}, false)
          OR coalesce(tokens <> ledger_tokens, false) AS differs
        FROM told CROSS JOIN LATERAL (
          SELECT count(*) AS calls, coalesce(sum(cost_nano), 0) AS ledger_nano,
            coalesce(sum(coalesce(input_tokens, 0) + coalesce(output_tokens, 0) + coalesce(cached_input_tokens, 0)
              + coalesce(cached_write_tokens, 0)), 0) AS ledger_tokens
          FROM llm_call AS call WHERE call.workspace_id = $1 AND call.session_id = told.session_id
            AND call.agent_id = told.agent_id
            AND call.occurred_at >= (told.day::timestamp AT TIME ZONE 'UTC') - interval '1 day'
            AND call.occurred_at < (told.day::timestamp AT TIME ZONE 'UTC') + interval '2 days'
            AND quarterdeck_day_of($1, call.occurred_at) = told.day) AS counted
      )
      SELECT day::text, agent_id, session_id, client, calls::text, nano::text, ledger_nano::text, tokens::text,
        ledger_tokens::text, differs, (count(*) OVER ())::text AS total, (count(*) FILTER (WHERE differs) OVER ())::text AS differing
      FROM compared ORDER BY compared.differs DESC, compared.day DESC, agent_id, session_id LIMIT $4`,
    values: [workspaceId, from, to, limit],
  });
  return found.rows;
}
