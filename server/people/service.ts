import type { Actor, Administrator } from "../access/actor.ts";
import { recordAudit } from "../audit/record.ts";
import { AppError } from "../errors/app-error.ts";
import type { Database } from "../platform/db.ts";
import { randomToken, uuidv7 } from "../platform/ids.ts";
import { sameSecret, sha256 } from "../platform/secrets.ts";
import * as access from "./repository.ts";
import type { SignIn, WhoamiView } from "./schema.ts";

const LINK_VALID_MS = 24 * 3_600_000;
const SESSION_VALID_MS = 30 * 24 * 3_600_000;

/**
 * The workspace and its one administrator, made on the first start.
 *
 * Shape: `linkToken` is a fresh one-time sign-in token while nobody is signed in, else null.
 */
export async function ensureFirstRun(db: Database): Promise<{ workspaceId: string; linkToken: string | null }> {
  return db.prisma.$transaction(async (tx) => {
    // Two nodes may start at once on an empty database: the second waits here and finds the first one's rows.
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(7201)`;
    const found = await access.findWorkspace(tx);
    const workspaceId = found?.id ?? uuidv7();
    if (!found) {
      await access.insertWorkspace(tx, workspaceId, "Quarterdeck");
      await access.insertPerson(tx, workspaceId, uuidv7(), "admin");
      await recordAudit(tx, workspaceId, {
        kind: "workspace_created",
        version: 1,
        by: "first start",
        name: "Quarterdeck",
      });
    }
    if ((await access.countSessions(tx, workspaceId)) > 0) return { workspaceId, linkToken: null };
    const person = await access.findFirstPerson(tx, workspaceId);
    if (!person) return { workspaceId, linkToken: null };
    const linkToken = randomToken();
    await access.insertLink(tx, workspaceId, person.id, sha256(linkToken), new Date(Date.now() + LINK_VALID_MS));
    return { workspaceId, linkToken };
  });
}

/** A new one-time sign-in token for the workspace's administrator, valid for a day. */
export async function createSignInLink(db: Database, actor: Administrator): Promise<{ token: string }> {
  const token = randomToken();
  await db.prisma.$transaction(async (tx) => {
    const person = await access.findFirstPerson(tx, actor.workspaceId);
    if (!person) throw new AppError("not_found");
    await access.insertLink(tx, actor.workspaceId, person.id, sha256(token), new Date(Date.now() + LINK_VALID_MS));
    await recordAudit(tx, actor.workspaceId, { kind: "sign_in_link_created", version: 1, by: actor.name });
  });
  return { token };
}

/** Spends a sign-in link. Answers the session token for the cookie and its lifetime in seconds. */
export async function signIn(db: Database, input: SignIn): Promise<{ session: string; maxAgeSeconds: number }> {
  const session = randomToken();
  await db.prisma.$transaction(async (tx) => {
    const now = new Date();
    const link = await access.spendLink(tx, sha256(input.token), now);
    if (!link) throw new AppError("sign_in_link_spent");
    const expiresAt = new Date(now.getTime() + SESSION_VALID_MS);
    await access.insertSession(tx, link.workspaceId, link.personId, sha256(session), expiresAt);
    await recordAudit(tx, link.workspaceId, { kind: "signed_in", version: 1, by: link.personId });
  });
  return { session, maxAgeSeconds: SESSION_VALID_MS / 1000 };
}

export async function signOut(db: Database, session: string): Promise<void> {
  await access.deleteSession(db.prisma, sha256(session));
}

/** The person behind a session cookie, or null. */
export async function actorOfSession(db: Database, session: string): Promise<Actor | null> {
  const row = await access.findSession(db.prisma, sha256(session), new Date());
  if (!row) return null;
  return { kind: "person", workspaceId: row.workspaceId, id: row.personId, name: row.person.name };
}

/** The script actor, when `token` is the data directory's admin token; compared in constant time. */
export async function actorOfAdminToken(db: Database, token: string, adminToken: string): Promise<Actor | null> {
  if (!sameSecret(token, adminToken)) return null;
  const workspace = await access.findWorkspace(db.prisma);
  return workspace ? { kind: "script", workspaceId: workspace.id, id: "admin-token", name: "admin token" } : null;
}

export async function whoami(db: Database, actor: Administrator): Promise<WhoamiView> {
  const [workspace, hasDemo] = await Promise.all([
    access.findWorkspaceById(db.prisma, actor.workspaceId),
    access.hasDemo(db.prisma, actor.workspaceId),
  ]);
  return { kind: actor.kind, name: actor.name, workspace: workspace?.name ?? "", hasDemo };
}
