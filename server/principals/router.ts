import { z } from "zod";
import { can, canWithApp, router, sharedQuery } from "../trpc/init.ts";
import * as merge from "./merge.ts";
import type { MergeStep } from "./merge-step.ts";
import {
  agentById,
  mergePeople,
  ownerChoices,
  ownerView,
  peopleList,
  personById,
  personView,
  principalNames,
  setOwner,
} from "./schema.ts";
import * as service from "./service.ts";
import type { StatedPeople } from "./stated-people.ts";

declare module "../trpc/context.ts" {
  interface App {
    readonly statedPeople: StatedPeople;
    readonly mergeSteps: readonly MergeStep[];
  }
}

export const principalsRouter = router({
  /** The names of the people and services that calls were made for. */
  names: sharedQuery("console:read")
    .output(principalNames)
    .query(({ ctx }) => service.names(ctx.db, ctx.workspaceId)),
  people: can("console:read")
    .output(peopleList)
    .query(({ ctx }) => service.listPeople(ctx.db, ctx.actor)),
  person: can("console:read")
    .input(personById)
    .output(personView.nullable())
    .query(({ ctx, input }) => service.getPerson(ctx.db, ctx.actor, input)),
  merge: canWithApp("agent:write")
    .input(mergePeople)
    .output(z.void())
    .mutation(({ ctx, input }) => merge.mergePeople(ctx.db, ctx.app.bus, ctx.actor, input, ctx.app.mergeSteps)),
  owner: can("console:read")
    .input(agentById)
    .output(ownerView)
    .query(({ ctx, input }) => service.getOwner(ctx.db, ctx.workspaceId, input.agentId)),
  choices: can("agent:write")
    .output(ownerChoices)
    .query(({ ctx }) => service.listChoices(ctx.db, ctx.actor)),
  setOwner: canWithApp("agent:write")
    .input(setOwner)
    .output(z.void())
    .mutation(({ ctx, input }) => service.setOwner(ctx.db, ctx.app.bus, ctx.actor, input)),
});
