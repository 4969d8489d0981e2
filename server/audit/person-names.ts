/**
 * The names of people in an entry. Names are replaced by the person's id; the key `names` holds a salted digest of each
 * name. Name and salt are stored outside the entry and can be erased. This module needs no database.
 *
 * The digest is the sha256 in hex of the salt's bytes followed by the RFC 8785 text of the names.
 */
import { z } from "zod";
import { sha256 } from "../platform/secrets.ts";
import { canonicalJson } from "./chain.ts";

export const SALT_BYTES = 16;
/** An entry mentions two people or three. */
const PEOPLE_MAX = 50;
export const ERASED_PERSON = "an erased person";
export const ALTERED_PERSON = "a person whose name was altered";

const text = z.string().nullable();

/** The names of one person when the entry was written; `newName` is the name that the person took in this entry. */
export const personNames = z.strictObject({ name: text, address: text, newName: z.string().optional() });
export type PersonNames = z.infer<typeof personNames>;

/** The erasable part of an entry, of one person. */
export const namePart = z.strictObject({
  /** The id of a person, or of an invitation that had not been accepted. */
  person: z.string(),
  /** In hex. */
  salt: z.string(),
  /** As stored and unverified: the digest shows if it is the recorded value. */
  names: z.unknown(),
});
export type NamePart = z.infer<typeof namePart>;

/** The key `names` of an entry's body: digests by person, and names of objects by target (`policy/<id>`). */
export const entryNames = z.object({
  people: z.record(z.string(), z.string()).default({}),
  objects: z.record(z.string(), z.string()).default({}),
});
export type EntryNames = z.infer<typeof entryNames>;

export const nameDigest = ({ salt, names }: Pick<NamePart, "salt" | "names">): string =>
  sha256(Buffer.concat([Buffer.from(salt, "hex"), Buffer.from(canonicalJson(names), "utf8")])).toString("hex");

/** The names in a body; null for an entry from before names were stored apart, or without names. */
export function namesOf(body: Readonly<Record<string, unknown>> | null): EntryNames | null {
  const found = entryNames.safeParse(body?.names).data;
  return found === undefined || Object.keys(found.people).length > PEOPLE_MAX ? null : found;
}

/** As `namesOf`, of a body's text. */
export function namesIn(body: string): EntryNames | null {
  if (!body.includes('"names":')) return null;
  try {
    // Holds: an object of JSON has members of unknown types, and `namesOf` looks for one of them.
    return namesOf(JSON.parse(body) as Record<string, unknown> | null);
  } catch {
    return null;
  }
}
