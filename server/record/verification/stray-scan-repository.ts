/** Windows of a workspace's dispatches in the order of time. No row of another one is read, so no cursor can name it. */
import type { Reader } from "../repository.ts";

/** UTC with microseconds, or `-infinity`; so that it sorts as text. */
export interface StrayCursor {
  readonly at: string;
  readonly id: string;
}

export interface BatchTimes {
  readonly batch: string;
  readonly earliest: string;
  readonly latest: string;
}

export interface WindowGroup {
  readonly batch: string | null;
  readonly earliest: string;
  readonly latest: string;
}

const micros = (expression: string) => `to_char(${expression} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** The batches of the next `rows` dispatches of a workspace, with the times of those rows. */
export async function listWindow(
  db: Reader,
  workspaceId: string,
  after: StrayCursor,
  rows: number,
): Promise<{ groups: WindowGroup[]; last: StrayCursor | null; count: number }> {
  const found = await db.query<WindowGroup & { last_at: string | null; last_id: string; count: number }>(
    `WITH page AS MATERIALIZED (SELECT occurred_at, id, batch FROM dispatch
       WHERE workspace_id = $1 AND occurred_at >= $2::timestamptz AND (occurred_at, id) > ($2::timestamptz, $3::uuid)
       ORDER BY occurred_at, id LIMIT $4),
     ending AS (SELECT occurred_at, id FROM page ORDER BY occurred_at DESC, id DESC LIMIT 1)
     SELECT batch, ${micros("min(occurred_at)")} AS earliest, ${micros("max(occurred_at)")} AS latest,
       NULL AS last_at, NULL AS last_id, 0 AS count
     FROM page GROUP BY batch
     UNION ALL SELECT NULL, '', '', ${micros("occurred_at")}, id::text, (SELECT count(*)::int FROM page) FROM ending`,
    [workspaceId, after.at, after.id, rows],
  );
  const groups: WindowGroup[] = [];
  let last: StrayCursor | null = null;
  let count = 0;
  for (const { last_at: at, last_id: id, count: all, ...group } of found.rows)
    if (at === null) groups.push(group);
    else [last, count] = [{ at, id }, all];
  return { groups, last, count };
}

/** The given batches that are in `chain_batch`, optionally only those recorded within a time span. */
export async function listBatches(
  db: Reader,
  workspaceId: string,
  batches: readonly string[],
  span: readonly [fromMs: number, toMs: number] | null,
): Promise<BatchTimes[]> {
  const { rows } = await db.query<BatchTimes>(
    `SELECT batch, ${micros("earliest")} AS earliest, ${micros("latest")} AS latest FROM chain_batch
     WHERE workspace_id = $1 AND batch = ANY ($2::uuid[])${span ? " AND recorded_at BETWEEN $3 AND $4" : ""}`,
    [workspaceId, batches, ...(span ?? []).map((ms) => new Date(ms))],
  );
  return rows;
}

/** The entries of those batches that stand among the acts. */
export async function listEntriesOf(db: Reader, workspaceId: string, batches: readonly string[]) {
  if (batches.length === 0) return [];
  const { rows } = await db.query<{ batch: string; kind: string; body: string }>(
    `SELECT hint.batch, entry.kind, entry.body FROM audit_entry_batch AS hint
     JOIN audit_entry AS entry ON entry.workspace_id = hint.workspace_id AND entry.seq = hint.seq
     WHERE hint.workspace_id = $1 AND hint.batch = ANY ($2::uuid[])`,
    [workspaceId, batches],
  );
  return rows;
}

export interface FoundRow {
  readonly id: string;
  readonly batch: string | null;
  readonly place: number;
  readonly at: string;
}

/** The rows of a window that name one of these batches, or none. */
export async function listRows(
  db: Reader,
  workspaceId: string,
  window: {
    readonly after: StrayCursor;
    readonly last: StrayCursor;
    readonly batches: readonly string[];
    readonly hasNameless: boolean;
  },
): Promise<FoundRow[]> {
  const { after, last, batches, hasNameless } = window;
  const { rows } = await db.query<FoundRow>(
    `SELECT id, batch, coalesce(place, -1) AS place, ${micros("occurred_at")} AS at FROM dispatch
     WHERE workspace_id = $1 AND occurred_at BETWEEN $2::timestamptz AND $4::timestamptz
       AND (occurred_at, id) > ($2::timestamptz, $3::uuid) AND (occurred_at, id) <= ($4::timestamptz, $5::uuid)
       AND (batch::text = ANY ($6::text[]) OR $7 AND batch IS NULL)
     ORDER BY occurred_at, id`,
    [workspaceId, after.at, after.id, last.at, last.id, batches, hasNameless],
  );
  return rows;
}

/** True when the workspace may have rows from before batches: its first entry follows version 1. */
export async function hasUnproven(db: Reader, workspaceId: string): Promise<boolean> {
  const { rows } = await db.query<{ chain: number }>(
    "SELECT chain_version AS chain FROM audit_entry WHERE workspace_id = $1 ORDER BY seq LIMIT 1",
    [workspaceId],
  );
  if (rows[0]?.chain !== 1) return false;
  const found = await db.query(
    `SELECT FROM audit_entry WHERE workspace_id = $1 AND kind = 'dispatches_recorded' AND chain_version = 1
     ORDER BY seq LIMIT 1`,
    [workspaceId],
  );
  return found.rowCount === 1;
}
