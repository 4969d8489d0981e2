/** The gate for changes of groups, which change what binds agents through the policies assigned to the groups. */
import type { Administrator } from "../../access/actor.ts";
import type { InForceTx } from "../publishing/in-force.ts";
import * as policies from "../repository.ts";
import type { BindingTx } from "./binding-tx.ts";
import { type Authority, type BindingChange, permitBinding } from "./gate.ts";

export interface GroupsChange extends Pick<BindingChange, "kind" | "input" | "summary"> {
  readonly groupIds: readonly string[];
  /** True if agents leave, so that the group's policies bind fewer agents. */
  readonly losesAgents: boolean;
  /** True if agents join, so that the group's policies bind more agents. */
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
  // An agent that joins or leaves a canary's group changes its revision.
  const weakens = used.filter(
    ({ canaryGroupId }) => losesAgents || (changes && groupIds.includes(canaryGroupId ?? "")),
  );
  const enforces = gainsAgents ? used.flatMap(({ live, canary }) => [live, canary]) : [];
  return permitBinding(tx, actor, { ...change, weakens, enforces }, authority);
}
