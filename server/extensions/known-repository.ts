/** The extensions of one agent as rules see them. */
import type { KnownExtension } from "@quarterdeck/hooks";
import { EXTENSION_KINDS } from "@quarterdeck/hooks/contract/extension-kinds";
import type { Pool } from "../platform/db.ts";

interface KnownRow {
  readonly kind: string;
  readonly client: string;
  readonly name: string;
  readonly path: string;
  readonly is_accepted: boolean;
}

/** At most `KEPT_MAX` of them. */
export async function listKnown(pool: Pool, workspaceId: string, agentId: string): Promise<KnownExtension[]> {
  const { rows } = await pool.query<KnownRow>({
    name: "extensions_known",
    text: `SELECT one.kind, one.client, one.name, one.path, accepted.digest IS NOT NULL AS is_accepted
           FROM agent_extension AS one
           LEFT JOIN accepted_extension AS accepted ON accepted.workspace_id = one.workspace_id
             AND accepted.kind = one.kind AND accepted.name = one.name AND accepted.digest = one.digest
           WHERE one.workspace_id = $1 AND one.agent_id = $2 AND one.removed_at IS NULL`,
    values: [workspaceId, agentId],
  });
  return rows.flatMap(({ kind: text, client, name, path, is_accepted: isAccepted }) => {
    const kind = EXTENSION_KINDS.find((known) => known === text);
    return kind === undefined ? [] : [{ kind, client, names: namesOf(kind, name, path), isAccepted }];
  });
}

/** A client calls a skill by the name that it states, or by the name of its folder. */
function namesOf(kind: string, name: string, path: string): string[] {
  const folder = path.split("/").at(-1) ?? "";
  return kind === "skill" && folder !== "" && folder !== name ? [name, folder] : [name];
}
