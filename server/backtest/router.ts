import { z } from "zod";
import { can, canWithApp, router, sharedQuery } from "../trpc/init.ts";
import { liveTestView, startLiveTest } from "./live-test/live-schema.ts";
import * as liveTests from "./live-test/live-service.ts";
import { reviewRun } from "./review-run.ts";
import {
  backtestById,
  backtestRun,
  backtestsOf,
  backtestText,
  flipGroupView,
  flipView,
  groupFlips,
  listFlips,
  newVerdictsView,
  startBacktest,
  startTextBacktest,
} from "./run-schema.ts";
import * as runs from "./run-service.ts";
import { forecast } from "./sampling/forecast.ts";
import { backtestForecast, forecastBacktest } from "./sampling/forecast-schema.ts";
import { backtestSpend, listSampled, sampledCall, spendRange } from "./sampling/sample-schema.ts";
import { sumSpend } from "./sampling/sample-views.ts";
import type { SampleTools } from "./sampling/sampled-hooks.ts";
import { backtestTarget, measurePack } from "./schema.ts";
import { measure, measurePack as measureOfPack } from "./service.ts";

declare module "../trpc/context.ts" {
  interface App {
    readonly sampleTools: SampleTools;
  }
}

const read = can("console:read");
const write = canWithApp("policy:write");

export const backtestRouter = router({
  start: write
    .input(startBacktest)
    .output(z.object({ id: z.uuid() }))
    .mutation(({ ctx, input }) => runs.start(ctx.app.db, ctx.actor, input)),
  /** For a pipeline: the text is stored with the run only. */
  startText: write
    .input(startTextBacktest)
    .output(backtestById)
    .mutation(({ ctx, input }) => runs.startText(ctx.app.db, ctx.actor, input)),
  /** Finds the newest run of a text, or starts a quick one. */
  startIfMissing: write
    .input(backtestText)
    .output(z.object({ id: z.uuid() }))
    .mutation(({ ctx, input }) => runs.startIfMissing(ctx.app.db, ctx.actor, input)),
  /** The time and the cost of a backtest. A mutation, because a few commands may run in the sandbox. */
  forecast: write
    .input(forecastBacktest)
    .output(backtestForecast)
    .mutation(({ ctx, input }) => forecast({ db: ctx.app.db, tools: ctx.app.sampleTools }, ctx.actor, input)),
  cancel: write.input(backtestById).mutation(({ ctx, input }) => runs.cancel(ctx.app.db, ctx.workspaceId, input)),
  /** The draft on the calls that are recorded from now on. */
  startLive: write
    .input(startLiveTest)
    .output(z.object({ id: z.uuid() }))
    .mutation(({ ctx, input }) => liveTests.start(ctx.app.db, ctx.app.bus, ctx.actor, input)),
  stopLive: write
    .input(backtestsOf)
    .mutation(({ ctx, input }) => liveTests.stop(ctx.app.db, ctx.app.bus, ctx.actor, input.policyId)),
  live: read
    .input(backtestsOf)
    .output(liveTestView.nullable())
    .query(({ ctx, input }) => liveTests.get(ctx.db, ctx.workspaceId, input.policyId)),
  list: read
    .input(backtestsOf)
    .output(z.array(backtestRun))
    .query(({ ctx, input }) => runs.list(ctx.db, ctx.workspaceId, input.policyId)),
  get: read
    .input(backtestById)
    .output(backtestRun)
    .query(({ ctx, input }) => runs.get(ctx.db, ctx.workspaceId, input)),
  newVerdicts: read
    .input(backtestById)
    .output(newVerdictsView)
    .query(({ ctx, input }) => runs.newVerdicts(ctx.db, ctx.workspaceId, input)),
  /** A person accepts the looser and unknown calls of a run. */
  review: canWithApp("policy:publish")
    .input(backtestById)
    .mutation(({ ctx, input }) => reviewRun(ctx.app.db, ctx.app.bus, ctx.actor, input)),
  groups: read
    .input(groupFlips)
    .output(z.array(flipGroupView))
    .query(({ ctx, input }) => runs.groups(ctx.db, ctx.workspaceId, input)),
  flips: read
    .input(listFlips)
    .output(z.array(flipView))
    .query(({ ctx, input }) => runs.flips(ctx.db, ctx.workspaceId, input)),
  /** The calls of the sample that have run. */
  sampled: read
    .input(listSampled)
    .output(z.array(sampledCall))
    .query(({ ctx, input }) => runs.sampled(ctx.db, ctx.workspaceId, input)),
  /** The questions of all backtests to judges in a range. */
  judgeSpend: sharedQuery("console:read")
    .input(spendRange)
    .output(backtestSpend)
    .query(({ ctx, input }) => sumSpend(ctx.db.pool, ctx.workspaceId, input)),
  /** A subscription, so that unsubscribing ends the run. It changes nothing; command hooks run in the sandbox. */
  measure: write
    .input(backtestTarget)
    .subscription(({ ctx, input, signal }) =>
      measure(ctx.app, ctx.actor, input, signal ?? new AbortController().signal),
    ),
  /** The same for a pack before it is installed. */
  pack: write
    .input(measurePack)
    .subscription(({ ctx, input, signal }) =>
      measureOfPack(ctx.app, ctx.actor, input, signal ?? new AbortController().signal),
    ),
});
