/** Checks that the creator of a link still has the permission for it when it is used. */
import { z } from "zod";
import type { Administrator } from "../access/actor.ts";
import { type AdministratorPermission, holdersOf } from "../access/permissions.ts";
import { role as roleSchema } from "../access/role-schema.ts";
import { type Acting, recordAudit } from "../audit/record-audit.ts";
import type { Tx } from "../platform/db.ts";
import * as invitations from "./invitation-repository.ts";
import { deletePasswordLinksBy, type Maker } from "./link-repository.ts";
import { findMembership } from "./repository.ts";
import { find as findService } from "./service-accounts/repository.ts";

export const makerOf = ({ kind, id }: Administrator): Maker => ({ kind, id });

export const storedMaker = z.strictObject({ kind: z.enum(["person", "script", "service"]), id: z.string() });

/** The membership. Null for a person who is not a member, or whose access has ended. */
async function findOpen(tx: Tx, workspaceId: string, personId: string) {
  const found = await findMembership(tx, workspaceId, personId);
  return found?.endsAt && found.endsAt <= new Date() ? null : found;
}

/** True when the creator holds `permission` in the workspace now. A script on the machine always does. */
export async function makerMay(
  tx: Tx,
  workspaceId: string,
  { kind, id }: Maker,
  permission: AdministratorPermission,
): Promise<boolean> {
  if (kind === "script") return true;
  const holder = kind === "person" ? await findOpen(tx, workspaceId, id) : await findService(tx, workspaceId, id);
  return holder !== null && holdersOf(permission).includes(roleSchema.parse(holder.role));
}

/** The permission needed to invite a person as `role`, or to change a person of that role. */
export const permissionFor = (role: string): AdministratorPermission =>
  role === "owner" ? "owner:manage" : "people:manage";

/** True when the invitation's creator may still invite with its role. */
export async function isInvitationValid(
  tx: Tx,
  invitation: { workspaceId: string; role: string; makerKind: string | null; makerId: string | null },
): Promise<boolean> {
  const maker = storedMaker.safeParse({ kind: invitation.makerKind, id: invitation.makerId });
  return maker.success && makerMay(tx, invitation.workspaceId, maker.data, permissionFor(invitation.role));
}

/**
 * The person who may also control an unproven account; null when the machine's own token created the invitation, since
 * its user is unknown.
 */
export const inviterOf = (invitation: { makerKind: string | null; makerId: string | null }): string | null =>
  invitation.makerKind === "script" ? null : invitation.makerId;

export const DAY_MS = 24 * 3_600_000;

/** The end of access that lasts these days after `start`; null without an end. */
export const accessEnd = ({ accessDays }: { accessDays: number | null }, start: Date): Date | null =>
  accessDays === null ? null : new Date(start.getTime() + accessDays * DAY_MS);

/** The one whose act ends links: a person, or the server, in the name of a person whose access has ended. */
export interface EndingLinks {
  readonly workspaceId: string;
  readonly name: string;
  readonly acting: Acting;
}

/** Ends the links that the maker, now with `role` or removed (null), could no longer make. */
export async function endLinksBy(tx: Tx, ending: EndingLinks, maker: Maker, role: string | null): Promise<void> {
  const { workspaceId, name, acting } = ending;
  const may = (permission: AdministratorPermission) =>
    role !== null && holdersOf(permission).includes(roleSchema.parse(role));
  if (may("owner:manage")) return;
  const now = new Date();
  const withdrawn = may("people:manage")
    ? await invitations.withdrawByMaker(tx, workspaceId, maker, now, "owner")
    : await invitations.withdrawByMaker(tx, workspaceId, maker, now);
  await deletePasswordLinksBy(tx, workspaceId, maker);
  for (const { id, email } of withdrawn)
    await recordAudit(tx, acting, { kind: "invitation_withdrawn", version: 1, by: name, invitation: id, email });
}
