/** SQL for the names of people, which are stored outside the entries of the record. */

import type { NamePart } from "../audit/person-names.ts";
import type { Pool } from "../platform/db.ts";
import type { Reader } from "./repository.ts";

/** An entry has two or three names; more than this limit are not read, even if rows were planted. */
const PARTS_MAX = 10_000;

interface PartRow extends NamePart {
  readonly seq: number;
}

export type NamesBySeq = ReadonlyMap<number, readonly NamePart[]>;

const COLUMNS = "audit_name.seq::float8 AS seq, person, encode(salt, 'hex') AS salt, names";

/** Names in the entries after `after` up to `to`. */
export async function listNames(
  db: Reader,
  workspaceId: string,
  { after, to }: { readonly after: number; readonly to: number },
): Promise<NamesBySeq> {
  const { rows } = await db.query<PartRow>(
    `SELECT ${COLUMNS} FROM audit_name WHERE workspace_id = $1 AND audit_name.seq > $2 AND audit_name.seq <= $3
     ORDER BY audit_name.seq, person LIMIT ${PARTS_MAX}`,
    [workspaceId, after, to],
  );
  return bySeq(rows);
}

/** Of these entries. */
export async function listNamesOf(db: Reader, workspaceId: string, seqs: readonly number[]): Promise<NamesBySeq> {
  if (seqs.length === 0) return new Map();
  const { rows } = await db.query<PartRow>(
    `SELECT ${COLUMNS} FROM audit_name WHERE workspace_id = $1 AND audit_name.seq = ANY ($2::bigint[])
     ORDER BY audit_name.seq, person LIMIT ${PARTS_MAX}`,
    [workspaceId, seqs],
  );
  return bySeq(rows);
}

function bySeq(rows: readonly PartRow[]): NamesBySeq {
  const parts = new Map<number, NamePart[]>();
  for (const { seq, person, salt, names } of rows) parts.set(seq, [...(parts.get(seq) ?? []), { person, salt, names }]);
  return parts;
}

/** The identifiers by which entries name a person: the id, and the address of an invitation. */
export interface NamedPerson {
  readonly id: string | null;
  readonly address: string | null;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Finds a person by id or address; a person who was invited and never joined has only the address. */
export async function findPerson(pool: Pool, asked: string): Promise<NamedPerson> {
  const isId = UUID.test(asked);
  const { rows } = await pool.query<NamedPerson>(
    "SELECT id::text AS id, email AS address FROM person WHERE id = $1::uuid OR email = $2",
    [isId ? asked : null, isId ? null : asked.toLowerCase()],
  );
  const [{ id, address } = { id: isId ? asked.toLowerCase() : null, address: isId ? null : asked.toLowerCase() }] =
    rows;
  return { id, address };
}

export async function isMember(pool: Pool, workspaceId: string, personId: string): Promise<boolean> {
  const found = await pool.query("SELECT FROM membership WHERE workspace_id = $1 AND person_id = $2", [
    workspaceId,
    personId,
  ]);
  return found.rows.length > 0;
}

const OF_PERSON = `workspace_id = $1 AND (person = $2 OR names ->> 'name' IS NULL AND names ->> 'address' = $3)`;

export async function hasNames(pool: Pool, workspaceId: string, { id, address }: NamedPerson): Promise<boolean> {
  const { rows } = await pool.query(`SELECT FROM audit_name WHERE ${OF_PERSON} LIMIT 1`, [workspaceId, id, address]);
  return rows.length > 0;
}

/**
 * Removes some of the names and salts of a person, and of invitations of the address. Returns their number; 0 when none
 * is left.
 */
export async function deleteNames(
  pool: Pool,
  workspaceId: string,
  { id, address }: NamedPerson,
  limit: number,
): Promise<number> {
  const gone = await pool.query(
    `DELETE FROM audit_name WHERE ctid = ANY (ARRAY(SELECT ctid FROM audit_name WHERE ${OF_PERSON} LIMIT $4))`,
    [workspaceId, id, address, limit],
  );
  return gone.rowCount ?? 0;
}
