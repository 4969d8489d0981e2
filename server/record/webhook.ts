/**
 * Sends checkpoints to a webhook, so that a copy exists outside this installation's reach. The address follows the rule
 * for outgoing requests; a failure is retried a limited number of times, and stays visible.
 */

import type { Pool } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import type { AddressRule } from "../platform/outgoing/address-rule.ts";
import { post } from "../webhooks/index.ts";
import * as checkpoints from "./checkpoints/checkpoint-repository.ts";

/** A claimed delivery is reserved for this long. */
const HOLD_SECONDS = 60;
const DELIVERIES_PER_TURN = 5;
/** Seconds until the next attempt; after the last one it is given up. */
const PAUSES = [10, 30, 120, 600, 1_800, 3_600, 14_400, 43_200];

export function createWebhook({ pool, log, addresses }: { pool: Pool; log: Log; addresses: AddressRule }) {
  return async function deliver(): Promise<void> {
    for (const { checkpoint, url, attempts } of await checkpoints.claimDeliveries(
      pool,
      HOLD_SECONDS,
      DELIVERIES_PER_TURN,
    )) {
      const { error } = await post({ url, body: JSON.stringify(checkpoint) }, addresses);
      const retrySeconds = error === null ? null : (PAUSES[attempts - 1] ?? null);
      if (error !== null) log.warn({ error, attempts, seq: checkpoint.seq }, "a checkpoint did not reach its webhook");
      await checkpoints.recordDelivery(pool, checkpoint.workspace, checkpoint.seq, { error, retrySeconds });
    }
  };
}
