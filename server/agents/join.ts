/**
 * Exchanges an enrolment token for an agent and its key. Both are created, or neither, and then the token keeps its
 * use.
 */
import type { ServiceActor } from "../access/actor.ts";
import { KEY_SCOPES } from "../access/role-schema.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { AppError } from "../errors/app-error.ts";
import type { Bus } from "../events/index.ts";
import type { Database, Tx } from "../platform/db.ts";
import { uuidv7 } from "../platform/ids.ts";
import { inInstallation, inWorkspace } from "../platform/scope.ts";
import { sha256 } from "../platform/secrets.ts";
import { lockInForce, permitNewAgent } from "../policies/index.ts";
import { findUsablePrincipal, resolveSystemUser, saveOwner } from "../principals/index.ts";
import * as tokens from "./enrolment-token-repository.ts";
import type { JoinedView, JoinRequest } from "./enrolment-token-schema.ts";
import { addKey } from "./keys.ts";
import { joinGroupsByName, recordRegrouped } from "./regroup.ts";
import * as agents from "./repository.ts";

const TOKEN = /^qdj_[0-9A-Za-z]{43}$/;
/** The machines of a fleet start together and wait for each other's locks; Prisma's default limit is 2 s. */
const TURN_MS_MAX = 5_000;

/** Errors: `enrolment_token_invalid`, `enrolment_token_over`, `name_taken`. */
export async function join(db: Database, bus: Bus, token: string, { name, os_user }: JoinRequest): Promise<JoinedView> {
  if (!TOKEN.test(token)) throw new AppError("enrolment_token_invalid");
  const found = await inInstallation(() => tokens.findByHash(db.prisma, sha256(token)));
  if (!found) throw new AppError("enrolment_token_invalid");
  return inWorkspace(found.workspaceId, async () => {
    // Checked before the transaction: an expired token, which may have leaked, must not make other work wait for a
    // lock.
    if (!found.isOpen) throw await overError(db.prisma, found.workspaceId, found.id);
    const agent = { id: uuidv7(), name };
    const { key, isGrouped } = await db.prisma.$transaction((tx) => enrolAgent(tx, found, agent, os_user), {
      maxWait: TURN_MS_MAX,
    });
    bus.tell(found.workspaceId, isGrouped ? ["agents", "policies", "rules"] : ["agents"]);
    return { agent_id: agent.id, name, key };
  });
}

async function enrolAgent(
  tx: Tx,
  { id: tokenId, workspaceId }: tokens.FoundToken,
  agent: { id: string; name: string },
  systemUser: string | undefined,
) {
  await lockInForce(tx, workspaceId);
  const used = await tokens.takeUse(tx, workspaceId, tokenId);
  if (!used) throw await overError(tx, workspaceId, tokenId);
  if (!(await agents.insert(tx, workspaceId, { ...agent, isDemo: false, tags: used.tags })))
    throw new AppError("name_taken", agent.name, {
      says: `There is already an agent named "${agent.name}". Join with another name (--name), or retire and remove that agent first.`,
    });
  const byName = await joinGroupsByName(tx, workspaceId, agent);
  const chosen = used.groupId === null ? [] : await joinGroup(tx, workspaceId, used.groupId, agent.id);
  await tokens.insertUse(tx, workspaceId, tokenId, agent.id);
  const by = `enrolment token ${used.name}`;
  const actor: ServiceActor = { kind: "service", role: "viewer", workspaceId, id: tokenId, name: by };
  await recordAudit(tx, actor, { kind: "agent_created", version: 1, by, agent: agent.id, name: agent.name });
  const unbounded = { scopes: KEY_SCOPES, expiresAt: null, createdById: used.madeById };
  const { key } = await addKey(tx, actor, agent.id, unbounded);
  await recordAudit(tx, actor, {
    kind: "enrolment_token_used",
    version: 1,
    by,
    token: tokenId,
    name: used.name,
    agent: agent.id,
    agentName: agent.name,
  });
  await setOwner(tx, actor, agent.id, used, systemUser);
  if (used.tags.length > 0)
    await recordAudit(tx, actor, { kind: "agent_tagged", version: 1, by, agent: agent.id, tags: used.tags });
  const joined = [...byName.joined, ...chosen];
  await recordRegrouped(tx, actor, agent.id, { joined, left: [] });
  return { key, isGrouped: joined.length + used.tags.length > 0 || used.ownerId !== null };
}

/**
 * Adds the agent to the group. The permission for this was checked when the token was created. A group that has a
 * pattern by now takes no agent.
 */
async function joinGroup(tx: Tx, workspaceId: string, groupId: string, agentId: string): Promise<string[]> {
  const group = await agents.findGroupForUpdate(tx, workspaceId, groupId);
  if (!group || group.namePattern !== null)
    throw new AppError("enrolment_token_over", groupId, {
      says: `The group of this enrolment token ${group ? "has a name pattern by now" : "is gone"}. Ask for a new token.`,
    });
  await agents.updateMemberships(permitNewAgent(tx), workspaceId, agentId, { joined: [groupId], left: [] });
  return [groupId];
}

/** Users of the operating system that say nothing of a person. */
const SHARED_USERS = new Set([
  "root",
  "admin",
  "administrator",
  "user",
  "ubuntu",
  "debian",
  "ec2-user",
  "runner",
  "node",
  "app",
]);

/**
 * The owner that the token names; without one, the user of the operating system as a guess. A token of a person who
 * left or was erased makes no agent.
 */
async function setOwner(
  tx: Tx,
  actor: ServiceActor,
  agentId: string,
  { ownerId, ownerCertainty }: tokens.UsedToken,
  systemUser: string | undefined,
): Promise<void> {
  const { workspaceId } = actor;
  if (ownerId !== null && ownerCertainty !== null) {
    const owner = await findUsablePrincipal(tx, workspaceId, ownerId);
    if (owner === null || owner.hasLeft) throw new AppError("enrolment_token_over", ownerId, { says: OWNER_GONE });
    await saveOwner(tx, workspaceId, agentId, { principalId: owner.id, certainty: ownerCertainty, source: "token" });
    const { id: principal, name } = owner;
    const set = { kind: "agent_owner_set", version: 1, by: actor.name, agent: agentId, principal, name } as const;
    await recordAudit(tx, actor, { ...set, certainty: ownerCertainty });
    return;
  }
  if (systemUser === undefined || SHARED_USERS.has(systemUser.toLowerCase())) return;
  const principalId = await resolveSystemUser(tx, workspaceId, systemUser);
  if (principalId === null) return;
  await saveOwner(tx, workspaceId, agentId, { principalId, certainty: "guessed", source: "os_user" });
}

const OWNER_GONE =
  "The person whom this enrolment token names has left the workspace. Ask for a new token (Agents, Enrolment tokens, New token).";

async function overError(tx: Tx, workspaceId: string, tokenId: string): Promise<AppError> {
  const row = await tokens.find(tx, workspaceId, tokenId);
  const reason =
    row?.state === "used up"
      ? `was used ${row.usesMax === 1 ? "once" : `${row.usesMax} times`}, which is all it was for`
      : row?.state === "ended"
        ? `ended at ${row.expiresAt.toISOString()}`
        : "was revoked";
  return new AppError("enrolment_token_over", tokenId, {
    says: `This enrolment token ${reason}. Ask for a new token (Agents, Enrolment tokens, New token).`,
  });
}
