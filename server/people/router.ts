import { z } from "zod";
import { anyone, can, router } from "../trpc/init.ts";
import {
  createWorkspace,
  memberView,
  meView,
  personById,
  setRole,
  signIn,
  whoamiView,
  workspaceById,
} from "./schema.ts";
import * as service from "./service.ts";
import { sessionCookie } from "./session-cookie.ts";

export const accessRouter = router({
  whoami: can("console:read")
    .output(whoamiView)
    .query(({ ctx }) => service.whoami(ctx.db, ctx.actor)),
  me: can("console:read")
    .output(meView)
    .query(({ ctx }) => service.me(ctx.db, ctx.actor)),
  signIn: anyone.input(signIn).mutation(async ({ ctx, input }) => {
    const { session, maxAgeSeconds } = await service.signIn(ctx.db, input);
    ctx.setHeader("set-cookie", sessionCookie(ctx.app, session, maxAgeSeconds));
  }),
  signOut: can("console:read").mutation(async ({ ctx }) => {
    if (ctx.session !== null) await service.signOut(ctx.db, ctx.session);
    ctx.setHeader("set-cookie", sessionCookie(ctx.app, "", 0));
  }),
  createSignInLink: can("owner:manage")
    .output(z.strictObject({ token: z.string() }))
    .mutation(({ ctx }) => service.createSignInLink(ctx.db, ctx.actor)),
  switchWorkspace: can("console:read")
    .input(workspaceById)
    .mutation(({ ctx, input }) => service.switchWorkspace(ctx.db, ctx.session, input)),
  createWorkspace: can("workspace:create")
    .input(createWorkspace)
    .output(workspaceById)
    .mutation(({ ctx, input }) => service.createWorkspace(ctx.db, ctx.actor, input)),
});

export const peopleRouter = router({
  list: can("people:manage")
    .output(z.array(memberView))
    .query(({ ctx }) => service.listMembers(ctx.db, ctx.actor)),
  setRole: can("people:manage")
    .input(setRole)
    .mutation(({ ctx, input }) => service.setRole(ctx.db, ctx.actor, input)),
  remove: can("people:manage")
    .input(personById)
    .mutation(({ ctx, input }) => service.removeMember(ctx.db, ctx.actor, input)),
});
