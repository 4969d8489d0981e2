/**
 * Sends crossed budget thresholds to webhooks. The recorder stores a crossing in the transaction of the call; this job
 * picks it up afterwards, so that no gate waits for it. A crossing is marked in the transaction that queues its
 * deliveries.
 */
import { INSERT_WEBHOOK_DELIVERIES_SQL, webhookDeliveryParameters } from "../audit/webhook-outbox.ts";
import type { Pool } from "../platform/db.ts";
import { inInstallation } from "../platform/scope.ts";
import { claimCrossings, transaction } from "./repository.ts";

const AT_ONCE = 200;

/** The number of crossings that were taken up. */
export function notifyBudgetCrossings(pool: Pool): Promise<number> {
  return inInstallation(() =>
    transaction(pool, async (client) => {
      const crossings = await claimCrossings(client, AT_ONCE);
      for (const { workspaceId, at, used, amount, ...crossing } of crossings) {
        const data = { ...crossing, usedNano: used, amountNano: amount, isUsedUp: BigInt(used) >= BigInt(amount) };
        await client.query(INSERT_WEBHOOK_DELIVERIES_SQL, [
          ...webhookDeliveryParameters(workspaceId, "budget.crossed", data, at),
        ]);
      }
      return crossings.length;
    }),
  );
}
