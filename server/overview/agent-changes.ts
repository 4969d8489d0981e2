/** The agents that changed within a range: enrolled, silent, answered by an older revision, or with a new tool. */
import type { Database } from "../platform/db.ts";
import { effectiveSets } from "../policies/index.ts";
import { listNewAndSilent, listNewTools } from "./agent-changes-repository.ts";
import { listAgents } from "./repository.ts";
import {
  AGENT_CHANGES_MAX,
  type AgentChange,
  type AgentChanges,
  NEW_TOOLS_NAMED_MAX,
  type OverviewRange,
} from "./schema.ts";

/** The agents seen last that are compared with the policies in force. */
const COMPARED_MAX = 100;

export async function agentChanges(
  db: Database,
  workspaceId: string,
  range: OverviewRange,
  now = new Date(),
): Promise<AgentChanges> {
  const limits = { now, rowsMax: AGENT_CHANGES_MAX + 1, namesMax: NEW_TOOLS_NAMED_MAX };
  const [found, tools, outdated] = await Promise.all([
    listNewAndSilent(db.pool, workspaceId, range, limits),
    listNewTools(db.pool, workspaceId, range, limits),
    listOutdated(db, workspaceId, range),
  ]);
  const plain = found.map(({ id, name, kind, at }) => ({ agentId: id, name, kind, at, tools: [], count: 0 }));
  const added = tools.map(({ id, name, at, count, tools }) => ({
    ...{ agentId: id, name, kind: "new_tools" as const, at, tools: [...tools], count },
  }));
  const all = [...plain, ...added, ...outdated].toSorted((a, b) => b.at.getTime() - a.at.getTime());
  return { rows: all.slice(0, AGENT_CHANGES_MAX), isWhole: all.length <= AGENT_CHANGES_MAX };
}

/** Agents whose latest event in the range was answered by another revision than the one in force now. */
async function listOutdated(db: Database, workspaceId: string, { from, to }: OverviewRange): Promise<AgentChange[]> {
  const seen = (await listAgents(db.pool, workspaceId, COMPARED_MAX)).flatMap((agent) => {
    const { last_seen_at: at, last_revision: revision } = agent;
    const isAnswered = at !== null && at >= from && at < to && revision !== null && revision !== "";
    return isAnswered ? [{ agentId: agent.id, name: agent.name, at, revision }] : [];
  });
  const setOf = await effectiveSets(
    db,
    workspaceId,
    seen.map(({ agentId }) => agentId),
  );
  return seen.flatMap(({ revision, ...agent }) =>
    setOf(agent.agentId).revision === revision ? [] : [{ ...agent, kind: "outdated" as const, tools: [], count: 0 }],
  );
}
