import { sha256 } from "../platform/secrets.ts";
import { canonicalJson } from "./chain.ts";

/** A change, field by field. */
export type Changes = Readonly<Record<string, { readonly before: unknown; readonly after: unknown }>>;

/** Longer values are named by their hash: an entry is no store for texts, and revisions keep theirs. */
const VALUE_BYTES_MAX = 2_000;

/** The fields in which `after` differs from `before`; null for a missing field. Values are plain JSON. */
export function diffFields(
  before: Readonly<Record<string, unknown>> | null,
  after: Readonly<Record<string, unknown>> | null,
): Changes {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].sort();
  const changes: Record<string, { before: unknown; after: unknown }> = {};
  for (const name of names) {
    const pair = { before: bounded(before?.[name]), after: bounded(after?.[name]) };
    if (canonicalJson(pair.before) !== canonicalJson(pair.after)) changes[name] = pair;
  }
  return changes;
}

function bounded(value: unknown): unknown {
  if (value === undefined || value === null) return null;
  const plain = typeof value === "bigint" ? String(value) : value instanceof Date ? value.toISOString() : value;
  const text = canonicalJson(plain);
  const bytes = Buffer.byteLength(text);
  return bytes <= VALUE_BYTES_MAX ? plain : { sha256: sha256(text).toString("hex"), bytes };
}
