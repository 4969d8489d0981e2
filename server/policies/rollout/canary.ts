/** A canary: a revision that some agents get before the others; its agents, and its end. */
import type { Administrator } from "../../access/actor.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { AppError } from "../../errors/app-error.ts";
import type { Bus } from "../../events/index.ts";
import type { Database } from "../../platform/db.ts";
import type { EndCanary, SetCanary } from "../assignments/assignment-schema.ts";
import { type InForceOptions, OWN, permitBinding } from "../binding/gate.ts";
import { beginCanary } from "../publishing/activate-revision.ts";
import { recordOverride, requireRevisionOverridden } from "../publishing/blocking-gate.ts";
import { activePolicyTransaction } from "../publishing/policy-transaction.ts";
import { runRequiredCases } from "../publishing/requirement-gate.ts";
import * as policies from "../repository.ts";

/**
 * Begins a canary with a published revision, or changes whom it reaches. A larger share only adds agents.
 *
 * Errors: `revision_not_found`, `group_not_found`, `invalid_input` for the revision that is live and where none of
 * the policy's agents would be inside, `policy_moved_on`, `policy_blocked` for findings that block the revision, `requirements_unmet`.
 */
export async function setCanary(
  db: Database,
  bus: Bus,
  actor: Administrator,
  input: SetCanary,
  { authority = OWN, findPrograms, failing: runCases }: InForceOptions = {},
): Promise<void> {
  const { workspaceId } = actor;
  const { policyId, revision, share, groupId, limits, expectedCanary, override } = input;
  const blocked = await requireRevisionOverridden(db, actor, { policyId, number: revision, override }, findPrograms);
  const failing = await runRequiredCases(db, actor, runCases, { policyId, number: revision });
  await activePolicyTransaction(db, bus, actor, async (tx) => {
    const policy = await policies.findForUpdate(tx, workspaceId, policyId);
    if (!policy) throw new AppError("policy_not_found");
    if (policy.canaryRevision !== expectedCanary) throw new AppError("policy_moved_on", policyId);
    const found = await policies.findRevision(tx, workspaceId, policyId, revision);
    if (!found) throw new AppError("revision_not_found");
    if (revision === policy.liveRevision)
      throw new AppError("invalid_input", undefined, {
        says: `Revision ${revision} is already in force for all agents.`,
      });
    const whom = `${share} % of the agents${groupId === null ? "" : " and a group"}`;
    const summary = `Gives revision ${revision} of ${policy.name} to ${whom}, as a canary${limits ? " that withdraws itself when it passes its limits" : ""}.`;
    const change = { kind: "set_canary", input, summary, weakens: [policy], enforces: [found], failing } as const;
    const bound = await permitBinding(tx, actor, change, authority);
    await recordOverride(bound, actor, { policyId, name: policy.name, number: revision }, blocked, override);
    await beginCanary(bound, actor, { ...policy, bindsAll: false }, { revision, share, groupId, limits });
  });
}

/**
 * Ends the canary: its revision is promoted to every agent or abandoned. Abandoning is permitted in a freeze with the
 * reason in `duringFreeze`; promoting never is.
 *
 * Errors: `requirements_unmet`, and `policy_blocked` for findings that block a promoted revision; `policy_moved_on` if that canary does not exist (any more); `workspace_frozen`.
 */
export async function endCanary(
  db: Database,
  bus: Bus,
  actor: Administrator,
  input: EndCanary,
  { authority = OWN, findPrograms, failing: runCases }: InForceOptions = {},
): Promise<void> {
  const { workspaceId } = actor;
  const { policyId, revision, outcome } = input;
  const override = input.outcome === "promoted" ? input.override : undefined;
  const promoted = { policyId, number: revision, override };
  const blocked = outcome === "promoted" ? await requireRevisionOverridden(db, actor, promoted, findPrograms) : [];
  const duringFreeze = input.outcome === "abandoned" ? (input.duringFreeze ?? null) : null;
  const isPromoted = outcome === "promoted";
  const failing = isPromoted ? await runRequiredCases(db, actor, runCases, { policyId, number: revision }) : [];
  await activePolicyTransaction(
    db,
    bus,
    actor,
    async (tx) => {
      const policy = await policies.findForUpdate(tx, workspaceId, policyId);
      if (!policy) throw new AppError("policy_not_found");
      if (policy.canaryRevision !== revision) throw new AppError("policy_moved_on", policyId);
      const summary = isPromoted
        ? `Puts revision ${revision} of ${policy.name} in force for everyone and ends its canary.`
        : `Takes revision ${revision} of ${policy.name} back from its canary; revision ${policy.liveRevision} is in force for everyone.`;
      // Abandoning a canary gives no agent a revision that is not in force for the others.
      const enforces = isPromoted ? [policy.canary] : [];
      const change = { kind: "end_canary", input, summary, weakens: [policy], enforces, failing } as const;
      const bound = await permitBinding(tx, actor, change, authority);
      await recordOverride(bound, actor, { policyId, name: policy.name, number: revision }, blocked, override);
      if (isPromoted) await policies.updateLive(bound, workspaceId, policyId, revision);
      else await policies.updateCanary(bound, workspaceId, policyId, null);
      await recordAudit(tx, actor, {
        kind: "policy_canary_ended",
        version: 1,
        by: actor.name,
        policy: policyId,
        revision,
        outcome,
        duringFreeze,
      });
    },
    { isBrake: duringFreeze !== null },
  );
}
