import { can, router } from "../trpc/init.ts";
import { allowListView, askAllowList, listTools, toolsOfAgent, toolsPage, uncheckedToolsView } from "./schema.ts";
import * as service from "./service.ts";

const read = can("console:read");

export const inventoryRouter = router({
  list: read
    .input(listTools)
    .output(toolsPage)
    .query(({ ctx, input }) => service.list(ctx.db, ctx.workspaceId, input)),
  unchecked: read
    .input(toolsOfAgent)
    .output(uncheckedToolsView)
    .query(({ ctx, input }) => service.unchecked(ctx.db, ctx.workspaceId, input.agentId)),
  /** A query: a person adds the rule to a draft. */
  allowList: read
    .input(askAllowList)
    .output(allowListView)
    .query(({ ctx, input }) => service.proposeAllowList(ctx.db, ctx.workspaceId, input)),
});
