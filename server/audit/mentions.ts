/** The fields of entries in which a person's name stands, and the person whose name it is. */
import type { AuditEntry } from "./entries.ts";
import {
  ALTERED_PERSON,
  type EntryNames,
  ERASED_PERSON,
  type NamePart,
  nameDigest,
  type PersonNames,
  personNames,
} from "./person-names.ts";

type Members = Readonly<Record<string, unknown>>;
type Property = keyof PersonNames;

interface Field {
  /** `review.name`: at most one member within another. */
  readonly at: string;
  /** The field that holds the id of the person. */
  readonly of: string;
  readonly is: Property;
}

const FIELDS: Readonly<Partial<Record<string, readonly Field[]>>> = {
  role_changed: [{ at: "name", of: "person", is: "name" }],
  person_removed: [{ at: "name", of: "person", is: "name" }],
  access_extended: [{ at: "name", of: "person", is: "name" }],
  people_merged: [
    { at: "name", of: "principal", is: "name" },
    { at: "intoName", of: "into", is: "name" },
  ],
  agent_owner_set: [{ at: "name", of: "principal", is: "name" }],
  agent_login_confirmed: [
    { at: "name", of: "principal", is: "name" },
    { at: "formerName", of: "former", is: "name" },
  ],
  agent_logged_out: [
    { at: "name", of: "principal", is: "name" },
    { at: "nextName", of: "next", is: "name" },
  ],
  agent_logins_ended: [{ at: "name", of: "person", is: "name" }],
  access_ended: [{ at: "name", of: "person", is: "name" }],
  invitation_created: [{ at: "email", of: "invitation", is: "address" }],
  invitation_withdrawn: [{ at: "email", of: "invitation", is: "address" }],
  invitation_accepted: [
    { at: "by", of: "person", is: "name" },
    { at: "email", of: "person", is: "address" },
  ],
  four_eyes_set: [{ at: "asked.name", of: "asked.id", is: "name" }],
  masking_set: [{ at: "asked.name", of: "asked.id", is: "name" }],
  policy_published: [{ at: "review.name", of: "review.by", is: "name" }],
};
/** In these acts `how` is a name. */
const NAMING_ACTS: Readonly<Partial<Record<string, Property>>> = { renamed: "newName", reset_link_created: "name" };
const BY = "by";

function fieldsOf(entry: Members): readonly Field[] {
  const property = entry.kind === "account_used" ? NAMING_ACTS[String(entry.act)] : undefined;
  if (property !== undefined) return [{ at: "how", of: "person", is: property }];
  return FIELDS[String(entry.kind)] ?? [];
}

function memberAt(entry: Members, path: string): string | null {
  const [first = "", second] = path.split(".");
  const member = entry[first];
  const found = second === undefined ? member : isMembers(member) ? member[second] : undefined;
  return typeof found === "string" ? found : null;
}

function withMember(entry: Members, path: string, value: string): Members {
  const [first = "", second] = path.split(".");
  if (second === undefined) return { ...entry, [first]: value };
  const member = entry[first];
  return isMembers(member) ? { ...entry, [first]: { ...member, [second]: value } } : entry;
}

const isMembers = (value: unknown): value is Members => typeof value === "object" && value !== null;
/** PostgreSQL stores neither. */
const storable = (name: string): string => Buffer.from(name.replaceAll("\0", "")).toString();

/** The person who acted. */
export interface ActingPerson {
  readonly id: string;
  readonly name: string;
}

export interface Mentions {
  /** The entry with ids where names were. */
  readonly entry: Members;
  readonly people: ReadonlyMap<string, PersonNames>;
}

/** Takes the names of people out of an entry. */
export function takeNames(entry: AuditEntry, actor: ActingPerson | null): Mentions {
  const people = new Map<string, PersonNames>();
  let left: Members = entry;
  const take = (person: string, is: Property, name: string) =>
    people.set(person, { name: null, address: null, ...people.get(person), [is]: storable(name) });
  if (actor !== null) take(actor.id, "name", actor.name);
  if (actor !== null && memberAt(entry, BY) === actor.name) left = withMember(left, BY, actor.id);
  for (const { at, of, is } of fieldsOf(entry)) {
    const [name, person] = [memberAt(left, at), memberAt(entry, of)];
    if (name === null || person === null || person === "" || name === person) continue;
    take(person, is, name);
    left = withMember(left, at, person);
  }
  return { entry: left, people };
}

/** Reads the name of a person in one entry; null for whom the entry has no digest of. */
export type ReadName = (person: string, is?: Property) => string | null;

/** A reader of the names of an entry, of the parts that are still there. */
export function nameReader({ people }: EntryNames, parts: readonly NamePart[]): ReadName {
  return (person, is = "name") => {
    const digest = Object.hasOwn(people, person) ? people[person] : undefined;
    if (digest === undefined) return null;
    const part = parts.find((one) => one.person === person);
    if (part === undefined) return ERASED_PERSON;
    const names = personNames.safeParse(part.names).data;
    if (names === undefined || nameDigest(part) !== digest) return ALTERED_PERSON;
    const { name, address, newName } = names;
    const [first, second] = { address: [address, name], newName: [newName, name], name: [name, address] }[is];
    return first || second || "";
  };
}

/** The body with names where `takeNames` had put ids. */
export function giveNames(body: Members, read: ReadName): Members {
  let named = body;
  for (const { at, is } of [{ at: BY, is: "name" } as const, ...fieldsOf(body)]) {
    const name = read(memberAt(named, at) ?? "", is);
    if (name !== null) named = withMember(named, at, name);
  }
  return named;
}
