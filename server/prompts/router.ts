import { z } from "zod";
import { judgeRange } from "../judges/schema.ts";
import { can, canWithApp, router, sharedQuery } from "../trpc/init.ts";
import { checkById, checksView, publishScoreView, setPromptRequirement, startCheck } from "./check-schema.ts";
import { checks, type JudgeChecks, setRequirement } from "./checks.ts";
import { compare } from "./compare-trials.ts";
import { promptCostView } from "./cost-schema.ts";
import { costs } from "./costs.ts";
import { label, labels, unlabel } from "./labels.ts";
import { preview } from "./preview.ts";
import { publishScore } from "./publish-score.ts";
import { recorded } from "./recorded-calls.ts";
import { measures } from "./revision-figures.ts";
import {
  compareTrials,
  createPrompt,
  labelsOf,
  labelView,
  previewInput,
  previewView,
  promptById,
  promptByLabel,
  promptDetailView,
  promptDraftSaved,
  promptMeasuresView,
  promptPublished,
  promptRevisionByNumber,
  promptRevisionDetail,
  promptRevisionView,
  promptView,
  publishPrompt,
  recordedInput,
  recordedView,
  savePromptDraft,
  setLabel,
  startTrial,
  trialById,
  trialDetailView,
  trialView,
} from "./schema.ts";
import { comparisonView, scoreText } from "./score-schema.ts";
import * as service from "./service.ts";
import { trial, trials } from "./trial-views.ts";
import type { JudgeTrials } from "./trials.ts";
import * as views from "./views.ts";

declare module "../trpc/context.ts" {
  interface App {
    readonly judgeTrials: JudgeTrials;
    readonly judgeChecks: JudgeChecks;
  }
}

const read = can("console:read");
const write = canWithApp("policy:write");
/** Reviewers may also label the decision that a judge should have made. */
const review = canWithApp("policy:review");

export const promptsRouter = router({
  list: read.output(z.array(promptView)).query(({ ctx }) => views.list(ctx.db, ctx.workspaceId)),
  get: read
    .input(promptById)
    .output(promptDetailView)
    .query(({ ctx, input }) => views.get(ctx.db, ctx.workspaceId, input.promptId)),
  revisions: read
    .input(promptById)
    .output(z.array(promptRevisionView))
    .query(({ ctx, input }) => views.revisions(ctx.db, ctx.workspaceId, input.promptId)),
  revision: read
    .input(promptRevisionByNumber)
    .output(promptRevisionDetail)
    .query(({ ctx, input }) => views.revision(ctx.db, ctx.workspaceId, input)),
  labelled: read
    .input(promptByLabel)
    .output(promptRevisionDetail)
    .query(({ ctx, input }) => views.labelled(ctx.db, ctx.workspaceId, input)),
  measures: read
    .input(promptById)
    .output(promptMeasuresView)
    .query(({ ctx, input }) => measures(ctx.db, ctx.workspaceId, input.promptId)),
  recorded: read
    .input(recordedInput)
    .output(z.array(recordedView))
    .query(({ ctx, input }) => recorded(ctx.db, ctx.workspaceId, input)),
  /** A mutation only because the text is too long for a URL. It changes nothing and calls no model. */
  preview: canWithApp("console:read")
    .input(previewInput)
    .output(previewView)
    .mutation(({ ctx, input }) => preview(ctx.app, ctx.workspaceId, input)),
  /**
   * A mutation only because of its size, like `preview`: the score of a text, and of the revision before it, on
   * labelled calls.
   */
  score: read
    .input(scoreText)
    .output(publishScoreView)
    .mutation(({ ctx, input }) => publishScore(ctx.db, ctx.workspaceId, input)),
  costs: sharedQuery("console:read")
    .input(judgeRange)
    .output(z.array(promptCostView))
    .query(({ ctx, input }) => costs(ctx.db, ctx.workspaceId, input)),
  checks: read
    .input(promptById)
    .output(checksView)
    .query(({ ctx, input }) => checks(ctx.db, ctx.workspaceId, input.promptId)),
  startCheck: write
    .input(startCheck)
    .output(checkById)
    .mutation(({ ctx, input }) => ctx.app.judgeChecks.start(ctx.actor, input)),
  setRequirement: canWithApp("policy:publish")
    .input(setPromptRequirement)
    .mutation(({ ctx, input }) => setRequirement(ctx.app, ctx.actor, input)),
  create: write
    .input(createPrompt)
    .output(promptById)
    .mutation(({ ctx, input }) => service.create(ctx.app, ctx.actor, input)),
  saveDraft: write
    .input(savePromptDraft)
    .output(promptDraftSaved)
    .mutation(({ ctx, input }) => service.saveDraft(ctx.app, ctx.actor, input)),
  discardDraft: write
    .input(promptById)
    .mutation(({ ctx, input }) => service.discardDraft(ctx.app, ctx.actor, input.promptId)),
  publish: canWithApp("policy:publish")
    .input(publishPrompt)
    .output(promptPublished)
    .mutation(({ ctx, input }) => service.publish(ctx.app, ctx.actor, input)),
  remove: write.input(promptById).mutation(({ ctx, input }) => service.remove(ctx.app, ctx.actor, input)),
  trials: read
    .input(promptById)
    .output(z.array(trialView))
    .query(({ ctx, input }) => trials(ctx.db, ctx.workspaceId, input.promptId)),
  trial: read
    .input(trialById)
    .output(trialDetailView)
    .query(({ ctx, input }) => trial(ctx.db, ctx.actor, input.trialId)),
  compare: read
    .input(compareTrials)
    .output(comparisonView)
    .query(({ ctx, input }) => compare(ctx.db, ctx.workspaceId, input)),
  startTrial: write
    .input(startTrial)
    .output(trialById)
    .mutation(({ ctx, input }) => ctx.app.judgeTrials.start(ctx.actor, input)),
  cancelTrial: write.input(trialById).mutation(({ ctx, input }) => ctx.app.judgeTrials.cancel(ctx.actor, input)),
  labels: read
    .input(labelsOf)
    .output(z.array(labelView))
    .query(({ ctx, input }) => labels(ctx.db, ctx.actor, input)),
  label: review.input(setLabel).mutation(({ ctx, input }) => label(ctx.app, ctx.actor, input)),
  unlabel: review.input(labelsOf).mutation(({ ctx, input }) => unlabel(ctx.app, ctx.actor, input)),
});
