/** The type of the tables that turn entries into sentences, and their shared phrases. */
import { plural } from "@/components/ui/format/count";
import type { AuditEntry } from "@/server/audit/entries";

export type Kind = AuditEntry["kind"];
export interface Words<K extends Kind> {
  /** The kind in one or two words, for a chip and a heading. */
  readonly label: string;
  /** `name` is the name of the entry's object when it was written; `list` names several. */
  readonly says: (entry: Extract<AuditEntry, { kind: K }>, name: string, list: List) => string;
}

const NOUNS = {
  policy: ["policy", "policies"],
  agent: ["agent", "agents"],
  group: ["group", "groups"],
} as const satisfies Record<string, readonly [string, string]>;
/** "the groups dev and prod"; a number of them as far as the entry does not name them. */
export type List = (type: keyof typeof NOUNS, ids: readonly string[]) => string;
const LISTED_MAX = 3;

export function listOf(objects: Readonly<Record<string, unknown>>): List {
  return (type, ids) => {
    const [one, many] = NOUNS[type];
    const names = ids.flatMap((id) => {
      const name = Object.hasOwn(objects, `${type}/${id}`) ? objects[`${type}/${id}`] : undefined;
      return typeof name === "string" ? [name] : [];
    });
    const shown = names.slice(0, LISTED_MAX);
    if (shown.length === 0) return plural(ids.length, one, many);
    const more = ids.length - shown.length;
    const all = more > 0 ? [...shown, `${more} more`] : shown;
    const last = all.at(-1);
    return `the ${ids.length === 1 ? one : many} ${all.length === 1 ? last : `${all.slice(0, -1).join(", ")} and ${last}`}`;
  };
}

/** A table of some kinds, each with a sentence for entries of its kind. */
export const sentences = <K extends Kind>(table: { readonly [P in K]: Words<P> }) => table;

export const tagged = (tags: readonly string[]) => `the ${tags.length === 1 ? "tag" : "tags"} ${tags.join(", ")}`;
export const day = (instant: string) => instant.slice(0, 10);
export const minute = (instant: string) => `${instant.slice(0, 16).replace("T", " ")} UTC`;
