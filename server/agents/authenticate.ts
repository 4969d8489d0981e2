/** Authenticates agents by their key: cached, so that gates do not query the database. */
import { LRUCache } from "lru-cache";
import { z } from "zod";
import type { AgentActor } from "../access/actor.ts";
import { keyScope } from "../access/role-schema.ts";
import { AppError } from "../errors/app-error.ts";
import type { Bus } from "../events/index.ts";
import { readAgentKey } from "../platform/answer-mac.ts";
import type { Database } from "../platform/db.ts";
import { inInstallation, inWorkspace } from "../platform/scope.ts";
import { keyFingerprint, sha256 } from "../platform/secrets.ts";
import { findWorksFor } from "../principals/index.ts";
import * as agents from "./repository.ts";

const storedScopes = z.array(keyScope);
const KEYS_MAX = 10_000;
/** A second limit: revocations arrive over the bus at once, and the cache is not used while the bus is down. */
const TRUST_MS = 30_000;
const NOTED_EVERY_MS = 60_000;

export interface Authenticator {
  /** Returns the agent with `key`. Errors: `unauthenticated`, `key_revoked`, `agent_retired`; those of the database. */
  authenticate(key: string): Promise<AgentActor>;
  /** The same, always read from the database: for a request that was held for long. */
  confirm(key: string): Promise<AgentActor>;
  /** The same, when it is known without asking the database. */
  recall(key: string): AgentActor | null;
}

interface Known {
  readonly actor: AgentActor;
  readonly expiresMs: number;
  readonly keyId: string;
  /** When its use was written down last. */
  notedMs: number;
}

/**
 * Accepts a whole key, or its bearer half. The other half authenticates the console to the agent, so it grants no
 * access: a key still works after a restore without secrets, and its relays report that answers cannot be verified.
 */
export function createAuthenticator(db: Database, bus: Bus): Authenticator {
  const known = new LRUCache<string, Known>({ max: KEYS_MAX, ttl: TRUST_MS });
  // A look-up that began before the cache was emptied must not store its old result.
  let epoch = 0;
  bus.subscribe((workspaceId, topics) => {
    if (topics.includes("principals"))
      for (const { actor } of known.values())
        if (workspaceId === null || workspaceId === actor.workspaceId) actor.worksFor?.outdate();
    if (!topics.includes("keys")) return;
    epoch += 1;
    known.clear();
  });
  function recall(key: string): AgentActor | null {
    const cached = bus.isCurrent() ? known.get(key) : undefined;
    const nowMs = Date.now();
    if (!cached || nowMs >= cached.expiresMs) return null;
    noteUse(cached, nowMs);
    return cached.actor;
  }
  /** Notes the use once a minute per node, in the background: no request waits for it or fails with it. */
  function noteUse(used: Known, nowMs: number): void {
    if (nowMs - used.notedMs < NOTED_EVERY_MS) return;
    used.notedMs = nowMs;
    const { workspaceId } = used.actor;
    const touch = () => agents.touchKey(db.prisma, workspaceId, used.keyId, new Date(nowMs));
    void inWorkspace(workspaceId, touch).catch(() => undefined);
  }
  return {
    recall,
    authenticate: async (key) => recall(key) ?? lookUp(key),
    confirm: lookUp,
  };

  async function lookUp(key: string): Promise<AgentActor> {
    const bearer = readAgentKey(key)?.bearer ?? null;
    if (bearer === null) throw new AppError("unauthenticated");
    const before = epoch;
    const row = await inInstallation(() => agents.findKey(db.prisma, sha256(bearer)));
    if (!row) throw new AppError("unauthenticated");
    const expiresMs = row.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
    if (row.revokedAt || Date.now() >= expiresMs) throw new AppError("key_revoked", row.id);
    if (row.agent.retiredAt) throw new AppError("agent_retired", row.id);
    const { workspaceId, agentId } = row;
    const worksFor = await findWorksFor(db.prisma, workspaceId, agentId);
    const actor: AgentActor = {
      kind: "agent",
      workspaceId,
      id: agentId,
      name: row.agent.name,
      scopes: storedScopes.parse(row.scopes),
      tags: row.agent.tags,
      keyFingerprint: keyFingerprint(row.keySha256),
      worksFor,
    };
    const used: Known = { actor, expiresMs, keyId: row.id, notedMs: row.lastUsedAt?.getTime() ?? 0 };
    noteUse(used, Date.now());
    if (before === epoch) known.set(key, used);
    return actor;
  }
}
