/** The statements of groups of the sign-on provider. */
import type { Tx } from "../../platform/db.ts";

interface GroupsOfPerson {
  readonly personId: string;
  readonly names: readonly string[];
  readonly newId: () => string;
}

/** A workspace knows no more groups than this; further ones are left out. */
const GROUPS_MAX = 2_000;

/** Replaces the groups of a person; true if they were others. */
export async function replaceGroups(
  tx: Tx,
  workspaceId: string,
  { personId, names, newId }: GroupsOfPerson,
): Promise<boolean> {
  const before = await tx.$queryRaw<{ name: string }[]>`
    SELECT own.name FROM sign_on_group_member AS member
    JOIN sign_on_group AS own ON own.workspace_id = member.workspace_id AND own.id = member.group_id
    WHERE member.workspace_id = ${workspaceId}::uuid AND member.person_id = ${personId}::uuid`;
  const wanted = new Set(names);
  if (before.length === wanted.size && before.every(({ name }) => wanted.has(name))) return false;
  await tx.$executeRaw`
    INSERT INTO sign_on_group (workspace_id, id, name)
    SELECT ${workspaceId}::uuid, made.id, made.name
    FROM unnest(${names.map(() => newId())}::uuid[], ${[...names]}::text[]) AS made (id, name)
    WHERE NOT EXISTS (SELECT FROM sign_on_group AS known WHERE known.workspace_id = ${workspaceId}::uuid AND known.name = made.name)
    ORDER BY made.name
    LIMIT greatest(0, ${GROUPS_MAX} - (SELECT count(*) FROM sign_on_group WHERE workspace_id = ${workspaceId}::uuid))
    ON CONFLICT DO NOTHING`;
  const gone = await tx.$executeRaw`
    DELETE FROM sign_on_group_member AS member USING sign_on_group AS own
    WHERE member.workspace_id = ${workspaceId}::uuid AND member.person_id = ${personId}::uuid
      AND own.workspace_id = member.workspace_id AND own.id = member.group_id AND own.name <> ALL (${[...names]}::text[])`;
  const added = await tx.$executeRaw`
    INSERT INTO sign_on_group_member (workspace_id, group_id, person_id)
    SELECT workspace_id, id, ${personId}::uuid FROM sign_on_group
    WHERE workspace_id = ${workspaceId}::uuid AND name = ANY (${[...names]}::text[])
    ON CONFLICT DO NOTHING`;
  return gone + added > 0;
}
