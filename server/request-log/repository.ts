/** SQL for `refused_request`, and the owners of keys by their hashes. */
import type { Pool } from "../platform/db.ts";
import { NOT_LOGGED, REQUEST_LOG_DAYS, ROWS_MAX, ROWS_PER_KEY_MAX, SHOWN_MAX } from "./schema.ts";

export const UNKNOWN_KEY = "00000000-0000-0000-0000-000000000000";

export interface KeyOwner {
  readonly sha256: string;
  readonly workspaceId: string;
  readonly subjectId: string;
  readonly ownerId: string;
}

/** The keys and tokens with these hashes (hex), revoked ones included. */
export async function findOwners(pool: Pool, hashes: readonly string[]): Promise<KeyOwner[]> {
  const { rows } = await pool.query<KeyOwner>(
    `WITH wanted AS (SELECT decode(hash, 'hex') AS sha256 FROM unnest($1::text[]) AS asked (hash))
     SELECT encode(key.key_sha256, 'hex') AS sha256, key.workspace_id AS "workspaceId", key.id AS "subjectId",
       key.agent_id AS "ownerId" FROM agent_key AS key JOIN wanted ON wanted.sha256 = key.key_sha256
     UNION ALL
     SELECT encode(token.token_sha256, 'hex'), token.workspace_id, token.id, token.account_id
     FROM service_token AS token JOIN wanted ON wanted.sha256 = token.token_sha256`,
    [hashes],
  );
  return rows;
}

/** The only workspace of the installation; null when there are several. */
export async function findOnlyWorkspace(pool: Pool): Promise<string | null> {
  const { rows } = await pool.query<{ id: string }>("SELECT id FROM workspace LIMIT 2");
  return rows.length === 1 ? (rows[0]?.id ?? null) : null;
}

export interface StoredGroup {
  readonly workspaceId: string;
  readonly subjectId: string;
  readonly ownerId: string | null;
  readonly hint: string;
  readonly status: number;
  readonly code: string;
  readonly method: string;
  readonly route: string;
  readonly client: string;
  readonly count: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
}

const COLUMNS = [
  ["workspaceId", "uuid"],
  ["subjectId", "uuid"],
  ["ownerId", "uuid"],
  ["hint", "text"],
  ["status", "smallint"],
  ["code", "text"],
  ["method", "text"],
  ["route", "text"],
  ["client", "text"],
  ["count", "bigint"],
  ["firstAt", "timestamptz"],
  ["lastAt", "timestamptz"],
] as const satisfies readonly (readonly [keyof StoredGroup, string])[];

/** Adds the groups to those of their day. */
export async function add(pool: Pool, groups: readonly StoredGroup[]): Promise<void> {
  const arrays = COLUMNS.map(([, type], at) => `$${at + 1}::${type}[]`).join(", ");
  await pool.query(
    `INSERT INTO refused_request AS one (workspace_id, subject_id, owner_id, day, hint, status, code, method, route, client, count,
       first_at, last_at)
     SELECT workspace_id, subject_id, (array_agg(owner_id))[1], (last_at AT TIME ZONE 'UTC')::date, hint, status, code, method,
       route, client, sum(count), min(first_at), max(last_at)
     FROM unnest(${arrays}) AS given (workspace_id, subject_id, owner_id, hint, status, code, method, route, client, count, first_at,
       last_at)
     GROUP BY workspace_id, subject_id, (last_at AT TIME ZONE 'UTC')::date, hint, status, code, method, route, client
     ORDER BY workspace_id, subject_id, hint, status, code, method, route, client
     ON CONFLICT (workspace_id, subject_id, day, hint, status, code, method, route, client) DO UPDATE SET
       count = one.count + excluded.count, first_at = least(one.first_at, excluded.first_at),
       last_at = greatest(one.last_at, excluded.last_at)`,
    COLUMNS.map(([name]) => groups.map((group) => group[name])),
  );
}

/** Removes the rows beyond the limits, those seen longest ago first. The counts of rows without room stay. */
export async function trim(pool: Pool, workspaceIds: readonly string[]): Promise<void> {
  await pool.query(
    `DELETE FROM refused_request AS one USING (
       SELECT workspace_id, ctid AS place, row_number() OVER (PARTITION BY workspace_id, subject_id, day ORDER BY last_at DESC) AS of_key,
         row_number() OVER (PARTITION BY workspace_id ORDER BY last_at DESC) AS of_all
       FROM refused_request WHERE workspace_id = ANY ($1::uuid[]) AND code <> '${NOT_LOGGED}') AS ranked
     WHERE one.workspace_id = ranked.workspace_id AND one.ctid = ranked.place
       AND (ranked.of_key > ${ROWS_PER_KEY_MAX} OR ranked.of_all > ${ROWS_MAX})`,
    [workspaceIds],
  );
}

interface ListedRow {
  readonly hint: string;
  readonly status: number;
  readonly code: string;
  readonly method: string;
  readonly route: string;
  readonly client: string;
  readonly count: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
}

/** The groups of an agent or a service account, or those of unknown keys (`ownerId` null), over all days; newest first. */
export async function list(pool: Pool, workspaceId: string, ownerId: string | null): Promise<ListedRow[]> {
  const { rows } = await pool.query<ListedRow>(
    `SELECT hint, status, code, method, route, client, sum(count)::float8 AS count, min(first_at) AS "firstAt",
       max(last_at) AS "lastAt"
     FROM refused_request WHERE workspace_id = $1 AND owner_id IS NOT DISTINCT FROM $2::uuid
       AND last_at >= now() - make_interval(days => ${REQUEST_LOG_DAYS})
     GROUP BY hint, status, code, method, route, client ORDER BY max(last_at) DESC LIMIT ${SHOWN_MAX + 1}`,
    [workspaceId, ownerId],
  );
  return rows;
}
