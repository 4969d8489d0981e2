/** Agents that changed within a range, read from the fleet and from the tools that they called. */
import { SILENT_AFTER_MS } from "../agents/schema.ts";
import type { Pool } from "../platform/db.ts";
import type { OverviewRange } from "./schema.ts";

export interface ChangedAgentRow {
  readonly id: string;
  readonly name: string;
  readonly kind: "new" | "silent";
  readonly at: Date;
}

/** Agents enrolled within the range, and agents whose last sign of life is in it and an hour old; the newest first. */
export async function listNewAndSilent(
  pool: Pool,
  workspaceId: string,
  { from, to }: OverviewRange,
  limits: { readonly now: Date; readonly rowsMax: number },
): Promise<ChangedAgentRow[]> {
  const { rows } = await pool.query<ChangedAgentRow>({
    name: "overview_new_and_silent",
    text: `WITH heard AS (
             SELECT id, name, created_at, greatest(last_seen_at, polled_at) AS heard_at FROM agent
             WHERE workspace_id = $1 AND retired_at IS NULL
           )
           (SELECT id, name, 'new' AS kind, created_at AS at FROM heard
            WHERE created_at >= $2 AND created_at < $3 ORDER BY created_at DESC LIMIT $5)
           UNION ALL
           (SELECT id, name, 'silent', heard_at FROM heard
            WHERE heard_at >= $2 AND heard_at < least($3, $4::timestamptz) ORDER BY heard_at DESC LIMIT $5)`,
    values: [workspaceId, from, to, new Date(limits.now.getTime() - SILENT_AFTER_MS), limits.rowsMax],
  });
  return rows;
}

export interface NewToolsRow {
  readonly id: string;
  readonly name: string;
  readonly at: Date;
  readonly count: number;
  /** A few of them, by name. */
  readonly tools: readonly string[];
}

/** Agents that called a tool for the first time within the range; agents of the range itself are left out. */
export async function listNewTools(
  pool: Pool,
  workspaceId: string,
  { from, to }: OverviewRange,
  { rowsMax, namesMax }: { readonly rowsMax: number; readonly namesMax: number },
): Promise<NewToolsRow[]> {
  const { rows } = await pool.query<NewToolsRow>({
    name: "overview_new_tools",
    text: `WITH added AS (
             SELECT agent_id, tool_name, min(added_at) AS at FROM tool_seen
             WHERE workspace_id = $1 AND added_at >= $2 AND added_at < $3 AND tool_name <> ''
             GROUP BY agent_id, tool_name
           )
           SELECT agent.id, agent.name, max(added.at) AS at, count(*)::int AS count,
             (array_agg(added.tool_name ORDER BY added.tool_name))[1:$4::int] AS tools
           FROM added JOIN agent ON agent.workspace_id = $1 AND agent.id = added.agent_id
           WHERE agent.retired_at IS NULL AND agent.created_at < $2 AND NOT EXISTS (
             SELECT FROM tool_seen AS earlier WHERE earlier.workspace_id = $1 AND earlier.agent_id = added.agent_id
               AND earlier.tool_name = added.tool_name AND earlier.added_at < $2)
           GROUP BY agent.id, agent.name ORDER BY max(added.at) DESC LIMIT $5`,
    values: [workspaceId, from, to, namesMax, rowsMax],
  });
  return rows;
}
