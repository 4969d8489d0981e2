import { z } from "zod";
import { can, requireApp, router } from "../trpc/init.ts";
import { agentById, agentView, createAgent, createdKeyView, keyById } from "./schema.ts";
import * as service from "./service.ts";

export const agentsRouter = router({
  list: can("console:read")
    .output(z.array(agentView))
    .query(({ ctx }) => service.list(ctx.db, ctx.workspaceId)),
  create: can("agent:write")
    .input(createAgent)
    .output(createdKeyView)
    .mutation(({ ctx, input }) => service.create(ctx.db, requireApp(ctx.app).bus, ctx.actor, input)),
  createKey: can("agent:write")
    .input(agentById)
    .output(createdKeyView)
    .mutation(({ ctx, input }) => service.createKey(ctx.db, requireApp(ctx.app).bus, ctx.actor, input)),
  createKeyByName: can("agent:write")
    .input(createAgent)
    .output(createdKeyView)
    .mutation(({ ctx, input }) => service.createKeyByName(ctx.db, requireApp(ctx.app).bus, ctx.actor, input)),
  revokeKey: can("agent:write")
    .input(keyById)
    .mutation(({ ctx, input }) => service.revokeKey(ctx.db, requireApp(ctx.app).bus, ctx.actor, input)),
});
