/** The spent and reserved amounts of budgets: SQL, because they are counted under races. */
import type { Pool, Tx } from "../platform/db.ts";
import { LAG_MS_SQL } from "../projectors/index.ts";
import { dayShiftParameters, dayShiftsOf, selectDayShiftsSql, utcStartOf } from "../recording/index.ts";
import type { BudgetColumns } from "./stored-budget.ts";

/** Under a budget for each session, a session that was silent for this many days starts from zero. */
const SESSION_DAYS = 30;
const COUNTS = `coalesce(sum(cost_nano), 0), 0, 0, coalesce(sum(calls_priced), 0), coalesce(sum(calls_free), 0),
  coalesce(sum(calls_unpriced), 0)`;
const KEYS = ["agent_id", "model_id"];
const SUMS = ["calls_priced", "calls_free", "calls_unpriced", "cost_nano"];
const SUMMED = [...KEYS, ...SUMS];
/** The part of the daily sums between the period's first midnight and midnight UTC. */
const MOVED = selectDayShiftsSql("rollup", { keys: KEYS, sums: SUMS, first: 6 });

/**
 * Counts the ledger for the current period, from daily sums. The caller has locked the workspace's figures: costs not
 * yet in them are charged after this transaction.
 */
export async function fill(tx: Tx, workspaceId: string, id: string, now: Date): Promise<void> {
  const found = await tx.$queryRaw<{ start: string; starts_at: Date }[]>`
    SELECT start.day::text AS start, quarterdeck_day_start(${workspaceId}::uuid, start.day) AS starts_at
    FROM budget CROSS JOIN LATERAL (SELECT quarterdeck_budget_period(budget.period,
      quarterdeck_day_of(${workspaceId}::uuid, ${now}::timestamptz)) AS day) AS start
    WHERE budget.workspace_id = ${workspaceId}::uuid AND budget.id = ${id}::uuid AND budget.scope <> 'session'`;
  const period = found[0];
  if (!period) return;
  const utcStart = utcStartOf(period.start);
  const shifts = dayShiftsOf([{ before: null, after: period.start, startsAt: period.starts_at, utcStart }]);
  await tx.$executeRawUnsafe(
    `INSERT INTO budget_account (workspace_id, budget_id, period_start, subject, spent_nano, assumed_nano, held_nano,
       priced, free, unpriced, first_at)
     SELECT $1::uuid, $2::uuid, $3::date, '', ${COUNTS}, greatest(min(bucket), $4::timestamptz)
     FROM budget JOIN (
       SELECT bucket, ${SUMMED.join(", ")} FROM rollup_day
       WHERE workspace_id = $1::uuid AND bucket >= $5::timestamptz AND calls_priced + calls_free + calls_unpriced > 0
       UNION ALL SELECT NULL, ${SUMMED.join(", ")} FROM (${MOVED}) AS moved) AS sums ON CASE budget.scope
         WHEN 'agent' THEN sums.agent_id = budget.target::uuid
         WHEN 'model' THEN sums.model_id = budget.target
         WHEN 'group' THEN sums.agent_id IN (SELECT agent_id FROM agent_group_member
           WHERE workspace_id = $1::uuid AND group_id = budget.target::uuid)
         ELSE true END
     WHERE budget.workspace_id = $1::uuid AND budget.id = $2::uuid
     HAVING sum(calls_priced + calls_free + calls_unpriced) > 0`,
    workspaceId,
    id,
    period.start,
    period.starts_at,
    utcStart,
    ...dayShiftParameters(shifts),
  );
}

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

export interface Claim {
  readonly request: string;
  readonly agent: string;
  readonly session: string;
  readonly model: string;
}

export interface Refusal {
  readonly request_id: string;
  readonly budget_id: string;
  readonly name: string;
  readonly why: "no_room" | "unpriced";
  readonly used_nano: string;
  readonly amount_nano: string;
  readonly reserve_nano: string;
}

/** Reserves for each claim, in their order; returns the refused claims. One statement: it reserves all or nothing. */
export async function reserve(
  pool: Pool,
  workspaceId: string,
  claims: readonly Claim[],
  now: Date,
): Promise<readonly Refusal[]> {
  const found = await pool.query<Refusal>({
    name: "budgets_reserve",
    text: `SELECT * FROM quarterdeck_budget_reserve($1::uuid, $2::uuid[], $3::uuid[], $4::text[], $5::text[],
             quarterdeck_day_of($1::uuid, $6::timestamptz))`,
    values: [
      workspaceId,
      claims.map(({ request }) => request),
      claims.map(({ agent }) => agent),
      claims.map(({ session }) => session),
      claims.map(({ model }) => model),
      now,
    ],
  });
  return found.rows;
}

export interface HardBudgetRow extends BudgetColumns {
  /** True if the budget's agent does not exist. */
  readonly isLost: boolean;
}

const UUID = "'^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'";

/** The hard budgets, as stored. */
export async function listHard(pool: Pool, workspaceId: string): Promise<readonly HardBudgetRow[]> {
  const found = await pool.query<
    Omit<HardBudgetRow, "amountNano" | "reserveNano"> & {
      readonly amountNano: string;
      readonly reserveNano: string | null;
    }
  >({
    name: "budgets_hard",
    text: `SELECT id, name, scope, target, period, amount_nano AS "amountNano", reserve_nano AS "reserveNano", is_hard AS "isHard", unpriced,
             scope = 'agent' AND NOT EXISTS (SELECT FROM agent WHERE agent.workspace_id = budget.workspace_id
               AND agent.id = CASE WHEN budget.target ~ ${UUID} THEN budget.target::uuid END) AS "isLost"
           FROM budget WHERE workspace_id = $1 AND is_hard ORDER BY id`,
    values: [workspaceId],
  });
  return found.rows.map(({ amountNano, reserveNano, ...row }) => ({
    ...row,
    amountNano: BigInt(amountNano),
    reserveNano: reserveNano === null ? null : BigInt(reserveNano),
  }));
}

/** The groups of these agents, by agent. */
export async function listGroupsOf(
  pool: Pool,
  workspaceId: string,
  agents: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = await pool.query<{ agent: string; groups: string[] }>({
    name: "budgets_groups_of",
    text: `SELECT agent_id AS agent, array_agg(group_id::text) AS groups FROM agent_group_member
           WHERE workspace_id = $1 AND agent_id = ANY ($2::uuid[]) GROUP BY agent_id`,
    values: [workspaceId, agents],
  });
  return new Map(found.rows.map(({ agent, groups }) => [agent, groups]));
}

export interface BehindRow {
  readonly request_id: string;
  readonly name: string;
  readonly ms: number;
}

/**
 * The claims under a hard budget, each with its first budget, while the figures lag by more than `limitMs`; else empty.
 */
export async function listBehind(
  pool: Pool,
  workspaceId: string,
  claims: readonly Claim[],
  limitMs: number,
): Promise<readonly BehindRow[]> {
  const found = await pool.query<BehindRow>({
    name: "budgets_behind",
    text: `WITH lag AS MATERIALIZED (SELECT ${LAG_MS_SQL("$1::uuid")} AS ms)
           SELECT DISTINCT ON (asked.request) asked.request AS request_id, budget.name, lag.ms
           FROM lag JOIN budget ON lag.ms > $5 AND budget.workspace_id = $1 AND budget.is_hard
           JOIN unnest($2::uuid[], $3::uuid[], $4::text[]) AS asked (request, agent, model) ON CASE budget.scope
             WHEN 'agent' THEN budget.target = asked.agent::text
             WHEN 'model' THEN budget.target = asked.model
             WHEN 'group' THEN EXISTS (SELECT FROM agent_group_member member WHERE member.workspace_id = $1
               AND member.agent_id = asked.agent AND member.group_id = budget.target::uuid)
             ELSE true END
           ORDER BY asked.request, budget.id`,
    values: [
      workspaceId,
      claims.map(({ request }) => request),
      claims.map(({ agent }) => agent),
      claims.map(({ model }) => model),
      limitMs,
    ],
  });
  return found.rows;
}

/** The budget that would refuse a call now; stores nothing. */
export async function findRefusal(
  pool: Pool,
  workspaceId: string,
  { agent, session, model }: Omit<Claim, "request">,
  now: Date,
): Promise<Omit<Refusal, "request_id"> | null> {
  const found = await pool.query<Omit<Refusal, "request_id">>({
    name: "budgets_would_refuse",
    text: `SELECT id AS budget_id, name, CASE WHEN used + needed > amount_nano THEN 'no_room' ELSE 'unpriced' END AS why,
             used AS used_nano, amount_nano, needed AS reserve_nano
           FROM (SELECT budget.*, greatest(budget.reserve_nano, account.dearest_nano) AS needed, coalesce(account.spent_nano + account.assumed_nano + account.held_nano, 0) AS used
                 FROM budget LEFT JOIN budget_account account ON account.workspace_id = budget.workspace_id
                   AND account.budget_id = budget.id
                   AND account.period_start = quarterdeck_budget_period(budget.period, (SELECT quarterdeck_day_of($1, $5::timestamptz)))
                   AND account.subject = CASE budget.scope WHEN 'session' THEN $2::text || ' ' || $3::text ELSE '' END
                 WHERE budget.workspace_id = $1 AND budget.is_hard AND CASE budget.scope
                   WHEN 'agent' THEN budget.target = $2::text
                   WHEN 'model' THEN budget.target = $4::text
                   WHEN 'group' THEN EXISTS (SELECT FROM agent_group_member member WHERE member.workspace_id = $1
                     AND member.agent_id = $2::uuid AND member.group_id = budget.target::uuid)
                   ELSE true END) AS counted
           WHERE used + needed > amount_nano OR (unpriced = 'deny' AND EXISTS (
             SELECT FROM budget_unpriced_model known WHERE known.workspace_id = $1 AND known.model_id = $4::text))
           ORDER BY id LIMIT 1`,
    values: [workspaceId, agent, session, model, now],
  });
  return found.rows[0] ?? null;
}

interface ReservationKey {
  readonly budgetId: string;
  readonly agentId: string;
  readonly requestId: string;
}

/** Returns the amount that a reservation holds; null when there is no such reservation. */
export async function findReserved(
  tx: Tx,
  workspaceId: string,
  { budgetId, agentId, requestId }: ReservationKey,
): Promise<bigint | null> {
  const found = await tx.$queryRaw<{ nano: bigint }[]>`
    SELECT nano FROM budget_reservation WHERE workspace_id = ${workspaceId}::uuid AND agent_id = ${agentId}::uuid
      AND request_id = ${requestId}::uuid AND budget_id = ${budgetId}::uuid`;
  return found[0]?.nano ?? null;
}

/** The sum and the number of the reservations that were made before an instant. */
export async function sumReserved(tx: Tx, workspaceId: string, budgetId: string, madeBefore: Date) {
  const found = await tx.$queryRaw<{ count: number; nano: string }[]>`
    SELECT count(*)::int AS count, coalesce(sum(nano), 0)::text AS nano FROM budget_reservation
    WHERE workspace_id = ${workspaceId}::uuid AND budget_id = ${budgetId}::uuid AND made_at < ${madeBefore}`;
  return found[0] ?? { count: 0, nano: "0" };
}

/**
 * Releases every reservation from before an instant; returns their number. The caller holds the lock on the figures.
 */
export async function releaseAll(tx: Tx, workspaceId: string, budgetId: string, madeBefore: Date): Promise<number> {
  const found = await tx.$queryRaw<{ count: number }[]>`
    WITH gone AS (
      DELETE FROM budget_reservation WHERE workspace_id = ${workspaceId}::uuid AND budget_id = ${budgetId}::uuid
        AND made_at < ${madeBefore} RETURNING period_start, subject, nano
    ), sums AS (
      SELECT period_start, subject, sum(nano) AS nano FROM gone GROUP BY 1, 2
    ), locked AS MATERIALIZED (
      SELECT account.period_start, account.subject FROM budget_account account
      WHERE account.workspace_id = ${workspaceId}::uuid AND account.budget_id = ${budgetId}::uuid
        AND (account.period_start, account.subject) IN (SELECT period_start, subject FROM sums)
      ORDER BY account.period_start, account.subject FOR UPDATE
    ), given AS (
      UPDATE budget_account account SET held_nano = account.held_nano - sums.nano
      FROM sums JOIN locked USING (period_start, subject)
      WHERE account.workspace_id = ${workspaceId}::uuid AND account.budget_id = ${budgetId}::uuid
        AND account.period_start = sums.period_start AND account.subject = sums.subject
    )
    SELECT count(*)::int AS count FROM gone`;
  return found[0]?.count ?? 0;
}

/** Releases a reservation; false when there is no such reservation. */
export async function release(
  tx: Tx,
  workspaceId: string,
  { budgetId, agentId, requestId }: ReservationKey,
): Promise<boolean> {
  const given = await tx.$executeRaw`
    WITH gone AS (
      DELETE FROM budget_reservation WHERE workspace_id = ${workspaceId}::uuid AND agent_id = ${agentId}::uuid
        AND request_id = ${requestId}::uuid AND budget_id = ${budgetId}::uuid RETURNING period_start, subject, nano
    )
    UPDATE budget_account account SET held_nano = account.held_nano - gone.nano FROM gone
    WHERE account.workspace_id = ${workspaceId}::uuid AND account.budget_id = ${budgetId}::uuid
      AND account.period_start = gone.period_start AND account.subject = gone.subject`;
  return given === 1;
}

export interface AccountRow {
  readonly budget_id: string;
  readonly subject: string;
  readonly spent_nano: string;
  readonly assumed_nano: string;
  readonly held_nano: string;
  readonly priced: string;
  readonly free: string;
  readonly unpriced: string;
  readonly beyond: string;
  readonly unreserved: string;
  readonly unreserved_nano: string;
  readonly dearest_nano: string;
  readonly refused: string;
  readonly refused_at: Date | null;
  readonly first_at: Date | null;
  readonly counted: string;
  readonly closed: string;
}

/** Separate queries per kind: the fullest of many sessions is one look-up in their index. */
const ACCOUNT = `
  SELECT budget_id, subject, spent_nano, assumed_nano, held_nano, priced, free, unpriced, beyond, unreserved, unreserved_nano,
    dearest_nano, refused, refused_at, first_at
  FROM budget_account account
  WHERE account.workspace_id = $1 AND account.budget_id = budget.id AND account.period_start = start.day`;

/** The account of each budget in the period that holds `now`; where each session has the amount, the fullest one. */
export async function listAccounts(
  pool: Pool,
  workspaceId: string,
  ids: readonly string[],
  now: Date,
  countedMax: number,
): Promise<readonly AccountRow[]> {
  const found = await pool.query<AccountRow>({
    name: "budgets_accounts",
    text: `SELECT account.*, coalesce(sessions.counted, 0) AS counted, coalesce(sessions.closed, 0) AS closed
           FROM budget
           CROSS JOIN LATERAL (SELECT quarterdeck_budget_period(budget.period,
             (SELECT quarterdeck_day_of($1, $3::timestamptz))) AS day) AS start
           JOIN LATERAL (
             (${ACCOUNT} AND budget.scope <> 'session' AND account.subject = '')
             UNION ALL
             (${ACCOUNT} AND budget.scope = 'session' AND account.subject <> ''
              ORDER BY spent_nano + assumed_nano + held_nano DESC LIMIT 1)) AS account ON true
           LEFT JOIN LATERAL (
             SELECT count(*) AS counted, count(*) FILTER (WHERE used + greatest(budget.reserve_nano, dearest_nano) > budget.amount_nano) AS closed
             FROM (SELECT spent_nano + assumed_nano + held_nano AS used, dearest_nano FROM budget_account account
                   WHERE account.workspace_id = $1 AND account.budget_id = budget.id AND account.period_start = start.day
                     AND account.subject <> '' ORDER BY spent_nano + assumed_nano + held_nano DESC LIMIT $4) AS fullest
           ) AS sessions ON budget.scope = 'session'
           WHERE budget.workspace_id = $1 AND budget.id = ANY($2::uuid[])`,
    values: [workspaceId, ids, now, countedMax],
  });
  return found.rows;
}

export interface ReservationRow {
  readonly request_id: string;
  readonly agent_id: string;
  readonly agent_name: string | null;
  readonly session_id: string;
  readonly model_id: string;
  readonly nano: string;
  readonly made_at: Date;
}

export async function listReservations(
  pool: Pool,
  workspaceId: string,
  budgetId: string,
  limit: number,
): Promise<readonly ReservationRow[]> {
  const found = await pool.query<ReservationRow>({
    name: "budgets_reservations",
    text: `SELECT held.request_id, held.agent_id, agent.name AS agent_name, held.session_id, held.model_id, held.nano, held.made_at
           FROM budget JOIN budget_reservation held ON held.workspace_id = budget.workspace_id AND held.budget_id = budget.id
           LEFT JOIN agent ON agent.workspace_id = held.workspace_id AND agent.id = held.agent_id
           WHERE budget.workspace_id = $1 AND budget.id = $2
           ORDER BY held.period_start DESC, held.made_at DESC LIMIT $3`,
    values: [workspaceId, budgetId, limit],
  });
  return found.rows;
}
