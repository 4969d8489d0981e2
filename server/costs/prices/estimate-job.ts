/**
 * Estimates new calls in the background after the recorder's commits: a call without a cost gets its estimate a moment
 * after it was recorded. Several nodes may do the same work at once; the ledger keeps one entry.
 */
import type { Bus } from "../../events/index.ts";
import type { Database } from "../../platform/db.ts";
import type { Log } from "../../platform/log.ts";
import { inInstallation, inWorkspace } from "../../platform/scope.ts";
import { type Passed, pass } from "./estimate.ts";
import * as prices from "./repository.ts";

/** The minimum interval between two passes for a workspace. */
const EVERY_MS = 2_000;

export interface Estimating {
  /** Looks at a workspace soon. */
  wake(workspaceId: string): void;
  /** Ends after the current pass. */
  close(): Promise<void>;
}

export function createEstimating({ db, bus, log }: { db: Database; bus: Bus; log: Log }): Estimating {
  const dirty = new Set<string>();
  let running: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function run(): Promise<void> {
    for (const workspaceId of [...dirty]) {
      if (isClosed) return;
      dirty.delete(workspaceId);
      try {
        await inWorkspace(workspaceId, () => look(workspaceId));
      } catch (error) {
        // The remaining calls are estimated after the next recorded call.
        log.warn({ err: error, workspace: workspaceId }, "unpriced calls were not estimated");
      }
    }
  }

  async function look(workspaceId: string): Promise<void> {
    if ((await prices.findEstimation(db.pool, workspaceId)) === null) return;
    let added = 0;
    let after: string | null = null;
    do {
      const passed: Passed | null = await pass(db, workspaceId, { nowMs: Date.now(), after });
      added += passed?.added ?? 0;
      after = passed?.next ?? null;
    } while (after !== null && !isClosed);
    if (added > 0) bus.tell(workspaceId, ["costs"]);
  }

  function soon(): void {
    if (isClosed || timer !== undefined || running !== null || dirty.size === 0) return;
    timer = setTimeout(() => {
      timer = undefined;
      running = run().finally(() => {
        running = null;
        soon();
      });
    }, EVERY_MS);
    timer.unref();
  }

  async function all(): Promise<void> {
    try {
      for (const id of await inInstallation(() => prices.listEstimating(db.pool))) dirty.add(id);
      soon();
    } catch (error) {
      log.debug({ err: error }, "which workspaces estimate is not known yet");
    }
  }

  const stop = bus.subscribe((workspaceId, topics) => {
    if (workspaceId === null) void all();
    else if (topics.includes("costs")) wake(workspaceId);
  });
  function wake(workspaceId: string): void {
    dirty.add(workspaceId);
    soon();
  }
  return {
    wake,
    async close() {
      isClosed = true;
      stop();
      clearTimeout(timer);
      await running;
    },
  };
}
