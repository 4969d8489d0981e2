import * as bindingChanges from "./binding/repository.ts";

export { assign } from "./assignments/assignments.ts";
export { boundAgents } from "./assignments/bound-agents.ts";
export { listReorderedPolicies, reorder } from "./assignments/priority.ts";
export { enforcedSql } from "./assignments/resolve-assignments.ts";
export type { BindingTx } from "./binding/binding-tx.ts";
export { type Authority, ChangeAsked, type InForceOptions, OWN, permitNewAgent } from "./binding/gate.ts";
export { permitGroups } from "./binding/groups.ts";
export { mergeAssignments, permitOwner, weakensPolicies } from "./binding/owners.ts";
export { permitTags } from "./binding/tags.ts";
export { type CanaryWatch, createCanaryWatch } from "./canary-watch/watch.ts";
export { listUnchecked as listUncheckedCanaries } from "./canary-watch/watched-repository.ts";
export { policyView } from "./effective/agent-policy-response.ts";
export {
  CLIENT_VERSION_HEADER,
  type ClientSign,
  type ClientSigns,
  createClientSigns,
} from "./effective/client-signs.ts";
export {
  type CandidateText,
  comparedSets,
  type EffectiveSet,
  effectiveSet,
  effectiveSets,
} from "./effective/effective.ts";
export { explainAgent } from "./effective/explain-agent.ts";
export { findPolicyInForce, type HookInForce, hooksInForce } from "./effective/hooks-in-force.ts";
export { type EffectiveMember, planSourceOf } from "./effective/member.ts";
export { createPlans, type EffectivePlan, type ObservedPlan, type Plans } from "./effective/plans.ts";
export { createPlaygroundExecutor, type PlaygroundExecutor } from "./effective/playground-executor.ts";
export { listProgramGaps } from "./effective/program-gaps.ts";
export { listRecentCalls } from "./effective/recent-calls.ts";
export { describeUnheldPolicies, listUnheldPolicies, type RecentCalls } from "./effective/unheld-agents.ts";
export {
  listUnreadableAssignments,
  listUnreadablePolicies,
  type UnreadablePolicy,
} from "./effective/unreadable-policies.ts";
export { type CaseGate, NO_CASES } from "./publishing/case-gate.ts";
export { check } from "./publishing/check-context.ts";
export { freeze, requireThawed, unfreeze } from "./publishing/freeze.ts";
export type { InForceTx } from "./publishing/in-force.ts";
export { IN_FORCE_DIGEST_SQL } from "./publishing/in-force-digest.ts";
export { observe } from "./publishing/monitor-mode.ts";
export { monitorRule } from "./publishing/monitor-rule.ts";
export {
  type PermittedHooks,
  permitOwnFile,
  permitPlayground,
  permitPublication,
  requirePermitted,
} from "./publishing/permitted-hooks.ts";
export {
  activePolicyTransaction,
  lockInForce,
  policyTransaction,
  requireThawedTx,
} from "./publishing/policy-transaction.ts";
export { publish, publishByName, requirePublishable } from "./publishing/publish.ts";
export { getRequirements, setRequirements } from "./publishing/requirements.ts";
export { rollBack } from "./publishing/roll-back.ts";
export { RAISE_SEQUENCE_SQL, raiseSequence, raiseSequences } from "./publishing/sequence.ts";
export { endCanary, setCanary } from "./rollout/canary.ts";
export { canaryAgents } from "./rollout/canary-agents.ts";
export { create, remove } from "./service.ts";
export { discardDraft, saveDraft } from "./text/draft.ts";
export { installedPacks, takePack } from "./text/pack-text.ts";
export { readText } from "./text/read-in-worker.ts";
export { rulesOfHook } from "./text/rules-of-hook.ts";
export { readPolicy } from "./text/source.ts";
export { findGateGaps, findIdByName, firstReachOf, get, list, revision } from "./views.ts";
export { bindingChanges };
