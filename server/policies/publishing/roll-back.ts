import type { Administrator } from "../../access/actor.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { AppError } from "../../errors/app-error.ts";
import type { Bus } from "../../events/index.ts";
import type { Database, Tx } from "../../platform/db.ts";
import type { RollBack, RolledBackView } from "../assignments/assignment-schema.ts";
import { type InForceOptions, OWN, permitBinding } from "../binding/gate.ts";
import * as policies from "../repository.ts";
import { reachedBy } from "./activate-revision.ts";
import { recordOverride, requireRevisionOverridden } from "./blocking-gate.ts";
import { activePolicyTransaction } from "./policy-transaction.ts";
import { runRequiredCases } from "./requirement-gate.ts";
import { recordUndo, refused, requireRestored, requireUndoable, type UndoneAct } from "./undo.ts";
import { findNewestEntry } from "./undo-repository.ts";

/**
 * Puts a published revision in force again for every agent that the policy binds, and ends a canary. Adds no revision.
 * Permitted in a freeze with the reason in `duringFreeze`.
 *
 * Errors: `revision_not_found`; `policy_blocked` for findings that block the revision, unless `override` covers them; `policy_moved_on` if another revision is in force than the person saw, or if the change
 * that it undoes is not the latest one; `workspace_frozen`; `requirements_unmet`.
 */
export async function rollBack(
  db: Database,
  bus: Bus,
  actor: Administrator,
  input: RollBack,
  { authority = OWN, findPrograms, failing: runCases }: InForceOptions = {},
): Promise<RolledBackView> {
  const { workspaceId } = actor;
  const { policyId, number, expectedLive, duringFreeze = null, undoes, override } = input;
  // An undo restores exactly the state before, so it asks nothing that was not asked then.
  const blocked = undoes === undefined ? await requireRevisionOverridden(db, actor, input, findPrograms) : [];
  const failing = await runRequiredCases(db, actor, runCases, { policyId, number });
  return activePolicyTransaction(
    db,
    bus,
    actor,
    async (tx) => {
      const policy = await policies.findForUpdate(tx, workspaceId, policyId);
      if (!policy) throw new AppError("policy_not_found");
      const act = undoes === undefined ? null : await requireUndoneBy(tx, workspaceId, { ...input, undoes });
      if (policy.liveRevision !== expectedLive) throw new AppError("policy_moved_on", policyId);
      const found = number === 0 ? null : await policies.findRevision(tx, workspaceId, policyId, number);
      if (!found && (number > 0 || act === null)) throw new AppError("revision_not_found");
      const summary =
        number === 0
          ? `Takes revision ${policy.liveRevision} of ${policy.name} out of force: nothing of it is in force then.`
          : `Puts revision ${number} of ${policy.name} in force for everyone, instead of revision ${policy.liveRevision}.`;
      const change = { kind: "roll_back", input, summary, weakens: [policy], enforces: [found], failing } as const;
      const bound = await permitBinding(tx, actor, change, authority);
      await recordOverride(bound, actor, { policyId, name: policy.name, number }, blocked, override);
      await policies.updateLive(bound, workspaceId, policyId, number);
      await recordAudit(tx, actor, {
        kind: "policy_rolled_back",
        version: 1,
        by: actor.name,
        policy: policyId,
        from: policy.liveRevision,
        to: number,
        duringFreeze,
      });
      const entry = await findNewestEntry(tx, workspaceId);
      if (act) await recordUndo(tx, actor, policyId, act);
      const groups = await policies.listGroups(tx, workspaceId);
      const everyone = await policies.listAgentNames(tx, workspaceId);
      const agents = reachedBy(policy.assignments, groups, everyone).length;
      return { policyId, name: policy.name, number, from: policy.liveRevision, agents, entry };
    },
    { isBrake: duringFreeze !== null },
  );
}

/** The publication or the roll back that this one undoes exactly. */
async function requireUndoneBy(
  tx: Tx,
  workspaceId: string,
  { policyId, number, expectedLive, undoes }: RollBack & { readonly undoes: number },
): Promise<UndoneAct> {
  const kinds = ["policy_published", "policy_rolled_back"] as const;
  const act = await requireUndoable(tx, workspaceId, { policyId, seq: undoes, kinds });
  if (act.body.kind === "policy_published") {
    if (act.body.revision !== expectedLive) throw refused("another revision is in force");
    requireRestored(act, "live", number);
    requireRestored(act, "canary", null);
  } else if (act.body.to !== expectedLive || act.body.from !== number)
    throw refused("it would not restore the state before");
  return act;
}
