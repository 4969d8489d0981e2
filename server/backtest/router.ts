import { canWithApp, router } from "../trpc/init.ts";
import { backtestTarget, measurePack } from "./schema.ts";
import { measure, measurePack as measureOfPack } from "./service.ts";

export const backtestRouter = router({
  /** A subscription, so that unsubscribing ends the run. It changes nothing; command hooks run in the sandbox. */
  measure: canWithApp("policy:write")
    .input(backtestTarget)
    .subscription(({ ctx, input, signal }) =>
      measure(ctx.app, ctx.actor, input, signal ?? new AbortController().signal),
    ),
  /** The same for a pack before it is installed. */
  pack: canWithApp("policy:write")
    .input(measurePack)
    .subscription(({ ctx, input, signal }) =>
      measureOfPack(ctx.app, ctx.actor, input, signal ?? new AbortController().signal),
    ),
});
