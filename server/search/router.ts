import { can, router } from "../trpc/init.ts";
import { searchInput, searchResults } from "./schema.ts";
import * as service from "./service.ts";

/** Everything of the workspace that has a name, for the command palette. */
export const searchRouter = router({
  find: can("console:read")
    .input(searchInput)
    .output(searchResults)
    .query(({ ctx, input }) => service.find(ctx.db, ctx.actor, input)),
});
