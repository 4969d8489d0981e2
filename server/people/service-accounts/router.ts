import { z } from "zod";
import { pageById } from "../../access/role-schema.ts";
import { can, router } from "../../trpc/init.ts";
import { createdTokenView, createService, createToken, serviceById, serviceView, tokenById } from "../schema.ts";
import * as service from "./service.ts";

const manage = can("people:manage");

/** Service accounts and their tokens. */
export const serviceAccountsRouter = router({
  list: can("people:read")
    .input(pageById)
    .output(z.array(serviceView))
    .query(({ ctx, input }) => service.listServices(ctx.db, ctx.workspaceId, input)),
  create: manage
    .input(createService)
    .output(serviceById)
    .mutation(({ ctx, input }) => service.createService(ctx.db, ctx.actor, input)),
  remove: manage.input(serviceById).mutation(({ ctx, input }) => service.removeService(ctx.db, ctx.actor, input)),
  createToken: manage
    .input(createToken)
    .output(createdTokenView)
    .mutation(({ ctx, input }) => service.createToken(ctx.db, ctx.actor, input)),
  revokeToken: manage.input(tokenById).mutation(({ ctx, input }) => service.revokeToken(ctx.db, ctx.actor, input)),
});
