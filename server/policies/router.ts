import { clientKnown } from "@quarterdeck/hooks/contract/client-known";
import { z } from "zod";
import { can, canWithApp, router } from "../trpc/init.ts";
import {
  agentApplying,
  applyingView,
  assignedView,
  assignmentTarget,
  assignPolicy,
  audienceChoices,
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
} from "./assignments/assignment-schema.ts";
import { assign, listAudienceChoices } from "./assignments/assignments.ts";
import { boundClients } from "./assignments/bound-clients.ts";
import { monitorRule } from "./assignments/monitored-rule-schema.ts";
import * as priority from "./assignments/priority.ts";
import type { ClientSigns } from "./effective/client-signs.ts";
import { explainAgent } from "./effective/explain-agent.ts";
import * as exports from "./effective/exports.ts";
import type { Plans } from "./effective/plans.ts";
import type { PlaygroundExecutor } from "./effective/playground-executor.ts";
import { getPolicyHold } from "./effective/policy-hold.ts";
import { policyHoldView } from "./effective/policy-hold-schema.ts";
import type { CaseGate } from "./publishing/case-gate.ts";
import * as checkContext from "./publishing/check-context.ts";
import { draftScores } from "./publishing/draft-scores.ts";
import * as freezes from "./publishing/freeze.ts";
import {
  addFreezeWindow,
  freezeWindowById,
  freezeWindowsView,
  liftFreezeWindows,
} from "./publishing/freeze-window-schema.ts";
import * as freezeWindows from "./publishing/freeze-windows.ts";
import { judgeScoresOf, judgeScoresView } from "./publishing/judge-score-schema.ts";
import * as monitorMode from "./publishing/monitor-mode.ts";
import * as ruleMonitors from "./publishing/monitor-rule.ts";
import * as publish from "./publishing/publish.ts";
import * as requirements from "./publishing/requirements.ts";
import { publishRequirements, publishRequirementsView } from "./publishing/requirements-schema.ts";
import * as rollBacks from "./publishing/roll-back.ts";
import { listTightenedPolicies } from "./publishing/tightened-policies.ts";
import * as canary from "./rollout/canary.ts";
import { canaryAgents } from "./rollout/canary-agents.ts";
import * as figures from "./rollout/canary-figures.ts";
import { canaryAgentsOf, canaryAgentsView } from "./rollout/canary-schema.ts";
import {
  checkContextView,
  checkPolicy,
  checkView,
  createPolicy,
  draftSavedView,
  exportAgent,
  exportBundle,
  exportNative,
  importClientFile,
  importedClientView,
  importedView,
  importFile,
  listRevisions,
  nativeExportView,
  pageByName,
  policyById,
  policyDetailView,
  policyName,
  policyView,
  publicationView,
  publishByName,
  publishedView,
  publishPolicy,
  revisionByNumber,
  revisionDetailView,
  revisionView,
  saveDraft,
} from "./schema.ts";
import * as service from "./service.ts";
import * as draft from "./text/draft.ts";
import { previewClientImport, previewImport } from "./text/read-in-worker.ts";
import * as views from "./views.ts";

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
    .query(({ ctx, input }) => views.list(ctx.db, ctx.workspaceId, input)),
  audienceChoices: read.output(audienceChoices).query(({ ctx }) => listAudienceChoices(ctx.db, ctx.workspaceId)),
  get: read
    .input(policyById)
    .output(policyDetailView)
    .query(({ ctx, input }) => views.get(ctx.db, ctx.workspaceId, input.policyId)),
  revisions: read
    .input(listRevisions)
    .output(z.array(revisionView))
    .query(({ ctx, input }) => views.revisions(ctx.db, ctx.workspaceId, input.policyId, input.cursor ?? null)),
  revision: read
    .input(revisionByNumber)
    .output(revisionDetailView)
    .query(({ ctx, input }) => views.revision(ctx.db, ctx.workspaceId, input.policyId, input.number)),
  exportByName: read
    .input(z.strictObject({ name: policyName }))
    .output(z.string())
    .query(({ ctx, input }) => views.exportByName(ctx.db, ctx.workspaceId, input.name)),
  exportAgent: read
    .input(exportAgent)
    .output(z.string())
    .query(({ ctx, input }) => exports.exportAgent(ctx.db, ctx.workspaceId, input.name, input.release)),
  /** The export for a release of docker-agent, with the choices, the omitted parts and the losses. */
  exportNative: read
    .input(exportNative)
    .output(nativeExportView)
    .query(({ ctx, input }) => exports.exportNative(ctx.db, ctx.workspaceId, input)),
  exportBundle: read
    .input(exportBundle)
    .output(z.string())
    .query(({ ctx, input }) => exports.exportBundle(ctx.db, ctx.workspaceId, input)),
  /** A mutation in form only, as `check`: a file is too long for a URL. */
  readImport: read
    .input(importFile)
    .output(importedView)
    .mutation(({ ctx, input }) => previewImport(ctx.actor.id, input)),
  /**
   * Like `readImport`, for another client's own file. It changes nothing, and requires the permission to create the
   * draft.
   */
  readClientImport: write
    .input(importClientFile)
    .output(importedClientView)
    .mutation(({ ctx, input }) => previewClientImport(ctx.actor.id, input)),
  /** A mutation in form only: the text is too long for a URL. It changes nothing. */
  check: read
    .input(checkPolicy)
    .output(checkView)
    .mutation(({ ctx, input }) => checkContext.check(ctx.db, ctx.actor, input)),
  /** The other policies that publishing a text of this profile would tighten. */
  tightenedBy: read
    .input(tightenedBy)
    .output(z.array(z.string()))
    .query(({ ctx, input }) => listTightenedPolicies(ctx.db, ctx.workspaceId, input.policyId, input.profile)),
  /** The agents that a policy can stop, and its rules that cannot fire. */
  hold: read
    .input(policyById)
    .output(policyHoldView)
    .query(({ ctx, input }) => getPolicyHold(ctx.db, ctx.workspaceId, input.policyId)),
  /** The clients of the agents that a policy is assigned to, for the check of its text. */
  boundClients: read
    .input(policyById)
    .output(z.array(clientKnown))
    .query(({ ctx, input }) => boundClients(ctx.db, ctx.workspaceId, input.policyId)),
  checkContext: read.output(checkContextView).query(({ ctx }) => checkContext.checkContext(ctx.db, ctx.workspaceId)),
  create: write
    .input(createPolicy)
    .output(policyById)
    .mutation(({ ctx, input }) => service.create(ctx.db, ctx.app.bus, ctx.actor, input)),
  saveDraft: write
    .input(saveDraft)
    .output(draftSavedView)
    .mutation(({ ctx, input }) => draft.saveDraft(ctx.db, ctx.app.bus, ctx.actor, input)),
  discardDraft: write
    .input(policyById)
    .mutation(({ ctx, input }) => draft.discardDraft(ctx.db, ctx.app.bus, ctx.actor, input.policyId)),
  assign: canWithApp("policy:publish")
    .input(assignPolicy)
    .output(assignedView)
    .mutation(({ ctx, input }) => assign(ctx.db, ctx.app.bus, ctx.actor, input)),
  publish: canWithApp("policy:publish")
    .input(publishPolicy)
    .output(publicationView)
    .mutation(({ ctx, input }) => {
      const { bus, cases } = ctx.app;
      return publish.publish(ctx.db, bus, ctx.actor, input, cases);
    }),
  publishByName: canWithApp("policy:publish")
    .input(publishByName)
    .output(publishedView)
    .mutation(({ ctx, input }) => {
      const { bus, cases } = ctx.app;
      return publish.publishByName(ctx.db, bus, ctx.actor, input, cases);
    }),
  remove: canWithApp("policy:publish")
    .input(policyById)
    .mutation(({ ctx, input }) => service.remove(ctx.db, ctx.app.bus, ctx.actor, input.policyId)),
  rollBack: canWithApp("policy:publish")
    .input(rollBack)
    .output(rolledBackView)
    .mutation(({ ctx, input }) => rollBacks.rollBack(ctx.db, ctx.app.bus, ctx.actor, input, ctx.app.cases)),
  setCanary: canWithApp("policy:publish")
    .input(setCanary)
    .mutation(({ ctx, input }) => canary.setCanary(ctx.db, ctx.app.bus, ctx.actor, input, ctx.app.cases)),
  canaryFigures: read
    .input(policyById)
    .output(canaryFigures.nullable())
    .query(({ ctx, input }) => figures.canaryFigures(ctx.db, ctx.workspaceId, input.policyId)),
  canaryAgents: read
    .input(canaryAgentsOf)
    .output(canaryAgentsView)
    .query(({ ctx, input }) => canaryAgents(ctx.db, ctx.workspaceId, input)),
  endCanary: canWithApp("policy:publish")
    .input(endCanary)
    .mutation(({ ctx, input }) => canary.endCanary(ctx.db, ctx.app.bus, ctx.actor, input, ctx.app.cases)),
  observe: canWithApp("policy:publish")
    .input(observe)
    .mutation(({ ctx, input }) => monitorMode.observe(ctx.db, ctx.app.bus, ctx.actor, input)),
  monitorRule: canWithApp("policy:publish")
    .input(monitorRule)
    .mutation(({ ctx, input }) => ruleMonitors.monitorRule(ctx.db, ctx.app.bus, ctx.actor, input)),
  order: read
    .input(assignmentTarget)
    .output(z.array(orderedPolicyView))
    .query(({ ctx, input }) => priority.order(ctx.db, ctx.workspaceId, input)),
  reorder: canWithApp("policy:publish")
    .input(reorder)
    .mutation(({ ctx, input }) => priority.reorder(ctx.db, ctx.app.bus, ctx.actor, input)),
  applying: read
    .input(agentApplying)
    .output(applyingView)
    .query(({ ctx, input }) => explainAgent(ctx.db, ctx.workspaceId, input.agentId)),
  requirements: read
    .output(publishRequirementsView)
    .query(({ ctx }) => requirements.getRequirements(ctx.db, ctx.workspaceId)),
  /** The injection scores of the judges in a policy's draft. */
  judgeScores: read
    .input(judgeScoresOf)
    .output(judgeScoresView)
    .query(({ ctx, input }) => draftScores(ctx.db, ctx.actor, input.policyId)),
  setRequirements: canWithApp("policy:govern")
    .input(publishRequirements)
    .mutation(({ ctx, input }) => requirements.setRequirements(ctx.db, ctx.app.bus, ctx.actor, input)),
  frozen: read.output(freezeView.nullable()).query(({ ctx }) => freezes.frozen(ctx.db, ctx.workspaceId)),
  freeze: canWithApp("policy:govern")
    .input(freeze)
    .mutation(({ ctx, input }) => freezes.freeze(ctx.db, ctx.app.bus, ctx.actor, input)),
  unfreeze: canWithApp("policy:govern").mutation(({ ctx }) => freezes.unfreeze(ctx.db, ctx.app.bus, ctx.actor)),
  freezeWindows: read
    .output(freezeWindowsView)
    .query(({ ctx }) => freezeWindows.listFreezeWindows(ctx.db, ctx.workspaceId)),
  addFreezeWindow: canWithApp("policy:govern")
    .input(addFreezeWindow)
    .mutation(({ ctx, input }) => freezeWindows.addFreezeWindow(ctx.db, ctx.app.bus, ctx.actor, input)),
  removeFreezeWindow: canWithApp("policy:govern")
    .input(freezeWindowById)
    .mutation(({ ctx, input }) => freezeWindows.removeFreezeWindow(ctx.db, ctx.app.bus, ctx.actor, input)),
  liftFreezeWindows: canWithApp("policy:govern")
    .input(liftFreezeWindows)
    .mutation(({ ctx, input }) => freezeWindows.liftFreezeWindows(ctx.db, ctx.app.bus, ctx.actor, input)),
});
