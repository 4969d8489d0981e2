import { type Pool, type PoolClient, transaction } from "../../platform/db.ts";
import { type DayShift, dayShiftParameters, selectDayShiftsSql } from "../../recording/index.ts";

/** The committed result of `work`, which runs while no other transaction closes a month of this workspace. */
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

/**
 * The month of the first record; null without records. If the log was dropped, the month of the first hour or day in
 * the rollups.
 */
export async function findFirstMonth(db: Pool | PoolClient, workspaceId: string): Promise<string | null> {
  const found = await db.query<{ first: string | null }>(
    `WITH first_day AS (SELECT min(bucket) AS at FROM rollup_day WHERE workspace_id = $1),
       first_hour AS (SELECT (SELECT min(bucket) FROM rollup_hour WHERE workspace_id = $1
         AND bucket >= first_day.at AND bucket < first_day.at + interval '1 day') AS at FROM first_day),
       first_record AS (SELECT (SELECT min(occurred_at) FROM dispatch WHERE workspace_id = $1
         AND occurred_at >= first_hour.at AND occurred_at < first_hour.at + interval '1 hour') AS at FROM first_hour)
     SELECT to_char(quarterdeck_day_of($1, coalesce(first_record.at, first_hour.at, first_day.at)), 'YYYY-MM') AS first
     FROM first_day, first_hour, first_record WHERE first_day.at IS NOT NULL`,
    [workspaceId],
  );
  return found.rows[0]?.first ?? null;
}

/** The instants before which retention dropped calls, held one by one, and figures; null where it dropped none. */
export async function findDropped(db: Pool | PoolClient, workspaceId: string) {
  const before = (kinds: string) =>
    `max((body::jsonb->>'before')::timestamptz) FILTER (WHERE body::jsonb->>'data' IN (${kinds}))`;
  const found = await db.query<{ calls: Date | null; figures: Date | null }>(
    `SELECT ${before("'activity', 'judge_calls'")} AS calls, ${before("'figures'")} AS figures FROM audit_entry
     WHERE workspace_id = $1 AND kind = 'data_dropped'`,
    [workspaceId],
  );
  return found.rows[0] ?? { calls: null, figures: null };
}

/** One stored sum; `kind` is its subject. Counts that a kind does not have are 0. */
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

const MONTH_UTC = "to_char(bucket AT TIME ZONE 'UTC', 'YYYY-MM') AS name";
const WHERE = "WHERE workspace_id = $1 AND bucket >= $2 AND bucket < $3";
const WHOSE = ["agent_name", "model_id"];
const CALLS = [
  ...["calls_priced", "calls_free", "calls_unpriced", "cost_nano", "input_tokens", "cached_input_tokens"],
  ...["cached_write_tokens", "output_tokens", "reasoning_tokens"],
];
const JUDGES = ["calls", "priced", "free", "unpriced", "cost_nano"];
/** Sums of the months by midnights UTC, and what shifts move between them: the month under `name`. */
const cells = (family: "rollup" | "ledger" | "judge", keys: readonly string[], sums: readonly string[]) =>
  `SELECT ${[MONTH_UTC, ...keys, ...sums].join(", ")} FROM ${family}_day ${WHERE}
   UNION ALL ${selectDayShiftsSql(family, { keys, sums, first: 4 })}`;
const IS_ANY = (...sums: string[]) => `HAVING ${sums.map((sum) => `sum(${sum}) <> 0`).join(" OR ")}`;

/**
 * All that months hold now, by month, agent and model: those in [from, to) by midnights UTC, moved by the shifts. A
 * single SQL statement, so that all sums are of one instant: a correction is in all of them or in none.
 */
export async function listSums(
  db: Pool | PoolClient,
  workspaceId: string,
  { from, to, shifts }: { readonly from: Date; readonly to: Date; readonly shifts: readonly DayShift[] },
): Promise<readonly SumRow[]> {
  const found = await db.query<SumRow>({
    name: "statement_sums",
    text: `SELECT 'calls' AS kind, name AS month, agent_name AS agent, model_id AS model,
             sum(calls_priced + calls_free + calls_unpriced) AS calls, sum(calls_priced) AS priced, sum(calls_free) AS free,
             sum(calls_unpriced) AS unpriced, sum(cost_nano) AS nano, sum(corrected_nano) AS corrected,
             sum(input_tokens) AS input, sum(cached_input_tokens) AS cached_input,
             sum(cached_write_tokens) AS cached_write, sum(output_tokens) AS output, sum(reasoning_tokens) AS reasoning
           FROM (
             SELECT *, 0 AS corrected_nano FROM (${cells("rollup", WHOSE, CALLS)}) AS calls
             UNION ALL
             SELECT name, agent_name, model_id, ${CALLS.map(() => "0").join(", ")}, corrected_nano
             FROM (${cells("ledger", WHOSE, ["corrected_nano"])}) AS corrections
           ) AS months GROUP BY 2, 3, 4 ${IS_ANY(...CALLS, "corrected_nano")}
           UNION ALL
           SELECT 'judges', name, '', '', sum(calls), sum(priced), sum(free), sum(unpriced), sum(cost_nano), 0, 0, 0, 0, 0, 0
           FROM (${cells("judge", [], JUDGES)}) AS judges GROUP BY 2 ${IS_ANY(...JUDGES)}
           UNION ALL
           SELECT 'compactions', name, '', '', sum(compactions), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
           FROM (${cells("rollup", [], ["compactions"])}) AS compactions GROUP BY 2 ${IS_ANY("compactions")}
           ORDER BY 1, 2, 3, 4`,
    values: [workspaceId, from, to, ...dayShiftParameters(shifts)],
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
