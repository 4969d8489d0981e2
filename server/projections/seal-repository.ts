/** Seals in the chain, and the lists of row digests stored outside it. */
import { auditEntry } from "../audit/entries.ts";
import { auditStatement } from "../audit/record-audit.ts";
import type { PoolClient } from "../platform/db.ts";
import { instantSql, type Snapshot } from "./repository.ts";
import type { DaySeal, SealEntry } from "./seal.ts";

export interface StoredSeal {
  readonly seq: number;
  /** An ISO instant. */
  readonly at: string;
  readonly entry: SealEntry;
}

/** The newest seal of a day; null without a seal. */
export async function findSeal(reader: Snapshot, workspaceId: string, day: string): Promise<StoredSeal | null> {
  const rows = await reader.all<{ seq: number; at: string; body: string }>(
    `SELECT seq::float8 AS seq, ${instantSql("at")} AS at, body FROM audit_entry
     WHERE workspace_id = $1 AND kind = 'projections_sealed' AND body::jsonb->>'day' = $2 ORDER BY seq DESC LIMIT 1`,
    [workspaceId, day],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const entry = auditEntry.parse(JSON.parse(row.body));
  return entry.kind === "projections_sealed" ? { seq: row.seq, at: row.at, entry } : null;
}

/** Days with a seal, within a range of days. */
export async function listSealedDays(
  reader: Snapshot,
  workspaceId: string,
  range: { readonly from: string; readonly to: string } | null,
): Promise<string[]> {
  const rows = await reader.all<{ day: string }>(
    `SELECT DISTINCT body::jsonb->>'day' AS day FROM audit_entry
     WHERE workspace_id = $1 AND kind = 'projections_sealed'
       AND ($2::text IS NULL OR body::jsonb->>'day' >= $2 AND body::jsonb->>'day' < $3) ORDER BY 1`,
    [workspaceId, range?.from.slice(0, 10) ?? null, range?.to.slice(0, 10) ?? null],
  );
  return rows.map(({ day }) => day);
}

export async function findList(
  reader: Snapshot,
  workspaceId: string,
  { seq, entry: { day } }: StoredSeal,
  table: string,
): Promise<Buffer | null> {
  const rows = await reader.all<{ list: Buffer }>(
    `SELECT row_digests AS list FROM projection_seal
     WHERE workspace_id = $1 AND day = $2 AND table_name = $3 AND seq = $4`,
    [workspaceId, day, table, seq],
  );
  return rows[0]?.list ?? null;
}

/** Appends the seal to the chain in this transaction. */
export async function saveSeal(client: PoolClient, workspaceId: string, { entry, tables }: DaySeal): Promise<void> {
  await client.query(auditStatement(workspaceId, entry));
  const listed = tables.filter(({ list }) => list !== null);
  await client.query("DELETE FROM projection_seal WHERE workspace_id = $1 AND day = $2", [workspaceId, entry.day]);
  await client.query(
    `INSERT INTO projection_seal (workspace_id, day, table_name, seq, row_digests)
     SELECT $1, $2, one.name, head.seq, one.list FROM unnest($3::text[], $4::bytea[]) AS one (name, list), audit_head AS head
     WHERE head.workspace_id = $1`,
    [workspaceId, entry.day, listed.map(({ table }) => table), listed.map(({ list }) => list)],
  );
}
