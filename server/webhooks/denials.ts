/**
 * Sends counts of denied calls to webhooks once a minute, from the sums made at recording time: gates do no work for
 * it. The time up to which a webhook was informed is updated in the transaction that queues its delivery.
 */
import { webhookDeliveryParameters } from "../audit/webhook-outbox.ts";
import type { Pool } from "../platform/db.ts";
import { inInstallation } from "../platform/scope.ts";
import { claimDenials, insertDelivery, listDenialCounts, transaction } from "./repository.ts";

const MINUTE = 60_000;
/** Waits this long after a minute's end, for records that are still being committed. */
const AFTER_MS = 10_000;
/** After a longer absence, a webhook gets only the counts from here on. */
const BACK_MS_MAX = 60 * MINUTE;
const AGENTS_MAX = 50;

export function queueDenials(pool: Pool, nowMs: number): Promise<number> {
  const to = new Date(Math.floor((nowMs - AFTER_MS) / MINUTE) * MINUTE);
  return inInstallation(() =>
    transaction(pool, async (client) => {
      let told = 0;
      const from = new Date(to.getTime() - BACK_MS_MAX);
      for (const { workspaceId, id, since } of await claimDenials(client, to, from)) {
        const agents = await listDenialCounts(client, workspaceId, since, to, AGENTS_MAX);
        if (agents.length === 0) continue;
        const total = (name: "byHooks" | "inTheEnd") => agents.reduce((sum, agent) => sum + agent[name], 0);
        const denied = { byHooks: total("byHooks"), inTheEnd: total("inTheEnd") };
        const data = { from: since.toISOString(), to: to.toISOString(), denied, agents };
        const [, kind, body] = webhookDeliveryParameters(workspaceId, "approval.denied", data, to);
        await insertDelivery(client, workspaceId, id, kind, body);
        told += 1;
      }
      return told;
    }),
  );
}
