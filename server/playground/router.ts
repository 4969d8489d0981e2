import { z } from "zod";
import { can, canWithApp, router } from "../trpc/init.ts";
import * as cases from "./cases.ts";
import * as recordedDispatches from "./recorded-dispatches.ts";
import {
  caseById,
  caseRunView,
  casesOf,
  caseView,
  dispatchKey,
  importCases,
  importedCases,
  listRecorded,
  playgroundReport,
  playgroundRun,
  recordedInput,
  recordedView,
  runCases,
  runCasesByName,
  saveCase,
} from "./schema.ts";
import type { Playground } from "./service.ts";

declare module "../trpc/context.ts" {
  interface App {
    /** Runs texts that are not in force, for people. */
    readonly bench: Playground;
  }
}

const read = can("console:read");
/**
 * Running requires the permission to write: both bring a person's own text to this server, and neither puts it in
 * force.
 */
const write = canWithApp("policy:write");
const savedView = z.strictObject({ caseId: z.uuid() });

export const playgroundRouter = router({
  /** Mutations in form only: they change nothing in force, and a text is too long for a URL. */
  run: write
    .input(playgroundRun)
    .output(playgroundReport)
    .mutation(({ ctx, input, signal }) => ctx.app.bench.run(ctx.actor, input, signal)),
  runCases: write
    .input(runCases)
    .output(caseRunView)
    .mutation(({ ctx, input, signal }) => ctx.app.bench.runCases(ctx.actor, input, signal)),
  runCasesByName: write
    .input(runCasesByName)
    .output(caseRunView)
    .mutation(({ ctx, input, signal }) => ctx.app.bench.runCasesByName(ctx.actor, input, signal)),
  recorded: read
    .input(listRecorded)
    .output(z.array(recordedView))
    .query(({ ctx, input }) => recordedDispatches.listRecorded(ctx.db, ctx.workspaceId, input)),
  recordedInput: read
    .input(dispatchKey)
    .output(recordedInput)
    .query(({ ctx, input }) => recordedDispatches.recordedInput(ctx.db, ctx.workspaceId, input)),
  cases: read
    .input(casesOf)
    .output(z.array(caseView))
    .query(({ ctx, input }) => cases.listCases(ctx.db, ctx.workspaceId, input.policyId)),
  exportCases: read
    .input(casesOf)
    .output(z.string())
    .query(({ ctx, input }) => cases.exportCases(ctx.db, ctx.workspaceId, input.policyId)),
  saveCase: write
    .input(saveCase)
    .output(savedView)
    .mutation(({ ctx, input }) => cases.saveCase(ctx.db, ctx.actor, input)),
  duplicateCase: write
    .input(caseById)
    .output(savedView)
    .mutation(({ ctx, input }) => cases.duplicateCase(ctx.db, ctx.actor, input)),
  deleteCase: write.input(caseById).mutation(({ ctx, input }) => cases.deleteCase(ctx.db, ctx.actor, input)),
  importCases: write
    .input(importCases)
    .output(importedCases)
    .mutation(({ ctx, input }) => cases.importCases(ctx.db, ctx.actor, input)),
});
