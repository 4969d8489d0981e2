/** What retention drops and erasure blanks, in SQL. Every statement leaves alone what a legal hold covers. */
import type { AuditEntry } from "../audit/entries.ts";
import { type Acting, APPEND_AUDIT_SQL, auditParameters } from "../audit/record.ts";
import type { Pool, PoolClient } from "../platform/db.ts";
import type { RetentionKind } from "./schema.ts";

/** Any number will do, as long as every node takes the same one. */
const LOCK = 7204;
const STATEMENT_MS = 60_000;

/** False when another node is at it. Held until the transaction ends. */
export async function lock(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>("SELECT pg_try_advisory_xact_lock($1) AS taken", [LOCK]);
  await client.query(`SET LOCAL statement_timeout = ${STATEMENT_MS}; SET LOCAL lock_timeout = 3000`);
  return rows[0]?.taken === true;
}

// pg honours a time limit per query; its types do not know yet.
const patient = (text: string, values: unknown[]) => ({ text, values, query_timeout: STATEMENT_MS + 500 });

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

/** Whether a hold that stands covers the row `of`, whose instant is `at`. */
export const held = (of: string, at: string) => `EXISTS (SELECT FROM legal_hold AS hold
  WHERE hold.workspace_id = ${of}.workspace_id AND hold.released_at IS NULL
    AND (hold.agent_id IS NULL OR hold.agent_id = ${of}.agent_id)
    AND (hold.session_id IS NULL OR hold.session_id = ${of}.session_id)
    AND (hold.from_at IS NULL OR ${at} >= hold.from_at) AND (hold.to_at IS NULL OR ${at} < hold.to_at))`;

/** The tables of a kind with the column that dates a row, and whether a row is somebody's, so that a hold can cover it. */
const TABLES: Readonly<Record<RetentionKind, readonly { table: string; at: string; isHoldable: boolean }[]>> = {
  dispatches: [{ table: "dispatch", at: "occurred_at", isHoldable: true }],
  activity: [
    ...["tool_decision", "llm_call", "compaction", "compaction_record", "observation", "hook_outcome"].map((table) => ({
      table,
      at: "occurred_at",
      isHoldable: true,
    })),
    { table: "session", at: "last_at", isHoldable: true },
    { table: "session_seen", at: "last_at", isHoldable: true },
  ],
  judge_calls: [{ table: "judge_call", at: "occurred_at", isHoldable: true }],
  figures: [
    "rollup_minute",
    "rollup_hour",
    "rollup_day",
    "ledger_minute",
    "ledger_hour",
    "ledger_day",
    "judge_minute",
    "judge_hour",
    "judge_day",
    "observation_hour",
    "decision_hour",
    "decision_day",
    "hook_hour",
    "hook_day",
    "report_hour",
  ]
    .map((table) => ({ table, at: "bucket", isHoldable: false }))
    .concat({ table: "load_shed", at: "to_at", isHoldable: false }),
};

/** How many rows are old enough: to go, and to stay under a hold. */
export async function count(
  pool: Pool,
  workspaceId: string,
  kind: RetentionKind,
  before: Date,
): Promise<{ drop: number; held: number }> {
  const sum = { drop: 0, held: 0 };
  for (const { table, at, isHoldable } of TABLES[kind]) {
    const isHeld = isHoldable ? held("one", `one.${at}`) : "false";
    const { rows } = await pool.query<{ total: number; held: number }>(
      patient(
        `SELECT count(*)::float8 AS total, count(*) FILTER (WHERE ${isHeld})::float8 AS held
         FROM ${table} AS one WHERE one.workspace_id = $1 AND one.${at} < $2`,
        [workspaceId, before],
      ),
    );
    sum.held += rows[0]?.held ?? 0;
    sum.drop += (rows[0]?.total ?? 0) - (rows[0]?.held ?? 0);
  }
  return sum;
}

export interface Dropped {
  /** With a leaf in the chain, and from before leaves. */
  readonly proven: number;
  readonly unproven: number;
}

/** The oldest dispatches from before `before`, at most `limit`, with the deliveries that led to them. */
export async function dropDispatches(
  client: PoolClient,
  workspaceId: string,
  before: Date,
  limit: number,
): Promise<Dropped> {
  const { rows } = await client.query<Dropped>(
    patient(
      `WITH old AS (SELECT one.occurred_at, one.id FROM dispatch AS one
         WHERE one.workspace_id = $1 AND one.occurred_at < $2 AND NOT ${held("one", "one.occurred_at")}
         ORDER BY one.occurred_at, one.id LIMIT $3),
       gone AS (DELETE FROM dispatch USING old
         WHERE dispatch.occurred_at = old.occurred_at AND dispatch.id = old.id RETURNING dispatch.id, dispatch.batch),
       forgotten AS (DELETE FROM delivery USING gone
         WHERE delivery.workspace_id = $1 AND delivery.dispatch_id = gone.id)
       SELECT count(*) FILTER (WHERE batch IS NOT NULL)::float8 AS proven,
         count(*) FILTER (WHERE batch IS NULL)::float8 AS unproven FROM gone`,
      [workspaceId, before, limit],
    ),
  );
  return rows[0] ?? { proven: 0, unproven: 0 };
}

/** Everything of another kind from before `before`; answers how many rows went. */
export async function dropOthers(
  client: PoolClient,
  workspaceId: string,
  kind: Exclude<RetentionKind, "dispatches">,
  before: Date,
): Promise<number> {
  let gone = 0;
  for (const { table, at, isHoldable } of TABLES[kind]) {
    const isHeld = isHoldable ? held("one", `one.${at}`) : "false";
    const done = await client.query(
      patient(`DELETE FROM ${table} AS one WHERE one.workspace_id = $1 AND one.${at} < $2 AND NOT ${isHeld}`, [
        workspaceId,
        before,
      ]),
    );
    gone += done.rowCount ?? 0;
  }
  return gone;
}

export interface Month {
  readonly partition: string;
  readonly workspaceId: string;
  readonly proven: number;
  readonly unproven: number;
}

/**
 * The months of `dispatch` in which every row, whosever it is, is past its retention and under no hold; with whose rows
 * they hold. Such a month goes in one stroke.
 */
export async function listSpentMonths(client: PoolClient, beforeOf: ReadonlyMap<string, Date>): Promise<Month[]> {
  const spent: Month[] = [];
  const { rows } = await client.query<{ name: string; ends: string }>(
    `SELECT child.relname AS name, substring(pg_get_expr(child.relpartbound, child.oid) FROM 'TO \\(''([^'']+)''') AS ends
     FROM pg_inherits JOIN pg_class AS child ON child.oid = inhrelid WHERE inhparent = 'dispatch'::regclass
     ORDER BY child.relname`,
  );
  for (const { name, ends } of rows) {
    if (!/^dispatch_\d{4}_\d{2}$/.test(name)) continue;
    const end = new Date(ends);
    if (![...beforeOf.values()].some((before) => before >= end)) continue;
    const owners = await client.query<Month & { held: boolean }>(
      patient(
        `SELECT $1::text AS partition, one.workspace_id AS "workspaceId",
           count(*) FILTER (WHERE batch IS NOT NULL)::float8 AS proven,
           count(*) FILTER (WHERE batch IS NULL)::float8 AS unproven,
           bool_or(${held("one", "one.occurred_at")}) AS held
         FROM ${name} AS one GROUP BY one.workspace_id`,
        [name],
      ),
    );
    const isSpent = (of: Month & { held: boolean }) =>
      !of.held && (beforeOf.get(of.workspaceId)?.getTime() ?? 0) >= end.getTime();
    if (owners.rows.length > 0 && owners.rows.every(isSpent)) spent.push(...owners.rows);
  }
  return spent;
}

/** Empties a month whole. The partition itself stays: a late report may still want it. */
export async function emptyMonth(client: PoolClient, partition: string): Promise<void> {
  await client.query(
    patient(
      `DELETE FROM delivery USING ${partition} AS gone
    WHERE delivery.workspace_id = gone.workspace_id AND delivery.dispatch_id = gone.id`,
      [],
    ),
  );
  await client.query(patient("SELECT quarterdeck_empty_month($1)", [partition]));
}

/** Appends an entry in this transaction. */
export async function append(client: PoolClient, who: Acting, entry: AuditEntry): Promise<void> {
  await client.query(APPEND_AUDIT_SQL, auditParameters(who, entry));
}
