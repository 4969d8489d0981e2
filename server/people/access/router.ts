import { z } from "zod";
import { anyone, can, canWithApp, requireApp, router } from "../../trpc/init.ts";
import { createSignInLink } from "../first-run.ts";
import * as invitations from "../invitations.ts";
import * as profile from "../profile.ts";
import {
  acceptInvitation,
  createWorkspace,
  invitationByToken,
  meView,
  openInvitationView,
  rename,
  securityView,
  sessionById,
  setPassword,
  signedInView,
  signIn,
  waysInView,
  whoamiView,
  workspaceById,
} from "../schema.ts";
import * as service from "../service.ts";
import type { AskSecondFactor } from "../session.ts";
import * as sessions from "../session.ts";
import { sessionCookie } from "../session-cookie.ts";
import * as workspaces from "../workspaces.ts";

const read = can("console:read");
const own = can("account:own", "installation");

/** The caller, and the actions on their own account. */
export const accessRouter = router({
  whoami: read.output(whoamiView).query(({ ctx }) => service.whoami(ctx.db, ctx.actor)),
  me: can("console:read", "installation")
    .output(meView)
    .query(({ ctx }) => service.me(ctx.db, ctx.actor)),
  waysIn: anyone.output(waysInView).query(({ ctx }) => profile.waysIn(ctx.db)),
  signIn: anyone
    .input(signIn)
    .output(signedInView)
    .mutation(async ({ ctx, input }) => {
      const ask: AskSecondFactor = (tx, personId) => requireApp(ctx.app).accounts.askSecondFactor(tx, personId);
      const { session, maxAgeSeconds, challenge, firstPassword } = await sessions.signIn(ctx.db, input, ctx.from, ask);
      ctx.setHeader("set-cookie", challenge ?? sessionCookie(ctx.app, session, maxAgeSeconds));
      return { asksSecondFactor: challenge !== null, firstPassword };
    }),
  signOut: can("console:read", "installation").mutation(async ({ ctx }) => {
    if (ctx.session !== null) await sessions.signOut(ctx.db, ctx.session);
    ctx.setHeader("set-cookie", sessionCookie(ctx.app, "", 0));
  }),
  createSignInLink: can("owner:manage")
    .output(z.strictObject({ token: z.string() }))
    .mutation(({ ctx }) => createSignInLink(ctx.db, ctx.actor)),
  security: own.output(securityView).query(({ ctx }) => profile.security(ctx.db, ctx.actor, ctx.session)),
  rename: own.input(rename).mutation(({ ctx, input }) => profile.rename(ctx.db, ctx.actor, input)),
  setPassword: canWithApp("account:own", "installation")
    .input(setPassword)
    .mutation(({ ctx, input }) => profile.setPassword(ctx.app, ctx.actor, ctx.session, input)),
  endSession: own.input(sessionById).mutation(({ ctx, input }) => profile.endSession(ctx.db, ctx.actor, input)),
  endOtherSessions: own.mutation(({ ctx }) => profile.endOtherSessions(ctx.db, ctx.actor, ctx.session)),
  switchWorkspace: own
    .input(workspaceById)
    .mutation(({ ctx, input }) => workspaces.switchWorkspace(ctx.db, ctx.session, input)),
  createWorkspace: can("workspace:create", "installation")
    .input(createWorkspace)
    .output(workspaceById)
    .mutation(({ ctx, input }) => workspaces.createWorkspace(ctx.db, ctx.actor, input)),
  openInvitation: anyone
    .input(invitationByToken)
    .output(openInvitationView)
    .query(({ ctx, input }) => invitations.openInvitation(ctx.db, ctx.actor, input)),
  acceptInvitation: anyone
    .input(acceptInvitation)
    .mutation(({ ctx, input }) =>
      invitations.acceptInvitation(requireApp(ctx.app), ctx.actor?.kind === "person" ? ctx.actor : null, input),
    ),
});
