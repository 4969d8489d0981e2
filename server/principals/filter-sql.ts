/** SQL conditions on rows by the principal that they were recorded with. */
import { UNKNOWN_PERSON } from "../access/principal-schema.ts";

/**
 * True for rows of `of` that were recorded for one of these principals, or for one that was merged into one of them.
 * `bind` adds a parameter and gives its reference.
 */
export function isOfPrincipalsSql(of: string, principals: readonly string[], bind: (value: unknown) => string): string {
  const ids = principals.filter((one) => one !== UNKNOWN_PERSON);
  const conditions = [
    ...(ids.length < principals.length ? [`${of}.principal_id IS NULL`] : []),
    ...(ids.length > 0 ? [`${of}.principal_id IN (${withMergedSql(of, bind(ids))})`] : []),
  ];
  return `(${conditions.join(" OR ")})`;
}

/** True for agents (rows of `agent`) that one of these principals owns; "unknown" finds those without an owner. */
export function isOwnerOfSql(agent: string, principals: readonly string[], bind: (value: unknown) => string): string {
  const own = `(SELECT own.principal_id, own.workspace_id FROM agent_owner AS own
    WHERE own.workspace_id = ${agent}.workspace_id AND own.agent_id = ${agent}.id)`;
  return `EXISTS (SELECT FROM (SELECT ${agent}.workspace_id, (SELECT principal_id FROM ${own} AS found) AS principal_id) AS owned
    WHERE ${isOfPrincipalsSql("owned", principals, bind)})`;
}

/** The id of the present principal of a row of `of`, as text; "unknown" without one. */
export const principalValueSql = (of: string): string =>
  `coalesce((SELECT coalesce(named.merged_into, named.id)::text FROM principal AS named
    WHERE named.workspace_id = ${of}.workspace_id AND named.id = ${of}.principal_id), '${UNKNOWN_PERSON}')`;

const withMergedSql = (of: string, ids: string): string =>
  `SELECT id FROM principal WHERE workspace_id = ${of}.workspace_id AND (id = ANY (${ids}::uuid[]) OR merged_into = ANY (${ids}::uuid[]))`;
