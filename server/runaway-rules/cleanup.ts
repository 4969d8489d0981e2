/** Removes the counters of sessions that rest: no rule looks back further. */
import type { Pool } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import { createRepeater } from "../platform/repeater.ts";
import { inInstallation } from "../platform/scope.ts";
import * as counters from "./repository.ts";

const EVERY_MS = 600_000;
const RETRY_MS = 60_000;
/** Twice the longest time that a rule may state. */
const KEPT_HOURS = 2;
const TOGETHER_MAX = 500;

export function createGuardCleanup({ pool, log }: { readonly pool: Pool; readonly log: Log }) {
  return createRepeater({
    async turn(signal) {
      let removed = TOGETHER_MAX;
      while (removed === TOGETHER_MAX && !signal.aborted)
        removed = await inInstallation(() => counters.removeRested(pool, KEPT_HOURS, TOGETHER_MAX));
      return EVERY_MS;
    },
    firstMs: EVERY_MS,
    retryMs: RETRY_MS,
    onFailure: (error) => log.warn({ err: error }, "counters of sessions that rest could not be removed"),
  });
}
