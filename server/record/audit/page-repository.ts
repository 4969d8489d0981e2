/** The queries of the audit page. */

import { BATCH_KIND } from "../../audit/chain-batch.ts";
import { ERASED_PERSON } from "../../audit/person-names.ts";
import { STORED_ENTRY_COLUMNS, type StoredRow } from "../../audit/stored-entries.ts";
import type { Pool } from "../../platform/db.ts";
import { type AuditFilters, type AuditRange, type ListAudit, SERVER_ACTOR } from "../schema.ts";

/** The number of the newest acts that are counted for completions. */
const FACET_ROWS = 5_000;

interface Statement {
  readonly where: string[];
  readonly values: unknown[];
}

/**
 * The actor's name as pages show it. For a person, the entry holds the id as the name; the name itself is stored
 * outside the entry.
 */
const ACTOR = `CASE WHEN actor_kind = 'person' AND actor_name = actor_id
  THEN coalesce((SELECT coalesce(nullif(named.names ->> 'name', ''), named.names ->> 'address') FROM audit_name AS named
    WHERE named.workspace_id = $1 AND named.seq = chain_entry.seq AND named.person = actor_id), '${ERASED_PERSON}')
  ELSE coalesce(actor_name, '${SERVER_ACTOR}') END`;

function statementOf(workspaceId: string, { from, to }: AuditRange, filters: AuditFilters): Statement {
  const values: unknown[] = [workspaceId, from, to];
  const where = ["workspace_id = $1", "chain_entry.at >= $2", "chain_entry.at < $3"];
  const bind = (value: unknown) => `$${values.push(value)}`;
  if (filters.kind.length === 0) where.push(`kind <> '${BATCH_KIND}'`);
  else where.push(`kind = ANY (${bind(filters.kind)}::text[])`);
  // Repeats the condition of the list, so that the index of acts is used whenever batches are excluded.
  if (!filters.kind.includes(BATCH_KIND)) where.push(`kind <> '${BATCH_KIND}'`);
  if (filters.actor.length > 0) where.push(`${ACTOR} = ANY (${bind(filters.actor)}::text[])`);
  if (filters.target.length > 0) where.push(`target = ANY (${bind(filters.target)}::text[])`);
  return { where, values };
}

/** The newest first. */
export async function list(pool: Pool, workspaceId: string, input: ListAudit, limit: number): Promise<StoredRow[]> {
  const { where, values } = statementOf(workspaceId, input.range, input.filters);
  if (input.cursor != null) where.push(`chain_entry.seq < $${values.push(input.cursor)}`);
  const { rows } = await pool.query<StoredRow>(
    `SELECT ${STORED_ENTRY_COLUMNS} FROM chain_entry WHERE ${where.join(" AND ")}
     ORDER BY chain_entry.seq DESC LIMIT $${values.push(limit)}`,
    values,
  );
  return rows;
}

export interface BatchesRow {
  /** The numbers of the first and the last batch. */
  readonly from: number;
  readonly to: number;
  readonly at: Date;
  /** At most `BATCHES_COUNTED_MAX` are counted. */
  readonly batches: number;
  readonly dispatches: number;
}

/** Batches in one gap that are counted. */
export const BATCHES_COUNTED_MAX = 10_000;

/** The batches of a range between two numbers, for each pair of numbers; pairs without batches are left out. */
export async function listBatchesBetween(
  pool: Pool,
  workspaceId: string,
  { from, to }: AuditRange,
  pairs: readonly { readonly below: number; readonly above: number }[],
): Promise<BatchesRow[]> {
  const { rows } = await pool.query<BatchesRow>(
    `SELECT found.from_seq::float8 AS "from", found.to_seq::float8 AS "to", found.at, found.batches::float8 AS batches,
       found.dispatches::float8 AS dispatches
     FROM unnest($4::bigint[], $5::bigint[]) AS pair (below, above)
     CROSS JOIN LATERAL (SELECT min(seq) AS from_seq, max(seq) AS to_seq, max(at) AS at, count(*) AS batches, sum(rows) AS dispatches
       FROM (SELECT seq, recorded_at AS at, count AS rows FROM chain_batch
             WHERE workspace_id = $1 AND seq > pair.below AND seq < pair.above AND recorded_at >= $2 AND recorded_at < $3
             UNION ALL SELECT seq, at, 0 FROM audit_entry
             WHERE workspace_id = $1 AND seq > pair.below AND seq < pair.above AND at >= $2 AND at < $3 AND kind = '${BATCH_KIND}'
             LIMIT ${BATCHES_COUNTED_MAX}) AS one) AS found
     WHERE found.batches > 0 ORDER BY found.to_seq DESC`,
    [workspaceId, from, to, pairs.map(({ below }) => below), pairs.map(({ above }) => above)],
  );
  return rows;
}

export interface FacetRow {
  readonly field: "kind" | "actor" | "target";
  readonly value: string;
  readonly count: number;
}

export async function listFacets(pool: Pool, workspaceId: string, range: AuditRange): Promise<FacetRow[]> {
  const { where, values } = statementOf(workspaceId, range, { kind: [], actor: [], target: [] });
  const { rows } = await pool.query<FacetRow>(
    `WITH acts AS MATERIALIZED (SELECT kind, ${ACTOR} AS actor, target
       FROM chain_entry WHERE ${where.join(" AND ")} ORDER BY chain_entry.seq DESC LIMIT ${FACET_ROWS})
     SELECT field, value, count(*)::int AS count
     FROM acts, LATERAL (VALUES ('kind', kind), ('actor', actor), ('target', target)) AS one (field, value)
     WHERE value IS NOT NULL GROUP BY 1, 2 ORDER BY 3 DESC, 2 LIMIT 300`,
    values,
  );
  return rows;
}

const NAMED: Readonly<Record<string, string>> = {
  policy: "policy",
  agent: "agent",
  connection: "model_connection",
  group: "agent_group",
};
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The names that things have now, by their target: `policy/<id>`. */
export async function findNames(
  pool: Pool,
  workspaceId: string,
  targets: readonly string[],
): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (const [type, table] of Object.entries(NAMED)) {
    const ids = targets.flatMap((target) => {
      const [of = "", id = ""] = target.split("/");
      return of === type && UUID.test(id) ? [id] : [];
    });
    if (ids.length === 0) continue;
    const { rows } = await pool.query<{ id: string; name: string }>(
      `SELECT id, name FROM ${table} WHERE workspace_id = $1 AND id = ANY ($2::uuid[])`,
      [workspaceId, ids],
    );
    for (const { id, name } of rows) names.set(`${type}/${id}`, name);
  }
  return names;
}

export interface StateRow {
  readonly entries: number;
  readonly last_entry_at: Date | null;
  readonly seq: number | null;
  readonly at: string | null;
  readonly key_id: string | null;
  readonly webhook_url: string | null;
  readonly webhook_attempts: number | null;
  readonly webhook_error: string | null;
  readonly webhook_delivered_at: Date | null;
  readonly fault: string | null;
  readonly checkpoint_entries: number;
  readonly checkpoint_seconds: number;
  readonly setting_url: string | null;
}

export async function findState(pool: Pool, workspaceId: string): Promise<StateRow | null> {
  const { rows } = await pool.query<StateRow>(
    `SELECT head.seq::float8 AS entries, head.at AS last_entry_at, last.seq::float8 AS seq, last.at, last.key_id,
       last.webhook_url, last.webhook_attempts, last.webhook_error, last.webhook_delivered_at,
       setting.checkpoint_fault AS fault, coalesce(setting.checkpoint_entries, 1000) AS checkpoint_entries,
       coalesce(setting.checkpoint_seconds, 300) AS checkpoint_seconds, setting.webhook_url AS setting_url
     FROM audit_head AS head
     LEFT JOIN record_setting AS setting ON setting.workspace_id = head.workspace_id
     LEFT JOIN LATERAL (SELECT * FROM audit_checkpoint WHERE workspace_id = head.workspace_id
       ORDER BY seq DESC LIMIT 1) AS last ON true
     WHERE head.workspace_id = $1`,
    [workspaceId],
  );
  return rows[0] ?? null;
}

/**
 * The number of entries that no checkpoint covers, once the oldest of them has waited for this many rounds; 0 before.
 */
export async function countOverdue(pool: Pool, workspaceId: string, at: Date, rounds: number): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `SELECT (head.seq - vouched.seq)::float8 AS count FROM audit_head AS head
     LEFT JOIN record_setting AS setting ON setting.workspace_id = head.workspace_id
     CROSS JOIN LATERAL (SELECT coalesce(max(seq), 0) AS seq FROM audit_checkpoint WHERE workspace_id = head.workspace_id) AS vouched
     JOIN chain_entry AS oldest ON oldest.workspace_id = head.workspace_id AND oldest.seq = vouched.seq + 1
     WHERE head.workspace_id = $1
       AND oldest.at < $2::timestamptz - make_interval(secs => coalesce(setting.checkpoint_seconds, 300) * $3::int)`,
    [workspaceId, at, rounds],
  );
  return rows[0]?.count ?? 0;
}

/** The first checkpoint that covers an entry. */
export async function findVouching(pool: Pool, workspaceId: string, seq: number) {
  const { rows } = await pool.query<{ seq: number; at: string; key: string }>(
    `SELECT seq::float8 AS seq, at, key_id AS key FROM audit_checkpoint WHERE workspace_id = $1 AND audit_checkpoint.seq >= $2
     ORDER BY audit_checkpoint.seq LIMIT 1`,
    [workspaceId, seq],
  );
  return rows[0] ?? null;
}
