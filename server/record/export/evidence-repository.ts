/** The positions of chosen dispatches in the chain, with the related rows. */

import type { DispatchLine } from "../../audit/export-lines.ts";
import type { Pool } from "../../platform/db.ts";
import { DISPATCH_COLUMNS, dispatchLineOf, type StoredDispatch } from "../repository.ts";

export interface DispatchKey {
  readonly occurredAt: Date;
  readonly id: string;
}

/** The chosen dispatches as stored, each with the number of its batch's entry; null when no entry names the batch. */
export async function listPicked(
  pool: Pool,
  workspaceId: string,
  keys: readonly DispatchKey[],
): Promise<{ readonly seq: number | null; readonly line: DispatchLine }[]> {
  const { rows } = await pool.query<StoredDispatch & { seq: number | null }>({
    text: `SELECT ${DISPATCH_COLUMNS}, (SELECT min(named.seq)::float8 FROM chain_batch AS named
             WHERE named.workspace_id = $1 AND named.batch = dispatch.batch) AS seq
           FROM dispatch WHERE workspace_id = $1 AND (occurred_at, id) IN (SELECT * FROM unnest($2::timestamptz[], $3::uuid[]))
           ORDER BY occurred_at, id`,
    values: [workspaceId, keys.map(({ occurredAt }) => occurredAt), keys.map(({ id }) => id)],
  });
  return rows.map(({ seq, ...row }) => ({ seq, line: dispatchLineOf(row) }));
}

/** The first checkpoint at or behind each of these entries, once each, in order. */
export async function listSignaturesBehind(
  pool: Pool,
  workspaceId: string,
  seqs: readonly number[],
): Promise<{ readonly seq: number; readonly signed: number | null }[]> {
  const { rows } = await pool.query<{ seq: number; signed: number | null }>(
    `SELECT wanted.seq::float8 AS seq, (SELECT min(signed.seq)::float8 FROM audit_checkpoint AS signed
       WHERE signed.workspace_id = $1 AND signed.seq >= wanted.seq) AS signed
     FROM unnest($2::bigint[]) AS wanted (seq) ORDER BY 1`,
    [workspaceId, seqs],
  );
  return rows;
}

export interface RevisionText {
  readonly policy: string;
  readonly revision: number;
  readonly sha256: string;
  readonly source: string;
}

/** The texts of these revisions; revisions of deleted policies are missing. */
export async function listRevisionTexts(
  pool: Pool,
  workspaceId: string,
  revisions: readonly { readonly policy: string; readonly revision: number }[],
): Promise<RevisionText[]> {
  const { rows } = await pool.query<RevisionText>(
    `SELECT policy.name AS policy, text.number AS revision, text.sha256, text.source
     FROM unnest($2::text[], $3::int[]) AS wanted (name, number)
     JOIN policy ON policy.workspace_id = $1 AND policy.name = wanted.name
     JOIN policy_revision AS text
       ON text.workspace_id = $1 AND text.policy_id = policy.id AND text.number = wanted.number
     ORDER BY 1, 2`,
    [workspaceId, revisions.map(({ policy }) => policy), revisions.map(({ revision }) => revision)],
  );
  return rows;
}

/** The numbers of the entries that published these revisions, the newest first. */
export async function listPublications(
  pool: Pool,
  workspaceId: string,
  revisions: readonly { readonly policy: string; readonly revision: number }[],
): Promise<number[]> {
  const { rows } = await pool.query<{ seq: number }>(
    `SELECT one.seq::float8 AS seq
     FROM unnest($2::text[], $3::int[]) AS wanted (name, number)
     JOIN policy ON policy.workspace_id = $1 AND policy.name = wanted.name
     JOIN audit_entry AS one ON one.workspace_id = $1 AND one.kind = 'policy_published'
       AND one.target = 'policy/' || policy.id AND (one.body::json->>'revision')::int = wanted.number
     ORDER BY 1 DESC`,
    [workspaceId, revisions.map(({ policy }) => policy), revisions.map(({ revision }) => revision)],
  );
  return rows.map(({ seq }) => seq);
}
