import { z } from "zod";
import { pageById } from "../access/role-schema.ts";
import { env } from "../platform/env.ts";
import { can, requireApp, router } from "../trpc/init.ts";
import { enrolment } from "./enrolment.ts";
import {
  agentById,
  agentCounts,
  agentDetail,
  agentNames,
  agentsPage,
  agentView,
  askEnrolment,
  createAgent,
  createdKeyView,
  createGroup,
  createKey,
  enrolmentView,
  groupById,
  groupView,
  keyById,
  orderGroups,
  renameAgent,
  renameGroup,
  rotateKey,
  searchAgents,
  setGroupMembers,
  setTags,
} from "./schema.ts";
import * as service from "./service.ts";

export const agentsRouter = router({
  list: can("console:read")
    .input(pageById)
    .output(z.array(agentView))
    .query(({ ctx, input }) => service.list(ctx.db, ctx.workspaceId, input)),
  search: can("console:read")
    .input(searchAgents)
    .output(agentsPage)
    .query(({ ctx, input }) => service.search(ctx.db, ctx.workspaceId, input)),
  counts: can("console:read")
    .output(agentCounts)
    .query(({ ctx }) => service.counts(ctx.db, ctx.workspaceId)),
  names: can("console:read")
    .output(agentNames)
    .query(({ ctx }) => service.names(ctx.db, ctx.workspaceId)),
  get: can("console:read")
    .input(agentById)
    .output(agentDetail)
    .query(({ ctx, input }) => service.get(ctx.db, ctx.workspaceId, input)),
  /** The snippets. They hold no secret and ask the database nothing. */
  enrolment: can("console:read")
    .input(askEnrolment)
    .output(enrolmentView)
    .query(({ ctx, input: { url, profile } }) => {
      const trustKey = ctx.app?.secrets.signingPublicKey.export({ type: "spki", format: "der" }).toString("base64");
      // Where pages are prefetched the key is not at hand; whoever pastes its stand-in trusts nobody.
      return enrolment({ url: url ?? ctx.app?.url ?? env().url, profile, trustKey: trustKey ?? "..." });
    }),
  create: can("agent:write")
    .input(createAgent)
    .output(createdKeyView)
    .mutation(({ ctx, input }) => service.create(ctx.db, requireApp(ctx.app).bus, ctx.actor, input)),
  rename: can("agent:write")
    .input(renameAgent)
    .mutation(({ ctx, input }) => service.rename(ctx.db, requireApp(ctx.app).bus, ctx.actor, input)),
  retire: can("agent:write")
    .input(agentById)
    .mutation(({ ctx, input }) => service.retire(ctx.db, requireApp(ctx.app).bus, ctx.actor, input)),
  restore: can("agent:write")
    .input(agentById)
    .mutation(({ ctx, input }) => service.restore(ctx.db, requireApp(ctx.app).bus, ctx.actor, input)),
  remove: can("agent:write")
    .input(agentById)
    .mutation(({ ctx, input }) => service.remove(ctx.db, requireApp(ctx.app).bus, ctx.actor, input)),
  setTags: can("agent:write")
    .input(setTags)
    .mutation(({ ctx, input }) => service.setTags(ctx.db, requireApp(ctx.app).bus, ctx.actor, input)),
  createKey: can("agent:write")
    .input(createKey)
    .output(createdKeyView)
    .mutation(({ ctx, input }) => service.createKey(ctx.db, requireApp(ctx.app).bus, ctx.actor, input)),
  rotateKey: can("agent:write")
    .input(rotateKey)
    .output(createdKeyView)
    .mutation(({ ctx, input }) => service.rotateKey(ctx.db, requireApp(ctx.app).bus, ctx.actor, input)),
  createKeyByName: can("agent:write")
    .input(createAgent)
    .output(createdKeyView)
    .mutation(({ ctx, input }) => service.createKeyByName(ctx.db, requireApp(ctx.app).bus, ctx.actor, input)),
  revokeKey: can("agent:write")
    .input(keyById)
    .mutation(({ ctx, input }) => service.revokeKey(ctx.db, requireApp(ctx.app).bus, ctx.actor, input)),
  groups: can("console:read")
    .output(z.array(groupView))
    .query(({ ctx }) => service.groups(ctx.db, ctx.workspaceId)),
  createGroup: can("agent:write")
    .input(createGroup)
    .output(groupById)
    .mutation(({ ctx, input }) => service.createGroup(ctx.db, requireApp(ctx.app).bus, ctx.actor, input)),
  renameGroup: can("agent:write")
    .input(renameGroup)
    .mutation(({ ctx, input }) => service.renameGroup(ctx.db, requireApp(ctx.app).bus, ctx.actor, input)),
  // These change which policies bind whom.
  deleteGroup: can("policy:publish")
    .input(groupById)
    .mutation(({ ctx, input }) => service.deleteGroup(ctx.db, requireApp(ctx.app).bus, ctx.actor, input)),
  setGroupMembers: can("policy:publish")
    .input(setGroupMembers)
    .mutation(({ ctx, input }) => service.setGroupMembers(ctx.db, requireApp(ctx.app).bus, ctx.actor, input)),
  orderGroups: can("policy:publish")
    .input(orderGroups)
    .mutation(({ ctx, input }) => service.orderGroups(ctx.db, requireApp(ctx.app).bus, ctx.actor, input)),
});
