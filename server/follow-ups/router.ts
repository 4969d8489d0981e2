import { z } from "zod";
import { can, canWithApp, router, sharedQuery } from "../trpc/init.ts";
import {
  assignablePeople,
  assignCalls,
  commentById,
  followedCall,
  followUpView,
  setKeyword,
  usedKeywords,
  writeComment,
} from "./schema.ts";
import * as service from "./service.ts";

const follow = canWithApp("call:follow-up");

export const followUpsRouter = router({
  get: can("console:read")
    .input(followedCall)
    .output(followUpView)
    .query(({ ctx, input }) => service.get(ctx.db, ctx.actor, input.call)),
  /** The people whom calls can be assigned to. */
  people: can("call:follow-up")
    .output(assignablePeople)
    .query(({ ctx }) => service.listPeople(ctx.db, ctx.workspaceId)),
  keywords: sharedQuery("console:read")
    .output(usedKeywords)
    .query(({ ctx }) => service.listKeywords(ctx.db, ctx.workspaceId)),
  comment: follow
    .input(writeComment)
    .output(z.void())
    .mutation(({ ctx, input }) => service.comment({ db: ctx.db, bus: ctx.app.bus }, ctx.actor, input)),
  removeComment: follow
    .input(commentById)
    .output(z.void())
    .mutation(({ ctx, input }) => service.removeComment({ db: ctx.db, bus: ctx.app.bus }, ctx.actor, input.id)),
  assign: follow
    .input(assignCalls)
    .output(z.void())
    .mutation(({ ctx, input }) => service.assign({ db: ctx.db, bus: ctx.app.bus }, ctx.actor, input)),
  setKeyword: follow
    .input(setKeyword)
    .output(z.void())
    .mutation(({ ctx, input }) => service.setKeyword({ db: ctx.db, bus: ctx.app.bus }, ctx.actor, input)),
});
