/** The stored masking of workspaces, and the counts of what it took away. */
import type { Pool, Tx } from "../platform/db.ts";

export interface MaskingRow {
  /** Parsed by the reader: a stored setting may be of another release. */
  readonly setting: unknown;
  readonly version: number;
  readonly setBy: string;
  readonly setAt: Date;
  /** A weaker setting that waits for a second person; null without one. */
  readonly asked: unknown;
  readonly askedBy: string | null;
  readonly askedName: string | null;
  readonly askedAt: Date | null;
}

const COLUMNS = `setting, version, set_by AS "setBy", set_at AS "setAt", asked, asked_by AS "askedBy",
  asked_name AS "askedName", asked_at AS "askedAt"`;

export async function find(pool: Pool, workspaceId: string): Promise<MaskingRow | null> {
  const { rows } = await pool.query<MaskingRow>({
    name: "masking_setting_find",
    text: `SELECT ${COLUMNS} FROM masking_setting WHERE workspace_id = $1`,
    values: [workspaceId],
  });
  return rows[0] ?? null;
}

/** The row, locked until the end of the transaction. The first change of a workspace waits for no other. */
export async function findForUpdate(tx: Tx, workspaceId: string): Promise<MaskingRow | null> {
  const rows = await tx.$queryRawUnsafe<MaskingRow[]>(
    `SELECT ${COLUMNS} FROM masking_setting WHERE workspace_id = $1::uuid FOR UPDATE`,
    workspaceId,
  );
  return rows[0] ?? null;
}

/** Puts a setting in force. A waiting one ends. False if another change was first. */
export async function save(
  tx: Tx,
  workspaceId: string,
  { setting, version, by }: { readonly setting: object; readonly version: number; readonly by: string },
): Promise<boolean> {
  const saved = await tx.$executeRaw`
    INSERT INTO masking_setting AS stored (workspace_id, setting, version, set_by)
    VALUES (${workspaceId}::uuid, ${JSON.stringify(setting)}::jsonb, ${version + 1}::integer, ${by})
    ON CONFLICT (workspace_id) DO UPDATE SET setting = excluded.setting, version = excluded.version,
      set_by = excluded.set_by, set_at = clock_timestamp(), asked = NULL, asked_by = NULL, asked_name = NULL, asked_at = NULL
      WHERE stored.version = ${version}::integer`;
  return saved === 1;
}

/** Keeps a weaker setting for a second person. */
export async function ask(
  tx: Tx,
  workspaceId: string,
  { setting, by }: { readonly setting: object; readonly by: { readonly id: string; readonly name: string } },
): Promise<void> {
  await tx.$executeRaw`
    UPDATE masking_setting SET asked = ${JSON.stringify(setting)}::jsonb, asked_by = ${by.id}, asked_name = ${by.name},
      asked_at = clock_timestamp() WHERE workspace_id = ${workspaceId}::uuid`;
}

export async function dropAsked(tx: Tx, workspaceId: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE masking_setting SET asked = NULL, asked_by = NULL, asked_name = NULL, asked_at = NULL
    WHERE workspace_id = ${workspaceId}::uuid`;
}

export interface HitRow {
  readonly workspaceId: string;
  /** The start of its hour. */
  readonly bucket: string;
  readonly rule: string;
  readonly hits: number;
}

/** Adds counts, in the order of their keys, so that two processes never wait for each other. */
export async function addHits(pool: Pool, rows: readonly HitRow[]): Promise<void> {
  await pool.query({
    name: "mask_hit_add",
    text: `INSERT INTO mask_hit_hour AS known (workspace_id, bucket, rule, hits)
           SELECT * FROM unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::bigint[])
           ON CONFLICT (workspace_id, bucket, rule) DO UPDATE SET hits = known.hits + excluded.hits`,
    values: [
      rows.map(({ workspaceId }) => workspaceId),
      rows.map(({ bucket }) => bucket),
      rows.map(({ rule }) => rule),
      rows.map(({ hits }) => hits),
    ],
  });
}

/** The counts of each rule since an instant. */
export async function sumHits(
  pool: Pool,
  workspaceId: string,
  since: Date,
): Promise<readonly { readonly rule: string; readonly hits: number }[]> {
  const { rows } = await pool.query<{ rule: string; hits: number }>(
    `SELECT rule, sum(hits)::float8 AS hits FROM mask_hit_hour
     WHERE workspace_id = $1 AND bucket >= $2 GROUP BY rule ORDER BY rule`,
    [workspaceId, since],
  );
  return rows;
}
