import { systemClock } from "../../platform/clock.ts";
import { can, canWithApp, router } from "../../trpc/init.ts";
import { checkById } from "../check-schema.ts";
import { promptById } from "../schema.ts";
import { addKnownCalls, removeKnownCall } from "./known-calls.ts";
import { startRun } from "./plan-run.ts";
import {
  addKnownCalls as addInput,
  knownCallById,
  knownCallsAdded,
  knownCallsView,
  resumeJudge as resumeInput,
  setWatch as watchInput,
} from "./schema.ts";
import { knownCalls } from "./views.ts";
import { resumeJudge, setWatch } from "./watch.ts";

const write = canWithApp("policy:write");
/** A watch can halt a judge, and a resumed judge decides again. */
const publish = canWithApp("policy:publish");

export const knownCallsRouter = router({
  get: can("console:read")
    .input(promptById)
    .output(knownCallsView)
    .query(({ ctx, input }) => knownCalls(ctx.db, ctx.workspaceId, input.promptId)),
  add: write
    .input(addInput)
    .output(knownCallsAdded)
    .mutation(({ ctx, input }) => addKnownCalls(ctx.app, ctx.actor, input)),
  remove: write.input(knownCallById).mutation(({ ctx, input }) => removeKnownCall(ctx.app, ctx.actor, input)),
  run: write
    .input(promptById)
    .output(checkById)
    .mutation(({ ctx, input }) => startRun({ ...ctx.app, clock: systemClock }, ctx.actor, input.promptId)),
  setWatch: publish
    .input(watchInput)
    .mutation(({ ctx, input }) => setWatch({ ...ctx.app, clock: systemClock }, ctx.actor, input)),
  resume: publish.input(resumeInput).mutation(({ ctx, input }) => resumeJudge(ctx.app, ctx.actor, input)),
});
