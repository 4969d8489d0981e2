/** Withdraws a canary that passed a limit: its agents return to the revision in force for the others. */
import { recordAudit } from "../../audit/record-audit.ts";
import type { Bus } from "../../events/index.ts";
import type { Database } from "../../platform/db.ts";
import { permitWithdrawal } from "../binding/gate.ts";
import { findFreezeForShare } from "../publishing/active-freeze.ts";
import { frozenSentence, policyTransaction } from "../publishing/policy-transaction.ts";
import { raiseSequence } from "../publishing/sequence.ts";
import * as policies from "../repository.ts";
import type { CanaryWithdrawal } from "./limits-schema.ts";
import * as watched from "./watched-repository.ts";

/**
 * Withdraws the canary that began at `since`, and records it. Also in a freeze, like every withdrawal. Returns false if
 * the canary has changed or ended in between.
 */
export function withdrawCanary(
  db: Database,
  bus: Bus,
  { workspaceId, id, since }: { readonly workspaceId: string; readonly id: string; readonly since: Date },
  withdrawal: CanaryWithdrawal,
): Promise<boolean> {
  return policyTransaction(db, bus, { workspaceId }, async (tx) => {
    const freeze = await findFreezeForShare(tx, workspaceId);
    const policy = await policies.findForUpdate(tx, workspaceId, id);
    const isSame = policy?.canarySince?.getTime() === since.getTime() && policy.canaryLimits !== null;
    if (!policy || !isSame || policy.canaryRevision !== withdrawal.revision) return false;
    await policies.updateCanary(permitWithdrawal(tx), workspaceId, id, null);
    await watched.updateWithdrawal(tx, workspaceId, id, JSON.stringify(withdrawal));
    const { comparison, limits, calls } = withdrawal;
    await recordAudit(tx, workspaceId, {
      ...{ kind: "policy_canary_withdrawn", version: 1, policy: id, revision: withdrawal.revision },
      ...{ live: policy.liveRevision, limits, passed: comparison.passed ?? "denied" },
      ...{ inside: comparison.inside, others: comparison.others, from: comparison.from.toISOString() },
      calls: calls.map((call) => call.id),
      duringFreeze: freeze === null ? null : frozenSentence(freeze),
    });
    await raiseSequence(tx, workspaceId);
    return true;
  });
}
