import { z } from "zod";
import { pageById } from "../access/role-schema.ts";
import { can, canWithApp, router } from "../trpc/init.ts";
import {
  invitationById,
  invitationView,
  invite,
  invitedView,
  memberView,
  personById,
  resetLinkView,
  setRole,
} from "./schema.ts";
import type { Accounts, Mailer } from "./service.ts";
import * as service from "./service.ts";

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
    .query(({ ctx, input }) => service.listMembers(ctx.db, ctx.actor, input)),
  setRole: manage.input(setRole).mutation(({ ctx, input }) => service.setRole(ctx.db, ctx.actor, input)),
  remove: manage.input(personById).mutation(({ ctx, input }) => service.removeMember(ctx.db, ctx.actor, input)),
  createResetLink: canWithApp("people:manage", "installation")
    .input(personById)
    .output(resetLinkView)
    .mutation(({ ctx, input }) => service.createResetLink(ctx.app, ctx.actor, input)),
  invite: canWithApp("people:manage")
    .input(invite)
    .output(invitedView)
    .mutation(({ ctx, input }) => service.invite(ctx.app, ctx.actor, input)),
  invitations: readPeople
    .input(pageById)
    .output(z.array(invitationView))
    .query(({ ctx, input }) => service.listInvitations(ctx.db, ctx.workspaceId, input)),
  withdraw: manage
    .input(invitationById)
    .mutation(({ ctx, input }) => service.withdrawInvitation(ctx.db, ctx.actor, input)),
});
