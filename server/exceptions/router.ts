import { can, canWithApp, coalescedQuery, router } from "../trpc/init.ts";
import {
  endException,
  exceptionById,
  exceptionEffect,
  exceptionList,
  exceptionOffer,
  exceptionReach,
  makeException,
} from "./schema.ts";
import * as service from "./service.ts";

export const exceptionsRouter = router({
  list: coalescedQuery("console:read")
    .output(exceptionList)
    .query(({ ctx }) => service.list(ctx.db, ctx.workspaceId)),
  /** The exceptions that can be made from a request. */
  offer: can("approval:decide")
    .input(exceptionReach.pick({ requestId: true }))
    .output(exceptionOffer)
    .query(({ ctx, input }) => service.offer(ctx.db, ctx.actor, input.requestId)),
  effect: can("approval:decide")
    .input(exceptionReach)
    .output(exceptionEffect)
    .query(({ ctx, input }) => service.effect(ctx.db, ctx.actor, input)),
  make: canWithApp("approval:decide")
    .input(makeException)
    .output(exceptionById)
    .mutation(({ ctx, input }) => service.make(ctx.app, ctx.actor, input)),
  end: canWithApp("approval:decide")
    .input(endException)
    .mutation(({ ctx, input }) => service.end(ctx.app, ctx.actor, input)),
});
