/** The spent and reserved amounts of budgets: SQL, because they are counted under races. */
import type { Pool, Tx } from "../platform/db.ts";
import { LAG_MS_SQL } from "../projectors/index.ts";
import { countsSql } from "./counts-sql.ts";

export interface Claim {
  readonly request: string;
  readonly agent: string;
  readonly session: string;
  readonly model: string;
  /** The principal that the call is made for; null if it is not known. */
  readonly person: string | null;
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
             $7::uuid[], quarterdeck_day_of($1::uuid, $6::timestamptz))`,
    values: [
      workspaceId,
      claims.map(({ request }) => request),
      claims.map(({ agent }) => agent),
      claims.map(({ session }) => session),
      claims.map(({ model }) => model),
      now,
      claims.map(({ person }) => person),
    ],
  });
  return found.rows;
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
           JOIN unnest($2::uuid[], $3::uuid[], $4::text[], $6::uuid[]) AS asked (request, agent, model, person)
             ON ${countsSql({ workspace: "$1::uuid", agent: "asked.agent", model: "asked.model", person: "asked.person" })}
           ORDER BY asked.request, budget.id`,
    values: [
      workspaceId,
      claims.map(({ request }) => request),
      claims.map(({ agent }) => agent),
      claims.map(({ model }) => model),
      limitMs,
      claims.map(({ person }) => person),
    ],
  });
  return found.rows;
}

/** The budget that would refuse a call now; stores nothing. */
export async function findRefusal(
  pool: Pool,
  workspaceId: string,
  { agent, session, model, person }: Omit<Claim, "request">,
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
                   AND account.subject = CASE budget.scope WHEN 'session' THEN ($2::uuid)::text || ' ' || $3::text ELSE '' END
                 WHERE budget.workspace_id = $1 AND budget.is_hard
                   AND ${countsSql({ workspace: "$1::uuid", agent: "$2::uuid", model: "$4::text", person: "$6::uuid" })}) AS counted
           WHERE used + needed > amount_nano OR (unpriced = 'deny' AND EXISTS (
             SELECT FROM budget_unpriced_model known WHERE known.workspace_id = $1 AND known.model_id = $4::text))
           ORDER BY id LIMIT 1`,
    values: [workspaceId, agent, session, model, now, person],
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
