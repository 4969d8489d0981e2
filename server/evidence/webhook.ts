/**
 * Brings checkpoints to a webhook, so that a copy lies where nobody here can reach it. The address follows the rule for
 * outgoing requests; a failure is tried again, a bounded number of times, and stays visible.
 */
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { type AddressRule, guardedLookup, hostOf } from "../judges/service.ts";
import type { Pool } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import * as checkpoints from "./checkpoint-repository.ts";

const ATTEMPT_MS = 10_000;
/** While an attempt is under way nobody else makes it. */
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
      const error = await post(url, JSON.stringify(checkpoint), addresses);
      const retrySeconds = error === null ? null : (PAUSES[attempts - 1] ?? null);
      if (error !== null) log.warn({ error, attempts, seq: checkpoint.seq }, "a checkpoint did not reach its webhook");
      await checkpoints.settleDelivery(pool, checkpoint.workspace, checkpoint.seq, { error, retrySeconds });
    }
  };
}

/** Null when it was taken, else why not, without a word of what was answered: that may be anything. */
async function post(address: string, body: string, addresses: AddressRule): Promise<string | null> {
  if (!URL.canParse(address)) return "The address is none.";
  const url = new URL(address);
  const refusal = addresses.refusal(url);
  if (refusal !== null) return refusal;
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  const options = {
    method: "POST",
    headers,
    agent: false,
    lookup: guardedLookup(addresses, hostOf(url)),
    signal: AbortSignal.timeout(ATTEMPT_MS),
  };
  return new Promise((resolve) => {
    const answered = (response: IncomingMessage) => {
      response.destroy();
      const status = response.statusCode ?? 0;
      resolve(status >= 200 && status < 300 ? null : `It answered ${status}.`);
    };
    const sent = url.protocol === "https:" ? httpsRequest(url, options, answered) : httpRequest(url, options, answered);
    sent.on("error", (error: NodeJS.ErrnoException) =>
      resolve(
        error.name === "AbortError" || error.name === "TimeoutError"
          ? "It did not answer in time."
          : `It could not be reached (${error.code ?? "connection lost"}).`,
      ),
    );
    sent.end(body);
  });
}
