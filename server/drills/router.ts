import { can, router } from "../trpc/init.ts";
import { drillList, drillsOfAgent } from "./schema.ts";
import * as service from "./service.ts";

export const drillsRouter = router({
  ofAgent: can("console:read")
    .input(drillsOfAgent)
    .output(drillList)
    .query(({ ctx, input }) => service.listOfAgent(ctx.db, ctx.workspaceId, input.agentId)),
});
