/** Renames, retires, restores and removes agents. Past records keep the name of their time. */
import type { Administrator } from "../access/actor.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { AppError } from "../errors/app-error.ts";
import type { Bus } from "../events/index.ts";
import { isAgentHalted } from "../halts/index.ts";
import type { Database, Tx } from "../platform/db.ts";
import { lockInForce, requireThawedTx } from "../policies/index.ts";
import { changingKeys } from "./keys.ts";
import { recordRegrouped, regroupByName } from "./regroup.ts";
import * as agents from "./repository.ts";
import type { AgentById, RenameAgent } from "./schema.ts";

/** An agent that changes its groups is bound by other policies. */
const GROUPS_CHANGE = ["policies", "rules"] as const;

/**
 * Renames an agent, which may change its groups. Errors: `agent_not_found`, `name_taken`, `agent_in_use` for a demo
 * agent; `workspace_frozen` and `review_required` when its groups would change.
 */
export async function rename(db: Database, bus: Bus, actor: Administrator, input: RenameAgent): Promise<void> {
  const { agentId, name } = input;
  const work = async (tx: Tx) => {
    const freeze = await lockInForce(tx, actor.workspaceId);
    const agent = await requireOwn(tx, actor, agentId);
    if (agent.name === name) return;
    const about = { by: actor.name, agent: agentId, from: agent.name, to: name };
    await agents.updateName(tx, actor.workspaceId, agentId, name);
    const moved = await regroupByName(tx, actor, { id: agentId, name }, () => requireThawedTx(tx, freeze));
    await recordAudit(tx, actor, { kind: "agent_renamed", version: 1, ...about });
    await recordRegrouped(tx, actor, agentId, moved);
  };
  await changingKeys(db, bus, actor, work, GROUPS_CHANGE).catch((error: unknown) => {
    if (!isDuplicate(error)) throw error;
    throw new AppError("name_taken", name, { says: `There is already an agent named "${name}".` });
  });
}

/**
 * Retires an agent: its keys stop working on every node. Errors: `agent_not_found`, `agent_retired`, `agent_in_use`.
 */
export async function retire(db: Database, bus: Bus, actor: Administrator, { agentId }: AgentById): Promise<void> {
  await changingKeys(db, bus, actor, async (tx) => {
    const { name, retiredAt } = await requireOwn(tx, actor, agentId);
    if (retiredAt) throw new AppError("agent_retired", agentId, { says: `${name} is already retired.` });
    await agents.updateRetired(tx, actor.workspaceId, agentId, new Date());
    await recordAudit(tx, actor, { kind: "agent_retired", version: 1, by: actor.name, agent: agentId, name });
  });
}

/**
 * Restores an agent: its unrevoked keys work again, and it joins the groups whose pattern matches its name. Errors:
 * `agent_not_found`; `workspace_frozen` and `review_required` when its groups would change.
 */
export async function restore(db: Database, bus: Bus, actor: Administrator, { agentId }: AgentById): Promise<void> {
  const work = async (tx: Tx) => {
    const freeze = await lockInForce(tx, actor.workspaceId);
    const { name, retiredAt } = await requireOwn(tx, actor, agentId);
    if (!retiredAt) return;
    await agents.updateRetired(tx, actor.workspaceId, agentId, null);
    const moved = await regroupByName(tx, actor, { id: agentId, name }, () => requireThawedTx(tx, freeze));
    await recordAudit(tx, actor, { kind: "agent_restored", version: 1, by: actor.name, agent: agentId, name });
    await recordRegrouped(tx, actor, agentId, moved);
  };
  await changingKeys(db, bus, actor, work, GROUPS_CHANGE);
}

/**
 * Removes a retired agent with its keys and memberships. Its decisions, costs and audit entries stay.
 *
 * Errors: `agent_not_found`; `agent_in_use` while it is not retired, or a policy, a budget, an alert or a halt in force names it;
 * `review_required` while a policy with four eyes binds it by a tag, or by a group that is a list.
 */
export async function remove(db: Database, bus: Bus, actor: Administrator, { agentId }: AgentById): Promise<void> {
  const { workspaceId } = actor;
  await changingKeys(db, bus, actor, async (tx) => {
    // Otherwise a group whose members are being set could name the agent after its removal.
    await lockInForce(tx, workspaceId);
    const { name, retiredAt, tags } = await requireOwn(tx, actor, agentId);
    if (!retiredAt)
      throw new AppError("agent_in_use", agentId, { says: `Retire ${name} first. Its keys are still valid.` });
    const uses = await agents.listUses(tx, workspaceId, agentId);
    if (uses.length > 0)
      throw new AppError("agent_in_use", agentId, {
        says: `${name} is used by ${uses.slice(0, NAMED_MAX).join(", ")}${uses.length > NAMED_MAX ? " and others" : ""}. Remove it there first.`,
      });
    await agents.lockGroupsOf(tx, workspaceId, agentId);
    if (await isAgentHalted(tx, workspaceId, agentId))
      throw new AppError("agent_in_use", agentId, {
        says: `${name} is halted. Resume it first. Another agent with this name would not be halted.`,
      });
    const guards = await agents.listFourEyesPolicies(tx, workspaceId, { agentId, tags });
    if (guards.length > 0)
      throw new AppError("review_required", agentId, {
        says: `${name} is under ${guards.slice(0, NAMED_MAX).join(", ")} by its tags or groups, with four eyes. If it joined again without them, it would leave the policy. Ask a second person to remove it from them first.`,
      });
    await agents.remove(tx, workspaceId, agentId);
    await recordAudit(tx, actor, { kind: "agent_removed", version: 1, by: actor.name, agent: agentId, name });
  });
}

const NAMED_MAX = 5;

/** Returns the agent, locked. Demo agents are found by their names and removed only with the demo. */
async function requireOwn(tx: Tx, { workspaceId }: Administrator, agentId: string) {
  const agent = await agents.findForUpdate(tx, workspaceId, agentId);
  if (!agent) throw new AppError("agent_not_found", agentId);
  if (agent.isDemo)
    throw new AppError("agent_in_use", agentId, {
      says: `${agent.name} is demo data. Remove the demo data to remove this agent.`,
    });
  return agent;
}

/** True for the database's error for a duplicate name. */
function isDuplicate(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "P2002";
}
