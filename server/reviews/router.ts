import { z } from "zod";
import { can, requireApp, router } from "../trpc/init.ts";
import {
  changeById,
  changeInEmergency,
  changeView,
  commentReview,
  decideChange,
  decideReview,
  listReviews,
  policyReviewView,
  requestChange,
  requestReview,
  reviewById,
  reviewDetailView,
  reviewedPolicy,
  reviewView,
  setFourEyes,
} from "./schema.ts";
import * as service from "./service.ts";

const read = can("console:read");
const review = can("policy:review");

export const reviewsRouter = router({
  list: read
    .input(listReviews)
    .output(z.array(reviewView))
    .query(({ ctx, input }) => service.list(ctx.db, ctx.actor, input)),
  waiting: read.output(z.number()).query(({ ctx }) => service.countWaiting(ctx.db, ctx.actor)),
  get: read
    .input(reviewById)
    .output(reviewDetailView)
    .query(({ ctx, input }) => service.get(ctx.db, ctx.actor, input.reviewId)),
  ofPolicy: read
    .input(reviewedPolicy)
    .output(policyReviewView)
    .query(({ ctx, input }) => service.ofPolicy(ctx.db, ctx.actor, input.policyId)),
  request: can("policy:write")
    .input(requestReview)
    .output(reviewById)
    .mutation(({ ctx, input }) => service.request(ctx.db, requireApp(ctx.app).bus, ctx.actor, input)),
  withdraw: can("policy:write")
    .input(reviewById)
    .mutation(({ ctx, input }) => service.withdraw(ctx.db, requireApp(ctx.app).bus, ctx.actor, input.reviewId)),
  decide: review
    .input(decideReview)
    .mutation(({ ctx, input }) => service.decide(ctx.db, requireApp(ctx.app).bus, ctx.actor, input)),
  comment: review
    .input(commentReview)
    .mutation(({ ctx, input }) => service.comment(ctx.db, requireApp(ctx.app).bus, ctx.actor, input)),
  setFourEyes: can("policy:govern")
    .input(setFourEyes)
    .mutation(({ ctx, input }) => service.setFourEyes(ctx.db, requireApp(ctx.app).bus, ctx.actor, input)),
  /** Changes of what binds agents: what waits, what is approved, and what was done in an emergency. */
  changes: can("console:read")
    .output(z.array(changeView))
    .query(({ ctx }) => service.listChanges(ctx.db, ctx.actor)),
  requestChange: can("policy:publish")
    .input(requestChange)
    .output(changeById)
    .mutation(({ ctx, input }) => service.requestChange(ctx.db, requireApp(ctx.app).bus, ctx.actor, input)),
  decideChange: can("policy:review")
    .input(decideChange)
    .mutation(({ ctx, input }) => service.decideChange(ctx.db, requireApp(ctx.app).bus, ctx.actor, input)),
  withdrawChange: can("policy:publish")
    .input(changeById)
    .mutation(({ ctx, input }) => service.withdrawChange(ctx.db, requireApp(ctx.app).bus, ctx.actor, input)),
  applyChange: can("policy:publish")
    .input(changeById)
    .mutation(({ ctx, input }) => service.applyChange(ctx.db, requireApp(ctx.app).bus, ctx.actor, input)),
  changeInEmergency: can("policy:emergency")
    .input(changeInEmergency)
    .mutation(({ ctx, input }) => service.changeInEmergency(ctx.db, requireApp(ctx.app).bus, ctx.actor, input)),
});
