import type { Administrator } from "../../access/actor.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { AppError } from "../../errors/app-error.ts";
import type { Bus } from "../../events/index.ts";
import type { Database } from "../../platform/db.ts";
import type { RollBack, RolledBackView } from "../assignments/assignment-schema.ts";
import { type Authority, OWN, permitBinding } from "../binding/gate.ts";
import * as policies from "../repository.ts";
import { reachedBy } from "./activate-revision.ts";
import { activePolicyTransaction } from "./policy-transaction.ts";

/**
 * Puts a published revision in force again for every agent that the policy binds, and ends a canary. Adds no revision.
 * Permitted in a freeze with the reason in `duringFreeze`.
 *
 * Errors: `revision_not_found`; `policy_moved_on` if another revision is in force than the person saw;
 * `workspace_frozen`.
 */
export async function rollBack(
  db: Database,
  bus: Bus,
  actor: Administrator,
  input: RollBack,
  authority: Authority = OWN,
): Promise<RolledBackView> {
  const { workspaceId } = actor;
  const { policyId, number, expectedLive, duringFreeze = null } = input;
  return activePolicyTransaction(
    db,
    bus,
    actor,
    async (tx) => {
      const policy = await policies.findForUpdate(tx, workspaceId, policyId);
      if (!policy) throw new AppError("policy_not_found");
      if (policy.liveRevision !== expectedLive) throw new AppError("policy_moved_on", policyId);
      const found = await policies.findRevision(tx, workspaceId, policyId, number);
      if (!found) throw new AppError("revision_not_found");
      const summary = `Puts revision ${number} of ${policy.name} in force for everyone, instead of revision ${policy.liveRevision}.`;
      const change = { kind: "roll_back", input, summary, weakens: [policy], enforces: [found] } as const;
      const bound = await permitBinding(tx, actor, change, authority);
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
      const groups = await policies.listGroups(tx, workspaceId);
      const everyone = await policies.listAgentNames(tx, workspaceId);
      const agents = reachedBy(policy.assignments, groups, everyone).length;
      return { policyId, name: policy.name, number, from: policy.liveRevision, agents };
    },
    { isBrake: duringFreeze !== null },
  );
}
