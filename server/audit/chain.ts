/**
 * The rule by which an entry's hash is made, in two versions. Any holder of the entries can recompute the hashes: this
 * module needs no database.
 *
 * Version 1: sha256(previous hash || sha256(body)); order and body are covered. Version 2: sha256 of the RFC 8785
 * canonical JSON of `{actor, at, body, chain, changes, from, kind, previous, seq, target, workspace}`; `previous` is
 * the hash before in hex, `at` UTC with microseconds. The first entry's previous hash is 64 zeros.
 */
import canonicalize from "canonicalize";
import { sha256 } from "../platform/secrets.ts";

export const CHAIN_VERSION = 2;
export const FIRST_HASH = "0".repeat(64);

export interface EntryActor {
  readonly id: string;
  readonly kind: string;
  /** For a person, the id again, since people's names are stored apart (person-names.ts). */
  readonly name: string;
}

export interface EntryFrom {
  readonly ip: string | null;
  readonly userAgent: string | null;
}

/** One entry as it is stored and exported. Hashes are lower-case hex. */
export interface ChainedEntry {
  readonly workspace: string;
  readonly seq: number;
  /** `2026-11-22T10:00:00.123456Z`. */
  readonly at: string;
  readonly chain: number;
  /** Null: the server itself. */
  readonly actor: EntryActor | null;
  readonly from: EntryFrom | null;
  readonly kind: string;
  /** `policy/<id>`; null when it is about no one thing. */
  readonly target: string | null;
  /** JSON text; canonical from version 2 on. */
  readonly body: string;
  readonly changes: string | null;
  readonly hash: string;
}

/** RFC 8785. Errors: for a value that JSON cannot represent. */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new Error("this value has no JSON");
  return text;
}

export type Unchained = Omit<ChainedEntry, "seq" | "at" | "hash" | "chain">;

/** The canonical text of a version 2 entry, in the four parts around its time, its previous hash and its number. */
export function canonicalTextParts(
  entry: Unchained,
): [beforeAt: string, beforePrevious: string, beforeSeq: string, end: string] {
  const { actor, body, changes, from, kind, target, workspace } = entry;
  return [
    `{"actor":${canonicalJson(actor)},"at":"`,
    `","body":${body},"chain":${CHAIN_VERSION},"changes":${changes ?? "null"},"from":${canonicalJson(from)},"kind":${canonicalJson(kind)},"previous":"`,
    `","seq":`,
    `,"target":${canonicalJson(target)},"workspace":${canonicalJson(workspace)}}`,
  ];
}

/** The hash that the entry must have after `previous`. Null: of a version that this program does not know. */
export function entryHashOf(entry: Omit<ChainedEntry, "hash">, previous: string): string | null {
  if (entry.chain === 1) {
    return sha256(Buffer.concat([Buffer.from(previous, "hex"), sha256(entry.body)])).toString("hex");
  }
  if (entry.chain !== CHAIN_VERSION) return null;
  const [beforeAt, beforePrevious, beforeSeq, end] = canonicalTextParts(entry);
  return sha256(`${beforeAt}${entry.at}${beforePrevious}${previous}${beforeSeq}${entry.seq}${end}`).toString("hex");
}
