/** The people and the groups of the sign-on provider that policies are assigned to, with the agents that work for them. */
import type { Tx } from "../../platform/db.ts";

/** A target that stands for agents: a group, a group of the provider, or a person. */
export interface AudienceRow {
  readonly kind: "group" | "sign_on_group" | "person";
  readonly id: string;
  readonly name: string;
  /** Among groups; 0 for the others. */
  readonly position: number;
  readonly agentIds: readonly string[];
}

/** The name of a row `who` of `principal`, with its account's row `account`. */
const PERSON_NAME = "coalesce(account.name, who.name, who.email, who.client_account, 'an erased person')";

/** The targets of assignments that are people or groups of the provider. */
export async function listAudiences(tx: Tx, workspaceId: string): Promise<AudienceRow[]> {
  const rows = await tx.$queryRawUnsafe<Omit<AudienceRow, "position">[]>(
    `SELECT aimed.scope AS kind, aimed.target_id AS id, coalesce(own.name, ${PERSON_NAME}) AS name,
       ARRAY(SELECT audience.agent_id FROM agent_audience AS audience WHERE audience.workspace_id = $1::uuid
         AND audience.scope = aimed.scope AND audience.target_id = aimed.target_id) AS "agentIds"
     FROM (SELECT DISTINCT scope, target_id FROM assignment
       WHERE workspace_id = $1::uuid AND scope IN ('person', 'sign_on_group')) AS aimed
     LEFT JOIN sign_on_group AS own ON aimed.scope = 'sign_on_group' AND own.workspace_id = $1::uuid AND own.id = aimed.target_id
     LEFT JOIN principal AS who ON aimed.scope = 'person' AND who.workspace_id = $1::uuid AND who.id = aimed.target_id
     LEFT JOIN person AS account ON account.id = who.account_id
     ORDER BY aimed.scope, name, aimed.target_id`,
    workspaceId,
  );
  return rows.map((row) => ({ ...row, position: 0 }));
}

/** The agents among these, or among all with null, whose owner took them while signed in, and is a member now. */
export async function listProven(
  tx: Tx,
  workspaceId: string,
  agentIds: readonly string[] | null,
): Promise<ReadonlySet<string>> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT agent_id AS id FROM agent_owner AS owned WHERE workspace_id = ${workspaceId}::uuid AND certainty = 'proven'
      AND EXISTS (SELECT FROM principal AS own JOIN membership AS member
        ON member.workspace_id = own.workspace_id AND member.person_id = own.account_id
        WHERE own.workspace_id = owned.workspace_id AND (own.id = owned.principal_id OR own.merged_into = owned.principal_id)
          AND (member.ends_at IS NULL OR member.ends_at > clock_timestamp()))
      AND (${agentIds === null} OR agent_id = ANY (${[...(agentIds ?? [])]}::uuid[]))`;
  return new Set(rows.map(({ id }) => id));
}

export interface ChoiceRow {
  readonly scope: "person" | "sign_on_group";
  readonly id: string;
  readonly name: string;
  readonly agentIds: readonly string[];
}

/** The people, services and groups of the provider that a policy can be assigned to, by name; at most `limit`. */
export function listChoices(tx: Tx, workspaceId: string, limit: number): Promise<ChoiceRow[]> {
  const agents = (scope: string, id: string) => `ARRAY(SELECT audience.agent_id FROM agent_audience AS audience
    WHERE audience.workspace_id = $1::uuid AND audience.scope = '${scope}' AND audience.target_id = ${id}) AS "agentIds"`;
  return tx.$queryRawUnsafe<ChoiceRow[]>(
    `SELECT * FROM (
       SELECT 'person' AS scope, who.id, ${PERSON_NAME} AS name, ${agents("person", "who.id")}
       FROM principal AS who LEFT JOIN person AS account ON account.id = who.account_id
       WHERE who.workspace_id = $1::uuid AND who.merged_into IS NULL AND who.erased_at IS NULL
       UNION ALL
       SELECT 'sign_on_group', own.id, own.name, ${agents("sign_on_group", "own.id")}
       FROM sign_on_group AS own WHERE own.workspace_id = $1::uuid) AS choice
     ORDER BY scope, name, id LIMIT $2`,
    workspaceId,
    limit,
  );
}

/** True if each of these people, who were not merged or erased, exists; they are locked against both. */
export async function lockPeople(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT id FROM principal WHERE workspace_id = ${workspaceId}::uuid AND id = ANY (${[...ids]}::uuid[])
      AND merged_into IS NULL AND erased_at IS NULL ORDER BY id FOR SHARE`;
  return rows.length === ids.length;
}

export async function lockSignOnGroups(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT id FROM sign_on_group WHERE workspace_id = ${workspaceId}::uuid AND id = ANY (${[...ids]}::uuid[])
      ORDER BY id FOR KEY SHARE`;
  return rows.length === ids.length;
}

/** The targets by which an owner brings policies to an agent: the person, and their groups at the sign-on provider. */
export async function listTargetsOf(tx: Tx, workspaceId: string, principalId: string): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT coalesce(merged_into, id) AS id FROM principal WHERE workspace_id = ${workspaceId}::uuid AND id = ${principalId}::uuid
    UNION
    SELECT member.group_id FROM principal AS known
    JOIN principal AS own ON own.workspace_id = known.workspace_id
      AND coalesce(own.merged_into, own.id) = coalesce(known.merged_into, known.id)
    JOIN sign_on_group_member AS member ON member.workspace_id = own.workspace_id AND member.person_id = own.account_id
    WHERE known.workspace_id = ${workspaceId}::uuid AND known.id = ${principalId}::uuid`;
  return rows.map(({ id }) => id);
}
