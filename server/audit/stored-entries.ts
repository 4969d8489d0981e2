/** Entries as stored in the database, converted to the types of chain.ts. */
import type { ChainedEntry } from "./chain.ts";

/** The columns of a `StoredRow`, selected from `chain_entry`: entries and batches alike. */
export const STORED_ENTRY_COLUMNS = `workspace_id AS workspace, seq::text AS seq,
  to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at, chain_version AS chain,
  actor_kind, actor_id, actor_name, ip, user_agent, kind, target, body, changes, encode(hash, 'hex') AS hash`;

export interface StoredRow {
  readonly workspace: string;
  readonly seq: string;
  readonly at: string;
  readonly chain: number;
  readonly actor_kind: string | null;
  readonly actor_id: string | null;
  readonly actor_name: string | null;
  readonly ip: string | null;
  readonly user_agent: string | null;
  readonly kind: string;
  readonly target: string | null;
  readonly body: string;
  readonly changes: string | null;
  readonly hash: string;
}

/**
 * Nothing is repaired: a row whose actor was partly blanked becomes an entry with another hash. A person's entry
 * without client info equals one that never had it.
 */
export function toChainedEntry(row: StoredRow): ChainedEntry {
  const { workspace, at, chain, kind, target, body, changes, hash } = row;
  const { actor_kind, actor_id, actor_name, ip, user_agent: userAgent } = row;
  const isNobody = actor_kind === null && actor_id === null && actor_name === null;
  const actor = isNobody ? null : { id: actor_id ?? "", kind: actor_kind ?? "", name: actor_name ?? "" };
  const from = ip === null && userAgent === null ? null : { ip, userAgent };
  return { workspace, seq: Number(row.seq), at, chain, actor, from, kind, target, body, changes, hash };
}
