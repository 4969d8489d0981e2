/** The list of agents, page by page, with each one's figures of a day; and the counts above it. */
import { CLIENT_NAMES } from "../dialects/schema.ts";
import { AppError } from "../errors/app-error.ts";
import { type Clock, systemClock } from "../platform/clock.ts";
import type { Database } from "../platform/db.ts";
import { type EffectiveMember, effectiveSets } from "../policies/index.ts";
import { missingEventsByAgent } from "../sessions/index.ts";
import * as fleet from "./fleet-repository.ts";
import {
  type AgentCounts,
  type AgentDetail,
  type AgentFigures,
  type AgentRow,
  type AgentsPage,
  type SearchAgents,
  SUB_AGENTS_SHOWN,
} from "./schema.ts";

const HOUR_MS = 3_600_000;
const HOURS_COUNTED = 24;

/** The last 24 clock hours, including the current one. */
function lastHours(nowMs: number): fleet.Hours {
  const to = (Math.floor(nowMs / HOUR_MS) + 1) * HOUR_MS;
  return { from: new Date(to - HOURS_COUNTED * HOUR_MS), to: new Date(to) };
}

/** Agents that match, sorted over the whole workspace, with the figures of this page's rows. */
export async function search(
  db: Database,
  workspaceId: string,
  input: SearchAgents,
  clock: Clock = systemClock,
): Promise<AgentsPage> {
  const nowMs = clock.now();
  const hours = lastHours(nowMs);
  const found = await fleet.searchAgents(db, workspaceId, input, hours, new Date(nowMs));
  const shown = found.rows.slice(0, input.limit);
  const last = found.rows.length > input.limit ? shown.at(-1) : undefined;
  return {
    rows: await rowsOf(db, workspaceId, shown, hours, SUB_AGENTS_SHOWN),
    next: last ? { key: last.key, id: last.id } : null,
    total: found.total,
    since: hours.from,
  };
}

/** Names that a filter of decisions takes. */
const NAMES_MAX = 20;

/** One agent's row with all of its sub-agents, and the names in its events. Errors: `agent_not_found`. */
export async function findRow(
  db: Database,
  workspaceId: string,
  agentId: string,
  clock: Clock = systemClock,
): Promise<Omit<AgentDetail, "agent">> {
  const nowMs = clock.now();
  const hours = lastHours(nowMs);
  const found = await fleet.findAgentRow(db, workspaceId, agentId, new Date(nowMs));
  const [[row], figures] = await Promise.all([
    rowsOf(db, workspaceId, found ? [found] : [], hours, Number.POSITIVE_INFINITY),
    fleet.listFigures(db, workspaceId, [agentId], hours),
  ]);
  if (!row) throw new AppError("agent_not_found", agentId);
  const names = new Set([row.name, ...figures.map((each) => each.agent_name)]);
  return { row, names: [...names].slice(0, NAMES_MAX), since: hours.from };
}

/** Exact counts over the whole workspace, each of them a filter of the list. */
export async function counts(db: Database, workspaceId: string, clock: Clock = systemClock): Promise<AgentCounts> {
  const [row, tags] = await Promise.all([
    fleet.countAgents(db, workspaceId, new Date(clock.now())),
    fleet.listTags(db, workspaceId),
  ]);
  return {
    enrolled: row?.enrolled ?? 0,
    withoutPolicy: row?.without_policy ?? 0,
    observedOnly: row?.observed_only ?? 0,
    silent: row?.silent ?? 0,
    neverSeen: row?.never_seen ?? 0,
    retired: row?.retired ?? 0,
    yolo: row?.yolo ?? 0,
    outdated: row?.outdated ?? 0,
    unchecked: row?.unchecked ?? 0,
    blindSpots: row?.blind_spots ?? 0,
    undrilled: row?.undrilled ?? 0,
    needsAttention: row?.needs_attention ?? 0,
    tags: [...tags],
  };
}

/** The counts in `counts` that alerts watch, and the count next to the page in the navigation. */
export type FleetCount = "withoutPolicy" | "observedOnly" | "yolo" | "outdated" | "undrilled" | "needsAttention";

const FLEET_COLUMNS = {
  withoutPolicy: "without_policy",
  observedOnly: "observed_only",
  yolo: "yolo",
  outdated: "outdated",
  undrilled: "undrilled",
  needsAttention: "needs_attention",
} as const satisfies Record<FleetCount, keyof fleet.CountsRow>;

/** One of them now; null where no agent is enrolled. */
export async function countFleet(
  db: Pick<Database, "pool">,
  workspaceId: string,
  name: FleetCount,
  clock: Clock = systemClock,
): Promise<number | null> {
  const row = await fleet.countAgents(db, workspaceId, new Date(clock.now()));
  if (row === undefined || row.enrolled === 0) return null;
  return row[FLEET_COLUMNS[name]];
}

/** Every agent's id and name, for choosing among them. */
export const names = (db: Database, workspaceId: string) => fleet.listNames(db, workspaceId);

async function rowsOf(
  db: Database,
  workspaceId: string,
  found: readonly fleet.FoundAgent[],
  hours: fleet.Hours,
  subAgentsMax: number,
): Promise<AgentRow[]> {
  if (found.length === 0) return [];
  const ids = found.map(({ id }) => id);
  const [effectiveFor, figures, subAgents, coverageById] = await Promise.all([
    effectiveSets(db, workspaceId, ids),
    fleet.listFigures(db, workspaceId, ids, hours),
    fleet.listSubAgentNames(db, workspaceId, ids, hours),
    missingEventsByAgent(db, workspaceId, hours, ids),
  ]);
  const isSubAgent = new Set(subAgents.map((row) => keyOf(row)));
  const figuresById = new Map<string, fleet.FiguresRow[]>();
  for (const row of figures) {
    const same = figuresById.get(row.agent_id);
    if (same) same.push(row);
    else figuresById.set(row.agent_id, [row]);
  }
  return found.map((agent) => {
    const { members, observed, revision } = effectiveFor(agent.id);
    const own = figuresById.get(agent.id) ?? [];
    const others = own.filter((row) => row.agent_name !== agent.name && isSubAgent.has(keyOf(row)));
    const { implied, missing } = coverageById.get(agent.id) ?? { implied: 0, missing: 0 };
    return {
      id: agent.id,
      name: agent.name,
      isDemo: agent.is_demo,
      retiredAt: agent.retired_at,
      lastSeenAt: agent.last_seen_at,
      heardAt: agent.heard_at,
      client: CLIENT_NAMES.find((name) => name === agent.client) ?? null,
      clientVersion: agent.client_version,
      isOutdated: agent.is_outdated,
      isYolo: agent.is_yolo,
      isUnchecked: agent.is_unchecked,
      // A report of what happened elsewhere is answered under no revision.
      revisionInUse: agent.last_revision || agent.polled_revision || null,
      revisionInForce: revision,
      drilledAt: agent.drilled_at,
      tags: agent.tags,
      owner: agent.owner,
      groups: agent.groups,
      policies: members.map(policyOf),
      observed: observed.map(policyOf),
      openKeys: agent.open_keys,
      figures: own.map(figuresOf).reduce(added, NOTHING),
      coverage: { implied, missing },
      subAgents: others
        .slice(0, subAgentsMax)
        .map((row) => ({ name: subName(agent.name, row.agent_name), ...figuresOf(row) })),
      subAgentCount: others.length,
    };
  });
}

const keyOf = (row: { readonly agent_id: string; readonly agent_name: string }) => `${row.agent_id} ${row.agent_name}`;

/** Events of a sub-agent carry its parent's name before its own. */
const subName = (parent: string, name: string) =>
  name.startsWith(`${parent} / `) ? name.slice(parent.length + 3) : name;

const policyOf = ({ policyId, name, number }: EffectiveMember) => ({ id: policyId, name, revision: number });

const NOTHING: AgentFigures = {
  calls: 0,
  denied: 0,
  modelCalls: 0,
  free: 0,
  unpriced: 0,
  nano: 0n,
};

const figuresOf = (row: fleet.FiguresRow): AgentFigures => ({
  calls: Number(row.calls),
  denied: Number(row.denied),
  modelCalls: Number(row.model_calls),
  free: Number(row.free),
  unpriced: Number(row.unpriced),
  nano: BigInt(row.nano),
});

const added = (a: AgentFigures, b: AgentFigures): AgentFigures => ({
  calls: a.calls + b.calls,
  denied: a.denied + b.denied,
  modelCalls: a.modelCalls + b.modelCalls,
  free: a.free + b.free,
  unpriced: a.unpriced + b.unpriced,
  nano: a.nano + b.nano,
});
