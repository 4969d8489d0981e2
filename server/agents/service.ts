import type { Administrator } from "../access/actor.ts";
import { recordAudit } from "../audit/record.ts";
import { AppError } from "../errors/app-error.ts";
import type { Bus } from "../live/service.ts";
import type { Database, Tx } from "../platform/db.ts";
import { randomToken, uuidv7 } from "../platform/ids.ts";
import { sha256 } from "../platform/secrets.ts";
import { effectiveSets } from "../policies/service.ts";
import * as agents from "./repository.ts";
import type { AgentById, AgentView, CreateAgent, CreatedKeyView, KeyById } from "./schema.ts";

export * from "./groups.ts";

export const KEY_PREFIX = "qd_";
const HINT_LENGTH = 8;

/** A new agent with its first key. */
export async function create(
  db: Database,
  bus: Bus | null,
  actor: Administrator,
  input: CreateAgent,
  isDemo = false,
): Promise<CreatedKeyView> {
  const created = await db.prisma.$transaction(async (tx) => {
    const agentId = uuidv7();
    if (!(await agents.insert(tx, actor.workspaceId, { id: agentId, name: input.name, isDemo })))
      throw new AppError("name_taken", input.name, { says: `There is already an agent named "${input.name}".` });
    await recordAudit(tx, actor, {
      kind: "agent_created",
      version: 1,
      by: actor.name,
      agent: agentId,
      name: input.name,
    });
    return addKey(tx, actor, agentId);
  });
  bus?.announce(actor.workspaceId, ["agents"]);
  return created;
}

/** Another key for an agent, beside the ones it has. */
export async function createKey(
  db: Database,
  bus: Bus | null,
  actor: Administrator,
  input: AgentById,
): Promise<CreatedKeyView> {
  const created = await db.prisma.$transaction(async (tx) => {
    if (!(await agents.find(tx, actor.workspaceId, input.agentId))) throw new AppError("agent_not_found");
    return addKey(tx, actor, input.agentId);
  });
  bus?.announce(actor.workspaceId, ["agents"]);
  return created;
}

/** A key for the agent of this name, which is made when there is none: what a script wants. */
export async function createKeyByName(
  db: Database,
  bus: Bus | null,
  actor: Administrator,
  input: CreateAgent,
): Promise<CreatedKeyView> {
  const found = await agents.findByName(db.prisma, actor.workspaceId, input.name);
  return found ? createKey(db, bus, actor, { agentId: found.id }) : create(db, bus, actor, input);
}

async function addKey(tx: Tx, actor: Administrator, agentId: string): Promise<CreatedKeyView> {
  const key = randomToken(KEY_PREFIX);
  const keyId = uuidv7();
  const hint = key.slice(0, HINT_LENGTH);
  await agents.insertKey(tx, actor.workspaceId, { id: keyId, agentId, keySha256: sha256(key), hint });
  await recordAudit(tx, actor, {
    kind: "agent_key_created",
    version: 1,
    by: actor.name,
    agent: agentId,
    key: keyId,
  });
  return { agentId, keyId, key };
}

/** Ends a key at once, on every node. */
export async function revokeKey(db: Database, bus: Bus, actor: Administrator, input: KeyById): Promise<void> {
  await db.prisma.$transaction(async (tx) => {
    const revoked = await agents.revokeKey(tx, actor.workspaceId, input.agentId, input.keyId, new Date());
    if (revoked === 0)
      throw new AppError("agent_not_found", input.keyId, { says: "This key does not exist or was revoked before." });
    await recordAudit(tx, actor, {
      kind: "agent_key_revoked",
      version: 1,
      by: actor.name,
      agent: input.agentId,
      key: input.keyId,
    });
    await tx.$executeRaw`SELECT pg_notify(${bus.channel}, ${bus.message(actor.workspaceId, ["agents", "keys"])})`;
  });
  bus.announce(actor.workspaceId, ["agents", "keys"]);
}

export async function list(db: Database, workspaceId: string): Promise<AgentView[]> {
  const [rows, effectiveFor] = await Promise.all([agents.list(db.prisma, workspaceId), effectiveSets(db, workspaceId)]);
  return rows.map(({ id, name, isDemo, createdAt, lastSeenAt, lastRevision, keys }) => {
    const { revision, members } = effectiveFor(id);
    return {
      id,
      name,
      isDemo,
      createdAt,
      lastSeenAt,
      lastRevision,
      revisionInForce: revision,
      policies: members.map((member) => ({ id: member.policyId, name: member.name, revision: member.number })),
      keys: keys.map(({ id, hint, createdAt, expiresAt, revokedAt }) => ({
        id,
        hint,
        createdAt,
        expiresAt,
        revokedAt,
      })),
    };
  });
}
