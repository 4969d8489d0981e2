import { z } from "zod";
import { can, canWithApp, router } from "../trpc/init.ts";
import * as bindingChanges from "./binding-changes.ts";
import * as fourEyes from "./four-eyes.ts";
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
import * as views from "./views.ts";

const read = can("console:read");
const review = canWithApp("policy:review");

export const reviewsRouter = router({
  list: read
    .input(listReviews)
    .output(z.array(reviewView))
    .query(({ ctx, input }) => views.list(ctx.db, ctx.actor, input)),
  waiting: read.output(z.number()).query(({ ctx }) => views.countWaiting(ctx.db, ctx.actor)),
  get: read
    .input(reviewById)
    .output(reviewDetailView)
    .query(({ ctx, input }) => views.get(ctx.db, ctx.actor, input.reviewId)),
  ofPolicy: read
    .input(reviewedPolicy)
    .output(policyReviewView)
    .query(({ ctx, input }) => views.ofPolicy(ctx.db, ctx.actor, input.policyId)),
  request: canWithApp("policy:write")
    .input(requestReview)
    .output(reviewById)
    .mutation(({ ctx, input }) => service.request(ctx.db, ctx.app.bus, ctx.actor, input)),
  withdraw: canWithApp("policy:write")
    .input(reviewById)
    .mutation(({ ctx, input }) => service.withdraw(ctx.db, ctx.app.bus, ctx.actor, input.reviewId)),
  decide: review
    .input(decideReview)
    .mutation(({ ctx, input }) => service.decide(ctx.db, ctx.app.bus, ctx.actor, input)),
  comment: review
    .input(commentReview)
    .mutation(({ ctx, input }) => service.comment(ctx.db, ctx.app.bus, ctx.actor, input)),
  setFourEyes: canWithApp("policy:govern")
    .input(setFourEyes)
    .mutation(({ ctx, input }) => fourEyes.setFourEyes(ctx.db, ctx.app.bus, ctx.actor, input)),
  /** Changes of assignments: pending, approved, and made in an emergency. */
  changes: can("console:read")
    .output(z.array(changeView))
    .query(({ ctx }) => bindingChanges.listChanges(ctx.db, ctx.actor)),
  requestChange: canWithApp("policy:publish")
    .input(requestChange)
    .output(changeById)
    .mutation(({ ctx, input }) => bindingChanges.requestChange(ctx.db, ctx.app.bus, ctx.actor, input, ctx.app.cases)),
  decideChange: canWithApp("policy:review")
    .input(decideChange)
    .mutation(({ ctx, input }) => bindingChanges.decideChange(ctx.db, ctx.app.bus, ctx.actor, input)),
  withdrawChange: canWithApp("policy:publish")
    .input(changeById)
    .mutation(({ ctx, input }) => bindingChanges.withdrawChange(ctx.db, ctx.app.bus, ctx.actor, input)),
  applyChange: canWithApp("policy:publish")
    .input(changeById)
    .mutation(({ ctx, input }) => bindingChanges.applyChange(ctx.db, ctx.app.bus, ctx.actor, input, ctx.app.cases)),
  changeInEmergency: canWithApp("policy:emergency")
    .input(changeInEmergency)
    .mutation(({ ctx, input }) =>
      bindingChanges.changeInEmergency(ctx.db, ctx.app.bus, ctx.actor, input, ctx.app.cases),
    ),
});
