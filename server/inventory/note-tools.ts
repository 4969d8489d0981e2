/**
 * Stores the tools, MCP servers and skills of recorded calls, in the projector's transaction. It holds the lock on the
 * workspace's cursor, so only one writer at a time counts an agent's names.
 */
import { mcpToolOf } from "@quarterdeck/hooks";
import { type ToolKind, toolKindOf } from "@quarterdeck/hooks/contract/tool-kinds";
import type { Send } from "../platform/db.ts";
import { gatedCallOf, indexKeyText, type ProjectedRecord } from "../recording/index.ts";
import { NAMES_MAX } from "./schema.ts";

interface Sighting {
  readonly workspaceId: string;
  readonly agentId: string;
  readonly client: string;
  readonly tool: string;
  readonly skill: string;
  readonly kind: ToolKind;
  readonly server: string | null;
  firstAt: Date;
  lastAt: Date;
  calls: number;
}

export function noteTools(send: Send, entries: readonly ProjectedRecord[]): void {
  const rows = sightingsIn(entries);
  if (rows.length === 0) return;
  void send({
    name: "note_tools",
    text: NOTE,
    values: [
      rows.map(({ workspaceId }) => workspaceId),
      rows.map(({ agentId }) => agentId),
      rows.map(({ client }) => client),
      rows.map(({ tool }) => tool),
      rows.map(({ skill }) => skill),
      rows.map(({ kind }) => kind),
      rows.map(({ server }) => server),
      rows.map(({ firstAt }) => firstAt.toISOString()),
      rows.map(({ lastAt }) => lastAt.toISOString()),
      rows.map(({ calls }) => calls),
      NAMES_MAX,
    ],
  });
}

/**
 * Counts calls by tool. Calls above an agent's limit of names are counted in one row without a name. Removing an agent
 * removes its rows.
 */
const NOTE = `
WITH seen AS (
  SELECT seen.*, known.tool_name IS NOT NULL AS is_known
  FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[],
      $9::timestamptz[], $10::int8[])
    AS seen (workspace_id, agent_id, client, tool_name, skill, kind, mcp_server, first_at, last_at, calls)
  JOIN (SELECT workspace_id, id FROM agent WHERE workspace_id = ANY ($1::uuid[]) AND id = ANY ($2::uuid[])
        ORDER BY id FOR KEY SHARE) AS agent
    ON agent.workspace_id = seen.workspace_id AND agent.id = seen.agent_id
  LEFT JOIN tool_seen known ON known.workspace_id = seen.workspace_id AND known.agent_id = seen.agent_id
    AND known.client = seen.client AND known.tool_name = seen.tool_name AND known.skill = seen.skill
), placed AS (
  SELECT *, is_known OR $11::int8 >= row_number() OVER (PARTITION BY workspace_id, agent_id, is_known
      ORDER BY first_at, tool_name, skill, client)
    + (SELECT count(*) FROM tool_seen stored WHERE stored.workspace_id = seen.workspace_id
        AND stored.agent_id = seen.agent_id AND stored.tool_name <> '') AS is_kept
  FROM seen
), kept AS (
  SELECT workspace_id, agent_id, client, first_at, last_at, calls, CASE WHEN is_kept THEN tool_name ELSE '' END AS tool_name,
    CASE WHEN is_kept THEN skill ELSE '' END AS skill, CASE WHEN is_kept THEN kind ELSE 'other' END AS kind,
    CASE WHEN is_kept THEN mcp_server END AS mcp_server
  FROM placed
)
INSERT INTO tool_seen AS stored (workspace_id, agent_id, client, tool_name, skill, kind, mcp_server, first_seen_at, last_seen_at, calls)
SELECT workspace_id, agent_id, client, tool_name, skill, kind, mcp_server, min(first_at), max(last_at), sum(calls)
FROM kept GROUP BY workspace_id, agent_id, client, tool_name, skill, kind, mcp_server
ORDER BY workspace_id, agent_id, client, tool_name, skill
ON CONFLICT (workspace_id, agent_id, client, tool_name, skill) DO UPDATE SET
  kind = excluded.kind, mcp_server = excluded.mcp_server,
  first_seen_at = least(stored.first_seen_at, excluded.first_seen_at),
  last_seen_at = greatest(stored.last_seen_at, excluded.last_seen_at), calls = stored.calls + excluded.calls`;

/** A row for each agent, client, tool and skill; the events of drills are not among the entries. */
function sightingsIn(entries: readonly ProjectedRecord[]): Sighting[] {
  const byKey = new Map<string, Sighting>();
  for (const entry of entries) {
    const { record, projection, client } = entry;
    const { toolName, skill = "" } = projection;
    if (toolName === null) continue;
    const { workspaceId, agentId } = record;
    // Not later than its arrival, regardless of the agent's clock.
    const at = new Date(Math.min(record.occurredAt.getTime(), record.receivedAt.getTime()));
    const calls = isCall(entry) ? 1 : 0;
    const tool = indexKeyText(toolName);
    const key = [workspaceId, agentId, client ?? "", tool, skill].join("\0");
    const known = byKey.get(key);
    if (known === undefined) {
      const mcp = mcpToolOf(tool);
      const kind = mcp ? "mcp" : toolKindOf(tool);
      const server = mcp?.server ?? null;
      const names = { workspaceId, agentId, client: client ?? "", tool, skill, kind, server } as const;
      byKey.set(key, { ...names, firstAt: at, lastAt: at, calls });
      continue;
    }
    known.calls += calls;
    if (at < known.firstAt) known.firstAt = at;
    if (at > known.lastAt) known.lastAt = at;
  }
  return [...byKey.values()];
}

/** True for the one event by which a call counts: a gate's here, or the report of it. */
function isCall(entry: ProjectedRecord): boolean {
  const { event, lane, origin } = entry.record;
  return gatedCallOf(entry) !== null || (origin === "report" && event === "pre_tool_use" && lane === "default");
}
