/**
 * Names that contain a text, the best match first. Every table here is small except `session`, which two short queries
 * read.
 */
import type { Pool } from "../platform/db.ts";
import type { NAMED_KINDS } from "./schema.ts";

type NamedKind = (typeof NAMED_KINDS)[number];

const TABLES: Readonly<Record<NamedKind, string>> = {
  policy: "policy",
  agent: "agent",
  group: "agent_group",
  prompt: "judge_prompt",
  budget: "budget",
  alert: "alert_rule",
};

export interface NamedRow {
  readonly id: string;
  readonly name: string;
}

/** A name that begins with the text comes first, then the one that holds it earliest; the shorter of two. */
export async function listNamed(
  pool: Pool,
  workspaceId: string,
  kind: NamedKind,
  text: string,
  limit: number,
): Promise<NamedRow[]> {
  const { rows } = await pool.query<NamedRow>({
    text: `SELECT id, name FROM ${TABLES[kind]} WHERE workspace_id = $1 AND strpos(lower(name), lower($2)) > 0
           ORDER BY strpos(lower(name), lower($2)), length(name), name LIMIT $3`,
    values: [workspaceId, text, limit],
  });
  return rows;
}

export interface PersonRow extends NamedRow {
  readonly email: string | null;
  readonly role: string;
}

export async function listPeople(pool: Pool, workspaceId: string, text: string, limit: number): Promise<PersonRow[]> {
  const { rows } = await pool.query<PersonRow>({
    text: `SELECT person.id, person.name, person.email, membership.role
           FROM membership JOIN person ON person.id = membership.person_id
           WHERE membership.workspace_id = $1
             AND (strpos(lower(person.name), lower($2)) > 0 OR strpos(lower(person.email), lower($2)) > 0)
           ORDER BY coalesce(nullif(strpos(lower(person.name), lower($2)), 0), 1000), person.name, person.id LIMIT $3`,
    values: [workspaceId, text, limit],
  });
  return rows;
}

export interface RequestRow {
  readonly isOpen: boolean;
  readonly agentName: string;
  readonly toolName: string;
}

export async function findRequest(pool: Pool, workspaceId: string, number: number): Promise<RequestRow | null> {
  const { rows } = await pool.query<RequestRow>({
    text: `SELECT state = 'pending' AS "isOpen", agent_name AS "agentName", tool_name AS "toolName"
           FROM approval_request WHERE workspace_id = $1 AND number = $2`,
    values: [workspaceId, number],
  });
  return rows[0] ?? null;
}

export async function findException(
  pool: Pool,
  workspaceId: string,
  number: number,
): Promise<{ reason: string } | null> {
  const { rows } = await pool.query<{ reason: string }>({
    text: "SELECT reason FROM policy_exception WHERE workspace_id = $1 AND number = $2",
    values: [workspaceId, number],
  });
  return rows[0] ?? null;
}

export interface SessionRow {
  readonly agent_id: string;
  readonly session_id: string;
  readonly agent_name: string;
  readonly last_at: Date;
}

const AGENTS_MAX = 2_000;
const NEWEST_MAX = 1_000;

/** A session by its whole id, by the primary key; or by the beginning of its id among the newest. */
export async function listSessions(
  pool: Pool,
  workspaceId: string,
  text: string,
  limit: number,
): Promise<SessionRow[]> {
  const { rows } = await pool.query<SessionRow>({
    text: `SELECT agent_id, session_id, agent_name, last_at FROM (
             SELECT whole.* FROM (SELECT id FROM agent WHERE workspace_id = $1 ORDER BY id LIMIT ${AGENTS_MAX}) AS one
             CROSS JOIN LATERAL (
               SELECT agent_id, session_id, agent_name, last_at FROM session
               WHERE workspace_id = $1 AND agent_id = one.id AND session_id = $2
             ) AS whole
             UNION
             SELECT * FROM (
               SELECT agent_id, session_id, agent_name, last_at FROM session WHERE workspace_id = $1
               ORDER BY last_at DESC LIMIT ${NEWEST_MAX}
             ) AS newest WHERE starts_with(lower(session_id), lower($2))
           ) AS found ORDER BY session_id = $2 DESC, last_at DESC LIMIT $3`,
    values: [workspaceId, text, limit],
  });
  return rows;
}
