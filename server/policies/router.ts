import { clientKnown } from "@quarterdeck/hooks/contract/client-known";
import { z } from "zod";
import { can, canWithApp, router } from "../trpc/init.ts";
import {
  agentApplying,
  applyingView,
  assignmentTarget,
  assignPolicy,
  canaryFigures,
  endCanary,
  freeze,
  freezeView,
  observe,
  orderedPolicyView,
  reorder,
  rollBack,
  rolledBackView,
  setCanary,
  tightenedBy,
} from "./assignment-schema.ts";
import { canaryAgentsOf, canaryAgentsView } from "./canary-schema.ts";
import {
  checkContextView,
  checkPolicy,
  checkView,
  createPolicy,
  draftSavedView,
  exportBundle,
  importClientFile,
  importedClientView,
  importedView,
  importFile,
  listRevisions,
  pageByName,
  policyById,
  policyDetailView,
  policyName,
  policyView,
  publishByName,
  publishedView,
  publishPolicy,
  revisionByNumber,
  revisionDetailView,
  revisionView,
  saveDraft,
} from "./schema.ts";
import type { CaseGate, ClientSigns, Plans, PlaygroundExecutor } from "./service.ts";
import * as service from "./service.ts";

declare module "../trpc/context.ts" {
  interface App {
    readonly plans: Plans;
    /** Takes what clients say of themselves. */
    readonly clientSigns: ClientSigns;
    /** Runs texts that are not in force. */
    readonly trials: PlaygroundExecutor;
    /** Asked before anything is published. */
    readonly cases: CaseGate;
  }
}

const read = can("console:read");
const write = canWithApp("policy:write");

export const policiesRouter = router({
  list: read
    .input(pageByName)
    .output(z.array(policyView))
    .query(({ ctx, input }) => service.list(ctx.db, ctx.workspaceId, input)),
  get: read
    .input(policyById)
    .output(policyDetailView)
    .query(({ ctx, input }) => service.get(ctx.db, ctx.workspaceId, input.policyId)),
  revisions: read
    .input(listRevisions)
    .output(z.array(revisionView))
    .query(({ ctx, input }) => service.revisions(ctx.db, ctx.workspaceId, input.policyId, input.cursor ?? null)),
  revision: read
    .input(revisionByNumber)
    .output(revisionDetailView)
    .query(({ ctx, input }) => service.revision(ctx.db, ctx.workspaceId, input.policyId, input.number)),
  exportByName: read
    .input(z.strictObject({ name: policyName }))
    .output(z.string())
    .query(({ ctx, input }) => service.exportByName(ctx.db, ctx.workspaceId, input.name)),
  exportAgent: read
    .input(z.strictObject({ name: z.string().min(1).max(200) }))
    .output(z.string())
    .query(({ ctx, input }) => service.exportAgent(ctx.db, ctx.workspaceId, input.name)),
  exportBundle: read
    .input(exportBundle)
    .output(z.string())
    .query(({ ctx, input }) => service.exportBundle(ctx.db, ctx.workspaceId, input)),
  /** A mutation in form only, as `check`: a file is too long for a URL. */
  readImport: read
    .input(importFile)
    .output(importedView)
    .mutation(({ ctx, input }) => service.previewImport(ctx.actor.id, input)),
  /** As `readImport`, for the own file of another client. It changes nothing, and is for people who may make the draft. */
  readClientImport: write
    .input(importClientFile)
    .output(importedClientView)
    .mutation(({ ctx, input }) => service.previewClientImport(ctx.actor.id, input)),
  /** A mutation in form only: the text is too long for a URL. It changes nothing. */
  check: read
    .input(checkPolicy)
    .output(checkView)
    .mutation(({ ctx, input }) => service.check(ctx.db, ctx.actor, input)),
  /** The other policies that publishing a text of this profile would tighten. */
  tightenedBy: read
    .input(tightenedBy)
    .output(z.array(z.string()))
    .query(({ ctx, input }) => service.listTightenedPolicies(ctx.db, ctx.workspaceId, input.policyId, input.profile)),
  /** The clients of the agents that a policy is assigned to, for the check of its text. */
  boundClients: read
    .input(policyById)
    .output(z.array(clientKnown))
    .query(({ ctx, input }) => service.boundClients(ctx.db, ctx.workspaceId, input.policyId)),
  checkContext: read.output(checkContextView).query(({ ctx }) => service.checkContext(ctx.db, ctx.workspaceId)),
  create: write
    .input(createPolicy)
    .output(policyById)
    .mutation(({ ctx, input }) => service.create(ctx.db, ctx.app.bus, ctx.actor, input)),
  saveDraft: write
    .input(saveDraft)
    .output(draftSavedView)
    .mutation(({ ctx, input }) => service.saveDraft(ctx.db, ctx.app.bus, ctx.actor, input)),
  discardDraft: write
    .input(policyById)
    .mutation(({ ctx, input }) => service.discardDraft(ctx.db, ctx.app.bus, ctx.actor, input.policyId)),
  assign: canWithApp("policy:publish")
    .input(assignPolicy)
    .mutation(({ ctx, input }) => service.assign(ctx.db, ctx.app.bus, ctx.actor, input)),
  publish: canWithApp("policy:publish")
    .input(publishPolicy)
    .output(publishedView)
    .mutation(({ ctx, input }) => {
      const { bus, cases } = ctx.app;
      return service.publish(ctx.db, bus, ctx.actor, input, cases);
    }),
  publishByName: canWithApp("policy:publish")
    .input(publishByName)
    .output(publishedView)
    .mutation(({ ctx, input }) => {
      const { bus, cases } = ctx.app;
      return service.publishByName(ctx.db, bus, ctx.actor, input, cases);
    }),
  remove: canWithApp("policy:publish")
    .input(policyById)
    .mutation(({ ctx, input }) => service.remove(ctx.db, ctx.app.bus, ctx.actor, input.policyId)),
  rollBack: canWithApp("policy:publish")
    .input(rollBack)
    .output(rolledBackView)
    .mutation(({ ctx, input }) => service.rollBack(ctx.db, ctx.app.bus, ctx.actor, input)),
  setCanary: canWithApp("policy:publish")
    .input(setCanary)
    .mutation(({ ctx, input }) => service.setCanary(ctx.db, ctx.app.bus, ctx.actor, input)),
  canaryFigures: read
    .input(policyById)
    .output(canaryFigures.nullable())
    .query(({ ctx, input }) => service.canaryFigures(ctx.db, ctx.workspaceId, input.policyId)),
  canaryAgents: read
    .input(canaryAgentsOf)
    .output(canaryAgentsView)
    .query(({ ctx, input }) => service.canaryAgents(ctx.db, ctx.workspaceId, input)),
  endCanary: canWithApp("policy:publish")
    .input(endCanary)
    .mutation(({ ctx, input }) => service.endCanary(ctx.db, ctx.app.bus, ctx.actor, input)),
  observe: canWithApp("policy:publish")
    .input(observe)
    .mutation(({ ctx, input }) => service.observe(ctx.db, ctx.app.bus, ctx.actor, input)),
  order: read
    .input(assignmentTarget)
    .output(z.array(orderedPolicyView))
    .query(({ ctx, input }) => service.order(ctx.db, ctx.workspaceId, input)),
  reorder: canWithApp("policy:publish")
    .input(reorder)
    .mutation(({ ctx, input }) => service.reorder(ctx.db, ctx.app.bus, ctx.actor, input)),
  applying: read
    .input(agentApplying)
    .output(applyingView)
    .query(({ ctx, input }) => service.explainAgent(ctx.db, ctx.workspaceId, input.agentId)),
  frozen: read.output(freezeView.nullable()).query(({ ctx }) => service.frozen(ctx.db, ctx.workspaceId)),
  freeze: canWithApp("policy:govern")
    .input(freeze)
    .mutation(({ ctx, input }) => service.freeze(ctx.db, ctx.app.bus, ctx.actor, input)),
  unfreeze: canWithApp("policy:govern").mutation(({ ctx }) => service.unfreeze(ctx.db, ctx.app.bus, ctx.actor)),
});
