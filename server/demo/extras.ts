/** The acts of people in the demo's workspace: a call's cost corrected, an alert set. Both belong to a demo agent. */
import type { Administrator } from "../access/actor.ts";
import { save as saveAlert } from "../alerts/index.ts";
import { correct } from "../costs/index.ts";
import type { Bus } from "../events/index.ts";
import type { Database } from "../platform/db.ts";
import { untilProjected } from "../projectors/index.ts";
import * as demo from "./repository.ts";

const AGENT = "demo-bugfix";
/** The history was recorded just now, all of it at once. */
const HISTORY_MS = 60_000;

/**
 * Creates each extra once. An existing one is kept, because a person may have changed it. Creates no price list and no
 * closed month, because both are append-only and could not be removed with the demo.
 */
export async function ensureExtras(db: Database, bus: Bus, actor: Administrator): Promise<void> {
  const { workspaceId } = actor;
  const agent = (await demo.findAgents(db.prisma, workspaceId)).find(({ name }) => name === AGENT);
  if (!agent) return;
  if (!(await demo.hasAlert(db.prisma, workspaceId, agent.id)))
    await saveAlert({ db, bus }, actor, {
      name: "Demo - bugfix spend",
      severity: "warning",
      measure: "cost",
      agentId: agent.id,
      groupId: null,
      modelId: null,
      personId: null,
      signOnGroupId: null,
      windowMinutes: 60,
      comparison: "above",
      threshold: 2_000_000_000n,
      forMinutes: 0,
      emails: [],
      isEnabled: true,
    });
  await untilProjected(db.pool, workspaceId, { limitMs: HISTORY_MS });
  const call = await demo.findCallToCorrect(db.pool, workspaceId, agent.id);
  if (call)
    await correct({ db, bus }, actor, {
      call,
      usd: "0.6",
      reason: "The provider's invoice lists this call at 60 cents.",
      corrects: null,
    });
}
