/** The keys of an agent: their scopes, their expiry, and their rotation. */
import { type Administrator, makerIdOf } from "../access/actor.ts";
import { KEY_SCOPES, type KeyScope, keyScope } from "../access/role-schema.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { AppError } from "../errors/app-error.ts";
import { announcedTransaction, announceWithCommit, type Bus } from "../events/index.ts";
import type { Topic } from "../events/schema.ts";
import type { Database, Tx } from "../platform/db.ts";
import { randomToken, uuidv7 } from "../platform/ids.ts";
import { sha256 } from "../platform/secrets.ts";
import * as agents from "./repository.ts";
import type { CreatedKeyView, CreateKey, KeyById, RotateKey } from "./schema.ts";

const KEY_PREFIX = "qd_";
const HINT_LENGTH = 8;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The page offers it for ten seconds. */
const UNDO_MS = 60_000;

interface NewKey {
  readonly scopes: readonly KeyScope[];
  readonly expiresAt: Date | null;
  /** The account behind an actor without one: the creator of the token that a machine joins with. */
  readonly createdById?: string | null;
}
const UNBOUNDED: NewKey = { scopes: KEY_SCOPES, expiresAt: null };

/** Creates a further key for an agent. Errors: `agent_not_found`, `agent_retired`. */
export async function createKey(
  db: Database,
  bus: Bus | null,
  actor: Administrator,
  { agentId, scopes = [...KEY_SCOPES], days }: CreateKey,
): Promise<CreatedKeyView> {
  const expiresAt = days === undefined ? null : new Date(Date.now() + days * DAY_MS);
  const created = await db.prisma.$transaction(async (tx) => {
    await requireWorking(tx, actor, agentId);
    return addKey(tx, actor, agentId, { scopes, expiresAt });
  });
  bus?.tell(actor.workspaceId, ["agents"]);
  return created;
}

/** Locks the agent. Errors: `agent_not_found`, `agent_retired`. */
async function requireWorking(tx: Tx, actor: Administrator, agentId: string): Promise<void> {
  const agent = await agents.findForUpdate(tx, actor.workspaceId, agentId);
  if (!agent) throw new AppError("agent_not_found");
  if (agent.retiredAt)
    throw new AppError("agent_retired", agentId, {
      says: `${agent.name} is retired. Restore the agent before you add a key.`,
    });
}

/** In the caller's transaction. */
export async function addKey(
  tx: Tx,
  actor: Administrator,
  agentId: string,
  { scopes, expiresAt, createdById = makerIdOf(actor) }: NewKey = UNBOUNDED,
): Promise<CreatedKeyView> {
  const key = randomToken(KEY_PREFIX);
  const keyId = uuidv7();
  const hint = key.slice(0, HINT_LENGTH);
  const kept = KEY_SCOPES.filter((scope) => scopes.includes(scope));
  await agents.insertKey(tx, actor.workspaceId, {
    id: keyId,
    agentId,
    keySha256: sha256(key),
    hint,
    scopes: kept,
    expiresAt,
    createdById,
  });
  // An exception does not apply to agents whose key its maker made.
  await announceWithCommit(tx, actor.workspaceId, ["exceptions"]);
  await recordAudit(tx, actor, {
    kind: "agent_key_created",
    version: 2,
    by: actor.name,
    agent: agentId,
    key: keyId,
    scopes: kept,
    expiresAt: expiresAt?.toISOString() ?? null,
  });
  return { agentId, keyId, key };
}

/**
 * Creates a replacement key. The old key works until the overlap ends, so that the agent is never without a valid key.
 */
export async function rotateKey(
  db: Database,
  bus: Bus,
  actor: Administrator,
  { agentId, keyId, overlapHours }: RotateKey,
): Promise<CreatedKeyView> {
  const created = await changingKeys(db, bus, actor, async (tx) => {
    await requireWorking(tx, actor, agentId);
    const now = new Date();
    const old = await agents.findOpenKey(tx, actor.workspaceId, agentId, keyId, now);
    if (!old) throw new AppError("agent_not_found", keyId, { says: "This key does not exist or is no longer valid." });
    const lifeMs = old.expiresAt === null ? null : old.expiresAt.getTime() - old.createdAt.getTime();
    const made = await addKey(tx, actor, agentId, {
      scopes: keyScope.array().parse(old.scopes),
      expiresAt: lifeMs === null ? null : new Date(now.getTime() + lifeMs),
    });
    const overlapEnds = now.getTime() + overlapHours * HOUR_MS;
    const endsMs = Math.min(overlapEnds, old.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY);
    await agents.updateKeyExpiry(tx, actor.workspaceId, keyId, new Date(endsMs));
    await recordAudit(tx, actor, {
      kind: "agent_key_rotated",
      version: 1,
      by: actor.name,
      agent: agentId,
      key: keyId,
      next: made.keyId,
      oldEndsAt: new Date(endsMs).toISOString(),
    });
    return made;
  });
  return created;
}

/** Revokes a key at once, on every node. */
export async function revokeKey(db: Database, bus: Bus, actor: Administrator, input: KeyById): Promise<void> {
  await changingKeys(db, bus, actor, async (tx) => {
    const revoked = await agents.revokeKey(tx, actor.workspaceId, input.agentId, input.keyId, new Date());
    if (revoked === 0)
      throw new AppError("agent_not_found", input.keyId, { says: "This key does not exist or is already revoked." });
    await recordAudit(tx, actor, {
      kind: "agent_key_revoked",
      version: 1,
      by: actor.name,
      agent: input.agentId,
      key: input.keyId,
    });
  });
}

/**
 * Undoes a revocation of the last minute: the key works again on every node. Errors: `agent_not_found` without such a revocation.
 */
export async function undoKeyRevocation(db: Database, bus: Bus, actor: Administrator, input: KeyById): Promise<void> {
  await changingKeys(db, bus, actor, async (tx) => {
    const since = new Date(Date.now() - UNDO_MS);
    if ((await agents.unrevokeKey(tx, actor.workspaceId, input.agentId, input.keyId, since)) === 0)
      throw new AppError("agent_not_found", input.keyId, {
        says: "Nothing was undone: a revocation can be undone for one minute. Add a new key.",
      });
    await recordAudit(tx, actor, {
      kind: "agent_key_restored",
      version: 1,
      by: actor.name,
      agent: input.agentId,
      key: input.keyId,
    });
  });
}

/** Runs a change of keys; nodes with cached keys, or other topics in `others`, are notified with the commit. */
export function changingKeys<T>(
  db: Database,
  bus: Bus,
  actor: Administrator,
  work: (tx: Tx) => Promise<T>,
  others: readonly Topic[] = [],
): Promise<T> {
  return announcedTransaction({ db, bus }, actor.workspaceId, ["agents", "keys", ...others], work);
}
