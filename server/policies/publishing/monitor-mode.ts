/** Observed policies: they run without effect for a fixed time, after which they are enforced. */
import type { Administrator } from "../../access/actor.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { AppError } from "../../errors/app-error.ts";
import type { Bus } from "../../events/index.ts";
import type { Database } from "../../platform/db.ts";
import { OBSERVE_DAYS_MAX, type Observe } from "../assignments/assignment-schema.ts";
import { type Authority, OWN, permitBinding } from "../binding/gate.ts";
import * as policies from "../repository.ts";
import { activePolicyTransaction } from "./policy-transaction.ts";

const DAY_MS = 86_400_000;

const refusal = (says: string) => new AppError("invalid_input", undefined, { says });

/** Errors: `invalid_input` for a past or too distant end of monitor mode. */
export function requireMonitorEnd(until: Date | null, nowMs = Date.now()): void {
  if (until !== null && until.getTime() <= nowMs) throw refusal("Monitor mode must end in the future.");
  // A minute for the way here and for clocks that differ.
  if (until !== null && until.getTime() > nowMs + OBSERVE_DAYS_MAX * DAY_MS + 60_000)
    throw refusal(`Monitor mode lasts at most ${OBSERVE_DAYS_MAX} days at a time.`);
}

/**
 * Observes the policy until the instant, for all or some of its targets; null enforces it now.
 *
 * Errors: `invalid_input` for a past or too distant instant, and if the policy has no assignment.
 */
export async function observe(
  db: Database,
  bus: Bus,
  actor: Administrator,
  input: Observe,
  authority: Authority = OWN,
): Promise<void> {
  const { workspaceId } = actor;
  const { policyId, until, targets } = input;
  requireMonitorEnd(until);
  await activePolicyTransaction(db, bus, actor, async (tx) => {
    const policy = await policies.findForUpdate(tx, workspaceId, policyId);
    if (!policy) throw new AppError("policy_not_found");
    const chosen = policy.assignments.filter(
      (one) => !targets || targets.some((target) => policies.targetKey(target) === policies.targetKey(one)),
    );
    if (chosen.length === 0 || (targets && chosen.length < targets.length))
      throw refusal("The policy is not assigned there. Assign it first.");
    const ids = chosen.map((one) => one.id);
    const where = targets ? `at ${targets.length} of its targets` : "for all its targets";
    const summary =
      until === null
        ? `Enforces ${policy.name} ${where}.`
        : `Only observes ${policy.name} ${where}, until ${until.toISOString().slice(0, 16).replace("T", " ")} UTC: what it denies will run.`;
    const weakens = until === null ? [] : [policy];
    const change = { kind: "observe", input, summary, weakens, enforces: [policy.live, policy.canary] } as const;
    const bound = await permitBinding(tx, actor, change, authority);
    await policies.updateObserved(bound, workspaceId, ids, until && { observeUntil: until, observeBy: actor.name });
    await recordAudit(tx, actor, {
      kind: "policy_observed",
      version: 1,
      by: actor.name,
      policy: policyId,
      assignments: chosen.map((one) => (one.scope === "workspace" ? one.scope : policies.targetKey(one))),
      until: until?.toISOString() ?? null,
    });
  });
}
