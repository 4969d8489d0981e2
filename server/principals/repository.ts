/** The statements of principals: people and services, the owners of agents, and the people of sessions. */
import type { CallPrincipal, Certainty, PrincipalSource } from "../access/principal-schema.ts";
import type { Pool, PoolClient, Tx } from "../platform/db.ts";
import type { PrincipalView } from "./schema.ts";

/** `principal` as a view, with the account's present name. */
export const VIEW = `principal.id, principal.kind, principal.merged_into AS "mergedInto", principal.erased_at IS NOT NULL AS "isErased",
  coalesce(account.name, principal.name, principal.email, principal.client_account, 'an erased person') AS name,
  principal.account_id IS NOT NULL AND NOT EXISTS (SELECT FROM membership WHERE membership.workspace_id = principal.workspace_id
    AND membership.person_id = principal.account_id) AS "hasLeft"`;
export const FROM_PRINCIPAL = "FROM principal LEFT JOIN person AS account ON account.id = principal.account_id";

/** The owner of a row named `of`, as JSON; null without one. */
export const OWNER_JSON_SQL = (of: string, id: string, certainty: string): string => `(SELECT jsonb_build_object(
    'id', own.id, 'name', own.name, 'hasLeft', own."hasLeft", 'isErased', own."isErased", 'certainty', ${certainty})
  FROM (SELECT ${VIEW} ${FROM_PRINCIPAL} WHERE principal.workspace_id = ${of}.workspace_id AND principal.id = (
    SELECT coalesce(merged_into, named.id) FROM principal AS named WHERE named.workspace_id = ${of}.workspace_id AND named.id = ${id})) AS own)`;

/** All of a workspace, by name; at most `limit`. */
export async function list(pool: Pool, workspaceId: string, limit: number): Promise<PrincipalView[]> {
  const { rows } = await pool.query<PrincipalView>({
    name: "principals",
    text: `SELECT ${VIEW} ${FROM_PRINCIPAL} WHERE principal.workspace_id = $1 ORDER BY name, principal.id LIMIT $2`,
    values: [workspaceId, limit],
  });
  return rows;
}

/** Present names by id; those of merged principals are the names of the ones that they were merged into. */
export async function listNames(
  pool: Pool,
  workspaceId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await pool.query<{ of: string; name: string }>({
    name: "principal_names",
    text: `SELECT asked.id AS of, own.name FROM principal AS asked
      CROSS JOIN LATERAL (SELECT ${VIEW} ${FROM_PRINCIPAL} WHERE principal.workspace_id = $1
        AND principal.id = coalesce(asked.merged_into, asked.id)) AS own
      WHERE asked.workspace_id = $1 AND asked.id = ANY ($2::uuid[])`,
    values: [workspaceId, ids],
  });
  return new Map(rows.map(({ of, name }) => [of, name]));
}

export interface PersonRow extends PrincipalView {
  readonly agents: number;
  readonly accountId: string | null;
}

const PERSON = `${VIEW}, principal.account_id AS "accountId",
  (SELECT count(*)::int FROM agent_owner AS own JOIN agent ON agent.workspace_id = own.workspace_id AND agent.id = own.agent_id
    WHERE own.workspace_id = principal.workspace_id AND own.principal_id = principal.id AND agent.retired_at IS NULL) AS agents`;

/** People and services that are not merged into another, by name; at most `limit`. */
export async function listPeople(pool: Pool, workspaceId: string, limit: number): Promise<PersonRow[]> {
  const { rows } = await pool.query<PersonRow>({
    name: "people_behind",
    text: `SELECT ${PERSON} ${FROM_PRINCIPAL} WHERE principal.workspace_id = $1 AND principal.merged_into IS NULL
      ORDER BY name, principal.id LIMIT $2`,
    values: [workspaceId, limit],
  });
  return rows;
}

/** The person with this id, or with this account; one that was merged is found as the other. */
export async function findPerson(
  pool: Pool,
  workspaceId: string,
  { id, accountId }: { readonly id: string | null; readonly accountId: string | null },
): Promise<PersonRow | null> {
  const { rows } = await pool.query<PersonRow>({
    name: "person_behind",
    text: `SELECT ${PERSON} ${FROM_PRINCIPAL} WHERE principal.workspace_id = $1 AND principal.id = (
      SELECT coalesce(merged_into, id) FROM principal WHERE workspace_id = $1 AND (id = $2::uuid OR account_id = $3::uuid) LIMIT 1)`,
    values: [workspaceId, id, accountId],
  });
  return rows[0] ?? null;
}

/** The principals that were merged into this one. */
export async function listMerged(pool: Pool, workspaceId: string, id: string) {
  const { rows } = await pool.query<{ id: string; name: string }>({
    name: "merged_people",
    text: `SELECT ${VIEW} ${FROM_PRINCIPAL} WHERE principal.workspace_id = $1 AND principal.merged_into = $2
      ORDER BY principal.made_at, principal.id`,
    values: [workspaceId, id],
  });
  return rows.map((row) => ({ id: row.id, name: row.name }));
}

export interface OwnerRow extends PrincipalView {
  readonly certainty: Certainty;
  readonly source: PrincipalSource;
  readonly setAt: Date;
}

export async function findOwner(pool: Pool, workspaceId: string, agentId: string): Promise<OwnerRow | null> {
  const { rows } = await pool.query<OwnerRow>({
    name: "agent_owner",
    text: `SELECT ${VIEW}, owner.certainty, owner.source, owner.set_at AS "setAt" ${FROM_PRINCIPAL}
      JOIN agent_owner AS owner ON owner.workspace_id = principal.workspace_id AND owner.principal_id = principal.id
      WHERE owner.workspace_id = $1 AND owner.agent_id = $2`,
    values: [workspaceId, agentId],
  });
  return rows[0] ?? null;
}

export interface NamedRow extends PrincipalView {
  readonly sessions: number;
  readonly namedAt: Date;
}

/** The people whom telemetry named for the agent's sessions, the newest first. */
export async function listNamed(pool: Pool, workspaceId: string, agentId: string, limit: number): Promise<NamedRow[]> {
  const { rows } = await pool.query<NamedRow>({
    name: "agent_named_people",
    text: `SELECT ${VIEW}, named.sessions, named.at AS "namedAt" ${FROM_PRINCIPAL}
      JOIN (SELECT principal_id, count(*)::int AS sessions, max(named_at) AS at FROM session_principal
        WHERE workspace_id = $1 AND agent_id = $2 GROUP BY principal_id) AS named ON named.principal_id = principal.id
      WHERE principal.workspace_id = $1 ORDER BY named.at DESC, principal.id LIMIT $3`,
    values: [workspaceId, agentId, limit],
  });
  return rows;
}

export interface MemberRow {
  readonly accountId: string;
  readonly name: string;
}

export async function listMembers(pool: Pool, workspaceId: string, limit: number): Promise<MemberRow[]> {
  const { rows } = await pool.query<MemberRow>({
    name: "owner_members",
    text: `SELECT person.id AS "accountId", person.name FROM membership JOIN person ON person.id = membership.person_id
      WHERE membership.workspace_id = $1 ORDER BY person.name, person.id LIMIT $2`,
    values: [workspaceId, limit],
  });
  return rows;
}

/** The ids of the principals of members. */
export async function listMemberPrincipals(pool: Pool, workspaceId: string): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>({
    name: "member_principals",
    text: `SELECT principal.id FROM principal JOIN membership ON membership.workspace_id = principal.workspace_id
      AND membership.person_id = principal.account_id WHERE principal.workspace_id = $1`,
    values: [workspaceId],
  });
  return rows.map(({ id }) => id);
}

export interface KnownRow {
  /** Null: the owner of the key. */
  readonly session: string | null;
  readonly id: string;
  readonly certainty: Certainty;
  readonly source: CallPrincipal["source"];
  readonly at: Date;
}

const SESSIONS_KEPT = 50;
/** True if the person of a row of `of`, or one who was merged into them, is a member now. */
const IS_MEMBER_SQL = (of: string): string => `EXISTS (SELECT FROM principal AS one
  JOIN membership ON membership.workspace_id = one.workspace_id AND membership.person_id = one.account_id
  WHERE one.workspace_id = ${of}.workspace_id AND (one.id = ${of}.principal_id OR one.merged_into = ${of}.principal_id)
    AND (membership.ends_at IS NULL OR membership.ends_at > clock_timestamp()))`;

/** The owner of an agent, and the people of its newest sessions: part of the look-up of its key. */
export function listKnown(tx: Tx, workspaceId: string, agentId: string): Promise<KnownRow[]> {
  return tx.$queryRawUnsafe<KnownRow[]>(
    `SELECT NULL AS session, principal_id AS id, CASE WHEN source = 'login' AND NOT ${IS_MEMBER_SQL("agent_owner")} THEN 'stated'
         ELSE certainty END AS certainty, source, set_at AS at FROM agent_owner
       WHERE workspace_id = $1::uuid AND agent_id = $2::uuid
     UNION ALL (SELECT session_id, principal_id, 'stated', 'telemetry', named_at FROM session_principal
       WHERE workspace_id = $1::uuid AND agent_id = $2::uuid AND named_at > clock_timestamp() - interval '1 day'
       ORDER BY named_at DESC LIMIT ${SESSIONS_KEPT})`,
    workspaceId,
    agentId,
  );
}

/** The name of a live agent, locked; null without one. */
export async function findAgentForUpdate(tx: Tx, workspaceId: string, agentId: string): Promise<string | null> {
  const [row] = await tx.$queryRaw<{ name: string }[]>`
    SELECT name FROM agent WHERE workspace_id = ${workspaceId}::uuid AND id = ${agentId}::uuid FOR UPDATE`;
  return row?.name ?? null;
}

export interface Ownership {
  readonly principalId: string;
  readonly certainty: Certainty;
  readonly source: "sign_in" | "token" | "console" | "os_user";
}

export async function findOwnership(
  tx: Tx,
  workspaceId: string,
  agentId: string,
): Promise<Pick<Ownership, "principalId" | "certainty"> | null> {
  const [row] = await tx.$queryRaw<Pick<Ownership, "principalId" | "certainty">[]>`
    SELECT principal_id AS "principalId", certainty FROM agent_owner
    WHERE workspace_id = ${workspaceId}::uuid AND agent_id = ${agentId}::uuid`;
  return row ?? null;
}

export async function saveOwner(tx: Tx, workspaceId: string, agentId: string, owner: Ownership): Promise<void> {
  const { principalId, certainty, source } = owner;
  await tx.$executeRaw`
    INSERT INTO agent_owner (workspace_id, agent_id, principal_id, certainty, source)
    VALUES (${workspaceId}::uuid, ${agentId}::uuid, ${principalId}::uuid, ${certainty}, ${source})
    ON CONFLICT (workspace_id, agent_id) DO UPDATE SET principal_id = excluded.principal_id, certainty = excluded.certainty,
      source = excluded.source, set_at = clock_timestamp(), former_principal_id = NULL, former_certainty = NULL, former_source = NULL`;
}

export async function deleteOwner(tx: Tx, workspaceId: string, agentId: string): Promise<void> {
  await tx.$executeRaw`DELETE FROM agent_owner WHERE workspace_id = ${workspaceId}::uuid AND agent_id = ${agentId}::uuid`;
}

export interface Account {
  readonly name: string;
  /** Null without a proven address. */
  readonly email: string | null;
}

/** A member of the workspace. */
export async function findMember(tx: Tx, workspaceId: string, accountId: string): Promise<Account | null> {
  const [row] = await tx.$queryRaw<Account[]>`
    SELECT person.name, CASE WHEN person.email_verified THEN person.email END AS email
    FROM membership JOIN person ON person.id = membership.person_id
    WHERE membership.workspace_id = ${workspaceId}::uuid AND membership.person_id = ${accountId}::uuid`;
  return row ?? null;
}

/** A principal, by id, that can own an agent: merged ones are followed, erased ones are not found. */
export async function findUsable(tx: Tx, workspaceId: string, id: string): Promise<PrincipalView | null> {
  const [row] = await tx.$queryRawUnsafe<PrincipalView[]>(
    `SELECT ${VIEW} ${FROM_PRINCIPAL} WHERE principal.workspace_id = $1::uuid AND principal.erased_at IS NULL
       AND principal.id = (SELECT coalesce(merged_into, id) FROM principal WHERE workspace_id = $1::uuid AND id = $2::uuid)`,
    workspaceId,
    id,
  );
  return row ?? null;
}

export async function count(tx: Tx, workspaceId: string): Promise<number> {
  const [row] = await tx.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM principal WHERE workspace_id = ${workspaceId}::uuid`;
  return row?.count ?? 0;
}

/** The words by which a person is recognised; null where they are not known. */
export interface Identity {
  readonly accountId: string | null;
  readonly email: string | null;
  readonly clientAccount: string | null;
}

/** The person with one of these identities, merged ones followed; the account counts before the address. */
export async function findIdentified(
  tx: Tx,
  workspaceId: string,
  { accountId, email, clientAccount }: Identity,
): Promise<string | null> {
  const [row] = await tx.$queryRaw<{ id: string }[]>`
    SELECT coalesce(merged_into, id) AS id FROM principal
    WHERE workspace_id = ${workspaceId}::uuid AND kind = 'person'
      AND (account_id = ${accountId}::uuid OR email = ${email} OR client_account = ${clientAccount})
    ORDER BY account_id = ${accountId}::uuid DESC NULLS LAST, email = ${email} DESC NULLS LAST LIMIT 1`;
  return row?.id ?? null;
}

/** Adds identities that the person does not have yet and that no other person has. */
export async function addIdentity(
  tx: Tx,
  workspaceId: string,
  id: string,
  { accountId, email, clientAccount }: Identity,
): Promise<void> {
  const isFree = (column: string, value: string) =>
    `CASE WHEN NOT EXISTS (SELECT FROM principal AS other WHERE other.workspace_id = $1::uuid AND other.${column} = ${value}) THEN ${value} END`;
  await tx.$executeRawUnsafe(
    `UPDATE principal SET account_id = coalesce(account_id, ${isFree("account_id", "$3::uuid")}),
       email = coalesce(email, ${isFree("email", "$4::text")}),
       client_account = coalesce(client_account, ${isFree("client_account", "$5::text")})
     WHERE workspace_id = $1::uuid AND id = $2::uuid AND erased_at IS NULL
       AND (account_id IS NULL AND $3::uuid IS NOT NULL OR email IS NULL AND $4::text IS NOT NULL
         OR client_account IS NULL AND $5::text IS NOT NULL)`,
    ...[workspaceId, id, accountId, email, clientAccount],
  );
}

export interface NewPrincipal extends Identity {
  readonly id: string;
  readonly kind: PrincipalView["kind"];
  readonly name: string | null;
}

/** False if another transaction was faster with one of its identities. */
export async function insert(tx: Tx, workspaceId: string, one: NewPrincipal): Promise<boolean> {
  const done = await tx.$executeRaw`
    INSERT INTO principal (workspace_id, id, kind, name, account_id, email, client_account)
    VALUES (${workspaceId}::uuid, ${one.id}::uuid, ${one.kind}, ${one.name}, ${one.accountId}::uuid, ${one.email}, ${one.clientAccount})
    ON CONFLICT DO NOTHING`;
  return done === 1;
}

export async function findService(tx: Tx, workspaceId: string, name: string): Promise<string | null> {
  const [row] = await tx.$queryRaw<{ id: string }[]>`
    SELECT coalesce(merged_into, id) AS id FROM principal
    WHERE workspace_id = ${workspaceId}::uuid AND kind = 'service' AND name = ${name}`;
  return row?.id ?? null;
}

/** The member with this proven address; null without one. */
export async function findMemberByEmail(tx: Tx, workspaceId: string, email: string) {
  const [row] = await tx.$queryRaw<{ accountId: string; name: string }[]>`
    SELECT person.id AS "accountId", person.name FROM person
    JOIN membership ON membership.person_id = person.id AND membership.workspace_id = ${workspaceId}::uuid
    WHERE person.email = ${email} AND person.email_verified`;
  return row ?? null;
}

/** Notes the person of a session, once an hour for a session that continues. True if that changed a row. */
export async function saveSessionPrincipal(
  tx: Tx,
  workspaceId: string,
  { agentId, sessionId, principalId }: { agentId: string; sessionId: string; principalId: string },
): Promise<boolean> {
  const saved = await tx.$executeRaw`
    INSERT INTO session_principal AS known (workspace_id, agent_id, session_id, principal_id)
    VALUES (${workspaceId}::uuid, ${agentId}::uuid, ${sessionId}, ${principalId}::uuid)
    ON CONFLICT (workspace_id, agent_id, session_id) DO UPDATE
      SET principal_id = excluded.principal_id, named_at = clock_timestamp()
      WHERE known.principal_id <> excluded.principal_id OR known.named_at < clock_timestamp() - interval '1 hour'`;
  return saved > 0;
}

/** The ids of principals with this id or address, or of this account, and of those that were merged into them. */
export async function listToErase(
  client: Pool | PoolClient,
  workspaceId: string,
  { id, address }: { readonly id: string | null; readonly address: string | null },
): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `WITH own AS (SELECT coalesce(merged_into, id) AS id FROM principal
       WHERE workspace_id = $1 AND kind = 'person' AND erased_at IS NULL
         AND (id = $2::uuid OR account_id = $2::uuid OR email = $3))
     SELECT principal.id::text AS id FROM principal JOIN own ON own.id = coalesce(principal.merged_into, principal.id)
     WHERE principal.workspace_id = $1`,
    [workspaceId, id, address],
  );
  return rows.map((row) => row.id);
}

/** The names of the policies that reach agents through one of these people, or that are assigned to one. */
export async function listPoliciesOf(pool: Pool, workspaceId: string, ids: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT DISTINCT policy.name FROM assignment JOIN policy ON policy.workspace_id = assignment.workspace_id
       AND policy.id = assignment.policy_id
     WHERE assignment.workspace_id = $1 AND (assignment.scope = 'person' AND assignment.target_id = ANY ($2::uuid[])
       OR assignment.scope = 'sign_on_group' AND EXISTS (SELECT FROM agent_audience AS audience
         JOIN agent_owner AS owned ON owned.workspace_id = audience.workspace_id AND owned.agent_id = audience.agent_id
         WHERE audience.workspace_id = $1 AND audience.scope = 'sign_on_group' AND audience.target_id = assignment.target_id
           AND owned.principal_id = ANY ($2::uuid[]))) ORDER BY policy.name LIMIT 20`,
    [workspaceId, ids],
  );
  return rows.map(({ name }) => name);
}

/** True if one of these is a member's. */
export async function isOfMember(pool: Pool, workspaceId: string, ids: readonly string[]): Promise<boolean> {
  const found = await pool.query(
    `SELECT FROM principal JOIN membership ON membership.workspace_id = principal.workspace_id
       AND membership.person_id = principal.account_id
     WHERE principal.workspace_id = $1 AND principal.id = ANY ($2::uuid[]) LIMIT 1`,
    [workspaceId, ids],
  );
  return found.rows.length > 0;
}

/**
 * Removes the words of these principals, and everything that would attribute further calls to them. The groups of their
 * accounts go, and those of `accountId`, who may have no principal.
 */
export async function erase(
  client: PoolClient,
  workspaceId: string,
  ids: readonly string[],
  accountId: string | null,
): Promise<void> {
  const values = [workspaceId, ids];
  await client.query(
    `DELETE FROM sign_on_group_member WHERE workspace_id = $1 AND (person_id = $3::uuid OR person_id IN (
       SELECT account_id FROM principal WHERE workspace_id = $1 AND id = ANY ($2::uuid[])))`,
    [...values, accountId],
  );
  for (const table of ["agent_owner", "session_principal", "device_login"])
    await client.query(`DELETE FROM ${table} WHERE workspace_id = $1 AND principal_id = ANY ($2::uuid[])`, values);
  await client.query(
    `UPDATE principal SET account_id = NULL, name = NULL, email = NULL, client_account = NULL, erased_at = clock_timestamp()
     WHERE workspace_id = $1 AND id = ANY ($2::uuid[])`,
    values,
  );
}
