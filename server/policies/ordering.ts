/** Which policy comes first where several are applied to one target. */
import type { Administrator } from "../access/actor.ts";
import { recordAudit } from "../audit/record.ts";
import { AppError } from "../errors/app-error.ts";
import type { Bus } from "../live/service.ts";
import type { Database } from "../platform/db.ts";
import { changingInForce } from "./changing.ts";
import * as policies from "./repository.ts";
import type { AssignmentTarget, OrderedPolicyView, Reorder } from "./schema.ts";

/** Every policy applied to exactly this target, in order. */
export async function order(db: Database, workspaceId: string, target: AssignmentTarget): Promise<OrderedPolicyView[]> {
  const rows = await policies.listAssignmentsOf(db.prisma, workspaceId, target.scope, target.targetId);
  return rows.map(({ policy }) => ({ id: policy.id, name: policy.name, isPublished: policy.latestRevision > 0 }));
}

/** Puts all of a target's policies in this order. Errors: `policy_moved_on` when they are not those applied to it. */
export async function reorder(db: Database, bus: Bus, actor: Administrator, input: Reorder): Promise<void> {
  const { workspaceId } = actor;
  const { scope, targetId, policyIds } = input;
  await changingInForce(db, bus, actor, async (tx) => {
    // Taken in one order, as by everybody who changes assignments.
    for (const id of policyIds.toSorted()) await policies.findForUpdate(tx, workspaceId, id);
    const rows = await policies.listAssignmentsOf(tx, workspaceId, scope, targetId);
    const byPolicy = new Map(rows.map((row) => [row.policyId, row]));
    const wanted = policyIds.flatMap((id) => byPolicy.get(id) ?? []);
    if (new Set(policyIds).size !== rows.length || wanted.length !== rows.length)
      throw new AppError("policy_moved_on", undefined, {
        says: "Other policies are applied here by now. Look at the order again.",
      });
    for (const [position, row] of wanted.entries()) await policies.updatePosition(tx, workspaceId, row.id, position);
    await recordAudit(tx, actor, {
      kind: "policies_ordered",
      version: 1,
      by: actor.name,
      scope,
      target: targetId,
      policies: policyIds,
    });
  });
}
