/**
 * Sends reminders and escalations, closes requests that have expired or whose gateway is gone, on any node, and removes
 * old closed requests.
 */
import type { Bus } from "../events/index.ts";
import type { Pool } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import { createRepeater } from "../platform/repeater.ts";
import { inInstallation, inWorkspace } from "../platform/scope.ts";
import { appendLapses } from "./append-lapses.ts";
import { removeEnded } from "./leases-repository.ts";
import * as approvals from "./repository.ts";
import { takeSteps } from "./steps.ts";

const LOOK_MS = 1_000;
const RETRY_MS = 5_000;
/** Requests per transaction, and per removal. */
const TOGETHER_MAX = 500;
const KEPT_DAYS = 90;
const REMOVE_EVERY_MS = 3_600_000;

export function createLapsing({ pool, bus, log }: { readonly pool: Pool; readonly bus: Bus; readonly log: Log }) {
  let removedMs = Number.NEGATIVE_INFINITY;

  async function lapseIn(workspaceId: string): Promise<void> {
    for (;;) {
      const rows = await approvals.inTransaction(pool, async (client) => {
        const due = await approvals.lapseDue(client, workspaceId, TOGETHER_MAX);
        if (due.length > 0) await appendLapses(client, workspaceId, due);
        return due;
      });
      if (rows.length > 0) bus.tell(workspaceId, ["approvals"]);
      if (rows.length < TOGETHER_MAX) return;
    }
  }

  async function turn(): Promise<number> {
    await takeSteps({ pool, bus });
    for (const workspaceId of await inInstallation(() => approvals.listDueWorkspaces(pool)))
      await inWorkspace(workspaceId, () => lapseIn(workspaceId));
    if (performance.now() - removedMs >= REMOVE_EVERY_MS) {
      while ((await inInstallation(() => approvals.removeOld(pool, KEPT_DAYS, TOGETHER_MAX))) === TOGETHER_MAX);
      await inInstallation(() => removeEnded(pool));
      removedMs = performance.now();
    }
    return LOOK_MS;
  }

  return createRepeater({
    turn,
    firstMs: LOOK_MS,
    retryMs: RETRY_MS,
    onFailure: (error) => log.warn({ err: error }, "requests that are over could not be closed"),
  });
}
