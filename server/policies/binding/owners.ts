/** The gate for changes of agents' owners, which change what binds agents through the policies assigned to people. */
import type { Administrator } from "../../access/actor.ts";
import { requireMay } from "../../access/permissions.ts";
import type { Tx } from "../../platform/db.ts";
import * as audiences from "../assignments/audience-repository.ts";
import { isEnforcedAt } from "../assignments/resolve-assignments.ts";
import type { ActiveFreeze } from "../publishing/active-freeze.ts";
import type { InForceTx } from "../publishing/in-force.ts";
import { requireThawedTx } from "../publishing/policy-transaction.ts";
import * as policies from "../repository.ts";
import type { BindingTx } from "./binding-tx.ts";
import { type Authority, type BindingChange, permitBinding } from "./gate.ts";

/** A principal, and whether it took the agent while signed in. */
export interface OwnerBefore {
  readonly principalId: string;
  readonly isProven: boolean;
}

export interface OwnerChange extends Pick<BindingChange, "input" | "summary"> {
  /** Null without an owner. */
  readonly before: OwnerBefore | null;
  readonly after: OwnerBefore | null;
}

/**
 * Permits another owner, and returns true if the change affects what is in force. An agent that gains policies needs no
 * permission beyond its own: who assigned them to the person decided that. One that loses policies, or whose owner
 * becomes proven, so that their approval of calls begins to count, needs the same as an assignment. `freeze` is the
 * result of `lockInForce`.
 *
 * Errors: `workspace_frozen`; `forbidden` without the permission to publish; those of `permitBinding`.
 */
export async function permitOwner(
  tx: Tx,
  freeze: ActiveFreeze | null,
  actor: Administrator,
  { before, after, ...change }: OwnerChange,
  authority: Authority,
): Promise<boolean> {
  const { had, has, weakens } = await comparePolicies(tx, actor.workspaceId, { before, after });
  if (weakens.length > 0) {
    requireMay(actor, "policy:publish");
    await permitBinding(
      requireThawedTx(tx, freeze),
      actor,
      { ...change, kind: "set_agent_owner", weakens, enforces: [] },
      authority,
    );
  } else if (authority.kind !== "own") {
    // Holds: nothing that is in force is weakened, so the gate grants or says that it was asked in vain.
    await permitBinding(
      tx as InForceTx,
      actor,
      { ...change, kind: "set_agent_owner", weakens, enforces: [] },
      authority,
    );
  }
  return had.length + has.length > 0;
}

/** True if another owner would take policies from the agent, or become proven under one. */
export async function weakensPolicies(
  tx: Tx,
  workspaceId: string,
  owners: Pick<OwnerChange, "before" | "after">,
): Promise<boolean> {
  return (await comparePolicies(tx, workspaceId, owners)).weakens.length > 0;
}

/** The policies of both owners, and those that the change weakens. */
async function comparePolicies(tx: Tx, workspaceId: string, { before, after }: Pick<OwnerChange, "before" | "after">) {
  const policiesOf = async (owner: OwnerBefore | null) =>
    owner === null
      ? []
      : policies.listOfTargets(tx, workspaceId, await audiences.listTargetsOf(tx, workspaceId, owner.principalId));
  const [had, has] = [await policiesOf(before), await policiesOf(after)];
  const kept = new Set(has.map(({ id }) => id));
  const becomesProven = after?.isProven === true && before?.isProven === false;
  return { had, has, weakens: had.filter(({ id }) => !kept.has(id) || becomesProven) };
}

/**
 * Moves the assignments of one person to another, who they turned out to be; a policy that both have is enforced if it
 * was for one of them. Every agent of the two keeps its policies and gets those of the other. The caller raises the
 * sequence.
 */
export async function mergeAssignments(
  tx: Tx,
  workspaceId: string,
  { from, into }: { readonly from: string; readonly into: string },
): Promise<void> {
  // Holds: the merge takes no policy from an agent, and the caller holds the lock of what is in force.
  const bound = tx as BindingTx;
  const target = { scope: "person", targetId: into, tag: null };
  const had = await policies.listAssignments(tx, workspaceId, { ...target, targetId: from });
  const kept = new Map((await policies.listAssignments(tx, workspaceId, target)).map((one) => [one.policyId, one]));
  const nowMs = Date.now();
  const isObserved = (one: policies.AssignmentRow) => !isEnforcedAt(one, nowMs);
  const enforced = had.filter((one) => !isObserved(one)).flatMap(({ policyId }) => kept.get(policyId) ?? []);
  await policies.updateObserved(
    bound,
    workspaceId,
    enforced.filter(isObserved).map(({ id }) => id),
    null,
  );
  await policies.removeAssignments(
    bound,
    workspaceId,
    had.map(({ id }) => id),
  );
  const moved = had.filter(({ policyId }) => !kept.has(policyId));
  const last = (await policies.listLastPositions(tx, workspaceId)).get(policies.targetKey(target)) ?? -1;
  await policies.insertAssignments(
    bound,
    workspaceId,
    moved.map((one, at) => ({ ...one, targetId: into, position: last + 1 + at })),
  );
}
