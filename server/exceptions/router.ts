import { can, canWithApp, router } from "../trpc/init.ts";
import { effect } from "./effect.ts";
import {
  endException,
  exceptionById,
  exceptionEffect,
  exceptionExample,
  exceptionList,
  exceptionOffer,
  exceptionReach,
  exceptionSubject,
  makeException,
  reviewException,
} from "./schema.ts";
import * as service from "./service.ts";

export const exceptionsRouter = router({
  /** Each person's own are marked, so people share no answer. */
  list: can("console:read")
    .output(exceptionList)
    .query(({ ctx }) => service.list(ctx.db, ctx.actor)),
  /** Those in force that touch a rule, or that reach an agent. */
  touching: can("console:read")
    .input(exceptionSubject)
    .output(exceptionList)
    .query(({ ctx, input }) => service.touching(ctx.db, ctx.actor, input)),
  /** The exceptions that can be made from a call. */
  offer: can("approval:decide")
    .input(exceptionExample)
    .output(exceptionOffer)
    .query(({ ctx, input }) => service.offer(ctx.db, ctx.actor, input)),
  effect: can("approval:decide")
    .input(exceptionReach)
    .output(exceptionEffect)
    .query(({ ctx, input }) => effect(ctx.db, ctx.actor, input)),
  make: canWithApp("approval:decide")
    .input(makeException)
    .output(exceptionById)
    .mutation(({ ctx, input }) => service.make(ctx.app, ctx.actor, input)),
  end: canWithApp("approval:decide")
    .input(endException)
    .mutation(({ ctx, input }) => service.end(ctx.app, ctx.actor, input)),
  review: canWithApp("approval:decide")
    .input(reviewException)
    .mutation(({ ctx, input }) => service.review(ctx.app, ctx.actor, input)),
});
