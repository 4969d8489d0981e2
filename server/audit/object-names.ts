/** The names of the objects of an entry at the time of writing. They stay in the entry permanently. */
import type { AuditEntry } from "./entries.ts";

/** An entry may list thousands of agents; the first are named. */
const NAMED_MAX = 20;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const TABLES: Readonly<Record<string, string>> = {
  policy: "policy",
  agent: "agent",
  group: "agent_group",
  connection: "model_connection",
  service: "service_account",
  prompt: "judge_prompt",
};
/** The types of ids in fields that hold several. */
const LISTS: Readonly<Record<string, string>> = {
  policies: "policy",
  agents: "agent",
  groups: "group",
  joined: "group",
  left: "group",
};

export interface NameQuery {
  readonly sql: string;
  readonly values: unknown[];
}

/**
 * A query for the names of an entry's objects (`ref`: `policy/<id>`) and the addresses of its people (`person/<id>`).
 * Null when there is nothing to look up.
 */
export function nameQuery(workspaceId: string, entry: AuditEntry, people: readonly string[]): NameQuery | null {
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const parts: string[] = [];
  for (const [type, ids] of objectsOf(entry))
    parts.push(
      `SELECT '${type}/' || id AS ref, name FROM ${TABLES[type]} WHERE workspace_id = ${bind(workspaceId)}::uuid AND id = ANY (${bind(ids)}::text[]::uuid[])`,
    );
  const persons = people.filter((id) => UUID.test(id));
  if (persons.length > 0)
    parts.push(
      `SELECT 'person/' || id AS ref, email AS name FROM person WHERE email IS NOT NULL AND id = ANY (${bind(persons)}::text[]::uuid[])`,
    );
  return parts.length === 0 ? null : { sql: parts.join(" UNION ALL "), values };
}

function objectsOf(entry: AuditEntry): Map<string, string[]> {
  const found = new Map<string, string[]>();
  let count = 0;
  const add = (type: string, id: unknown) => {
    if (typeof id !== "string" || !UUID.test(id) || count >= NAMED_MAX) return;
    const ids = found.get(type) ?? [];
    if (ids.includes(id)) return;
    found.set(type, [...ids, id]);
    count += 1;
  };
  const fields = Object.entries(entry);
  for (const [field, value] of fields) if (Object.hasOwn(TABLES, field)) add(field, value);
  if (entry.kind === "policies_ordered" && entry.scope !== "workspace") add(entry.scope, entry.target);
  for (const [field, value] of fields) {
    const type = LISTS[field];
    if (type !== undefined && Array.isArray(value)) for (const id of value) add(type, id);
  }
  return found;
}
