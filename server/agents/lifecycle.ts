/** Agents get another name, retire, come back and are removed. What they did keeps the name that they had then. */
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
 * A new name, which may put it into other groups. Errors: `agent_not_found`, `name_taken`, `agent_in_use` for an agent of the demo;
 * `workspace_frozen` and `review_required` when its groups would change.
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

/** From now on its keys open nothing, on every node. Errors: `agent_not_found`, `agent_retired`, `agent_in_use`. */
export async function retire(db: Database, bus: Bus, actor: Administrator, { agentId }: AgentById): Promise<void> {
  await changingKeys(db, bus, actor, async (tx) => {
    const { name, retiredAt } = await requireOwn(tx, actor, agentId);
    if (retiredAt) throw new AppError("agent_retired", agentId, { says: `${name} is retired already.` });
    await agents.updateRetired(tx, actor.workspaceId, agentId, new Date());
    await recordAudit(tx, actor, { kind: "agent_retired", version: 1, by: actor.name, agent: agentId, name });
  });
}

/**
 * Its keys open again, those that were not revoked meanwhile, and it is in the groups that its name is for. Errors: `agent_not_found`;
 * `workspace_frozen` and `review_required` when its groups would change.
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
    // A group whose members are being set would name it after it is gone.
    await lockInForce(tx, workspaceId);
    const { name, retiredAt, tags } = await requireOwn(tx, actor, agentId);
    if (!retiredAt) throw new AppError("agent_in_use", agentId, { says: `Retire ${name} first: its keys still open.` });
    const uses = await agents.listUses(tx, workspaceId, agentId);
    if (uses.length > 0)
      throw new AppError("agent_in_use", agentId, {
        says: `${name} is named by ${uses.slice(0, NAMED_MAX).join(", ")}${uses.length > NAMED_MAX ? " and others" : ""}. Take it off there first.`,
      });
    await agents.lockGroupsOf(tx, workspaceId, agentId);
    if (await isAgentHalted(tx, workspaceId, agentId))
      throw new AppError("agent_in_use", agentId, {
        says: `${name} is halted. Resume it first: another agent of this name would not be halted.`,
      });
    const guards = await agents.listFourEyesPolicies(tx, workspaceId, { agentId, tags });
    if (guards.length > 0)
      throw new AppError("review_required", agentId, {
        says: `${name} is under ${guards.slice(0, NAMED_MAX).join(", ")} by its tags or groups, with four eyes: joined anew without them, it would leave the policy. Ask a second person to take it out of them, then remove it.`,
      });
    await agents.remove(tx, workspaceId, agentId);
    await recordAudit(tx, actor, { kind: "agent_removed", version: 1, by: actor.name, agent: agentId, name });
  });
}

const NAMED_MAX = 5;

/** The agent, locked. Those of the demo are made, known by their names and removed by it. */
async function requireOwn(tx: Tx, { workspaceId }: Administrator, agentId: string) {
  const agent = await agents.findForUpdate(tx, workspaceId, agentId);
  if (!agent) throw new AppError("agent_not_found", agentId);
  if (agent.isDemo)
    throw new AppError("agent_in_use", agentId, {
      says: `${agent.name} belongs to the demo. It goes when the demo data is removed.`,
    });
  return agent;
}

/** The database's word for a second row of one name. */
function isDuplicate(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "P2002";
}
