import type { AuditEntry } from "../../audit/entries.ts";
import { type Acting, APPEND_AUDIT_SQL, auditParameters } from "../../audit/record-audit.ts";
import { type Pool, type PoolClient, transaction } from "../../platform/db.ts";

/** The committed result of `work`, which runs while nobody else closes a month of this workspace. */
export function withMonthClosingLock<T>(
  pool: Pool,
  workspaceId: string,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  return transaction(pool, async (client) => {
    await client.query("SELECT pg_advisory_xact_lock(hashtextextended('statement ' || $1::text, 0))", [workspaceId]);
    return work(client);
  });
}

export interface ClosedRow {
  readonly month: string;
  readonly content: string;
  readonly sha256: string;
  readonly closed_at: Date;
  readonly closed_by: string;
}
const MONTH = "to_char(month, 'YYYY-MM') AS month";

/** Every closed month, the oldest first. */
export async function listClosed(db: Pool | PoolClient, workspaceId: string): Promise<readonly ClosedRow[]> {
  const found = await db.query<ClosedRow>(
    `SELECT ${MONTH}, content, sha256, closed_at, closed_by FROM ledger_statement
     WHERE workspace_id = $1 ORDER BY ledger_statement.month`,
    [workspaceId],
  );
  return found.rows;
}

/** The same without their contents. */
export async function listHeads(db: Pool, workspaceId: string): Promise<readonly Omit<ClosedRow, "content">[]> {
  const found = await db.query<Omit<ClosedRow, "content">>(
    `SELECT ${MONTH}, sha256, closed_at, closed_by FROM ledger_statement
     WHERE workspace_id = $1 ORDER BY ledger_statement.month`,
    [workspaceId],
  );
  return found.rows;
}

/** The months of the first and the last calls; null when there was none. */
export async function findSpan(db: Pool | PoolClient, workspaceId: string) {
  const found = await db.query<{ first: string | null }>(
    `SELECT to_char(min(bucket) AT TIME ZONE 'UTC', 'YYYY-MM') AS first FROM rollup_day WHERE workspace_id = $1`,
    [workspaceId],
  );
  return found.rows[0]?.first ?? null;
}

/** A sum of what is stored; `kind` says of what. Counts that a kind does not have are 0. */
export interface SumRow {
  readonly kind: "calls" | "judges" | "compactions";
  readonly month: string;
  readonly agent: string;
  readonly model: string;
  readonly calls: string;
  readonly priced: string;
  readonly free: string;
  readonly unpriced: string;
  readonly nano: string;
  readonly corrected: string;
  readonly input: string;
  readonly cached_input: string;
  readonly cached_write: string;
  readonly output: string;
  readonly reasoning: string;
}

const AT = "to_char(bucket AT TIME ZONE 'UTC', 'YYYY-MM')";
const WHERE = "WHERE workspace_id = $1 AND bucket >= $2 AND bucket < $3";

/**
 * All that months in [from, to) hold now, by month, agent and model. One statement, so that it speaks of one instant: nobody's
 * correction is in one of its sums and not in another.
 */
export async function listSums(
  db: Pool | PoolClient,
  workspaceId: string,
  from: Date,
  to: Date,
): Promise<readonly SumRow[]> {
  const found = await db.query<SumRow>({
    name: "statement_sums",
    text: `SELECT 'calls' AS kind, month, agent, model, sum(calls) AS calls, sum(priced) AS priced, sum(free) AS free,
             sum(unpriced) AS unpriced, sum(nano) AS nano, sum(corrected) AS corrected, sum(input) AS input,
             sum(cached_input) AS cached_input, sum(cached_write) AS cached_write, sum(output) AS output,
             sum(reasoning) AS reasoning
           FROM (
             SELECT ${AT} AS month, agent_name AS agent, model_id AS model,
               calls_priced + calls_free + calls_unpriced AS calls, calls_priced AS priced, calls_free AS free,
               calls_unpriced AS unpriced, cost_nano AS nano, 0 AS corrected, input_tokens AS input,
               cached_input_tokens AS cached_input, cached_write_tokens AS cached_write, output_tokens AS output,
               reasoning_tokens AS reasoning
             FROM rollup_day ${WHERE} AND calls_priced + calls_free + calls_unpriced > 0
             UNION ALL
             SELECT ${AT}, agent_name, model_id, 0, 0, 0, 0, 0, corrected_nano, 0, 0, 0, 0, 0
             FROM ledger_day ${WHERE} AND corrected_nano <> 0
           ) AS days GROUP BY month, agent, model
           UNION ALL
           SELECT 'judges', ${AT}, '', '', sum(calls), sum(priced), sum(free), sum(unpriced), sum(cost_nano), 0, 0, 0, 0, 0, 0
           FROM judge_day ${WHERE} GROUP BY 2
           UNION ALL
           SELECT 'compactions', ${AT}, '', '', sum(compactions), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
           FROM rollup_day ${WHERE} AND compactions > 0 GROUP BY 2
           ORDER BY 1, 2, 3, 4`,
    values: [workspaceId, from, to],
  });
  return found.rows;
}

export async function insert(
  client: PoolClient,
  workspaceId: string,
  { month, content, sha256, by }: { month: string; content: string; sha256: string; by: string },
): Promise<void> {
  await client.query(
    `INSERT INTO ledger_statement (workspace_id, month, content, sha256, closed_at, closed_by)
     VALUES ($1, $2::date, $3, $4, now(), $5)`,
    [workspaceId, `${month}-01`, content, sha256, by],
  );
}

export async function append(
  client: PoolClient,
  who: Acting,
  entry: AuditEntry,
  { channel, message }: { channel: string; message: string },
): Promise<void> {
  await client.query(APPEND_AUDIT_SQL, auditParameters(who, entry));
  await client.query("SELECT pg_notify($1, $2)", [channel, message]);
}
