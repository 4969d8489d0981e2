/** The gate for changes of agents' tags, which change what binds agents through what is applied to the tags. */
import type { Administrator } from "../../access/actor.ts";
import { requireMay } from "../../access/permissions.ts";
import type { Tx } from "../../platform/db.ts";
import type { InForceTx } from "../publishing/in-force.ts";
import { requireThawedTx } from "../publishing/policy-transaction.ts";
import * as policies from "../repository.ts";
import type { BindingTx } from "./binding-tx.ts";
import { type Authority, type BindingChange, permitBinding } from "./gate.ts";

export interface TagsChange extends Pick<BindingChange, "input" | "summary"> {
  /** Tags that agents have from now on, and those that they lose. */
  readonly gained: readonly string[];
  readonly lost: readonly string[];
}

/**
 * The transaction, as one in which tags may change, and true if that changes what is in force. Where no policy is applied to the tags it
 * does not, and neither a freeze nor anybody else is asked. `freeze` is what `lockInForce` answered.
 *
 * Errors: `workspace_frozen`; `forbidden` for who may not publish; as of `permitBinding`.
 */
export async function permitTags(
  tx: Tx,
  freeze: policies.FreezeRow | null,
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
