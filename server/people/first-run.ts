import type { Administrator } from "../access/actor.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { AppError } from "../errors/app-error.ts";
import type { Database } from "../platform/db.ts";
import { randomToken, uuidv7 } from "../platform/ids.ts";
import { inInstallation } from "../platform/scope.ts";
import { sha256 } from "../platform/secrets.ts";
import { insertSignInLink } from "./link-repository.ts";
import * as people from "./repository.ts";

const LINK_VALID_MS = 24 * 3_600_000;
const linkExpiry = () => new Date(Date.now() + LINK_VALID_MS);

/**
 * Creates the workspace and its owner on the first start.
 *
 * Shape: `linkToken` is a fresh one-time sign-in token until the first sign-in, then null.
 */
export async function ensureFirstRun(db: Database): Promise<{ workspaceId: string; linkToken: string | null }> {
  return inInstallation(() =>
    db.prisma.$transaction(async (tx) => {
      // Two nodes may start at once on an empty database: the second waits here and then finds the rows of the first.
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(7201)`;
      const found = await people.findWorkspace(tx);
      const workspaceId = found?.id ?? uuidv7();
      if (!found) {
        const personId = uuidv7();
        await people.insertWorkspace(tx, workspaceId, "Quarterdeck");
        await people.insertPerson(tx, { id: personId, name: "admin" });
        await people.insertMembership(tx, workspaceId, personId, "owner");
        await recordAudit(tx, workspaceId, {
          kind: "workspace_created",
          version: 1,
          by: "first start",
          name: "Quarterdeck",
        });
      }
      if (await people.hasSignedIn(tx)) return { workspaceId, linkToken: null };
      const [owner] = await people.listOwnersForUpdate(tx, workspaceId);
      if (owner === undefined) return { workspaceId, linkToken: null };
      const linkToken = randomToken();
      const link = { personId: owner, tokenSha256: sha256(linkToken), expiresAt: linkExpiry(), madeBy: null };
      await insertSignInLink(tx, workspaceId, link);
      return { workspaceId, linkToken };
    }),
  );
}

/** A new one-time sign-in token, valid for a day: for a person themselves, for a script its workspace's first owner. */
export async function createSignInLink(db: Database, actor: Administrator): Promise<{ token: string }> {
  const token = randomToken();
  await db.prisma.$transaction(async (tx) => {
    const personId = actor.kind === "person" ? actor.id : (await people.listOwnersForUpdate(tx, actor.workspaceId))[0];
    if (personId === undefined) throw new AppError("person_not_found");
    const madeBy = actor.kind === "person" ? actor.id : null;
    const link = { personId, tokenSha256: sha256(token), expiresAt: linkExpiry(), madeBy };
    await insertSignInLink(tx, actor.workspaceId, link);
    await recordAudit(tx, actor, { kind: "sign_in_link_created", version: 1, by: actor.name });
  });
  return { token };
}
