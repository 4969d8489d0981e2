/** The sources of notices: entries of the chain behind a cursor, and rows of alerts and budgets that wait. */
import type { Pool, PoolClient } from "../platform/db.ts";
import type { EntryRow } from "./entry-notices.ts";

/** The workspaces in which something happened that is in no notice yet. */
export async function listDueWorkspaces(
  pool: Pool,
  kinds: readonly string[],
  limit: number,
): Promise<readonly string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM workspace LEFT JOIN notice_cursor AS position ON position.workspace_id = id
     WHERE EXISTS (SELECT FROM audit_entry AS entry WHERE entry.workspace_id = workspace.id AND entry.kind = ANY ($1)
         AND entry.kind <> 'dispatches_recorded' AND entry.seq > coalesce(position.seq, 0))
       OR EXISTS (SELECT FROM alert_event AS event WHERE event.workspace_id = workspace.id AND event.awaits_notice)
       OR EXISTS (SELECT FROM budget_alert AS crossing WHERE crossing.workspace_id = workspace.id AND crossing.awaits_notice)
     LIMIT $2`,
    [kinds, limit],
  );
  return rows.map(({ id }) => id);
}

/** The cursor, locked until the transaction ends; null while another node holds it. */
export async function lockCursor(client: PoolClient, workspaceId: string): Promise<number | null> {
  await client.query("INSERT INTO notice_cursor (workspace_id, seq) VALUES ($1, 0) ON CONFLICT DO NOTHING", [
    workspaceId,
  ]);
  const { rows } = await client.query<{ seq: number }>(
    "SELECT seq::float8 AS seq FROM notice_cursor WHERE workspace_id = $1 FOR UPDATE SKIP LOCKED",
    [workspaceId],
  );
  return rows[0]?.seq ?? null;
}

export async function moveCursor(client: PoolClient, workspaceId: string, seq: number): Promise<void> {
  await client.query("UPDATE notice_cursor SET seq = $2 WHERE workspace_id = $1", [workspaceId, seq]);
}

/** Entries in the order of the chain, which has no gaps among committed ones. */
export async function listEntries(
  client: PoolClient,
  workspaceId: string,
  { kinds, after, limit }: { readonly kinds: readonly string[]; readonly after: number; readonly limit: number },
): Promise<readonly EntryRow[]> {
  const { rows } = await client.query<EntryRow>(
    `SELECT seq::float8 AS seq, at, kind, body, actor_id AS "actorId" FROM audit_entry
     WHERE workspace_id = $1 AND kind <> 'dispatches_recorded' AND kind = ANY ($2) AND seq > $3 ORDER BY seq LIMIT $4`,
    [workspaceId, kinds, after, limit],
  );
  return rows;
}

export interface AlertRow {
  readonly id: string;
  readonly at: Date;
  readonly state: string;
  readonly says: string;
  readonly name: string;
  readonly severity: string;
  /** The groups of agents that the alert is about. */
  readonly groupIds: readonly string[];
}

export async function takeAlerts(client: PoolClient, workspaceId: string, limit: number): Promise<readonly AlertRow[]> {
  const { rows } = await client.query<AlertRow>(
    `UPDATE alert_event AS event SET awaits_notice = false
     FROM (SELECT rule_id, at, id FROM alert_event WHERE workspace_id = $1 AND awaits_notice ORDER BY at LIMIT $2
       FOR UPDATE SKIP LOCKED) AS due, alert_rule AS rule
     WHERE event.workspace_id = $1 AND event.rule_id = due.rule_id AND event.at = due.at AND event.id = due.id
       AND rule.workspace_id = $1 AND rule.id = event.rule_id
     RETURNING event.id, event.at, event.state, event.says, rule.name, rule.severity,
       ARRAY(SELECT rule.group_id WHERE rule.group_id IS NOT NULL UNION SELECT member.group_id
         FROM agent_group_member AS member WHERE member.workspace_id = $1 AND member.agent_id = rule.agent_id) AS "groupIds"`,
    [workspaceId, limit],
  );
  return rows;
}

export interface CrossingRow {
  readonly budgetId: string;
  readonly name: string;
  readonly period: string;
  readonly subject: string;
  readonly threshold: number;
  readonly at: Date;
  readonly isUsedUp: boolean;
}

export async function takeCrossings(
  client: PoolClient,
  workspaceId: string,
  limit: number,
): Promise<readonly CrossingRow[]> {
  const { rows } = await client.query<CrossingRow>(
    `UPDATE budget_alert AS crossing SET awaits_notice = false
     FROM (SELECT budget_id, period_start, subject, threshold FROM budget_alert WHERE workspace_id = $1 AND awaits_notice
       ORDER BY at LIMIT $2 FOR UPDATE SKIP LOCKED) AS due, budget
     WHERE crossing.workspace_id = $1 AND crossing.budget_id = due.budget_id AND crossing.period_start = due.period_start
       AND crossing.subject = due.subject AND crossing.threshold = due.threshold
       AND budget.workspace_id = $1 AND budget.id = due.budget_id
     RETURNING crossing.budget_id AS "budgetId", budget.name, crossing.period_start::text AS period,
       md5(crossing.subject) AS subject, crossing.threshold, crossing.at, crossing.used_nano >= crossing.amount_nano AS "isUsedUp"`,
    [workspaceId, limit],
  );
  return rows;
}
