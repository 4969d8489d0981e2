/** The statements of exceptions. */
import { type Pool, type Tx, transaction } from "../platform/db.ts";
import type { CallPattern } from "./match.ts";
import type { DispatchRef, ExceptedRule, ExceptionLifts, ExceptionScope } from "./schema.ts";

export const inTransaction: typeof transaction = (pool, work) => transaction(pool, work);

export interface ExceptionInForce extends CallPattern {
  readonly id: string;
  readonly number: number | null;
  readonly madeBy: string;
  readonly madeById: string | null;
  readonly lifts: ExceptionLifts;
  readonly rules: readonly ExceptedRule[];
  /** Milliseconds until it lapses, by the database's clock alone. */
  readonly leftMs: number;
}

const IN_FORCE = "ended_at IS NULL AND expires_at > clock_timestamp()";

/** Empty when the stored rules are not a list: then only this exception cannot be read. */
const RULES_LIST = "CASE WHEN jsonb_typeof(one.rules) = 'array' THEN one.rules ELSE '[]' END";

/** Without rules of a policy that requires four eyes: no person may loosen it alone. */
const RULES_OF_ONE_PERSON = `coalesce((SELECT jsonb_agg(rule) FROM jsonb_array_elements(${RULES_LIST}) AS rule
  WHERE NOT EXISTS (SELECT FROM policy WHERE policy.workspace_id = one.workspace_id AND policy.id::text = rule ->> 'policyId'
    AND policy.four_eyes)), '[]')`;

export async function listInForce(pool: Pool, workspaceId: string): Promise<readonly ExceptionInForce[]> {
  const { rows } = await pool.query<ExceptionInForce>({
    name: "exceptions_in_force",
    text: `SELECT one.id, one.scope, one.agent_id AS "agentId", one.session_id AS "sessionId", one.tool_name AS "toolName",
        one.input_sha256 AS "inputSha256", one.command, ${RULES_OF_ONE_PERSON} AS rules, one.number::float8 AS number, one.made_by AS "madeBy", one.made_by_id AS "madeById",
        one.lifts, extract(epoch FROM one.expires_at - clock_timestamp())::float8 * 1000 AS "leftMs",
        ARRAY(SELECT member.agent_id::text FROM agent_group_member AS member
          WHERE member.workspace_id = one.workspace_id AND member.group_id = one.group_id) AS members
      FROM policy_exception AS one WHERE one.workspace_id = $1 AND ${IN_FORCE}`,
    values: [workspaceId],
  });
  return rows;
}

export interface PastExceptionRow extends CallPattern {
  readonly id: string;
  readonly lifts: ExceptionLifts;
  readonly rules: readonly ExceptedRule[];
  readonly madeById: string | null;
  /** Milliseconds since 1970; it was in force from `fromMs` until before `untilMs`. */
  readonly fromMs: number;
  readonly untilMs: number;
}

/** The exceptions that were in force at any time since `from`. */
export async function listSince(pool: Pool, workspaceId: string, from: Date): Promise<readonly PastExceptionRow[]> {
  const { rows } = await pool.query<PastExceptionRow>({
    name: "exceptions_since",
    text: `SELECT one.id, one.scope, one.agent_id AS "agentId", one.session_id AS "sessionId", one.tool_name AS "toolName",
        one.input_sha256 AS "inputSha256", one.command, ${RULES_OF_ONE_PERSON} AS rules, one.made_by_id AS "madeById", one.lifts,
        extract(epoch FROM one.made_at)::float8 * 1000 AS "fromMs",
        extract(epoch FROM least(one.expires_at, one.ended_at))::float8 * 1000 AS "untilMs",
        ARRAY(SELECT member.agent_id::text FROM agent_group_member AS member
          WHERE member.workspace_id = one.workspace_id AND member.group_id = one.group_id) AS members
      FROM policy_exception AS one WHERE one.workspace_id = $1 AND least(one.expires_at, one.ended_at) > $2
      ORDER BY one.made_at, one.id`,
    values: [workspaceId, from],
  });
  return rows;
}

export interface NewException {
  readonly id: string;
  readonly scope: ExceptionScope;
  readonly groupId: string | null;
  readonly agentId: string | null;
  readonly sessionId: string | null;
  readonly about: string;
  readonly toolName: string;
  readonly inputSha256: Buffer | null;
  readonly command: readonly string[] | null;
  readonly input: string;
  readonly rules: readonly ExceptedRule[];
  readonly reason: string;
  readonly lifts: ExceptionLifts;
  readonly requestNumber: number | null;
  readonly by: string;
  readonly byId: string;
  readonly hours: number;
}

/** Returns the instant at which it ends. */
export async function insert(tx: Tx, workspaceId: string, one: NewException): Promise<Date> {
  const rows = await tx.$queryRaw<{ expiresAt: Date }[]>`
    INSERT INTO policy_exception (workspace_id, id, scope, group_id, agent_id, session_id, about, tool_name, input_sha256, command, input,
      rules, lifts, reason, request_number, made_by, made_by_id, expires_at)
    VALUES (${workspaceId}::uuid, ${one.id}::uuid, ${one.scope}, ${one.groupId}::uuid, ${one.agentId}::uuid, ${one.sessionId}, ${one.about},
      ${one.toolName}, ${one.inputSha256}::bytea, ${one.command === null ? null : [...one.command]}::text[], ${one.input}, ${JSON.stringify(one.rules)}::jsonb,
      ${one.lifts}, ${one.reason}, ${one.requestNumber}::bigint, ${one.by}, ${one.byId}, clock_timestamp() + ${one.hours} * interval '1 hour')
    RETURNING expires_at AS "expiresAt"`;
  const [row] = rows;
  if (row === undefined) throw new Error("an exception was not written");
  return row.expiresAt;
}

/** Numbers an exception by the entry that the transaction wrote last. */
export async function numberByEntry(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await tx.$executeRaw`UPDATE policy_exception AS one SET number = head.seq FROM audit_head AS head
    WHERE head.workspace_id = one.workspace_id AND one.workspace_id = ${workspaceId}::uuid AND one.id = ${id}::uuid`;
}

/**
 * Call it in a transaction that holds the lock on assignments, so that two concurrent callers cannot both create the
 * last exception.
 */
export async function countInForce(tx: Tx, workspaceId: string): Promise<number> {
  const [row] = await tx.$queryRawUnsafe<{ count: number }[]>(
    `SELECT count(*)::int AS count FROM policy_exception WHERE workspace_id = $1::uuid AND ${IN_FORCE}`,
    workspaceId,
  );
  return row?.count ?? 0;
}

export interface ExceptionRow {
  readonly id: string;
  readonly number: number | null;
  readonly lifts: ExceptionLifts;
  readonly scope: ExceptionScope;
  readonly agentId: string | null;
  readonly about: string;
  readonly toolName: string;
  readonly command: string[] | null;
  readonly input: string;
  readonly rules: ExceptedRule[];
  readonly reason: string;
  readonly requestNumber: number | null;
  readonly madeAt: Date;
  readonly madeBy: string;
  readonly expiresAt: Date;
  readonly endedAt: Date | null;
  readonly endedBy: string | null;
  readonly endReason: string | null;
  readonly lapsedAt: Date | null;
  readonly reviewedAt: Date | null;
  readonly reviewedBy: string | null;
  readonly reviewWords: string | null;
  readonly madeById: string | null;
}

const COLUMNS = `id, number::float8 AS number, lifts, scope, agent_id AS "agentId", about, tool_name AS "toolName", command, input, rules, reason,
  request_number::float8 AS "requestNumber", made_at AS "madeAt", made_by AS "madeBy", expires_at AS "expiresAt",
  ended_at AS "endedAt", ended_by AS "endedBy", end_reason AS "endReason", lapsed_at AS "lapsedAt", reviewed_at AS "reviewedAt",
  reviewed_by AS "reviewedBy", review_words AS "reviewWords", made_by_id AS "madeById"`;

export async function list(pool: Pool, workspaceId: string, limit: number): Promise<readonly ExceptionRow[]> {
  const { rows } = await pool.query<ExceptionRow>({
    name: "exceptions_list",
    text: `SELECT * FROM (
        (SELECT ${COLUMNS}, true AS is_on FROM policy_exception WHERE workspace_id = $1 AND ${IN_FORCE} ORDER BY expires_at, id LIMIT $2)
        UNION ALL
        (SELECT ${COLUMNS}, false AS is_on FROM policy_exception WHERE workspace_id = $1 AND NOT (${IN_FORCE})
          ORDER BY made_at DESC, id LIMIT $2)
      ) AS one ORDER BY is_on DESC, CASE WHEN is_on THEN "expiresAt" END, "madeAt" DESC, id LIMIT $2`,
    values: [workspaceId, limit],
  });
  return rows.map(({ is_on: _order, ...row }: ExceptionRow & { is_on?: boolean }) => row);
}

/** The exception with its row locked; `isOver` by the database's clock. */
export async function findForUpdate(
  tx: Tx,
  workspaceId: string,
  id: string,
): Promise<(ExceptionRow & { readonly isOver: boolean }) | null> {
  const [row = null] = await tx.$queryRawUnsafe<(ExceptionRow & { isOver: boolean })[]>(
    `SELECT ${COLUMNS}, NOT (${IN_FORCE}) AS "isOver" FROM policy_exception WHERE workspace_id = $1::uuid AND id = $2::uuid FOR UPDATE`,
    workspaceId,
    id,
  );
  return row;
}

export async function end(tx: Tx, workspaceId: string, id: string, by: string, reason: string): Promise<void> {
  await tx.$executeRaw`UPDATE policy_exception SET ended_at = clock_timestamp(), ended_by = ${by}, end_reason = ${reason}
    WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid`;
}

export async function review(tx: Tx, workspaceId: string, id: string, by: string, words: string): Promise<void> {
  await tx.$executeRaw`UPDATE policy_exception SET reviewed_at = clock_timestamp(), reviewed_by = ${by}, review_words = ${words}
    WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid`;
}

/** Those in force that reach an agent, through a group too. */
export async function listOfAgent(pool: Pool, workspaceId: string, agentId: string, limit: number) {
  const { rows } = await pool.query<ExceptionRow>({
    name: "exceptions_of_agent",
    text: `SELECT ${COLUMNS} FROM policy_exception AS one WHERE workspace_id = $1 AND ${IN_FORCE}
        AND (scope = 'workspace' OR agent_id = $2 OR EXISTS (SELECT FROM agent_group_member AS member
          WHERE member.workspace_id = one.workspace_id AND member.group_id = one.group_id AND member.agent_id = $2))
      ORDER BY expires_at, id LIMIT $3`,
    values: [workspaceId, agentId, limit],
  });
  return rows;
}

/** Those in force that touch a rule of a policy. */
export async function listOfPolicy(pool: Pool, workspaceId: string, policy: string, limit: number) {
  const { rows } = await pool.query<ExceptionRow>({
    name: "exceptions_of_policy",
    text: `SELECT ${COLUMNS} FROM policy_exception AS one WHERE workspace_id = $1 AND ${IN_FORCE}
        AND EXISTS (SELECT FROM policy AS named, jsonb_array_elements(${RULES_LIST}) AS excepted (rule)
          WHERE named.workspace_id = one.workspace_id AND named.name = $2 AND excepted.rule ->> 'policyId' = named.id::text)
      ORDER BY expires_at, id LIMIT $3`,
    values: [workspaceId, policy, limit],
  });
  return rows;
}

export interface DeniedDispatch {
  readonly receivedAt: Date;
  readonly agentId: string;
  readonly agentName: string;
  readonly verdict: string;
  readonly input: string;
  readonly hooks: string;
}

export async function findDispatch(pool: Pool, workspaceId: string, ref: DispatchRef): Promise<DeniedDispatch | null> {
  const { rows } = await pool.query<DeniedDispatch>({
    name: "exceptions_find_dispatch",
    text: `SELECT received_at AS "receivedAt", agent_id AS "agentId", agent_name AS "agentName", verdict, input, hooks FROM dispatch
      WHERE occurred_at = $2 AND id = $3 AND workspace_id = $1 AND origin = 'dispatch'`,
    values: [workspaceId, ref.occurredAt, ref.id],
  });
  return rows[0] ?? null;
}

/** The groups of an agent. */
export async function listGroups(
  pool: Pool,
  workspaceId: string,
  agentId: string,
): Promise<{ readonly id: string; readonly name: string }[]> {
  const { rows } = await pool.query<{ id: string; name: string }>({
    name: "exceptions_groups",
    text: `SELECT own.id, own.name FROM agent_group AS own JOIN agent_group_member AS member
        ON member.workspace_id = own.workspace_id AND member.group_id = own.id
      WHERE own.workspace_id = $1 AND member.agent_id = $2 ORDER BY own.name`,
    values: [workspaceId, agentId],
  });
  return rows;
}

export interface RuleSource {
  readonly policyId: string;
  readonly fourEyes: boolean;
  readonly profile: string;
  readonly hooks: unknown;
  readonly createdAt: Date;
}

/** A policy's revision by the policy's name; null when it did not exist at that time. */
export async function findRuleSource(
  pool: Pool,
  workspaceId: string,
  policy: string,
  revision: number,
  at: Date,
): Promise<RuleSource | null> {
  const { rows } = await pool.query<RuleSource>({
    name: "exceptions_rule_source",
    text: `SELECT policy.id AS "policyId", policy.four_eyes AS "fourEyes", revision.profile, revision.hooks,
        revision.created_at AS "createdAt"
      FROM policy JOIN policy_revision AS revision ON revision.workspace_id = policy.workspace_id AND revision.policy_id = policy.id
      WHERE policy.workspace_id = $1 AND policy.name = $2 AND revision.number = $3 AND revision.created_at <= $4`,
    values: [workspaceId, policy, revision, at],
  });
  return rows[0] ?? null;
}

export async function listMembers(pool: Pool, workspaceId: string, groupId: string): Promise<readonly string[]> {
  const { rows } = await pool.query<{ agentId: string }>({
    name: "exceptions_members",
    text: `SELECT agent_id AS "agentId" FROM agent_group_member WHERE workspace_id = $1 AND group_id = $2`,
    values: [workspaceId, groupId],
  });
  return rows.map(({ agentId }) => agentId);
}
