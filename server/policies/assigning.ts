/** Whom a policy binds. */
import type { Administrator } from "../access/actor.ts";
import { recordAudit } from "../audit/record.ts";
import { AppError } from "../errors/app-error.ts";
import type { Bus } from "../live/service.ts";
import type { Database } from "../platform/db.ts";
import { uuidv7 } from "../platform/ids.ts";
import { changing } from "./changing.ts";
import * as policies from "./repository.ts";
import type { AssignPolicy } from "./schema.ts";

/** Says whom the policy binds from now on. */
export async function assign(db: Database, bus: Bus, actor: Administrator, input: AssignPolicy): Promise<void> {
  const { policyId, scope, agentIds } = input;
  await changing(db, bus, actor, async (tx) => {
    const policy = await policies.findForUpdate(tx, actor.workspaceId, policyId);
    if (!policy) throw new AppError("policy_not_found");
    const known = new Set((await policies.listAgentNames(tx, actor.workspaceId)).map((agent) => agent.id));
    if (scope === "agent" && !agentIds.every((id) => known.has(id))) throw new AppError("agent_not_found");
    const forAll = scope === "workspace" ? [{ id: uuidv7(), scope, targetId: null }] : [];
    const forSome =
      scope === "agent" ? [...new Set(agentIds)].map((targetId) => ({ id: uuidv7(), scope, targetId })) : [];
    await policies.replaceAssignments(tx, actor.workspaceId, policyId, [...forAll, ...forSome]);
    const agents = scope === "agent" ? agentIds : [];
    await recordAudit(tx, actor.workspaceId, {
      kind: "policy_assigned",
      version: 1,
      by: actor.name,
      policy: policyId,
      scope,
      agents,
    });
  });
}
