/**
 * Names that were erased. The log keeps an agent's name, which its leaf covers; everywhere else the request's alias has
 * replaced it. So rows computed from the log get the alias too.
 */
import type { LogRow, Span } from "./log-queries.ts";
import type { Snapshot } from "./repository.ts";

export interface ErasedName {
  readonly name: string;
  readonly alias: string;
}

/** Null when the day holds erased dispatches, and a request's name is no longer known or not yet erased everywhere. */
export async function findErasedNames(
  reader: Snapshot,
  { workspaceId, from, to }: Span,
): Promise<readonly ErasedName[] | null> {
  const requests = await reader.all<ErasedName & { isKnown: boolean }>(
    `SELECT agent_name AS name, alias, state = 'standing' AND held = 0 AND agent_name IS NOT NULL AS "isKnown"
     FROM erasure_request WHERE workspace_id = $1 AND (agent_name IS NOT NULL OR session_id IS NULL)
     ORDER BY requested_at`,
    [workspaceId],
  );
  if (requests.every(({ isKnown }) => isKnown)) return requests;
  const [found] = await reader.all<{ erased: boolean }>(
    `SELECT EXISTS (SELECT FROM dispatch WHERE workspace_id = $1 AND occurred_at >= $2 AND occurred_at < $3
       AND erased_at IS NOT NULL) AS erased`,
    [workspaceId, from, to],
  );
  return found?.erased === true ? null : requests.filter(({ isKnown }) => isKnown);
}

/** The row in the form that its derived rows use. */
export function asErased(row: LogRow, names: readonly ErasedName[]): LogRow {
  if (names.length === 0) return row;
  return { ...row, agent_name: names.reduce((name, erased) => renamed(name, erased), row.agent_name) };
}

/** As `quarterdeck_renamed` does it: a name is whole, or a part before or behind a slash. */
function renamed(stored: string, { name, alias }: ErasedName): string {
  if (stored === name) return alias;
  const one = stored.startsWith(`${name} / `) ? alias + stored.slice(name.length) : stored;
  return one.endsWith(` / ${name}`) ? one.slice(0, -name.length) + alias : one;
}
