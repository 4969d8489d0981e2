/**
 * The inventory by pages, with the rules that check each tool; and the parts of it for an agent's page and for a new
 * rule.
 */
import { TOOL_KINDS, type ToolKind } from "@quarterdeck/hooks/contract/tool-kinds";
import { CLIENT_NAMES } from "../dialects/schema.ts";
import { AppError } from "../errors/app-error.ts";
import { type Clock, systemClock } from "../platform/clock.ts";
import type { Database } from "../platform/db.ts";
import { effectiveSets } from "../policies/index.ts";
import { allowList } from "./allow-list.ts";
import * as inventory from "./repository.ts";
import { calledTool, listRulesHooks, listRulesOn } from "./rules-on-tools.ts";
import {
  type AllowListView,
  type ListTools,
  NAMES_SHOWN,
  RULES_SHOWN,
  type ToolsPage,
  type ToolView,
  type UncheckedToolsView,
} from "./schema.ts";

export async function list(
  db: Database,
  workspaceId: string,
  input: ListTools,
  clock: Clock = systemClock,
): Promise<ToolsPage> {
  const found = await inventory.listTools(db, workspaceId, input, new Date(clock.now()));
  const shown = found.rows.slice(0, input.limit);
  const last = found.rows.length > input.limit ? shown.at(-1) : undefined;
  return {
    rows: await withRules(db, workspaceId, shown),
    next: last
      ? { key: last.key, agentId: last.agentId, client: last.client, tool: last.tool, skill: last.skill }
      : null,
    total: found.total,
  };
}

/** The tools of an agent that no rule in force checks. Errors: `agent_not_found`. */
export async function unchecked(
  db: Database,
  workspaceId: string,
  agentId: string,
  clock: Clock = systemClock,
): Promise<UncheckedToolsView> {
  await requireAgent(db, workspaceId, agentId);
  const found = await inventory.listOfAgent(db, workspaceId, agentId, new Date(clock.now()));
  const tools = await withRules(
    db,
    workspaceId,
    found.filter(({ tool }) => tool !== ""),
  );
  // Several clients may call a tool by one name, and each skill has a row.
  const all = new Set(tools.map(({ tool }) => tool));
  const without = [...new Set(tools.filter(({ ruleCount }) => ruleCount === 0).map(({ tool }) => tool))];
  return {
    names: without.slice(0, NAMES_SHOWN),
    unchecked: without.length,
    total: all.size,
    hasMore: found.some(({ tool }) => tool === ""),
  };
}

/**
 * A rule that allows the seen tools of a server, or all of the agent's, and denies others. Errors: `agent_not_found`.
 */
export async function proposeAllowList(
  db: Database,
  workspaceId: string,
  { agentId, server }: { readonly agentId: string; readonly server?: string | undefined },
  clock: Clock = systemClock,
): Promise<AllowListView> {
  const agent = await requireAgent(db, workspaceId, agentId);
  const found = await inventory.listOfAgent(db, workspaceId, agentId, new Date(clock.now()));
  const tools = found.map(({ tool }) => tool).filter((tool) => tool !== "");
  return allowList({ agent, server: server ?? null, tools });
}

async function requireAgent(db: Database, workspaceId: string, agentId: string): Promise<string> {
  const agent = await inventory.findAgent(db, workspaceId, agentId);
  if (!agent) throw new AppError("agent_not_found", agentId);
  return agent.name;
}

async function withRules(db: Database, workspaceId: string, rows: readonly inventory.ToolRow[]): Promise<ToolView[]> {
  if (rows.length === 0) return [];
  const ids = [...new Set(rows.map(({ agentId }) => agentId))];
  const effectiveFor = await effectiveSets(db, workspaceId, ids);
  const hooksById = new Map(ids.map((id) => [id, listRulesHooks(effectiveFor(id).members)]));
  return rows.map((row) => {
    const { agentId, agent, client, tool, skill, mcpServer, firstSeenAt, lastSeenAt } = row;
    const kind: ToolKind = TOOL_KINDS.find((known) => known === row.kind) ?? "other";
    const rules = tool === "" ? [] : listRulesOn(hooksById.get(agentId) ?? [], calledTool(tool, kind, row));
    return {
      ...{ agentId, agent, tool, kind, mcpServer, firstSeenAt, lastSeenAt },
      client: CLIENT_NAMES.find((known) => known === client) ?? null,
      skill: skill === "" ? null : skill,
      calls: Number(row.calls),
      rules: rules.slice(0, RULES_SHOWN),
      ruleCount: rules.length,
    };
  });
}
