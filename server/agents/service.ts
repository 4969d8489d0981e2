import type { Administrator } from "../access/actor.ts";
import { keyScope, type PageById } from "../access/role-schema.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { AppError } from "../errors/app-error.ts";
import type { Bus } from "../events/index.ts";
import type { Database } from "../platform/db.ts";
import { uuidv7 } from "../platform/ids.ts";
import {
  type EffectiveSet,
  effectiveSets,
  listRecentCalls,
  listUnheldPolicies,
  lockInForce,
  type RecentCalls,
} from "../policies/index.ts";
import { findRow } from "./fleet.ts";
import { addKey, createKey } from "./keys.ts";
import { joinGroupsByName, recordRegrouped } from "./regroup.ts";
import * as agents from "./repository.ts";
import type { AgentById, AgentDetail, AgentView, CreateAgent, CreatedKeyView } from "./schema.ts";

/** A new agent with its first key, in the groups whose name pattern its name matches. */
export async function create(
  db: Database,
  bus: Bus | null,
  actor: Administrator,
  input: CreateAgent,
  isDemo = false,
): Promise<CreatedKeyView> {
  const agentId = uuidv7();
  const { created, isGrouped } = await db.prisma.$transaction(async (tx) => {
    await lockInForce(tx, actor.workspaceId);
    if (!(await agents.insert(tx, actor.workspaceId, { id: agentId, name: input.name, isDemo })))
      throw new AppError("name_taken", input.name, { says: `There is already an agent named "${input.name}".` });
    const grouped = await joinGroupsByName(tx, actor.workspaceId, { id: agentId, name: input.name });
    await recordAudit(tx, actor, {
      kind: "agent_created",
      version: 1,
      by: actor.name,
      agent: agentId,
      name: input.name,
    });
    const created = await addKey(tx, actor, agentId);
    await recordRegrouped(tx, actor, agentId, grouped);
    return { created, isGrouped: grouped.joined.length > 0 };
  });
  bus?.tell(actor.workspaceId, isGrouped ? ["agents", "policies", "rules"] : ["agents"]);
  return created;
}

/** Creates a key for the agent of this name, and the agent if it does not exist: for scripts. */
export async function createKeyByName(
  db: Database,
  bus: Bus | null,
  actor: Administrator,
  input: CreateAgent,
): Promise<CreatedKeyView> {
  const found = await agents.findByName(db.prisma, actor.workspaceId, input.name);
  return found ? createKey(db, bus, actor, { agentId: found.id }) : create(db, bus, actor, input);
}

/** A page of agents, the newest first. */
export async function list(db: Database, workspaceId: string, page?: PageById): Promise<AgentView[]> {
  const [rows, effectiveFor, recentById] = await Promise.all([
    agents.list(db.prisma, workspaceId, page?.cursor ?? null),
    effectiveSets(db, workspaceId),
    listRecentCalls(db.pool, workspaceId),
  ]);
  return rows.map((row) => viewOf(row, effectiveFor(row.id), recentById.get(row.id)));
}

/** One agent whole, with its row of the list. Errors: `agent_not_found`. */
export async function get(db: Database, workspaceId: string, { agentId }: AgentById): Promise<AgentDetail> {
  const [found, effectiveFor, listed, recentById] = await Promise.all([
    agents.find(db.prisma, workspaceId, agentId),
    effectiveSets(db, workspaceId, [agentId]),
    findRow(db, workspaceId, agentId),
    listRecentCalls(db.pool, workspaceId, [agentId]),
  ]);
  if (!found) throw new AppError("agent_not_found", agentId);
  return { agent: viewOf(found, effectiveFor(agentId), recentById.get(agentId)), ...listed };
}

type AgentWithKeys = Awaited<ReturnType<typeof agents.list>>[number];

function viewOf(row: AgentWithKeys, { revision, members }: EffectiveSet, recent: RecentCalls | undefined): AgentView {
  const { id, name, isDemo, createdAt, retiredAt, lastSeenAt, lastRevision, keys, tags, refusals } = row;
  return {
    id,
    name,
    isDemo,
    createdAt,
    retiredAt,
    lastSeenAt,
    lastRevision,
    revisionInForce: revision,
    policies: members.map((member) => ({ id: member.policyId, name: member.name, revision: member.number })),
    unheld: listUnheldPolicies(members, row, recent),
    keys: keys.map(({ id, hint, createdAt, expiresAt, revokedAt, scopes, lastUsedAt }) => ({
      id,
      hint,
      createdAt,
      expiresAt,
      revokedAt,
      scopes: keyScope.array().parse(scopes),
      lastUsedAt,
    })),
    tags,
    refused: refusedOf(refusals),
  };
}

function refusedOf(refusals: AgentWithKeys["refusals"]): AgentView["refused"] {
  const stated = refusals.filter(({ kept, dropped }) => kept + dropped > 0);
  const [latest] = stated;
  if (!latest) return null;
  return {
    kept: stated.reduce((sum, { kept }) => sum + kept, 0),
    dropped: stated.reduce((sum, { dropped }) => sum + dropped, 0),
    machines: stated.length,
    lastCode: latest.lastCode,
    reportedAt: latest.reportedAt,
  };
}
