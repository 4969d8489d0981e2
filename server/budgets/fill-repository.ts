/** The amounts that a budget starts with: sums of the ledger for its current period. */
import type { Tx } from "../platform/db.ts";
import { dayShiftParameters, dayShiftsOf, selectDayShiftsSql, utcStartOf } from "../recording/index.ts";
import { countsForPersonSql } from "./counts-sql.ts";

/** Under a budget for each session, a session that was silent for this many days starts from zero. */
const SESSION_DAYS = 30;
const COUNTS = `coalesce(sum(cost_nano), 0), 0, 0, coalesce(sum(calls_priced), 0), coalesce(sum(calls_free), 0),
  coalesce(sum(calls_unpriced), 0)`;
const SUMS = ["calls_priced", "calls_free", "calls_unpriced", "cost_nano"];

/** Sums of the period by these keys, from daily sums and the part between the period's midnight and midnight UTC. */
const sumsSql = (family: "rollup" | "spend", keys: readonly string[]): string => {
  const cells = [...keys, ...SUMS].join(", ");
  return `SELECT bucket, ${cells} FROM ${family}_day
    WHERE workspace_id = $1::uuid AND bucket >= $5::timestamptz AND calls_priced + calls_free + calls_unpriced > 0
    UNION ALL SELECT NULL, ${cells} FROM (${selectDayShiftsSql(family, { keys, sums: SUMS, first: 7 })}) AS moved`;
};
const OF_ALL = sumsSql("rollup", ["agent_id", "model_id"]);
/** Sums by person are as reported, so corrections are added from the ledger. */
const OF_PEOPLE = `${sumsSql("spend", ["principal_id"])}
  UNION ALL SELECT NULL, principal_id, priced, free, unpriced, corrected_nano FROM ledger_entry
    WHERE workspace_id = $1::uuid AND kind = 'correction' AND principal_id IS NOT NULL AND occurred_at >= $4::timestamptz`;

/**
 * Counts the ledger for the current period, from daily sums. The caller has locked the workspace's figures: costs not
 * yet in them are charged after this transaction.
 */
export async function fill(tx: Tx, workspaceId: string, id: string, now: Date): Promise<void> {
  await add(tx, workspaceId, { id, now, people: null });
}

/** Adds the spending of these principals to a budget of a person, who they turned out to be. */
export async function addPeople(
  tx: Tx,
  workspaceId: string,
  budget: { readonly id: string; readonly now: Date; readonly people: readonly string[] },
): Promise<void> {
  await add(tx, workspaceId, budget);
}

interface Added {
  readonly id: string;
  readonly now: Date;
  /** Null for all that count in it. */
  readonly people: readonly string[] | null;
}

async function add(tx: Tx, workspaceId: string, { id, now, people }: Added): Promise<void> {
  const found = await tx.$queryRaw<{ scope: string; start: string; starts_at: Date }[]>`
    SELECT budget.scope, start.day::text AS start, quarterdeck_day_start(${workspaceId}::uuid, start.day) AS starts_at
    FROM budget CROSS JOIN LATERAL (SELECT quarterdeck_budget_period(budget.period,
      quarterdeck_day_of(${workspaceId}::uuid, ${now}::timestamptz)) AS day) AS start
    WHERE budget.workspace_id = ${workspaceId}::uuid AND budget.id = ${id}::uuid AND budget.scope <> 'session'`;
  const period = found[0];
  if (!period) return;
  const utcStart = utcStartOf(period.start);
  const shifts = dayShiftsOf([{ before: null, after: period.start, startsAt: period.starts_at, utcStart }]);
  const isOfPeople = period.scope === "person" || period.scope === "sign_on_group";
  await tx.$executeRawUnsafe(
    `INSERT INTO budget_account AS account (workspace_id, budget_id, period_start, subject, spent_nano, assumed_nano, held_nano,
       priced, free, unpriced, first_at)
     SELECT $1::uuid, $2::uuid, $3::date, '', ${COUNTS}, greatest(min(bucket), $4::timestamptz)
     FROM budget JOIN (${isOfPeople ? OF_PEOPLE : OF_ALL}) AS sums ON ${isOfPeople ? COUNTS_FOR_PEOPLE : COUNTS_FOR_ALL}
     WHERE budget.workspace_id = $1::uuid AND budget.id = $2::uuid
     HAVING sum(calls_priced + calls_free + calls_unpriced) > 0
     ON CONFLICT (workspace_id, budget_id, period_start, subject) DO UPDATE SET
       spent_nano = account.spent_nano + excluded.spent_nano, priced = account.priced + excluded.priced,
       free = account.free + excluded.free, unpriced = account.unpriced + excluded.unpriced,
       first_at = least(account.first_at, excluded.first_at)`,
    workspaceId,
    id,
    period.start,
    period.starts_at,
    utcStart,
    people,
    ...dayShiftParameters(shifts),
  );
}

const COUNTS_FOR_PEOPLE = `(CASE WHEN $6::uuid[] IS NULL THEN ${countsForPersonSql("$1::uuid", "sums.principal_id")}
  ELSE sums.principal_id = ANY ($6::uuid[]) END)`;
const COUNTS_FOR_ALL = `$6::uuid[] IS NULL AND CASE budget.scope
  WHEN 'agent' THEN sums.agent_id = budget.target::uuid
  WHEN 'model' THEN sums.model_id = budget.target
  WHEN 'group' THEN sums.agent_id IN (SELECT agent_id FROM agent_group_member
    WHERE workspace_id = $1::uuid AND group_id = budget.target::uuid)
  ELSE true END`;

/**
 * Counts the spending of each session for a budget. Called twice: first without the lock of the figures, which takes
 * time in proportion to the sessions; then with the lock, which writes only the sessions that have changed.
 */
export async function fillSessions(tx: Tx, workspaceId: string, id: string, now: Date): Promise<number> {
  return tx.$executeRawUnsafe(
    `INSERT INTO budget_account AS account (workspace_id, budget_id, period_start, subject, spent_nano, assumed_nano, held_nano,
       priced, free, unpriced, first_at)
     SELECT $1::uuid, $2::uuid, start.day, session.agent_id || ' ' || session.session_id, session.cost_nano, 0, 0,
       session.calls_priced, session.calls_free, session.calls_unpriced, session.first_at
     FROM budget CROSS JOIN LATERAL (SELECT quarterdeck_budget_period(budget.period,
       quarterdeck_day_of($1::uuid, $3::timestamptz)) AS day) AS start
     JOIN session ON session.workspace_id = $1::uuid
       AND session.last_at >= $3::timestamptz - interval '${SESSION_DAYS} days'
       AND session.calls_priced + session.calls_free + session.calls_unpriced > 0
     LEFT JOIN budget_account known ON known.workspace_id = $1::uuid AND known.budget_id = $2::uuid
       AND known.period_start = start.day AND known.subject = session.agent_id || ' ' || session.session_id
     WHERE budget.workspace_id = $1::uuid AND budget.id = $2::uuid AND budget.scope = 'session'
       AND (known.spent_nano, known.priced, known.free, known.unpriced, known.first_at) IS DISTINCT FROM
         (session.cost_nano, session.calls_priced, session.calls_free, session.calls_unpriced, session.first_at)
     ON CONFLICT (workspace_id, budget_id, period_start, subject) DO UPDATE SET spent_nano = excluded.spent_nano,
       priced = excluded.priced, free = excluded.free, unpriced = excluded.unpriced, first_at = excluded.first_at`,
    workspaceId,
    id,
    now,
  );
}

/** Notes the models of which no call of the last 30 days had a known cost. */
export async function noteUnpricedModels(tx: Tx, workspaceId: string, now: Date): Promise<void> {
  await tx.$executeRawUnsafe(
    `INSERT INTO budget_unpriced_model (workspace_id, model_id, seen_at)
     SELECT $1::uuid, model_id, max(bucket) FROM rollup_day
     WHERE workspace_id = $1::uuid AND bucket >= $2::timestamptz - interval '${SESSION_DAYS} days' AND model_id <> ''
     GROUP BY model_id HAVING sum(calls_unpriced) > 0 AND sum(calls_priced + calls_free) = 0
     ON CONFLICT DO NOTHING`,
    workspaceId,
    now,
  );
}
