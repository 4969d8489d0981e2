import * as bindingChanges from "./binding/repository.ts";

export { policyView } from "./agent-policy-response.ts";
export { assign } from "./assignments.ts";
export type { BindingTx } from "./binding/binding-tx.ts";
export { type Authority, ChangeAsked, OWN, permitNewAgent } from "./binding/gate.ts";
export { permitGroups } from "./binding/groups.ts";
export { permitTags } from "./binding/tags.ts";
export { boundAgents } from "./bound-agents.ts";
export { endCanary, setCanary } from "./canary.ts";
export { canaryAgents } from "./canary-agents.ts";
export { type CaseGate, NO_CASES } from "./case-gate.ts";
export { check } from "./check-context.ts";
export { CLIENT_VERSION_HEADER, type ClientSign, type ClientSigns, createClientSigns } from "./client-signs.ts";
export { discardDraft, saveDraft } from "./draft.ts";
export { type EffectiveMember, type EffectiveSet, effectiveSet, effectiveSets } from "./effective.ts";
export { explainAgent } from "./explain-agent.ts";
export { freeze, requireThawed, unfreeze } from "./freeze.ts";
export { type HookInForce, hooksInForce } from "./hooks-in-force.ts";
export type { InForceTx } from "./in-force.ts";
export { observe } from "./monitor-mode.ts";
export { installedPacks, takePack } from "./pack-text.ts";
export {
  type PermittedHooks,
  permitOwnFile,
  permitPlayground,
  permitPublication,
  requirePermitted,
} from "./permitted-hooks.ts";
export { createPlans, type EffectivePlan, type ObservedPlan, type Plans } from "./plans.ts";
export { createPlaygroundExecutor, type PlaygroundExecutor } from "./playground-executor.ts";
export { activePolicyTransaction, lockInForce, policyTransaction, requireThawedTx } from "./policy-transaction.ts";
export { listReorderedPolicies, reorder } from "./priority.ts";
export { publish, publishByName, requirePublishable } from "./publish.ts";
export { readText } from "./read-in-worker.ts";
export { listRecentCalls } from "./recent-calls.ts";
export { rollBack } from "./roll-back.ts";
export { RAISE_SEQUENCE_SQL, raiseSequence, raiseSequences } from "./sequence.ts";
export { create, remove } from "./service.ts";
export { readPolicy } from "./source.ts";
export { describeUnheldPolicies, listUnheldPolicies, type RecentCalls } from "./unheld-agents.ts";
export { listUnreadableAssignments, listUnreadablePolicies, type UnreadablePolicy } from "./unreadable-policies.ts";
export { findGateGaps, get, list, revision } from "./views.ts";
export { bindingChanges };
