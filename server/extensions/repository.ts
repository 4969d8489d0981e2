/** The statements of the inventory of extensions and of the versions that people accepted. */
import type { Pool, Tx } from "../platform/db.ts";
import type { ExtensionSort, ExtensionStatus, ListExtensions } from "./schema.ts";

export interface ExtensionRow {
  readonly agentId: string;
  readonly agent: string;
  readonly key: string;
  readonly client: string;
  readonly kind: string;
  readonly name: string;
  readonly project: string;
  readonly path: string;
  readonly version: string | null;
  readonly digest: string | null;
  readonly formerVersion: string | null;
  readonly formerDigest: string | null;
  readonly changedAt: Date | null;
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
  readonly removedAt: Date | null;
  readonly acceptedBy: string | null;
  readonly acceptedAt: Date | null;
  /** The value that the rows are sorted by, as text. */
  readonly sort: string;
}

const JOINED = `agent_extension AS one
  JOIN agent ON agent.workspace_id = one.workspace_id AND agent.id = one.agent_id
  LEFT JOIN accepted_extension AS accepted ON accepted.workspace_id = one.workspace_id AND accepted.kind = one.kind
    AND accepted.name = one.name AND accepted.digest = one.digest`;
const COLUMNS = `one.agent_id AS "agentId", agent.name AS agent, encode(one.key, 'hex') AS key, one.client, one.kind, one.name,
  one.project, one.path, one.version, one.digest, one.former_version AS "formerVersion", one.former_digest AS "formerDigest",
  one.changed_at AS "changedAt", one.first_seen_at AS "firstSeenAt", one.last_seen_at AS "lastSeenAt",
  one.removed_at AS "removedAt", accepted.accepted_by AS "acceptedBy", accepted.accepted_at AS "acceptedAt"`;

/** Microseconds as text of one length, so that texts sort as the instants do. */
const instantText = (column: string) => `lpad((extract(epoch FROM ${column}) * 1000000)::bigint::text, 20, '0')`;
const SORT_KEYS: Readonly<Record<ExtensionSort, string>> = {
  seen: instantText("one.last_seen_at"),
  changed: instantText("coalesce(one.changed_at, one.first_seen_at)"),
  name: 'lower(one.name) COLLATE "C"',
};

const STATUSES: Readonly<Record<ExtensionStatus, string>> = {
  unaccepted: "one.removed_at IS NULL AND accepted.digest IS NULL",
  accepted: "one.removed_at IS NULL AND accepted.digest IS NOT NULL",
  changed: "one.removed_at IS NULL AND one.changed_at IS NOT NULL",
  removed: "one.removed_at IS NOT NULL",
};

/** Rows that match, in order, after the cursor; and how many match in all, unless a cursor is given. */
export async function list(
  pool: Pool,
  workspaceId: string,
  input: ListExtensions,
): Promise<{ readonly rows: readonly ExtensionRow[]; readonly total: number | null }> {
  const { sort, isDescending, cursor, limit } = input;
  const values: unknown[] = [workspaceId];
  const put = (value: unknown) => `$${values.push(value)}`;
  const where = ["one.workspace_id = $1", ...conditionsOf(input, put)].join(" AND ");
  const counting = cursor
    ? null
    : pool.query<{ total: number }>(`SELECT count(*)::int AS total FROM ${JOINED} WHERE ${where}`, [...values]);
  const key = SORT_KEYS[sort];
  const [order, after] = isDescending ? ["DESC", "<"] : ["ASC", ">"];
  const next = cursor
    ? `AND (${key}, one.agent_id, one.key) ${after} (${put(cursor.sort)}::text, ${put(cursor.agentId)}::uuid, decode(${put(cursor.key)}, 'hex'))`
    : "";
  const [found, counted] = await Promise.all([
    pool.query<ExtensionRow>(
      `SELECT ${COLUMNS}, ${key} AS sort FROM ${JOINED} WHERE ${where} ${next}
       ORDER BY ${key} ${order}, one.agent_id ${order}, one.key ${order} LIMIT ${put(limit + 1)}`,
      values,
    ),
    counting,
  ]);
  return { rows: found.rows, total: counted ? (counted.rows[0]?.total ?? 0) : null };
}

function conditionsOf(
  { agents, clients, kinds, statuses, text }: ListExtensions,
  put: (value: unknown) => string,
): readonly string[] {
  const words = text.split(/\s+/).filter((word) => word !== "");
  const holds = (column: string, word: string) => `strpos(lower(${column}), lower(${put(word)})) > 0`;
  const chosen = statuses.length === 0 ? ["one.removed_at IS NULL"] : statuses.map((status) => STATUSES[status]);
  return [
    `(${chosen.map((condition) => `(${condition})`).join(" OR ")})`,
    ...(agents.length > 0 ? [`(${agents.map((part) => holds("agent.name", part)).join(" OR ")})`] : []),
    ...(clients.length > 0 ? [`one.client = ANY(${put(clients)}::text[])`] : []),
    ...(kinds.length > 0 ? [`one.kind = ANY(${put(kinds)}::text[])`] : []),
    ...words.map((word) => holds("concat_ws(' ', one.name, one.project, one.path, one.version)", word)),
  ];
}

/** True if a client of an agent of the workspace has reported. */
export async function isAnyReported(pool: Pool, workspaceId: string): Promise<boolean> {
  const { rows } = await pool.query<{ is: boolean }>({
    name: "extension_is_reported",
    text: `SELECT EXISTS (SELECT FROM extension_report WHERE workspace_id = $1) AS is`,
    values: [workspaceId],
  });
  return rows[0]?.is ?? false;
}

export interface Version {
  readonly kind: string;
  readonly name: string;
  readonly digest: string;
}

interface ShownRow {
  readonly agentId: string;
  readonly key: string;
  readonly digest: string;
}

/** The versions of these rows that still have the digest that was shown. */
export async function listVersions(tx: Tx, workspaceId: string, shown: readonly ShownRow[]): Promise<Version[]> {
  return await tx.$queryRawUnsafe<Version[]>(
    `SELECT DISTINCT one.kind, one.name, one.digest FROM agent_extension AS one
     JOIN jsonb_to_recordset($2::jsonb) AS shown ("agentId" uuid, key text, digest text)
       ON one.agent_id = shown."agentId" AND one.key = decode(shown.key, 'hex') AND one.digest = shown.digest
     WHERE one.workspace_id = $1::uuid ORDER BY one.kind, one.name, one.digest`,
    workspaceId,
    JSON.stringify(shown),
  );
}

/** Accepts versions, and returns those that were not accepted before. */
export async function accept(
  tx: Tx,
  workspaceId: string,
  versions: readonly Version[],
  acceptedBy: string,
): Promise<Version[]> {
  return await tx.$queryRawUnsafe<Version[]>(
    `INSERT INTO accepted_extension (workspace_id, kind, name, digest, accepted_by)
     SELECT $1::uuid, one.kind, one.name, one.digest, $3 FROM jsonb_to_recordset($2::jsonb)
       AS one (kind text, name text, digest text) ORDER BY one.kind, one.name, one.digest
     ON CONFLICT DO NOTHING RETURNING kind, name, digest`,
    workspaceId,
    JSON.stringify(versions),
    acceptedBy,
  );
}

/** Withdraws versions, and returns those that were accepted before. */
export async function withdraw(tx: Tx, workspaceId: string, versions: readonly Version[]): Promise<Version[]> {
  return await tx.$queryRawUnsafe<Version[]>(
    `DELETE FROM accepted_extension AS accepted USING jsonb_to_recordset($2::jsonb)
       AS one (kind text, name text, digest text)
     WHERE accepted.workspace_id = $1::uuid AND accepted.kind = one.kind AND accepted.name = one.name
       AND accepted.digest = one.digest RETURNING accepted.kind, accepted.name, accepted.digest`,
    workspaceId,
    JSON.stringify(versions),
  );
}

interface Filters {
  readonly agentId: string | null;
  readonly groupId: string | null;
}

const OF_AGENTS = `($2::uuid IS NULL OR one.agent_id = $2) AND ($3::uuid IS NULL OR one.agent_id IN
  (SELECT agent_id FROM agent_group_member WHERE workspace_id = $1 AND group_id = $3))`;

/** Extensions of these agents of which the digest changed within the window. */
export async function countChanged(
  pool: Pool,
  workspaceId: string,
  { agentId, groupId }: Filters,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<bigint> {
  const { rows } = await pool.query<{ count: string }>({
    name: "extensions_changed",
    text: `SELECT count(*) AS count FROM agent_extension AS one
           WHERE one.workspace_id = $1 AND one.changed_at >= $4 AND one.changed_at < $5 AND ${OF_AGENTS}`,
    values: [workspaceId, agentId, groupId, from, to],
  });
  return BigInt(rows[0]?.count ?? 0);
}

/** Extensions of these agents of which the version is not accepted. */
export async function countUnaccepted(pool: Pool, workspaceId: string, { agentId, groupId }: Filters): Promise<bigint> {
  const { rows } = await pool.query<{ count: string }>({
    name: "extensions_unaccepted",
    text: `SELECT count(*) AS count FROM ${JOINED}
           WHERE one.workspace_id = $1 AND ${STATUSES.unaccepted} AND ${OF_AGENTS}`,
    values: [workspaceId, agentId, groupId],
  });
  return BigInt(rows[0]?.count ?? 0);
}
