/** Tags of agents: costs are grouped by them, and policies are applied to them. */
import type { Administrator } from "../access/actor.ts";
import { requireMay } from "../access/permissions.ts";
import { diffFields } from "../audit/diff-fields.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { AppError } from "../errors/app-error.ts";
import { announcedTransaction, type Bus } from "../events/index.ts";
import type { Database } from "../platform/db.ts";
import { type Authority, lockInForce, OWN, permitTags, raiseSequence } from "../policies/index.ts";
import * as agents from "./repository.ts";
import type { SetTags } from "./schema.ts";

/** Includes the topics of plans, since a policy may be applied to a tag. */
/** `keys`: the cached data of a key includes the agent's tags. */
const TOPICS = ["agents", "costs", "audit", "policies", "rules", "keys"] as const;

/**
 * Replaces an agent's tags. Checks the permission here as well as in the router, since a change that a second person
 * approved does not come through the router.
 *
 * Errors: `agent_not_found`; `forbidden` without the permission to write agents; when a policy is applied to an added
 * or removed tag: `workspace_frozen`, `forbidden` without the permission to publish, `review_required`.
 */
export async function setTags(
  db: Database,
  bus: Bus,
  actor: Administrator,
  input: SetTags,
  authority: Authority = OWN,
): Promise<void> {
  const { workspaceId } = actor;
  const { agentId, tags } = input;
  requireMay(actor, "agent:write");
  await announcedTransaction({ db, bus }, workspaceId, TOPICS, async (tx) => {
    const freeze = await lockInForce(tx, workspaceId);
    const agent = await agents.findForUpdate(tx, workspaceId, agentId);
    if (!agent) throw new AppError("agent_not_found", agentId);
    const gained = tags.filter((tag) => !agent.tags.includes(tag));
    const lost = agent.tags.filter((tag) => !tags.includes(tag));
    const summary = `Tags ${agent.name} with ${tags.join(", ") || "nothing"} instead of ${agent.tags.join(", ") || "nothing"}.`;
    const permitted = await permitTags(tx, freeze, actor, { input, summary, gained, lost }, authority);
    await agents.updateTags(permitted.bound, workspaceId, agentId, tags);
    const change = diffFields({ tags: agent.tags }, { tags });
    await recordAudit(tx, actor, { kind: "agent_tagged", version: 1, by: actor.name, agent: agentId, tags }, change);
    if (permitted.isInForce) await raiseSequence(tx, workspaceId);
  });
}
