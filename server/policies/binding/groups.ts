/** The gate for changes of groups, which change what binds agents through what is applied to the groups. */
import type { Administrator } from "../../access/actor.ts";
import type { InForceTx } from "../publishing/in-force.ts";
import * as policies from "../repository.ts";
import type { BindingTx } from "./binding-tx.ts";
import { type Authority, type BindingChange, permitBinding } from "./gate.ts";

export interface GroupsChange extends Pick<BindingChange, "kind" | "input" | "summary"> {
  readonly groupIds: readonly string[];
  /** Agents leave: what is applied to the group binds fewer. */
  readonly losesAgents: boolean;
  /** Agents join: what is applied to the group is in force for more. */
  readonly gainsAgents: boolean;
}

/** Errors: as of `permitBinding`. */
export async function permitGroups(
  tx: InForceTx,
  actor: Administrator,
  { groupIds, losesAgents, gainsAgents, ...change }: GroupsChange,
  authority: Authority,
): Promise<BindingTx> {
  const used = groupIds.length === 0 ? [] : await policies.listOfGroups(tx, actor.workspaceId, groupIds);
  const changes = losesAgents || gainsAgents;
  // An agent that comes into a canary's group has another revision from then on, and one that leaves it too.
  const weakens = used.filter(
    ({ canaryGroupId }) => losesAgents || (changes && groupIds.includes(canaryGroupId ?? "")),
  );
  const enforces = gainsAgents ? used.flatMap(({ live, canary }) => [live, canary]) : [];
  return permitBinding(tx, actor, { ...change, weakens, enforces }, authority);
}
