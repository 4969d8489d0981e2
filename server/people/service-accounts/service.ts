/** Service accounts: the identity of a CI job, with tokens that expire. */
import { type Administrator, isAccount, makerIdOf, type ServiceActor } from "../../access/actor.ts";
import { type PageById, role as roleSchema } from "../../access/role-schema.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { AppError } from "../../errors/app-error.ts";
import type { Database } from "../../platform/db.ts";
import { randomToken, uuidv7 } from "../../platform/ids.ts";
import { sha256 } from "../../platform/secrets.ts";
import { notifyAccessChange } from "../access-changes.ts";
import { endLinksBy } from "../link-makers.ts";
import type { CreatedTokenView, CreateService, CreateToken, ServiceById, ServiceView, TokenById } from "../schema.ts";
import * as services from "./repository.ts";

export const SERVICE_PREFIX = "qds_";
const TOKEN = /^qds_[0-9A-Za-z]{43}$/;
const HINT_LENGTH = 9;
const DAY_MS = 24 * 3_600_000;
const USED_EVERY_MS = 60_000;

/** A page of service accounts, the oldest first. */
export async function listServices(db: Database, workspaceId: string, page?: PageById): Promise<ServiceView[]> {
  const rows = await services.list(db.prisma, workspaceId, page?.cursor ?? null);
  return rows.map(({ id, name, role, createdAt, tokens }) => ({
    id,
    name,
    role: roleSchema.parse(role),
    createdAt,
    tokens: tokens.map(({ id, hint, createdAt, expiresAt, revokedAt, lastUsedAt }) => ({
      id,
      hint,
      createdAt,
      expiresAt,
      revokedAt,
      lastUsedAt,
    })),
  }));
}

export async function createService(db: Database, actor: Administrator, input: CreateService) {
  const id = uuidv7();
  await db.prisma.$transaction(async (tx) => {
    if (!(await services.insert(tx, actor.workspaceId, { id, ...input })))
      throw new AppError("name_taken", undefined, {
        says: `There is already a service account named "${input.name}".`,
      });
    await recordAudit(tx, actor, { kind: "service_created", version: 1, by: actor.name, service: id, ...input });
  });
  return { serviceId: id };
}

/** Removes a service account; its tokens stop working at once. */
export async function removeService(db: Database, actor: Administrator, { serviceId }: ServiceById): Promise<void> {
  await db.prisma.$transaction(async (tx) => {
    const found = await services.find(tx, actor.workspaceId, serviceId);
    if (!found) throw new AppError("service_not_found");
    await services.remove(tx, actor.workspaceId, serviceId);
    await endLinksBy(tx, { ...actor, acting: actor }, { kind: "service", id: serviceId }, null);
    await notifyAccessChange(tx, actor.workspaceId);
    const { name } = found;
    await recordAudit(tx, actor, { kind: "service_removed", version: 1, by: actor.name, service: serviceId, name });
  });
}

export async function createToken(db: Database, actor: Administrator, input: CreateToken): Promise<CreatedTokenView> {
  const token = randomToken(SERVICE_PREFIX);
  const tokenId = uuidv7();
  const expiresAt = new Date(Date.now() + input.days * DAY_MS);
  await db.prisma.$transaction(async (tx) => {
    if (!(await services.find(tx, actor.workspaceId, input.serviceId))) throw new AppError("service_not_found");
    await services.insertToken(tx, actor.workspaceId, {
      id: tokenId,
      accountId: input.serviceId,
      tokenSha256: sha256(token),
      hint: token.slice(0, HINT_LENGTH),
      expiresAt,
      createdById: makerIdOf(actor) ?? actor.id,
    });
    await recordAudit(tx, actor, {
      kind: "service_token_created",
      version: 1,
      by: actor.name,
      service: input.serviceId,
      token: tokenId,
      expiresAt: expiresAt.toISOString(),
    });
  });
  return { tokenId, token };
}

export async function revokeToken(db: Database, actor: Administrator, input: TokenById): Promise<void> {
  await db.prisma.$transaction(async (tx) => {
    if (!(await services.revokeToken(tx, actor.workspaceId, input.serviceId, input.tokenId, new Date())))
      throw new AppError("service_not_found");
    await notifyAccessChange(tx, actor.workspaceId);
    await recordAudit(tx, actor, {
      kind: "service_token_revoked",
      version: 1,
      by: actor.name,
      service: input.serviceId,
      token: input.tokenId,
    });
  });
}

/** The service account behind a token, or null: unknown, expired, revoked. */
export async function actorOfToken(db: Database, token: string): Promise<ServiceActor | null> {
  if (!TOKEN.test(token)) return null;
  const row = await services.findToken(db.prisma, sha256(token));
  const now = new Date();
  if (!row || row.revokedAt !== null || row.expiresAt <= now) return null;
  if (now.getTime() - (row.lastUsedAt?.getTime() ?? 0) > USED_EVERY_MS)
    void services.touchToken(db.prisma, row.workspaceId, row.id, now).catch(() => undefined); // nothing waits for it
  const { name, role } = row.account;
  const { workspaceId, accountId: id, createdById } = row;
  const service = { kind: "service", workspaceId, id, name, role: roleSchema.parse(role) } as const;
  return createdById !== null && isAccount(createdById) ? { ...service, tokenMakerId: createdById } : service;
}
