import { z } from "zod";
import { pageById } from "../access/role-schema.ts";
import { can, canWithApp, router } from "../trpc/init.ts";
import type { Accounts } from "./accounts/accounts.ts";
import type { Mailer } from "./installation/mail.ts";
import * as invitations from "./invitations.ts";
import * as members from "./members.ts";
import { createResetLink } from "./profile.ts";
import {
  extendAccess,
  invitationById,
  invitationView,
  invite,
  invitedView,
  memberView,
  personById,
  resetLinkView,
  setRole,
} from "./schema.ts";

declare module "../trpc/context.ts" {
  interface App {
    readonly accounts: Accounts;
    readonly mailer: Mailer;
  }
}

const manage = can("people:manage");
const readPeople = can("people:read");

/** The members of the workspace. */
export const peopleRouter = router({
  list: readPeople
    .input(pageById)
    .output(z.array(memberView))
    .query(({ ctx, input }) => members.listMembers(ctx.db, ctx.actor, input)),
  setRole: manage.input(setRole).mutation(({ ctx, input }) => members.setRole(ctx.db, ctx.actor, input)),
  extendAccess: manage.input(extendAccess).mutation(({ ctx, input }) => members.extendAccess(ctx.db, ctx.actor, input)),
  remove: manage.input(personById).mutation(({ ctx, input }) => members.removeMember(ctx.db, ctx.actor, input)),
  createResetLink: canWithApp("people:manage", "installation")
    .input(personById)
    .output(resetLinkView)
    .mutation(({ ctx, input }) => createResetLink(ctx.app, ctx.actor, input)),
  invite: canWithApp("people:manage")
    .input(invite)
    .output(invitedView)
    .mutation(({ ctx, input }) => invitations.invite(ctx.app, ctx.actor, input)),
  invitations: readPeople
    .input(pageById)
    .output(z.array(invitationView))
    .query(({ ctx, input }) => invitations.listInvitations(ctx.db, ctx.workspaceId, input)),
  withdraw: manage
    .input(invitationById)
    .mutation(({ ctx, input }) => invitations.withdrawInvitation(ctx.db, ctx.actor, input)),
});
