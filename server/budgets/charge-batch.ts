/**
 * Charges recorded calls to budgets, in the projector's transaction: a call turns its reservation into spending, a
 * refused or failed call releases it, and passed thresholds are recorded.
 *
 * The transaction locks the workspace's cursor, so that its batches are charged one after the other in the chain's
 * order. A budget that was created concurrently has either counted a batch from the ledger or is charged with it.
 */
import type { Send } from "../platform/db.ts";
import { isRefusedCall, type ProjectedRecord } from "../recording/index.ts";
import { countsForPersonSql, countsSql } from "./counts-sql.ts";

/**
 * Clocks of nodes differ, and those of agents more: a reservation may be younger than its call's report by this much.
 */
const SKEW = "interval '1 minute'";

const OF_SESSION = (one: string, other: string) => `${one}.workspace_id = ${other}.workspace_id
  AND ${one}.agent_id = ${other}.agent_id AND ${one}.session_id = ${other}.session_id`;

const COUNTS = countsSql({
  workspace: "call.workspace_id",
  agent: "call.agent_id",
  model: "call.model_id",
  person: "call.principal_id",
});
/** False for a reservation in the budget of a person whose call was reported for another one: it is released. */
const IS_OWN = `budget.scope NOT IN ('person', 'sign_on_group')
  OR ${countsForPersonSql("settled.workspace_id", "settled.principal_id")}`;

// One statement, so that all accounts it touches are locked in one order: (workspace, budget, period, subject).
const SETTLE = `
WITH call AS MATERIALIZED (
  SELECT *, quarterdeck_day_of(workspace_id, at) AS day,
    row_number() OVER (PARTITION BY workspace_id, agent_id, session_id ORDER BY at DESC, n DESC) AS turn
  FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::timestamptz[], $6::int8[], $7::bool[], $15::uuid[])
    WITH ORDINALITY AS call (workspace_id, agent_id, session_id, model_id, at, nano, is_free, principal_id, n)
  WHERE EXISTS (SELECT FROM budget WHERE budget.workspace_id = call.workspace_id)
), request AS (
  SELECT *, row_number() OVER (PARTITION BY workspace_id, agent_id, session_id ORDER BY made_at DESC, request_id DESC) AS turn
  FROM (SELECT DISTINCT held.workspace_id, held.agent_id, held.session_id, held.request_id, held.made_at
        FROM (SELECT workspace_id, agent_id, session_id, max(at) AS at FROM call GROUP BY 1, 2, 3) AS last
        JOIN budget_reservation held ON ${OF_SESSION("held", "last")} AND held.made_at <= last.at + ${SKEW}) AS known
), settled AS (
  DELETE FROM budget_reservation held USING request JOIN call ON ${OF_SESSION("request", "call")}
    AND request.turn = call.turn AND request.made_at <= call.at + ${SKEW}
  WHERE held.workspace_id = request.workspace_id AND held.agent_id = request.agent_id
    AND held.request_id = request.request_id
  RETURNING call.n, call.at, call.nano AS cost, call.is_free, call.principal_id, held.workspace_id, held.agent_id, held.request_id,
    held.budget_id, held.period_start, held.subject, held.nano AS held
), gone AS (
  DELETE FROM budget_reservation held USING (
    SELECT held.workspace_id, held.agent_id, held.request_id
    FROM unnest($8::uuid[], $9::uuid[], $10::uuid[]) AS refused (workspace_id, agent_id, request_id)
    JOIN budget_reservation held USING (workspace_id, agent_id, request_id)
    UNION
    SELECT held.workspace_id, held.agent_id, held.request_id
    FROM unnest($11::uuid[], $12::uuid[], $13::text[], $14::timestamptz[]) AS failed (workspace_id, agent_id, session_id, at)
    JOIN budget_reservation held ON ${OF_SESSION("held", "failed")} AND held.made_at < failed.at
  ) AS dropped
  WHERE held.workspace_id = dropped.workspace_id AND held.agent_id = dropped.agent_id
    AND held.request_id = dropped.request_id AND NOT EXISTS (SELECT FROM settled
      WHERE settled.agent_id = dropped.agent_id AND settled.request_id = dropped.request_id)
  RETURNING held.workspace_id, held.budget_id, held.period_start, held.subject, held.nano AS held
), effect AS (
  SELECT settled.workspace_id, budget_id, period_start, subject, is_own AS is_call, CASE WHEN is_own THEN at END AS at,
    CASE WHEN is_own THEN cost ELSE 0 END AS cost, is_own AND is_free AS is_free, held
  FROM settled JOIN budget ON budget.workspace_id = settled.workspace_id AND budget.id = settled.budget_id
  CROSS JOIN LATERAL (SELECT ${IS_OWN}) AS own (is_own)
  UNION ALL
  SELECT call.workspace_id, budget.id, quarterdeck_budget_period(budget.period, call.day),
    CASE budget.scope WHEN 'session' THEN call.agent_id || ' ' || call.session_id ELSE '' END,
    true, call.at, call.nano, call.is_free, NULL
  FROM call JOIN budget ON budget.workspace_id = call.workspace_id AND ${COUNTS}
  WHERE NOT EXISTS (SELECT FROM settled WHERE settled.n = call.n AND settled.budget_id = budget.id)
  UNION ALL
  SELECT workspace_id, budget_id, period_start, subject, false, NULL, 0, false, held FROM gone
), changed AS (
  INSERT INTO budget_account AS account (workspace_id, budget_id, period_start, subject,
    spent_nano, assumed_nano, held_nano, priced, free, unpriced, beyond, unreserved, unreserved_nano, dearest_nano, first_at)
  SELECT effect.workspace_id, effect.budget_id, effect.period_start, effect.subject,
    coalesce(sum(cost), 0),
    coalesce(sum(coalesce(held, budget.reserve_nano)) FILTER (WHERE cost IS NULL AND budget.unpriced <> 'pass'), 0),
    -coalesce(sum(held), 0),
    count(*) FILTER (WHERE is_call AND cost IS NOT NULL AND NOT is_free),
    count(*) FILTER (WHERE is_call AND is_free),
    count(*) FILTER (WHERE is_call AND cost IS NULL),
    count(*) FILTER (WHERE cost > held),
    count(*) FILTER (WHERE is_call AND held IS NULL AND cost > 0),
    coalesce(sum(cost) FILTER (WHERE is_call AND held IS NULL), 0), coalesce(max(cost) FILTER (WHERE is_call), 0), min(at)
  FROM effect JOIN budget ON budget.workspace_id = effect.workspace_id AND budget.id = effect.budget_id
  GROUP BY effect.workspace_id, effect.budget_id, effect.period_start, effect.subject
  ORDER BY effect.workspace_id, effect.budget_id, effect.period_start, effect.subject
  ON CONFLICT (workspace_id, budget_id, period_start, subject) DO UPDATE SET
    spent_nano = account.spent_nano + excluded.spent_nano, assumed_nano = account.assumed_nano + excluded.assumed_nano,
    held_nano = account.held_nano + excluded.held_nano, priced = account.priced + excluded.priced,
    free = account.free + excluded.free, unpriced = account.unpriced + excluded.unpriced,
    beyond = account.beyond + excluded.beyond, unreserved = account.unreserved + excluded.unreserved,
    unreserved_nano = account.unreserved_nano + excluded.unreserved_nano,
    dearest_nano = greatest(account.dearest_nano, excluded.dearest_nano), first_at = least(account.first_at, excluded.first_at)
  RETURNING workspace_id, budget_id, period_start, subject, spent_nano + assumed_nano AS used
), last_call AS (
  SELECT DISTINCT ON (workspace_id, model_id) workspace_id, model_id, at, nano FROM call
  WHERE EXISTS (SELECT FROM budget WHERE budget.workspace_id = call.workspace_id AND budget.unpriced = 'deny')
  ORDER BY workspace_id, model_id, n DESC
), unpriced AS (
  INSERT INTO budget_unpriced_model (workspace_id, model_id, seen_at)
  SELECT workspace_id, model_id, at FROM last_call WHERE nano IS NULL
  ON CONFLICT DO NOTHING
), priced AS (
  DELETE FROM budget_unpriced_model known USING last_call
  WHERE known.workspace_id = last_call.workspace_id AND known.model_id = last_call.model_id AND last_call.nano IS NOT NULL
)
INSERT INTO budget_alert (workspace_id, budget_id, period_start, subject, threshold, used_nano, amount_nano)
SELECT changed.workspace_id, changed.budget_id, changed.period_start, changed.subject, threshold, used, budget.amount_nano
FROM changed JOIN budget ON budget.workspace_id = changed.workspace_id AND budget.id = changed.budget_id
CROSS JOIN unnest(budget.thresholds) AS threshold
WHERE changed.used::numeric * 100 >= budget.amount_nano::numeric * threshold
ON CONFLICT DO NOTHING`;

/** Sends nothing for a batch without calls, refusals or failures. */
export function chargeBatch(send: Send, entries: readonly ProjectedRecord[]): void {
  const calls = entries.filter(({ projection }) => projection.call !== null);
  const refused = entries.filter(({ record }) => isRefusedCall(record));
  const failed = entries.filter(
    ({ record, projection }) => record.event === "turn_end" && projection.detail === "error",
  );
  if (calls.length + refused.length + failed.length === 0) return;
  const workspaces = (of: readonly ProjectedRecord[]) => of.map(({ record }) => record.workspaceId);
  const agents = (of: readonly ProjectedRecord[]) => of.map(({ record }) => record.agentId);
  const sessions = (of: readonly ProjectedRecord[]) => of.map(({ projection }) => projection.sessionId);
  void send({
    name: "settle_budgets",
    text: SETTLE,
    values: [
      workspaces(calls),
      agents(calls),
      sessions(calls),
      calls.map(({ projection }) => projection.call?.modelId ?? ""),
      calls.map(({ occurredAt }) => occurredAt),
      calls.map(({ record }) => record.cost?.nano.toString() ?? null),
      calls.map(({ record }) => record.cost?.usd === "0"),
      workspaces(refused),
      agents(refused),
      refused.map(({ request }) => request),
      workspaces(failed),
      agents(failed),
      sessions(failed),
      failed.map(({ occurredAt }) => occurredAt),
      calls.map(({ record }) => record.principal?.id ?? null),
    ],
  });
}
