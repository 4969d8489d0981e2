import { canWithApp, router } from "../trpc/init.ts";
import * as service from "./service.ts";

export const demoRouter = router({
  remove: canWithApp("demo:remove").mutation(({ ctx }) => service.remove(ctx.app, ctx.actor)),
});
