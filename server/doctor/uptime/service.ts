/**
 * The times when this installation could record. Charts need them: an hour without events is a zero while the console
 * was recording, and a gap while it was not.
 */
import type { Database, Pool } from "../../platform/db.ts";
import { uuidv7 } from "../../platform/ids.ts";
import type { Log } from "../../platform/log.ts";
import { inInstallation } from "../../platform/scope.ts";
import * as uptime from "./repository.ts";
import type { DowntimeInput, DowntimeView } from "./schema.ts";

const NOTED_EVERY_MS = 15_000;
/** Shorter ones are restarts: no bar of a chart is as short. */
const SHORTEST_MS = 45_000;
const KEPT_MS = 800 * 86_400_000;

export interface Uptime {
  stop(): Promise<void>;
}

/** Notes that this process runs, from now on and every quarter of a minute. A failure only makes the gap longer. */
export function startUptime({ pool, log }: { pool: Pool; log: Log }): Uptime {
  const id = uuidv7();
  const noted = (work: () => Promise<void>) =>
    inInstallation(work).catch((err: unknown) => log.debug({ err }, "that this process runs could not be noted"));
  let isInserted = false;
  const note = async () => {
    if (isInserted) return uptime.update(pool, id);
    await uptime.insert(pool, id);
    isInserted = true;
    await uptime.removeBefore(pool, new Date(Date.now() - KEPT_MS));
  };
  let last = noted(note);
  const timer = setInterval(() => {
    last = noted(note);
  }, NOTED_EVERY_MS);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await last;
      await noted(note);
    },
  };
}

export function downtime(db: Database, range: DowntimeInput): Promise<DowntimeView> {
  return inInstallation(() => uptime.listDowntime(db.pool, range, SHORTEST_MS));
}
