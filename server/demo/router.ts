import { can, requireApp, router } from "../trpc/init.ts";
import * as service from "./service.ts";

export const demoRouter = router({
  remove: can("demo:remove").mutation(({ ctx }) => service.remove(requireApp(ctx.app), ctx.actor)),
});
