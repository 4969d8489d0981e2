import type { Administrator } from "../access/actor.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { AppError } from "../errors/app-error.ts";
import type { Bus } from "../events/service.ts";
import type { Database } from "../platform/db.ts";
import { uuidv7 } from "../platform/ids.ts";
import { type Authority, OWN, permitBinding } from "./binding/gate.ts";
import * as bindingChanges from "./binding/repository.ts";
import { insertPolicy } from "./insert-policy.ts";
import { type PackText, rememberPack } from "./pack-text.ts";
import { activePolicyTransaction, policyTransaction } from "./policy-transaction.ts";
import * as policies from "./repository.ts";
import type { CreatePolicy } from "./schema.ts";

export { policyView } from "./agent-policy-response.ts";
export { assign } from "./assignments.ts";
export type { BindingTx } from "./binding/binding-tx.ts";
export { type Authority, type BindingKind, ChangeAsked, OWN, permitNewAgent } from "./binding/gate.ts";
export { permitGroups } from "./binding/groups.ts";
export { permitTags } from "./binding/tags.ts";
export { boundAgents } from "./bound-agents.ts";
export { boundClients } from "./bound-clients.ts";
export { endCanary, setCanary } from "./canary.ts";
export { canaryAgents } from "./canary-agents.ts";
export { canaryFigures } from "./canary-figures.ts";
export { type CaseGate, type FailingCase, NO_CASES } from "./case-gate.ts";
export { check, checkContext } from "./check-context.ts";
export {
  CLIENT_VERSION_HEADER,
  type ClientSign,
  type ClientSigns,
  createClientSigns,
} from "./client-signs.ts";
export { discardDraft, saveDraft } from "./draft.ts";
export { type EffectiveMember, type EffectiveSet, effectiveSet, effectiveSets } from "./effective.ts";
export { explainAgent } from "./explain-agent.ts";
export { exportAgent, exportBundle } from "./exports.ts";
export { freeze, frozen, requireThawed, unfreeze } from "./freeze.ts";
export { type HookInForce, hooksInForce } from "./hooks-in-force.ts";
export type { InForceTx } from "./in-force.ts";
export { observe } from "./monitor-mode.ts";
export { installedPacks, type PackText, type TakenPack, takePack } from "./pack-text.ts";
export {
  type PermittedHooks,
  type PermittedText,
  permitOwnFile,
  permitPlayground,
  permitPublication,
  requirePermitted,
} from "./permitted-hooks.ts";
export { createPlans, type EffectivePlan, type ObservedPlan, type Plans } from "./plans.ts";
export { createPlaygroundExecutor, type PlaygroundExecutor } from "./playground-executor.ts";
export { activePolicyTransaction, lockInForce, policyTransaction, requireThawedTx } from "./policy-transaction.ts";
export { listReorderedPolicies, order, reorder } from "./priority.ts";
export { publish, publishByName, requirePublishable } from "./publish.ts";
export { previewClientImport, previewImport, readText } from "./read-in-worker.ts";
export { listRecentCalls } from "./recent-calls.ts";
export { rollBack } from "./roll-back.ts";
export { RAISE_SEQUENCE_SQL, raiseSequence, raiseSequences } from "./sequence.ts";
export { readPolicy } from "./source.ts";
export { listTightenedPolicies } from "./tightened-policies.ts";
export { describeUnheldPolicies, listUnheldPolicies, type RecentCalls } from "./unheld-agents.ts";
export { listUnreadableAssignments, listUnreadablePolicies, type UnreadablePolicy } from "./unreadable-policies.ts";
export { exportByName, findGateGaps, get, list, revision, revisions } from "./views.ts";

/** A new policy with a draft and nothing in force. */
export async function create(
  db: Database,
  bus: Bus,
  actor: Administrator,
  input: CreatePolicy,
  isDemo = false,
  pack: PackText | null = null,
): Promise<{ policyId: string }> {
  const policyId = uuidv7();
  await policyTransaction(db, bus, actor, async (tx) => {
    await insertPolicy(tx, actor, policyId, input, isDemo);
    if (pack) await rememberPack(tx, actor, policyId, pack);
  });
  return { policyId };
}

/** Deletes a policy with its revisions. Agents it bound are free of it at once. */
export async function remove(
  db: Database,
  bus: Bus,
  actor: Administrator,
  policyId: string,
  authority: Authority = OWN,
): Promise<void> {
  await activePolicyTransaction(db, bus, actor, async (tx) => {
    const policy = await policies.findForUpdate(tx, actor.workspaceId, policyId);
    if (!policy) throw new AppError("policy_not_found");
    const summary = `Deletes ${policy.name} with its revisions.`;
    const change = { kind: "remove", input: { policyId }, summary, weakens: [policy], enforces: [] } as const;
    const bound = await permitBinding(tx, actor, change, authority);
    await policies.remove(bound, actor.workspaceId, policyId);
    await recordAudit(tx, actor, {
      kind: "policy_deleted",
      version: 1,
      by: actor.name,
      policy: policyId,
      name: policy.name,
    });
  });
}
export { bindingChanges };
