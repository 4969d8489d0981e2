/**
 * Enrolment tokens: a person creates them for machines that join by themselves. They are limited in uses and time, and
 * can be revoked at once.
 */
import { type Administrator, makerIdOf } from "../access/actor.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { AppError } from "../errors/app-error.ts";
import { announcedTransaction, type Bus } from "../events/index.ts";
import type { Database, Tx } from "../platform/db.ts";
import { randomToken, uuidv7 } from "../platform/ids.ts";
import { sha256 } from "../platform/secrets.ts";
import { type InForceTx, lockInForce, OWN, permitGroups, permitTags, requireThawedTx } from "../policies/index.ts";
import { resolveOwner } from "../principals/index.ts";
import * as tokens from "./enrolment-token-repository.ts";
import {
  type CreatedEnrolmentToken,
  type CreateEnrolmentToken,
  type EnrolmentTokenById,
  type EnrolmentTokenView,
  TOKENS_MAX,
} from "./enrolment-token-schema.ts";
import * as agents from "./repository.ts";

const TOKEN_PREFIX = "qdj_";
const HINT_LENGTH = 9;

/**
 * Creates a token for a number of machines; it always expires. A token with a group or tags brings future agents under
 * their policies, so that permission is checked here. Errors: `group_not_found`, `group_has_pattern`,
 * `too_many_enrolment_tokens`, `workspace_frozen`, `review_required`, `person_not_found`, `too_many_people`.
 */
export async function createEnrolmentToken(
  db: Database,
  bus: Bus,
  actor: Administrator,
  { name, uses, hours, groupId, tags = [], owner: choice }: CreateEnrolmentToken,
): Promise<CreatedEnrolmentToken> {
  const { workspaceId } = actor;
  const token = randomToken(TOKEN_PREFIX);
  const tokenId = uuidv7();
  await announcedTransaction({ db, bus }, workspaceId, ["agents"], async (tx) => {
    const freeze = await lockInForce(tx, workspaceId);
    if ((await tokens.countOpen(tx, workspaceId)) >= TOKENS_MAX) throw new AppError("too_many_enrolment_tokens");
    if (groupId !== undefined) await requireGroup(requireThawedTx(tx, freeze), actor, groupId);
    if (tags.length > 0) await requireTags(tx, freeze, actor, tags);
    const owner = choice === undefined ? null : await resolveOwner(tx, actor, choice);
    const expiresAt = await tokens.insert(tx, workspaceId, {
      id: tokenId,
      name,
      tokenSha256: sha256(token),
      hint: token.slice(0, HINT_LENGTH),
      groupId: groupId ?? null,
      tags,
      usesMax: uses,
      hours,
      madeBy: actor.name,
      madeById: makerIdOf(actor),
      owner,
    });
    await recordAudit(tx, actor, {
      kind: "enrolment_token_created",
      version: 3,
      by: actor.name,
      token: tokenId,
      name,
      group: groupId ?? null,
      tags,
      owner: owner?.principalId ?? null,
      usesMax: uses,
      expiresAt: expiresAt.toISOString(),
    });
  });
  return { tokenId, token };
}

async function requireGroup(tx: InForceTx, actor: Administrator, groupId: string): Promise<void> {
  const group = await agents.findGroupForUpdate(tx, actor.workspaceId, groupId);
  if (!group) throw new AppError("group_not_found", groupId);
  if (group.namePattern !== null)
    throw new AppError("group_has_pattern", group.namePattern, {
      says: `The group "${group.name}" uses the name pattern ${group.namePattern}. Create the token without a group, and let machines join with matching names.`,
    });
  const change = {
    kind: "set_group_members",
    input: { groupId },
    summary: `Lets machines join the group ${group.name}.`,
    groupIds: [groupId],
    losesAgents: false,
    gainsAgents: true,
  } as const;
  await permitGroups(tx, actor, change, OWN).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== "review_required") throw error;
    throw new AppError("review_required", groupId, {
      says: `Token not created: policies of the group "${group.name}" require four eyes. Create the token without a group, then move its agents into the group; a second person can agree to that.`,
    });
  });
}

/** Errors: as of a change of an agent's tags. */
async function requireTags(
  tx: Tx,
  freeze: Awaited<ReturnType<typeof lockInForce>>,
  actor: Administrator,
  tags: readonly string[],
): Promise<void> {
  const summary = `Lets machines join with the tags ${tags.join(", ")}.`;
  await permitTags(tx, freeze, actor, { input: { tags }, summary, gained: tags, lost: [] }, OWN);
}

/**
 * Revokes the token: no further machine joins with it; those that did keep their keys. Errors:
 * `enrolment_token_not_found`.
 */
export async function revokeEnrolmentToken(
  db: Database,
  bus: Bus,
  actor: Administrator,
  { tokenId }: EnrolmentTokenById,
): Promise<void> {
  await announcedTransaction({ db, bus }, actor.workspaceId, ["agents"], async (tx: Tx) => {
    const name = await tokens.revoke(tx, actor.workspaceId, tokenId, actor.name);
    if (name === null) throw new AppError("enrolment_token_not_found", tokenId);
    const about = { by: actor.name, token: tokenId, name };
    await recordAudit(tx, actor, { kind: "enrolment_token_revoked", version: 1, ...about });
  });
}

/** Valid tokens first, each with the newest agents that joined with it. */
export function enrolmentTokens(db: Database, workspaceId: string): Promise<EnrolmentTokenView[]> {
  return tokens.list(db.prisma, workspaceId);
}
