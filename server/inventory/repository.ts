/** Reads of the table of tools that were seen. */
import type { Database, Pool } from "../platform/db.ts";
import { INVENTORY_DAYS, type ListTools, type ToolSort } from "./schema.ts";

export interface ToolRow {
  readonly agentId: string;
  readonly agent: string;
  readonly tags: string[];
  readonly client: string;
  readonly tool: string;
  readonly skill: string;
  readonly kind: string;
  readonly mcpServer: string | null;
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
  readonly calls: string;
  readonly key: string;
}

const SORT_KEYS: Readonly<Record<ToolSort, string>> = {
  last: "(extract(epoch FROM seen.last_seen_at) * 1000000)::bigint",
  first: "(extract(epoch FROM seen.first_seen_at) * 1000000)::bigint",
  calls: "seen.calls",
};
const TIE = "seen.agent_id, seen.client, seen.tool_name, seen.skill";
const COLUMNS = `seen.agent_id AS "agentId", agent.name AS agent, agent.tags, seen.client, seen.tool_name AS tool, seen.skill, seen.kind,
  seen.mcp_server AS "mcpServer", seen.first_seen_at AS "firstSeenAt", seen.last_seen_at AS "lastSeenAt", seen.calls::text AS calls`;
const FROM = "tool_seen seen JOIN agent ON agent.workspace_id = seen.workspace_id AND agent.id = seen.agent_id";
const RECENT = `seen.workspace_id = $1 AND seen.last_seen_at >= $2::timestamptz - interval '${INVENTORY_DAYS} days'`;

/** Rows that match, in order, after the cursor; and how many match in all, unless a cursor is given. */
export async function listTools(
  { pool }: Pick<Database, "pool">,
  workspaceId: string,
  input: ListTools,
  now: Date,
): Promise<{ readonly rows: readonly ToolRow[]; readonly total: number | null }> {
  const { sort, isDescending, cursor, limit } = input;
  const values: unknown[] = [workspaceId, now];
  const put = (value: unknown) => `$${values.push(value)}`;
  const where = [RECENT, ...conditionsOf(input, put)].join(" AND ");
  const counting = cursor
    ? null
    : pool.query<{ total: number }>(`SELECT count(*)::int AS total FROM ${FROM} WHERE ${where}`, [...values]);
  const key = SORT_KEYS[sort];
  const [order, after] = isDescending ? ["DESC", "<"] : ["ASC", ">"];
  const next = cursor
    ? `AND (${key}, ${TIE}) ${after} (${put(cursor.key)}::bigint, ${put(cursor.agentId)}::uuid, ${put(cursor.client)}::text,
        ${put(cursor.tool)}::text, ${put(cursor.skill)}::text)`
    : "";
  const ties = TIE.split(", ").map((column) => `${column} ${order}`);
  const [found, counted] = await Promise.all([
    pool.query<ToolRow>(
      `SELECT ${COLUMNS}, (${key})::text AS key FROM ${FROM} WHERE ${where} ${next}
       ORDER BY ${key} ${order}, ${ties.join(", ")} LIMIT ${put(limit + 1)}`,
      values,
    ),
    counting,
  ]);
  return { rows: found.rows, total: counted ? (counted.rows[0]?.total ?? 0) : null };
}

function conditionsOf(
  { agentIds, agents, clients, kinds, text }: ListTools,
  put: (value: unknown) => string,
): readonly string[] {
  const words = text.split(/\s+/).filter((word) => word !== "");
  const holds = (column: string, word: string) => `strpos(lower(${column}), lower(${put(word)})) > 0`;
  return [
    ...(agentIds.length > 0 ? [`seen.agent_id = ANY(${put(agentIds)}::uuid[])`] : []),
    ...(agents.length > 0 ? [`(${agents.map((part) => holds("agent.name", part)).join(" OR ")})`] : []),
    ...(clients.length > 0 ? [`seen.client = ANY(${put(clients)}::text[])`] : []),
    ...(kinds.length > 0 ? [`seen.kind = ANY(${put(kinds)}::text[])`] : []),
    ...words.map((word) => holds("seen.tool_name || ' ' || seen.skill", word)),
  ];
}

/** All rows of one agent, the most called first; their number is bounded by the agent's limit. */
export async function listOfAgent(
  { pool }: Pick<Database, "pool">,
  workspaceId: string,
  agentId: string,
  now: Date,
): Promise<readonly ToolRow[]> {
  const { rows } = await pool.query<ToolRow>({
    name: "inventory_of_agent",
    text: `SELECT ${COLUMNS}, '0' AS key FROM ${FROM} WHERE ${RECENT} AND seen.agent_id = $3
           ORDER BY seen.calls DESC, ${TIE}`,
    values: [workspaceId, now, agentId],
  });
  return rows;
}

export const findAgent = ({ prisma }: Pick<Database, "prisma">, workspaceId: string, id: string) =>
  prisma.agent.findFirst({ where: { workspaceId, id }, select: { name: true } });

interface Filters {
  readonly agentId: string | null;
  readonly groupId: string | null;
}

/** Tools and skills of these agents of which the first row was added within the window. */
export async function countFirstSeen(
  pool: Pool,
  workspaceId: string,
  { agentId, groupId }: Filters,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<bigint> {
  const { rows } = await pool.query<{ count: string }>({
    name: "inventory_first_seen",
    text: `WITH chosen AS (
             SELECT tool_name, skill, added_at FROM tool_seen
             WHERE workspace_id = $1 AND tool_name <> '' AND ($2::uuid IS NULL OR agent_id = $2)
               AND ($3::uuid IS NULL OR agent_id IN
                 (SELECT agent_id FROM agent_group_member WHERE workspace_id = $1 AND group_id = $3)))
           SELECT count(DISTINCT (recent.tool_name, recent.skill)) AS count FROM chosen AS recent
           WHERE recent.added_at >= $4 AND recent.added_at < $5 AND NOT EXISTS (SELECT FROM chosen AS earlier
             WHERE earlier.tool_name = recent.tool_name AND earlier.skill = recent.skill AND earlier.added_at < $4)`,
    values: [workspaceId, agentId, groupId, from, to],
  });
  return BigInt(rows[0]?.count ?? 0);
}
