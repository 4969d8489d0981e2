/** The table of known calls. A row is never changed. */
import type { Pool, PoolClient } from "../../platform/db.ts";
import type { KnownCallView, KnownKind } from "./schema.ts";

export interface KnownCallRow {
  readonly id: string;
  readonly kind: KnownKind;
  readonly event: string;
  readonly tool_name: string | null;
  readonly excerpt: string;
  readonly note: string;
  readonly source: KnownCallView["source"];
  readonly added_by: string;
  readonly added_at: Date;
}
const CALL = "id, kind, event, tool_name, excerpt, note, source, added_by, added_at";

export type NewKnownCall = Omit<KnownCallRow, "added_at" | "added_by"> & { readonly input: string };

/** Two changes of a judge's set wait for each other, so the number of calls keeps its limit. */
export async function lockSet(client: PoolClient, workspaceId: string, promptId: string): Promise<void> {
  await client.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 44))", [`known ${workspaceId} ${promptId}`]);
}

export async function count(client: Pick<Pool, "query">, workspaceId: string, promptId: string): Promise<number> {
  const found = await client.query<{ calls: number }>(
    "SELECT count(*)::int AS calls FROM judge_known_call WHERE workspace_id = $1 AND prompt_id = $2",
    [workspaceId, promptId],
  );
  return found.rows[0]?.calls ?? 0;
}

/** False when an equal call is in the set. */
export async function insert(
  client: PoolClient,
  workspaceId: string,
  promptId: string,
  call: NewKnownCall,
  addedBy: string,
): Promise<boolean> {
  const { id, kind, event, tool_name, input, excerpt, note, source } = call;
  const made = await client.query(
    `INSERT INTO judge_known_call (workspace_id, prompt_id, id, kind, event, tool_name, input, excerpt, note, source, added_by,
       added_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, now()) ON CONFLICT DO NOTHING`,
    [workspaceId, promptId, id, kind, event, tool_name, input, excerpt, note, source, addedBy],
  );
  return made.rowCount === 1;
}

/** The kind of the removed call; null if the call does not exist. */
export async function remove(
  client: PoolClient,
  workspaceId: string,
  promptId: string,
  id: string,
): Promise<KnownKind | null> {
  const gone = await client.query<{ kind: KnownKind }>(
    "DELETE FROM judge_known_call WHERE workspace_id = $1 AND prompt_id = $2 AND id = $3 RETURNING kind",
    [workspaceId, promptId, id],
  );
  return gone.rows[0]?.kind ?? null;
}

/** Bad calls first, the newest of each kind first. */
export async function list(pool: Pool, workspaceId: string, promptId: string, limit: number): Promise<KnownCallRow[]> {
  const found = await pool.query<KnownCallRow>(
    `SELECT ${CALL} FROM judge_known_call WHERE workspace_id = $1 AND prompt_id = $2
     ORDER BY kind, added_at DESC, id LIMIT $3`,
    [workspaceId, promptId, limit],
  );
  return found.rows;
}

export interface KnownInputRow {
  readonly id: string;
  readonly kind: KnownKind;
  readonly event: string;
  readonly input: string;
}

/** The calls as a run asks them. */
export async function listInputs(
  pool: Pool,
  workspaceId: string,
  promptId: string,
  limit: number,
): Promise<KnownInputRow[]> {
  const found = await pool.query<KnownInputRow>(
    `SELECT id, kind, event, input FROM judge_known_call WHERE workspace_id = $1 AND prompt_id = $2
     ORDER BY added_at, id LIMIT $3`,
    [workspaceId, promptId, limit],
  );
  return found.rows;
}

export interface RecordedInputRow {
  readonly key: string;
  readonly event: string;
  readonly tool_name: string | null;
  readonly input: string;
}

/** Stored inputs of recorded calls, by `<milliseconds>.<id>`; removed, erased and larger ones are left out. */
export async function listRecorded(
  pool: Pool,
  workspaceId: string,
  calls: readonly { readonly occurredAt: Date; readonly id: string }[],
  charactersMax: number,
): Promise<RecordedInputRow[]> {
  const found = await pool.query<Omit<RecordedInputRow, "key"> & { occurred_at: Date; id: string }>(
    `SELECT dispatch.occurred_at, dispatch.id, event, tool_name, input
     FROM unnest($2::timestamptz[], $3::uuid[]) AS call(occurred_at, id)
     JOIN dispatch ON dispatch.workspace_id = $1 AND dispatch.occurred_at = call.occurred_at AND dispatch.id = call.id
     WHERE erased_at IS NULL AND length(input) <= $4`,
    [workspaceId, calls.map(({ occurredAt }) => occurredAt), calls.map(({ id }) => id), charactersMax],
  );
  return found.rows.map(({ occurred_at, id, ...row }) => ({ ...row, key: `${occurred_at.getTime()}.${id}` }));
}
