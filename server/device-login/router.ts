import { z } from "zod";
import { canWithApp, router } from "../trpc/init.ts";
import { byUserCode, confirmedLogin, waitingLogin } from "./schema.ts";
import * as service from "./service.ts";

declare module "../trpc/context.ts" {
  interface App {
    readonly deviceLogins: service.DeviceLogins;
  }
}

/** Logins of machines, which signed-in people confirm. */
export const deviceLoginRouter = router({
  find: canWithApp("account:own")
    .input(byUserCode)
    .output(waitingLogin)
    .query(({ ctx, input }) => service.find(ctx.app.deviceLogins, ctx.actor, input)),
  confirm: canWithApp("account:own")
    .input(byUserCode)
    .output(confirmedLogin)
    .mutation(({ ctx, input }) => service.confirm(ctx.app.deviceLogins, ctx.actor, input)),
  refuse: canWithApp("account:own")
    .input(byUserCode)
    .output(z.void())
    .mutation(({ ctx, input }) => service.refuse(ctx.app.deviceLogins, ctx.actor, input)),
});
