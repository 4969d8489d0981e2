/** The gate for changes of agents' tags, which change what binds agents through the policies assigned to the tags. */
import type { Administrator } from "../../access/actor.ts";
import { requireMay } from "../../access/permissions.ts";
import type { Tx } from "../../platform/db.ts";
import type { ActiveFreeze } from "../publishing/active-freeze.ts";
import type { InForceTx } from "../publishing/in-force.ts";
import { requireThawedTx } from "../publishing/policy-transaction.ts";
import * as policies from "../repository.ts";
import type { BindingTx } from "./binding-tx.ts";
import { type Authority, type BindingChange, permitBinding } from "./gate.ts";

export interface TagsChange extends Pick<BindingChange, "input" | "summary"> {
  /** Tags that agents gain; `lost` are those that they lose. */
  readonly gained: readonly string[];
  readonly lost: readonly string[];
}

/**
 * The transaction with permission to change tags, and true if the change affects what is in force. Without a policy
 * assigned to the tags it affects nothing, and needs neither an unfrozen workspace nor a second person. `freeze` is the
 * result of `lockInForce`.
 *
 * Errors: `workspace_frozen`; `forbidden` without the permission to publish; those of `permitBinding`.
 */
export async function permitTags(
  tx: Tx,
  freeze: ActiveFreeze | null,
  actor: Administrator,
  { gained, lost, ...change }: TagsChange,
  authority: Authority,
): Promise<{ readonly bound: BindingTx; readonly isInForce: boolean }> {
  const policiesOf = (tags: readonly string[]) =>
    tags.length === 0 ? Promise.resolve([]) : policies.listOfTags(tx, actor.workspaceId, tags);
  const joined = await policiesOf(gained);
  const weakens = await policiesOf(lost);
  const isInForce = joined.length + weakens.length > 0;
  if (isInForce) requireMay(actor, "policy:publish");
  // Holds: where no policy is applied to the tags, nothing that is in force changes.
  const changing = isInForce ? requireThawedTx(tx, freeze) : (tx as InForceTx);
  const enforces = joined.flatMap(({ live, canary }) => [live, canary]);
  const whole = { ...change, kind: "set_agent_tags", weakens, enforces } as const;
  return { bound: await permitBinding(changing, actor, whole, authority), isInForce };
}
