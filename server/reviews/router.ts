import { z } from "zod";
import { can, requireApp, router } from "../trpc/init.ts";
import {
  commentReview,
  decideReview,
  listReviews,
  policyReviewView,
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
});
