/** Erasure requests, and the statements that carry one out. */
import { z } from "zod";
import type { Pool, PoolClient } from "../../platform/db.ts";
import { IS_PROJECTED_SQL } from "../../projectors/index.ts";
import { DISPATCH, type ErasedTable } from "./erasure-tables.ts";

/** Rows that one transaction erases and one audit entry names. */
export const STEP_ROWS = 1_000;
/** Any number will do, as long as every node takes the same one. */
const LOCK = 7205;

export interface ErasureWork {
  readonly workspaceId: string;
  readonly id: string;
  readonly sessionId: string | null;
  readonly agentName: string | null;
  readonly alias: string;
  readonly reason: string;
  readonly requestedBy: string;
  readonly requestedById: string | null;
  readonly state: "running" | "standing";
  readonly position: WalkPosition | null;
  readonly followedSeq: number;
  readonly held: number;
  readonly erased: number;
  readonly copies: number;
  readonly finishedAt: Date | null;
}

const key = z.array(z.string());
export type RowKey = z.infer<typeof key>;
export const walkPosition = z.object({ table: z.string(), after: key.nullable() });
export type WalkPosition = z.infer<typeof walkPosition>;

const WORK = `workspace_id AS "workspaceId", id, session_id AS "sessionId", agent_name AS "agentName", alias, reason,
  requested_by AS "requestedBy", requested_by_id AS "requestedById", state, position, followed_seq::float8 AS "followedSeq", held::float8 AS held,
  erased::float8 AS erased, copies::float8 AS copies, finished_at AS "finishedAt"`;

/** Running and active requests of every workspace, the oldest first. */
export async function listWork(pool: Pool): Promise<ErasureWork[]> {
  const { rows } = await pool.query<ErasureWork>(
    `SELECT ${WORK} FROM erasure_request WHERE state <> 'withdrawn' ORDER BY requested_at, id`,
  );
  return rows.map((row) => ({ ...row, position: walkPosition.nullable().parse(row.position) }));
}

/** Locks the request until the transaction ends; false when it was withdrawn or another node works on it. */
export async function lock(client: PoolClient, { workspaceId, id }: ErasureWork): Promise<boolean> {
  await client.query("SET LOCAL lock_timeout = 1000");
  const { rows } = await client.query<{ taken: boolean }>(
    `SELECT pg_try_advisory_xact_lock($3) AS taken FROM erasure_request
     WHERE workspace_id = $1 AND id = $2 AND state <> 'withdrawn' FOR UPDATE`,
    [workspaceId, id, LOCK],
  );
  return rows[0]?.taken === true;
}

const whose = ({ workspaceId, sessionId, agentName, alias }: ErasureWork) => [
  workspaceId,
  sessionId,
  agentName,
  alias,
  agentName === null ? null : patternOf(agentName),
];
/** Matches the name as a whole word: plain, in JSON, or in a URL. */
function patternOf(name: string): string {
  const inUrl = encodeURIComponent(name);
  const forms = [name, JSON.stringify(name).slice(1, -1), inUrl, inUrl.replaceAll("%20", "+")];
  const escaped = [...new Set(forms)].map((form) => form.replace(/[^A-Za-z0-9 _%-]/g, (sign) => `\\${sign}`));
  return `(?<![[:alnum:]])(?:${escaped.join("|")})(?![[:alnum:]])`;
}
// PostgreSQL needs the type of parameters that a table does not use.
const TYPED = "($1::uuid IS NOT NULL OR ($2::text, $3::text, $4::text, $5::text) IS NOT NULL)";

export interface Found {
  readonly rows: readonly { readonly key: RowKey; readonly isHeld: boolean }[];
  /** The last row that was read; null when there are no more. */
  readonly next: RowKey | null;
}
const found = z.array(z.object({ key, isHeld: z.boolean() })).nullable();

const tuple = (columns: readonly string[]) => (columns.length === 1 ? columns.join() : `(${columns.join(", ")})`);

/** Looks at the next `limit` rows behind `after`: which of them are theirs. */
export async function find(
  pool: Pool,
  work: ErasureWork,
  table: ErasedTable,
  after: RowKey | null,
  limit: number,
): Promise<Found> {
  const isOfSession = work.agentName === null && table.sessionOnly !== undefined;
  const columns = table.key.map(([column]) => `one.${column}`);
  const order = columns.join(", ");
  const values: unknown[] = whose(work);
  const bound = (after ?? []).map((value, at) => `$${values.push(value)}::${table.key[at]?.[1]}`);
  const isBehind = after === null ? "true" : `${tuple(columns)} > ${tuple(bound)} AND ${columns[0]} >= ${bound[0]}`;
  // Rows that no figure includes yet are skipped: their figures would be made after the walk. They are erased with
  // later arrivals.
  const isTheirs = table === DISPATCH ? `${table.isTheirs} AND ${IS_PROJECTED_SQL("$1")}` : table.isTheirs;
  const { rows } = await pool.query<{ looked: number; next: unknown; theirs: unknown }>(
    `WITH looked AS MATERIALIZED (
       SELECT ${order}, jsonb_build_array(${columns.map((one) => `${one}::text`).join(", ")}) AS row_key,
         ${isTheirs} AS is_theirs, ${isTheirs} AND ${table.isHeld} AS is_held
       FROM ${table.table} AS one WHERE ${isOfSession ? table.sessionOnly : "true"} AND one.workspace_id = $1 AND ${isBehind}
       ORDER BY ${order} LIMIT ${limit})
     SELECT (SELECT count(*) FROM looked)::float8 AS looked,
       (SELECT row_key FROM looked AS one ORDER BY ${columns.map((one) => `${one} DESC`).join(", ")} LIMIT 1) AS next,
       (SELECT jsonb_agg(jsonb_build_object('key', row_key, 'isHeld', is_held) ORDER BY ${order})
        FROM looked AS one WHERE is_theirs) AS theirs
     WHERE ${TYPED}`,
    values,
  );
  const [row] = rows;
  const next = row === undefined || row.looked < limit ? null : key.parse(row.next);
  return { rows: found.parse(row?.theirs ?? null) ?? [], next };
}

/** Erases these rows, except those that another transaction holds locked; returns the keys of the erased ones. */
export async function eraseRows(
  client: PoolClient,
  work: ErasureWork,
  table: ErasedTable,
  keys: readonly RowKey[],
): Promise<RowKey[]> {
  if (keys.length === 0) return [];
  const names = table.key.map(([column]) => column);
  const listed = table.key.map(([column, type], at) => `(value ->> ${at})::${type} AS ${column}`).join(", ");
  const isSame = (other: string) => names.map((column) => `one.${column} = ${other}.${column}`).join(" AND ");
  // Behind the wall an index serves only values that are there already: so the list is made before it is joined.
  // Nobody is waited for while other rows are locked: recording takes the same rows in an order of its own.
  const skip = keys.length > 1 ? "SKIP LOCKED" : "";
  const { rows } = await client.query<{ row_key: unknown }>(
    `WITH listed AS MATERIALIZED (SELECT ${listed} FROM jsonb_array_elements($6::jsonb)),
     mine AS MATERIALIZED (SELECT ${names.map((column) => `one.${column}`).join(", ")}${table === DISPATCH ? ", one.input AS recorded" : ""}
       FROM ${table.table} AS one JOIN listed ON ${isSame("listed")}
       WHERE one.workspace_id = $1 AND ${table.isTheirs} AND NOT ${table.isHeld} AND ${TYPED} FOR UPDATE OF one ${skip})
     ${changeSql(table, `one.workspace_id = $1 AND ${isSame("mine")}`)}`,
    [...whose(work), JSON.stringify(keys)],
  );
  return rows.map(({ row_key }) => key.parse(row_key));
}

function changeSql({ table, key: columns, change, sums }: ErasedTable, isMine: string): string {
  const names = columns.map(([column]) => column);
  const gives = `jsonb_build_array(${names.map((column) => `mine.${column}::text`).join(", ")}) AS row_key`;
  if (change === null) return `DELETE FROM ${table} AS one USING mine WHERE ${isMine} RETURNING ${gives}`;
  if (sums === undefined) {
    // A test case and a known call may contain a recorded input literally.
    const copies = ["policy_case", "judge_known_call"].map(
      (name) => `, ${name}_gone AS (DELETE FROM ${name} AS copy USING mine
      WHERE copy.workspace_id = $1 AND copy.input = mine.recorded)`,
    );
    return `${table === DISPATCH.table ? copies.join("") : ""} UPDATE ${table} AS one SET ${change} FROM mine WHERE ${isMine} RETURNING ${gives}`;
  }
  const added = ["workspace_id", ...names, ...sums];
  const values = added.map((name) =>
    name === "agent_name" ? "quarterdeck_renamed(gone.agent_name, $3, $4)" : `gone.${name}`,
  );
  return `, gone AS (DELETE FROM ${table} AS one USING mine WHERE ${isMine} RETURNING one.*),
    joined AS (INSERT INTO ${table} (${added.join(", ")}) SELECT ${values.join(", ")} FROM gone
      ON CONFLICT (workspace_id, ${names.join(", ")}) DO UPDATE SET
      ${sums.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(", ")})
    SELECT ${gives.replaceAll("mine.", "gone.")} FROM gone`;
}

/** Removes the deliveries of erased dispatches: a repeat must not get an erased answer. */
export async function forgetDeliveries(
  client: PoolClient,
  workspaceId: string,
  keys: readonly RowKey[],
): Promise<void> {
  await client.query(
    `WITH gone AS MATERIALIZED (SELECT (value ->> 0)::timestamptz AS at, (value ->> 1)::uuid AS id
       FROM jsonb_array_elements($2::jsonb))
     DELETE FROM delivery WHERE workspace_id = $1 AND occurred_at >= (SELECT min(at) FROM gone)
       AND occurred_at <= (SELECT max(at) FROM gone) AND dispatch_id IN (SELECT id FROM gone)`,
    [workspaceId, JSON.stringify(keys)],
  );
}

export interface Progress {
  /** Absent: as it was. */
  readonly position?: WalkPosition;
  readonly erased?: number;
  readonly held?: number;
  readonly copies?: number;
}

/** Adds to the counts of a request, and stores its position, from which it continues after a crash. */
export async function saveProgress(
  db: Pool | PoolClient,
  { workspaceId, id }: ErasureWork,
  { position, erased = 0, held: kept = 0, copies = 0 }: Progress,
): Promise<void> {
  await db.query(
    `UPDATE erasure_request SET position = coalesce($3::jsonb, position), erased = erased + $4, held = held + $5, copies = copies + $6, fault = NULL,
       fault_at = NULL WHERE workspace_id = $1 AND id = $2`,
    [workspaceId, id, position === undefined ? null : JSON.stringify(position), erased, kept, copies],
  );
}

/** Begins a walk, from the beginning or behind the log. */
export async function beginWalk(db: Pool | PoolClient, { workspaceId, id }: ErasureWork, from: WalkPosition | null) {
  await db.query(
    `UPDATE erasure_request SET state = 'running', position = $3, held = CASE WHEN $3::jsonb IS NULL THEN 0 ELSE held END
     WHERE workspace_id = $1 AND id = $2 AND state = 'standing'`,
    [workspaceId, id, from === null ? null : JSON.stringify(from)],
  );
}

/** Ends a walk: the request stands from now on. */
export async function finishWalk(client: PoolClient, { workspaceId, id }: ErasureWork) {
  const { rows } = await client.query<{ erased: number; held: number; copies: number }>(
    `UPDATE erasure_request SET state = 'standing', position = NULL, finished_at = clock_timestamp(), fault = NULL, fault_at = NULL
     WHERE workspace_id = $1 AND id = $2 AND state = 'running'
     RETURNING erased::float8 AS erased, held::float8 AS held, copies::float8 AS copies`,
    [workspaceId, id],
  );
  return rows[0] ?? null;
}

export async function saveFault(pool: Pool, { workspaceId, id }: ErasureWork, says: string, at: Date): Promise<void> {
  await pool.query("UPDATE erasure_request SET fault = $3, fault_at = $4 WHERE workspace_id = $1 AND id = $2", [
    workspaceId,
    id,
    says,
    at,
  ]);
}

export interface Arrived {
  /** The last entry of the chain that was read; null when there is no new one. */
  readonly seq: number | null;
  readonly rows: Found["rows"];
}

/** Dispatches of theirs in the next batches of the chain behind `followedSeq`, as far as figures hold them. */
export async function findArrived(pool: Pool, work: ErasureWork, batches: number): Promise<Arrived> {
  const { rows } = await pool.query<{ seq: number; batch: string }>(
    `SELECT seq::float8 AS seq, batch FROM chain_batch WHERE workspace_id = $1 AND chain_batch.seq > $2
       AND chain_batch.seq <= coalesce((SELECT known.seq FROM projection_cursor AS known WHERE known.workspace_id = $1), 0)
     ORDER BY chain_batch.seq LIMIT $3`,
    [work.workspaceId, work.followedSeq, batches],
  );
  const ids = rows.map(({ batch }) => batch).sort();
  const last = rows.at(-1);
  if (last === undefined) return { seq: null, rows: [] };
  const arrived = await pool.query<{ key: unknown; isHeld: boolean }>(
    `SELECT jsonb_build_array(one.occurred_at::text, one.id::text) AS key, ${DISPATCH.isHeld} AS "isHeld" FROM dispatch AS one
     WHERE one.workspace_id = $1 AND one.batch BETWEEN $7::uuid AND $8::uuid AND one.batch::text = ANY ($6::text[])
       AND ${DISPATCH.isTheirs} AND ${TYPED} ORDER BY one.occurred_at, one.id`,
    [...whose(work), ids, ids[0], ids.at(-1)],
  );
  return { seq: last.seq, rows: arrived.rows.map((row) => ({ key: key.parse(row.key), isHeld: row.isHeld })) };
}

export async function saveFollowed(
  db: Pool | PoolClient,
  { workspaceId, id }: ErasureWork,
  seq: number,
): Promise<void> {
  await db.query("UPDATE erasure_request SET followed_seq = $3 WHERE workspace_id = $1 AND id = $2", [
    workspaceId,
    id,
    seq,
  ]);
}

/** True if a hold was released since a walk that had to leave something ended. */
export async function isFreed(pool: Pool, { workspaceId, held: kept, finishedAt }: ErasureWork): Promise<boolean> {
  if (kept === 0 || finishedAt === null) return false;
  const { rows } = await pool.query<{ is: boolean }>(
    `SELECT EXISTS (SELECT FROM legal_hold WHERE workspace_id = $1 AND released_at > $2) AS is`,
    [workspaceId, finishedAt],
  );
  return rows[0]?.is === true;
}
