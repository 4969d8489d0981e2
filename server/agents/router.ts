import { z } from "zod";
import { pageById } from "../access/role-schema.ts";
import { clientMatrix } from "../dialects/index.ts";
import { clientMatrixView } from "../dialects/matrix-schema.ts";
import { env } from "../platform/env.ts";
import type { App } from "../trpc/context.ts";
import { can, canWithApp, router, sharedQuery } from "../trpc/init.ts";
import type { Authenticator } from "./authenticate.ts";
import { clientEnrolment } from "./client-enrolment.ts";
import { enrolment } from "./enrolment.ts";
import {
  createdEnrolmentToken,
  createEnrolmentToken,
  enrolmentTokenById,
  enrolmentTokenList,
} from "./enrolment-token-schema.ts";
import * as enrolmentTokens from "./enrolment-tokens.ts";
import * as fleet from "./fleet.ts";
import * as groups from "./groups.ts";
import * as keys from "./keys.ts";
import * as lifecycle from "./lifecycle.ts";
import {
  agentById,
  agentCounts,
  agentDetail,
  agentNames,
  agentsPage,
  agentView,
  askEnrolment,
  type CreatedKeyView,
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
import * as tags from "./tags.ts";

declare module "../trpc/context.ts" {
  interface App {
    readonly authenticator: Authenticator;
  }
}

/** The key with both of its halves: the database holds the first one alone. */
const wholeKey = ({ answerKeys }: Pick<App, "answerKeys">, created: CreatedKeyView): CreatedKeyView => ({
  ...created,
  key: answerKeys.complete(created.key),
});

export const agentsRouter = router({
  list: sharedQuery("console:read")
    .input(pageById)
    .output(z.array(agentView))
    .query(({ ctx, input }) => service.list(ctx.db, ctx.workspaceId, input)),
  search: sharedQuery("console:read")
    .input(searchAgents)
    .output(agentsPage)
    .query(({ ctx, input }) => fleet.search(ctx.db, ctx.workspaceId, input)),
  counts: sharedQuery("console:read")
    .output(agentCounts)
    .query(({ ctx }) => fleet.counts(ctx.db, ctx.workspaceId)),
  names: sharedQuery("console:read")
    .output(agentNames)
    .query(({ ctx }) => fleet.names(ctx.db, ctx.workspaceId)),
  get: can("console:read")
    .input(agentById)
    .output(agentDetail)
    .query(({ ctx, input }) => service.get(ctx.db, ctx.workspaceId, input)),
  /** The powers of hooks in each client; the same for every reader. */
  clients: can("console:read")
    .output(clientMatrixView)
    .query(() => clientMatrix()),
  /** The snippets. They hold no secret and need no query. */
  enrolment: can("console:read")
    .input(askEnrolment)
    .output(enrolmentView)
    .query(({ ctx, input: { url, profile, client, scope } }) => {
      const trustKey = ctx.app?.secrets.signingPublicKey.export({ type: "spki", format: "der" }).toString("base64");
      // The key is not available while pages are prefetched. The placeholder is not a valid key, so a client with it
      // trusts no console.
      const address = url ?? ctx.app?.url ?? env().url;
      const texts = enrolment({ url: address, profile, trustKey: trustKey ?? "..." });
      return { ...texts, ...(client && { client: clientEnrolment(client, address, scope) }) };
    }),
  create: canWithApp("agent:write")
    .input(createAgent)
    .output(createdKeyView)
    .mutation(async ({ ctx, input }) => wholeKey(ctx.app, await service.create(ctx.db, ctx.app.bus, ctx.actor, input))),
  rename: canWithApp("agent:write")
    .input(renameAgent)
    .mutation(({ ctx, input }) => lifecycle.rename(ctx.db, ctx.app.bus, ctx.actor, input)),
  retire: canWithApp("agent:write")
    .input(agentById)
    .mutation(({ ctx, input }) => lifecycle.retire(ctx.db, ctx.app.bus, ctx.actor, input)),
  restore: canWithApp("agent:write")
    .input(agentById)
    .mutation(({ ctx, input }) => lifecycle.restore(ctx.db, ctx.app.bus, ctx.actor, input)),
  remove: canWithApp("agent:write")
    .input(agentById)
    .mutation(({ ctx, input }) => lifecycle.remove(ctx.db, ctx.app.bus, ctx.actor, input)),
  setTags: canWithApp("agent:write")
    .input(setTags)
    .mutation(({ ctx, input }) => tags.setTags(ctx.db, ctx.app.bus, ctx.actor, input)),
  createKey: canWithApp("agent:write")
    .input(createKey)
    .output(createdKeyView)
    .mutation(async ({ ctx, input }) => wholeKey(ctx.app, await keys.createKey(ctx.db, ctx.app.bus, ctx.actor, input))),
  rotateKey: canWithApp("agent:write")
    .input(rotateKey)
    .output(createdKeyView)
    .mutation(async ({ ctx, input }) => wholeKey(ctx.app, await keys.rotateKey(ctx.db, ctx.app.bus, ctx.actor, input))),
  createKeyByName: canWithApp("agent:write")
    .input(createAgent)
    .output(createdKeyView)
    .mutation(async ({ ctx, input }) =>
      wholeKey(ctx.app, await service.createKeyByName(ctx.db, ctx.app.bus, ctx.actor, input)),
    ),
  revokeKey: canWithApp("agent:write")
    .input(keyById)
    .mutation(({ ctx, input }) => keys.revokeKey(ctx.db, ctx.app.bus, ctx.actor, input)),
  undoKeyRevocation: canWithApp("agent:write")
    .input(keyById)
    .mutation(({ ctx, input }) => keys.undoKeyRevocation(ctx.db, ctx.app.bus, ctx.actor, input)),
  enrolmentTokens: can("console:read")
    .output(enrolmentTokenList)
    .query(({ ctx }) => enrolmentTokens.enrolmentTokens(ctx.db, ctx.workspaceId)),
  createEnrolmentToken: canWithApp("agent:write")
    .input(createEnrolmentToken)
    .output(createdEnrolmentToken)
    .mutation(({ ctx, input }) => enrolmentTokens.createEnrolmentToken(ctx.db, ctx.app.bus, ctx.actor, input)),
  revokeEnrolmentToken: canWithApp("agent:write")
    .input(enrolmentTokenById)
    .mutation(({ ctx, input }) => enrolmentTokens.revokeEnrolmentToken(ctx.db, ctx.app.bus, ctx.actor, input)),
  groups: sharedQuery("console:read")
    .output(z.array(groupView))
    .query(({ ctx }) => groups.groups(ctx.db, ctx.workspaceId)),
  createGroup: canWithApp("agent:write")
    .input(createGroup)
    .output(groupById)
    .mutation(({ ctx, input }) => groups.createGroup(ctx.db, ctx.app.bus, ctx.actor, input)),
  renameGroup: canWithApp("agent:write")
    .input(renameGroup)
    .mutation(({ ctx, input }) => groups.renameGroup(ctx.db, ctx.app.bus, ctx.actor, input)),
  // These change which policies bind whom.
  deleteGroup: canWithApp("policy:publish")
    .input(groupById)
    .mutation(({ ctx, input }) => groups.deleteGroup(ctx.db, ctx.app.bus, ctx.actor, input)),
  setGroupMembers: canWithApp("policy:publish")
    .input(setGroupMembers)
    .mutation(({ ctx, input }) => groups.setGroupMembers(ctx.db, ctx.app.bus, ctx.actor, input)),
  orderGroups: canWithApp("policy:publish")
    .input(orderGroups)
    .mutation(({ ctx, input }) => groups.orderGroups(ctx.db, ctx.app.bus, ctx.actor, input)),
});
