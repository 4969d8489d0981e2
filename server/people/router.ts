import { z } from "zod";
import { pageById } from "../access/role-schema.ts";
import { anyone, can, canWithApp, requireApp, router } from "../trpc/init.ts";
import {
  acceptInvitation,
  createdTokenView,
  createService,
  createToken,
  createWorkspace,
  invitationById,
  invitationByToken,
  invitationView,
  invite,
  invitedView,
  memberView,
  meView,
  openInvitationView,
  personById,
  rename,
  resetLinkView,
  securityView,
  serviceById,
  serviceView,
  sessionById,
  setPassword,
  setRole,
  signedInView,
  signIn,
  tokenById,
  waysInView,
  whoamiView,
  workspaceById,
} from "./schema.ts";
import * as service from "./service.ts";
import type { AskSecondFactor } from "./session.ts";

const read = can("console:read");
const own = can("account:own", "installation");
const manage = can("people:manage");
const readPeople = can("people:read");

/** The caller, and the actions on their own account. */
export const accessRouter = router({
  whoami: read.output(whoamiView).query(({ ctx }) => service.whoami(ctx.db, ctx.actor)),
  me: can("console:read", "installation")
    .output(meView)
    .query(({ ctx }) => service.me(ctx.db, ctx.actor)),
  waysIn: anyone.output(waysInView).query(({ ctx }) => service.waysIn(ctx.db)),
  signIn: anyone
    .input(signIn)
    .output(signedInView)
    .mutation(async ({ ctx, input }) => {
      const ask: AskSecondFactor = (tx, personId) => requireApp(ctx.app).accounts.askSecondFactor(tx, personId);
      const { session, maxAgeSeconds, challenge } = await service.signIn(ctx.db, input, ctx.from, ask);
      ctx.setHeader("set-cookie", challenge ?? service.sessionCookie(ctx.app, session, maxAgeSeconds));
      return { asksSecondFactor: challenge !== null };
    }),
  signOut: can("console:read", "installation").mutation(async ({ ctx }) => {
    if (ctx.session !== null) await service.signOut(ctx.db, ctx.session);
    ctx.setHeader("set-cookie", service.sessionCookie(ctx.app, "", 0));
  }),
  createSignInLink: can("owner:manage")
    .output(z.strictObject({ token: z.string() }))
    .mutation(({ ctx }) => service.createSignInLink(ctx.db, ctx.actor)),
  security: own.output(securityView).query(({ ctx }) => service.security(ctx.db, ctx.actor, ctx.session)),
  rename: own.input(rename).mutation(({ ctx, input }) => service.rename(ctx.db, ctx.actor, input)),
  setPassword: canWithApp("account:own", "installation")
    .input(setPassword)
    .mutation(({ ctx, input }) => service.setPassword(ctx.app, ctx.actor, ctx.session, input)),
  endSession: own.input(sessionById).mutation(({ ctx, input }) => service.endSession(ctx.db, ctx.actor, input)),
  endOtherSessions: own.mutation(({ ctx }) => service.endOtherSessions(ctx.db, ctx.actor, ctx.session)),
  switchWorkspace: own
    .input(workspaceById)
    .mutation(({ ctx, input }) => service.switchWorkspace(ctx.db, ctx.session, input)),
  createWorkspace: can("workspace:create", "installation")
    .input(createWorkspace)
    .output(workspaceById)
    .mutation(({ ctx, input }) => service.createWorkspace(ctx.db, ctx.actor, input)),
  openInvitation: anyone
    .input(invitationByToken)
    .output(openInvitationView)
    .query(({ ctx, input }) => service.openInvitation(ctx.db, ctx.actor, input)),
  acceptInvitation: anyone
    .input(acceptInvitation)
    .mutation(({ ctx, input }) =>
      service.acceptInvitation(requireApp(ctx.app), ctx.actor?.kind === "person" ? ctx.actor : null, input),
    ),
});

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

/** Service accounts and their tokens. */
export const servicesRouter = router({
  list: readPeople
    .input(pageById)
    .output(z.array(serviceView))
    .query(({ ctx, input }) => service.listServices(ctx.db, ctx.workspaceId, input)),
  create: manage
    .input(createService)
    .output(serviceById)
    .mutation(({ ctx, input }) => service.createService(ctx.db, ctx.actor, input)),
  remove: manage.input(serviceById).mutation(({ ctx, input }) => service.removeService(ctx.db, ctx.actor, input)),
  createToken: manage
    .input(createToken)
    .output(createdTokenView)
    .mutation(({ ctx, input }) => service.createToken(ctx.db, ctx.actor, input)),
  revokeToken: manage.input(tokenById).mutation(({ ctx, input }) => service.revokeToken(ctx.db, ctx.actor, input)),
});
