/** The statements of owners by login. The owner before a login is kept in the same row. */
import type { Pool, Tx } from "../platform/db.ts";
import { FROM_PRINCIPAL, type Ownership, VIEW } from "./repository.ts";
import type { PrincipalView } from "./schema.ts";

export interface LockedOwner extends PrincipalView {
  readonly certainty: Ownership["certainty"];
  readonly source: Ownership["source"] | "login";
  /** The owner before the login; null without one. */
  readonly formerId: string | null;
  readonly formerCertainty: Ownership["certainty"] | null;
  readonly formerSource: Ownership["source"] | null;
  /** The agent works for a service, or did before the login. */
  readonly isShared: boolean;
}

const IS_SHARED = `EXISTS (SELECT FROM principal AS one WHERE one.workspace_id = owner.workspace_id AND one.kind = 'service'
  AND one.id IN (owner.principal_id, owner.former_principal_id))`;

/** True for an agent that works for a service, or did before a login. */
export async function isShared(pool: Pool, workspaceId: string, agentId: string): Promise<boolean> {
  const { rows } = await pool.query<{ isShared: boolean }>({
    name: "agent_is_shared",
    text: `SELECT ${IS_SHARED} AS "isShared" FROM agent_owner AS owner WHERE owner.workspace_id = $1 AND owner.agent_id = $2`,
    values: [workspaceId, agentId],
  });
  return rows[0]?.isShared ?? false;
}

/** The owner of an agent, locked. */
export async function findOwnerForUpdate(tx: Tx, workspaceId: string, agentId: string): Promise<LockedOwner | null> {
  const [row] = await tx.$queryRawUnsafe<LockedOwner[]>(
    `SELECT ${VIEW}, owner.certainty, owner.source, owner.former_principal_id AS "formerId", owner.former_certainty AS "formerCertainty",
       owner.former_source AS "formerSource", ${IS_SHARED} AS "isShared" ${FROM_PRINCIPAL}
     JOIN agent_owner AS owner ON owner.workspace_id = principal.workspace_id AND owner.principal_id = principal.id
     WHERE owner.workspace_id = $1::uuid AND owner.agent_id = $2::uuid FOR UPDATE OF owner`,
    workspaceId,
    agentId,
  );
  return row ?? null;
}

/** True for a member. They stay one until the transaction ends. Call it before the owner is locked, as a removal does. */
export async function lockMember(tx: Tx, workspaceId: string, accountId: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM membership WHERE workspace_id = ${workspaceId}::uuid AND person_id = ${accountId}::uuid
      AND (ends_at IS NULL OR ends_at > clock_timestamp()) FOR SHARE`;
  return rows.length > 0;
}

/** Makes the person the owner. A login that follows another keeps the owner from before the first. */
export async function saveLogin(tx: Tx, workspaceId: string, agentId: string, principalId: string): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO agent_owner AS own (workspace_id, agent_id, principal_id, certainty, source)
    VALUES (${workspaceId}::uuid, ${agentId}::uuid, ${principalId}::uuid, 'proven', 'login')
    ON CONFLICT (workspace_id, agent_id) DO UPDATE SET principal_id = excluded.principal_id, certainty = 'proven', source = 'login',
      set_at = clock_timestamp(),
      former_principal_id = CASE WHEN own.source = 'login' THEN own.former_principal_id ELSE own.principal_id END,
      former_certainty = CASE WHEN own.source = 'login' THEN own.former_certainty ELSE own.certainty END,
      former_source = CASE WHEN own.source = 'login' THEN own.former_source ELSE own.source END`;
}

/** Notes the account that logged in on the agent. The note stays after logout. */
export async function saveAccount(tx: Tx, workspaceId: string, agentId: string, accountId: string): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO agent_login (workspace_id, agent_id, account_id) VALUES (${workspaceId}::uuid, ${agentId}::uuid, ${accountId}::uuid)
    ON CONFLICT (workspace_id, agent_id, account_id) DO UPDATE SET logged_in_at = clock_timestamp()`;
}

/** The logins of this account are stated from then on. Returns the agents. */
export async function endLoginsOf(tx: Tx, workspaceId: string, accountId: string): Promise<string[]> {
  const rows = await tx.$queryRawUnsafe<{ agentId: string }[]>(
    `UPDATE agent_owner AS own SET certainty = 'stated' WHERE own.workspace_id = $1::uuid AND own.source = 'login'
       AND own.certainty = 'proven' AND own.principal_id IN (
         SELECT coalesce(merged_into, id) FROM principal WHERE workspace_id = $1::uuid AND account_id = $2::uuid)
     RETURNING own.agent_id::text AS "agentId"`,
    workspaceId,
    accountId,
  );
  return rows.map(({ agentId }) => agentId);
}
