/** The order of the policies where several are applied to one target. */
import type { Administrator } from "../../access/actor.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { AppError } from "../../errors/app-error.ts";
import type { Bus } from "../../events/index.ts";
import type { Database } from "../../platform/db.ts";
import { type Authority, OWN, permitBinding } from "../binding/gate.ts";
import { activePolicyTransaction } from "../publishing/policy-transaction.ts";
import * as policies from "../repository.ts";
import type { AssignmentTarget, OrderedPolicyView, Reorder } from "./assignment-schema.ts";

/** Every policy applied to exactly this target, in order. */
export async function order(db: Database, workspaceId: string, target: AssignmentTarget): Promise<OrderedPolicyView[]> {
  const rows = await policies.listAssignmentsOf(db.prisma, workspaceId, target);
  return rows.map(({ policy }) => ({ id: policy.id, name: policy.name, isPublished: policy.latestRevision > 0 }));
}

/** Puts all of a target's policies in this order. Errors: `policy_moved_on` when they are not those applied to it. */
export async function reorder(
  db: Database,
  bus: Bus,
  actor: Administrator,
  input: Reorder,
  authority: Authority = OWN,
): Promise<void> {
  const { workspaceId } = actor;
  const { scope, targetId, tag = null, policyIds } = input;
  await activePolicyTransaction(db, bus, actor, async (tx) => {
    // Locked in id order, as in every other change of assignments, to avoid deadlocks.
    const locked = new Map<string, policies.PolicyRow>();
    for (const id of policyIds.toSorted()) {
      const policy = await policies.findForUpdate(tx, workspaceId, id);
      if (policy) locked.set(id, policy);
    }
    const rows = await policies.listAssignmentsOf(tx, workspaceId, input);
    const byPolicy = new Map(rows.map((row) => [row.policyId, row]));
    const wanted = policyIds.flatMap((id) => byPolicy.get(id) ?? []);
    if (new Set(policyIds).size !== rows.length || wanted.length !== rows.length)
      throw new AppError("policy_moved_on", undefined, {
        says: "Other policies were assigned in the meantime. Check the order again.",
      });
    const moved = listReorderedPolicies(
      rows.map((row) => row.policyId),
      policyIds,
    ).flatMap((id) => locked.get(id) ?? []);
    const summary = `Changes the order of policies: ${wanted.map(({ policy }) => policy.name).join(", ")}.`;
    const enforces = moved.flatMap(({ live, canary }) => [live, canary]);
    const change = { kind: "reorder", input, summary, weakens: moved, enforces } as const;
    const bound = await permitBinding(tx, actor, change, authority);
    for (const [position, row] of wanted.entries()) await policies.updatePosition(bound, workspaceId, row.id, position);
    await recordAudit(tx, actor, {
      kind: "policies_ordered",
      version: 1,
      by: actor.name,
      scope,
      target: tag ?? targetId,
      policies: policyIds,
    });
  });
}

/** Those of `before` that some other one overtakes, or is overtaken by. */
export function listReorderedPolicies(before: readonly string[], after: readonly string[]): string[] {
  const now = new Map(after.map((id, at) => [id, at]));
  const at = (id: string) => now.get(id) ?? 0;
  return before.filter((id, was) => before.some((other, its) => its !== was && its < was !== at(other) < at(id)));
}
