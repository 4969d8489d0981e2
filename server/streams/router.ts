import { z } from "zod";
import { can, canWithApp, router } from "../trpc/init.ts";
import * as record from "./check.ts";
import {
  checkStream,
  listManifest,
  manifestPage,
  resentEvents,
  rewindStream,
  saveStream,
  setAsideView,
  streamById,
  streamCheck,
  streamView,
  tailPage,
  tailRecord,
  testedStream,
} from "./schema.ts";
import type { RecordStreams } from "./service.ts";
import * as service from "./service.ts";
import * as setAside from "./set-aside.ts";

declare module "../trpc/context.ts" {
  interface App {
    readonly recordStreams: RecordStreams;
  }
}

const read = can("stream:manage");
const manage = canWithApp("stream:manage");

export const streamsRouter = router({
  list: read.output(z.array(streamView)).query(({ ctx }) => service.list(ctx.db, ctx.workspaceId)),
  setAside: read
    .input(streamById)
    .output(z.array(setAsideView))
    .query(({ ctx, input }) => setAside.list(ctx.db, ctx.workspaceId, input)),
  check: read
    .input(checkStream)
    .output(streamCheck)
    .query(({ ctx, input }) => record.check(ctx.db, ctx.workspaceId, input)),
  manifest: read
    .input(listManifest)
    .output(manifestPage)
    .query(({ ctx, input }) => record.manifest(ctx.db, ctx.workspaceId, input)),
  tail: read
    .input(tailRecord)
    .output(tailPage)
    .query(({ ctx, input }) => record.tail(ctx.db, ctx.workspaceId, input)),
  save: manage
    .input(saveStream)
    .output(streamById)
    .mutation(({ ctx, input }) => service.save(ctx.app.recordStreams, ctx.actor, input)),
  remove: manage
    .input(streamById)
    .mutation(({ ctx, input }) => service.remove(ctx.app.recordStreams, ctx.actor, input)),
  rewind: manage
    .input(rewindStream)
    .mutation(({ ctx, input }) => service.rewind(ctx.app.recordStreams, ctx.actor, input)),
  sendAgain: manage
    .input(streamById)
    .output(resentEvents)
    .mutation(({ ctx, input }) => setAside.sendAgain(ctx.app.recordStreams, ctx.actor, input)),
  test: manage
    .input(streamById)
    .output(testedStream)
    .mutation(({ ctx, input }) => service.test(ctx.app.recordStreams, ctx.workspaceId, input)),
});
