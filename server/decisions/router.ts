import { z } from "zod";
import { may } from "../access/permissions.ts";
import { can, canWithApp, coalescedQuery, router } from "../trpc/init.ts";
import { approvalSourceSeries, approvalSources } from "./approval-sources.ts";
import { callFacets as countFacets, listCallsWithHeld } from "./calls.ts";
import { exportCalls } from "./calls-export.ts";
import { callsExportInput, callsExportPart } from "./calls-export-schema.ts";
import { callSeries as countOverTime } from "./calls-series.ts";
import { createDecisionEvidence } from "./decision-evidence.ts";
import type { CallFollower } from "./live-calls/follower.ts";
import { followCallsInput } from "./live-calls/schema.ts";
import { streamCalls } from "./live-calls/viewer-stream.ts";
import {
  approvalSourceSeriesView,
  approvalSourcesInput,
  approvalSourcesView,
  arrivedView,
  callFacets,
  callPage,
  callSeries,
  countDecisionsInput,
  decisionDetail,
  decisionFacets,
  decisionKey,
  decisionPage,
  decisionRange,
  evidence,
  evidenceInput,
  listDecisions,
} from "./schema.ts";
import * as service from "./service.ts";

declare module "../trpc/context.ts" {
  interface App {
    /** The changed calls, for lists on screen. */
    readonly callFollower: CallFollower;
  }
}

const read = coalescedQuery("console:read");

export const decisionsRouter = router({
  list: read
    .input(listDecisions)
    .output(decisionPage)
    .query(({ ctx, input }) => service.list(ctx.db, ctx.workspaceId, input)),
  calls: read
    .input(listDecisions)
    .output(callPage)
    .query(({ ctx, input }) => listCallsWithHeld(ctx.db, ctx.workspaceId, input)),
  /** The new and changed calls that the filters find, whole: each page places them in its own range. */
  followCalls: canWithApp("console:read")
    .input(followCallsInput)
    .subscription(({ ctx, input, signal }) =>
      streamCalls(
        ctx.app,
        { workspaceId: ctx.workspaceId, filters: input.filters },
        signal ?? new AbortController().signal,
      ),
    ),
  callFacets: read
    .input(countDecisionsInput)
    .output(callFacets)
    .query(({ ctx, input }) => countFacets(ctx.db, ctx.workspaceId, input)),
  callSeries: read
    .input(countDecisionsInput)
    .output(callSeries)
    .query(({ ctx, input }) => countOverTime(ctx.db, ctx.workspaceId, input)),
  /** A part of the CSV that `GET /api/download/calls.csv` streams. */
  exportCalls: can("console:read")
    .input(callsExportInput)
    .output(callsExportPart)
    .query(({ ctx, input }) => exportCalls(ctx.db, ctx.workspaceId, input)),
  facets: read
    .input(z.strictObject({ range: decisionRange }))
    .output(decisionFacets)
    .query(({ ctx, input }) => service.facets(ctx.db, ctx.workspaceId, input.range)),
  arrived: read
    .input(countDecisionsInput)
    .output(arrivedView)
    .query(({ ctx, input }) => service.countDecisions(ctx.db, ctx.workspaceId, input)),
  approvalSources: read
    .input(approvalSourcesInput)
    .output(approvalSourcesView)
    .query(({ ctx, input }) => approvalSources(ctx.db, ctx.workspaceId, input)),
  approvalSourceSeries: read
    .input(approvalSourcesInput)
    .output(approvalSourceSeriesView)
    .query(({ ctx, input }) => approvalSourceSeries(ctx.db, ctx.workspaceId, input)),
  /**
   * An evidence file for the decisions that the filter finds, alone or with covers to read. The newest entries are signed first if the person may
   * sign.
   */
  evidence: canWithApp("audit:read")
    .input(evidenceInput)
    .output(evidence)
    .mutation(({ ctx, input }) => {
      const { record, secrets: signer } = ctx.app;
      const sign = async () => (may(ctx.actor, "record:manage") ? record.checkpointer.tick(true) : 0);
      return createDecisionEvidence(ctx.db, ctx.actor, input, { signer, sign });
    }),
  get: read
    .input(decisionKey)
    .output(decisionDetail)
    .query(({ ctx, input }) => service.get(ctx.db, ctx.workspaceId, input)),
});
