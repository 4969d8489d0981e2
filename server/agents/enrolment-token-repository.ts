/** The statements of enrolment tokens. */
import type { Tx } from "../platform/db.ts";
import { OWNER_JSON_SQL } from "../principals/index.ts";
import { type EnrolmentTokenState, type EnrolmentTokenView, LIST_MAX, NAMED_MAX } from "./enrolment-token-schema.ts";

const OPENS = "revoked_at IS NULL AND expires_at > clock_timestamp() AND uses < uses_max";

export interface NewEnrolmentToken {
  readonly id: string;
  readonly name: string;
  readonly tokenSha256: Buffer;
  readonly hint: string;
  readonly groupId: string | null;
  readonly tags: readonly string[];
  readonly usesMax: number;
  readonly hours: number;
  readonly madeBy: string;
  readonly madeById: string | null;
  readonly owner: TokenOwner | null;
}

/** The owner of a token's agents. */
export interface TokenOwner {
  readonly principalId: string;
  readonly certainty: "proven" | "stated";
}

/** Returns the instant at which it expires. */
export async function insert(tx: Tx, workspaceId: string, one: NewEnrolmentToken): Promise<Date> {
  const [row] = await tx.$queryRaw<{ expiresAt: Date }[]>`
    INSERT INTO enrolment_token (workspace_id, id, name, token_sha256, hint, group_id, tags, uses_max, made_by, made_by_id, owner_id,
      owner_certainty, expires_at)
    VALUES (${workspaceId}::uuid, ${one.id}::uuid, ${one.name}, ${one.tokenSha256}::bytea, ${one.hint}, ${one.groupId}::uuid, ${[...one.tags]}::text[],
      ${one.usesMax}, ${one.madeBy}, ${one.madeById}, ${one.owner?.principalId ?? null}::uuid, ${one.owner?.certainty ?? null}, clock_timestamp() + ${one.hours} * interval '1 hour')
    RETURNING expires_at AS "expiresAt"`;
  if (row === undefined) throw new Error("an enrolment token was not written");
  return row.expiresAt;
}

/**
 * Call it in a transaction that holds the lock on assignments, so that two concurrent callers cannot both create the
 * last token.
 */
export async function countOpen(tx: Tx, workspaceId: string): Promise<number> {
  const [row] = await tx.$queryRawUnsafe<{ count: number }[]>(
    `SELECT count(*)::int AS count FROM enrolment_token WHERE workspace_id = $1::uuid AND ${OPENS}`,
    workspaceId,
  );
  return row?.count ?? 0;
}

export interface FoundToken {
  readonly id: string;
  readonly workspaceId: string;
  /** True if it was open when it was read; the use itself is counted under a lock. */
  readonly isOpen: boolean;
}

/** The token with this hash, in any workspace: the token determines the workspace. */
export async function findByHash(tx: Tx, tokenSha256: Buffer): Promise<FoundToken | null> {
  const [row] = await tx.$queryRawUnsafe<FoundToken[]>(
    `SELECT id, workspace_id AS "workspaceId", (${OPENS}) AS "isOpen" FROM enrolment_token WHERE token_sha256 = $1::bytea`,
    tokenSha256,
  );
  return row ?? null;
}

export interface UsedToken {
  readonly name: string;
  readonly groupId: string | null;
  readonly tags: string[];
  readonly madeById: string | null;
  readonly ownerId: string | null;
  readonly ownerCertainty: TokenOwner["certainty"] | null;
}

/**
 * Takes one use, if one is left; null for a token that is no longer valid. The row stays locked until the transaction
 * ends.
 */
export async function takeUse(tx: Tx, workspaceId: string, id: string): Promise<UsedToken | null> {
  const [row] = await tx.$queryRawUnsafe<UsedToken[]>(
    `UPDATE enrolment_token SET uses = uses + 1 WHERE workspace_id = $1::uuid AND id = $2::uuid AND ${OPENS}
     RETURNING name, group_id AS "groupId", tags, made_by_id AS "madeById", owner_id AS "ownerId", owner_certainty AS "ownerCertainty"`,
    workspaceId,
    id,
  );
  return row ?? null;
}

export async function insertUse(tx: Tx, workspaceId: string, tokenId: string, agentId: string): Promise<void> {
  await tx.$executeRaw`INSERT INTO enrolment_token_use (workspace_id, token_id, agent_id)
    VALUES (${workspaceId}::uuid, ${tokenId}::uuid, ${agentId}::uuid)`;
}

/** Returns the name of the revoked token; null when no open token matches. */
export async function revoke(tx: Tx, workspaceId: string, id: string, by: string): Promise<string | null> {
  const [row] = await tx.$queryRaw<{ name: string }[]>`
    UPDATE enrolment_token SET revoked_at = clock_timestamp(), revoked_by = ${by}
    WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid AND revoked_at IS NULL RETURNING name`;
  return row?.name ?? null;
}

export interface EnrolmentTokenRow {
  readonly id: string;
  readonly name: string;
  readonly hint: string;
  readonly state: EnrolmentTokenState;
  readonly groupName: string | null;
  readonly tags: string[];
  readonly owner: EnrolmentTokenView["owner"];
  readonly uses: number;
  readonly usesMax: number;
  readonly madeAt: Date;
  readonly madeBy: string;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
  readonly agents: { id: string; name: string }[];
}

const SELECT = `SELECT token.id, token.name, token.hint,
    CASE WHEN token.revoked_at IS NOT NULL THEN 'revoked' WHEN token.uses >= token.uses_max THEN 'used up'
      WHEN token.expires_at <= clock_timestamp() THEN 'ended' ELSE 'open' END AS state,
    agent_group.name AS "groupName", token.tags, token.uses, token.uses_max AS "usesMax", token.made_at AS "madeAt", token.made_by AS "madeBy",
    token.expires_at AS "expiresAt", token.revoked_at AS "revokedAt",
    ${OWNER_JSON_SQL("token", "token.owner_id", "token.owner_certainty")} AS owner,
    coalesce((SELECT jsonb_agg(jsonb_build_object('id', made.id, 'name', made.name)) FROM (
      SELECT agent.id, agent.name FROM enrolment_token_use AS one
      JOIN agent ON agent.workspace_id = one.workspace_id AND agent.id = one.agent_id
      WHERE one.workspace_id = token.workspace_id AND one.token_id = token.id
      ORDER BY one.used_at DESC, agent.id LIMIT ${NAMED_MAX}) AS made), '[]') AS agents
  FROM enrolment_token AS token
  LEFT JOIN agent_group ON agent_group.workspace_id = token.workspace_id AND agent_group.id = token.group_id
  WHERE token.workspace_id = $1::uuid`;

export function list(tx: Tx, workspaceId: string): Promise<EnrolmentTokenRow[]> {
  const order = `(${OPENS}) DESC, token.made_at DESC, token.id`;
  return tx.$queryRawUnsafe<EnrolmentTokenRow[]>(`${SELECT} ORDER BY ${order} LIMIT ${LIST_MAX}`, workspaceId);
}

export async function find(tx: Tx, workspaceId: string, id: string): Promise<EnrolmentTokenRow | null> {
  const [row] = await tx.$queryRawUnsafe<EnrolmentTokenRow[]>(`${SELECT} AND token.id = $2::uuid`, workspaceId, id);
  return row ?? null;
}
