import { tracked } from "@trpc/server";
import { z } from "zod";
import { uuidv7 } from "../platform/ids.ts";
import { canWithApp, router } from "../trpc/init.ts";
import type { Bus } from "./service.ts";
import { streamChanges } from "./viewer-stream.ts";

declare module "../trpc/context.ts" {
  interface App {
    readonly bus: Bus;
  }
}

export const eventsRouter = router({
  /**
   * The changes, as topics. The first message after a reconnect (`lastEventId`) makes the viewer refetch everything,
   * since missed changes are not stored.
   */
  changes: canWithApp("console:read")
    .input(z.strictObject({ lastEventId: z.string().nullish() }).optional())
    .subscription(async function* ({ ctx, input, signal }) {
      const viewer = { workspaceId: ctx.workspaceId, isReturn: typeof input?.lastEventId === "string" };
      const changes = streamChanges(ctx.app, viewer, signal ?? new AbortController().signal);
      for await (const change of changes) yield tracked(uuidv7(), change);
    }),
});
