/** The rules of retention, the rows that a step removes, and the rules that failed. */

import type { AuditEntry } from "../../audit/entries.ts";
import { type Acting, appendAudit } from "../../audit/record-audit.ts";
import type { Pool, PoolClient } from "../../platform/db.ts";
import type { RetentionFault, RetentionKind } from "../schema.ts";
import { held } from "./holds.ts";
import type { AgedTable } from "./retention-tables.ts";

/** Rows that one step removes, or a few more with the same instant. */
export const STEP_ROWS = 5_000;
/** Any number will do, as long as every node takes the same one. */
const LOCK = 7204;

/** False when another node holds the lock. Held until the transaction ends. */
export async function lock(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>("SELECT pg_try_advisory_xact_lock($1) AS taken", [LOCK]);
  // A transaction that waits for a lock may block others.
  await client.query("SET LOCAL lock_timeout = 1000");
  return rows[0]?.taken === true;
}

export interface Rule {
  readonly workspaceId: string;
  readonly kind: RetentionKind;
  readonly days: number;
}

export async function listRules(pool: Pool): Promise<Rule[]> {
  const { rows } = await pool.query<Rule>(
    `SELECT workspace_id AS "workspaceId", kind, days FROM retention ORDER BY workspace_id, kind`,
  );
  return rows;
}

export async function listWorkspaces(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>("SELECT id FROM workspace ORDER BY id");
  return rows.map(({ id }) => id);
}

/** The instant up to which rows were processed, as PostgreSQL writes it; JavaScript would lose its microseconds. */
export type Position = string;
export const BEGINNING: Position = "-infinity";

export interface Step {
  readonly removed: number;
  /** Null when there is nothing more. */
  readonly next: Position | null;
}

/**
 * Removes the oldest rows of a workspace from before `before` and after `after` that no hold covers. In a partitioned
 * table, all rows of a workspace are in one partition: in the others, the same positions belong to other rows.
 */
export async function removeAged(
  client: PoolClient,
  { table, at, isHoldable, only }: AgedTable,
  { workspaceId, before, after }: { readonly workspaceId: string; readonly before: Date; readonly after: Position },
): Promise<Step> {
  const stays = isHoldable ? held("one", `one.${at}`) : "false";
  const { rows } = await client.query<{ removed: number; seen: number; next: Position | null }>(
    `WITH old AS MATERIALIZED (SELECT one.ctid AS row, one.${at} AS instant, ${only} AND NOT ${stays} AS goes
       FROM ${table} AS one WHERE one.workspace_id = $1 AND one.${at} < $2 AND one.${at} > $3
       ORDER BY one.${at} FETCH FIRST ${STEP_ROWS} ROWS WITH TIES),
     gone AS (DELETE FROM ${table} WHERE workspace_id = $1 AND ctid = ANY (ARRAY(SELECT row FROM old WHERE goes)) RETURNING 1)
     SELECT (SELECT count(*) FROM gone)::float8 AS removed, count(*)::float8 AS seen, max(instant)::text AS next FROM old`,
    [workspaceId, before, after],
  );
  const [{ removed = 0, seen = 0, next = null } = {}] = rows;
  return { removed, next: seen < STEP_ROWS ? null : next };
}

/** Appends an entry in this transaction. */
export const append: (client: PoolClient, who: Acting, entry: AuditEntry, byId?: string | null) => Promise<void> =
  appendAudit;

export async function saveFault(pool: Pool, workspaceId: string, rule: string, says: string, at: Date): Promise<void> {
  await pool.query(
    `INSERT INTO retention_fault (workspace_id, rule, says, since, failed_at) VALUES ($1, $2, $3, $4, $4)
     ON CONFLICT (workspace_id, rule) DO UPDATE SET says = excluded.says, failed_at = excluded.failed_at,
       failures = retention_fault.failures + 1`,
    [workspaceId, rule, says, at],
  );
}

/** Removes the faults of a workspace that did not occur again in this run. */
export async function clearFaults(pool: Pool, workspaceId: string, kept: readonly string[]): Promise<void> {
  await pool.query("DELETE FROM retention_fault WHERE workspace_id = $1 AND NOT rule = ANY ($2::text[])", [
    workspaceId,
    kept,
  ]);
}

export async function listFaults(pool: Pool, workspaceId: string): Promise<RetentionFault[]> {
  const { rows } = await pool.query<RetentionFault>(
    `SELECT rule, says, since, failed_at AS "failedAt", failures FROM retention_fault
     WHERE workspace_id = $1 ORDER BY rule LIMIT 100`,
    [workspaceId],
  );
  return rows;
}
