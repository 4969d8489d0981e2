/** The accounts that made keys of agents or logged in on them, and the people who answer for these. */
import type { Tx } from "../platform/db.ts";
import type { Select } from "../platform/select.ts";

/**
 * The accounts that made keys of agents or logged in on them. Revoked keys and ended logins count: else one would end it
 * and then answer.
 */
export async function listKeyMakers(select: Select, workspaceId: string): Promise<readonly string[]> {
  const rows = await select<{ id: string }>(
    "SELECT DISTINCT account_id AS id FROM agent_maker WHERE workspace_id = $1::uuid",
    workspaceId,
  );
  return rows.map(({ id }) => id);
}

const MAKERS = `SELECT agent_id::text AS "agentId", array_agg(DISTINCT account_id) AS makers FROM agent_maker
  WHERE workspace_id = $1::uuid`;

type MakersByAgent = ReadonlyMap<string, readonly string[]>;

/** All makers of each agent that one of `keyMakers` made a key of, or logged in on. */
export async function listAgentsMadeBy(
  select: Select,
  workspaceId: string,
  keyMakers: readonly string[],
): Promise<MakersByAgent> {
  const rows = await select<{ agentId: string; makers: readonly string[] }>(
    `${MAKERS} AND agent_id IN (SELECT agent_id FROM agent_maker WHERE workspace_id = $1::uuid AND account_id = ANY ($2::text[]))
     GROUP BY agent_id`,
    workspaceId,
    [...keyMakers],
  );
  return new Map(rows.map(({ agentId, makers }) => [agentId, makers]));
}

/** All makers of these agents; agents without a maker are omitted. */
export async function listMakersOf(
  select: Select,
  workspaceId: string,
  agentIds: readonly string[],
): Promise<MakersByAgent> {
  const rows = await select<{ agentId: string; makers: readonly string[] }>(
    `${MAKERS} AND agent_id = ANY ($2::text[]::uuid[]) GROUP BY agent_id`,
    workspaceId,
    [...agentIds],
  );
  return new Map(rows.map(({ agentId, makers }) => [agentId, makers]));
}

/** The makers of the agent, each with the time of their newest key or login. */
export function listNewestKeys(
  select: Select,
  workspaceId: string,
  agentId: string,
): Promise<readonly { readonly maker: string; readonly madeAt: Date }[]> {
  return select(
    `SELECT account_id AS maker, max(made_at) AS "madeAt" FROM agent_maker
     WHERE workspace_id = $1::uuid AND agent_id = $2::uuid GROUP BY account_id`,
    workspaceId,
    agentId,
  );
}

/** The makers of the tokens of each service account, also of removed ones: no account of a person is ever removed. */
export async function listTokenMakers(
  select: Select,
  workspaceId: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await select<{ id: string; makers: readonly string[] }>(
    `SELECT account_id AS id, array_agg(maker_id) AS makers FROM account_maker
     WHERE workspace_id = $1::uuid AND maker_id <> '' AND NOT EXISTS (SELECT FROM person WHERE person.id = account_id::uuid)
     GROUP BY account_id`,
    workspaceId,
  );
  return new Map(rows.map(({ id, makers }) => [id, makers]));
}

/** The people with one of the roles. */
export async function listHolders(
  select: Select,
  workspaceId: string,
  roles: readonly string[],
): Promise<readonly string[]> {
  const rows = await select<{ id: string }>(
    "SELECT person_id::text AS id FROM membership WHERE workspace_id = $1::uuid AND role = ANY ($2::text[])",
    workspaceId,
    [...roles],
  );
  return rows.map(({ id }) => id);
}

/** The same people with their names, by name. */
export function listNamedHolders(
  select: Select,
  workspaceId: string,
  roles: readonly string[],
): Promise<readonly { readonly id: string; readonly name: string }[]> {
  return select(
    `SELECT person.id::text AS id, person.name FROM membership JOIN person ON person.id = membership.person_id
     WHERE membership.workspace_id = $1::uuid AND membership.role = ANY ($2::text[]) ORDER BY person.name, person.id`,
    workspaceId,
    [...roles],
  );
}

/**
 * Prevents new keys of this request's agent, and logins on it, until the transaction ends: both lock the agent's row for
 * update.
 */
export async function lockAgentOfRequest(tx: Tx, workspaceId: string, requestId: string): Promise<void> {
  await tx.$queryRaw`SELECT FROM agent WHERE workspace_id = ${workspaceId}::uuid
    AND id = (SELECT agent_id FROM approval_request WHERE workspace_id = ${workspaceId}::uuid AND id = ${requestId}::uuid) FOR KEY SHARE`;
}

/** Prevents new keys of the agent, and logins on it, until the transaction ends. */
export async function lockAgent(tx: Tx, workspaceId: string, agentId: string): Promise<void> {
  await tx.$queryRaw`SELECT FROM agent WHERE workspace_id = ${workspaceId}::uuid AND id = ${agentId}::uuid FOR KEY SHARE`;
}
