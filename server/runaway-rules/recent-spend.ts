/** The money that agents spent lately, by sums of minutes, read at most every two seconds by each process. */
import { LRUCache } from "lru-cache";
import type { Pool } from "../platform/db.ts";
import { inWorkspace } from "../platform/scope.ts";
import { findLag } from "../projectors/index.ts";
import * as counters from "./repository.ts";

const FRESH_MS = 2_000;
const WINDOWS_MAX = 2_000;
/** Spending is unknown for as long as figures are further behind. */
const BEHIND_MAX_MS = 30_000;

interface RecentSpend {
  /** Nano-dollars of one agent. Errors: those of the database, and figures that are too far behind. */
  of(workspaceId: string, agent: string, seconds: number): Promise<bigint>;
}

export function createRecentSpend(pool: Pool): RecentSpend {
  const byWindow = new LRUCache<string, Promise<ReadonlyMap<string, bigint>>>({ max: WINDOWS_MAX, ttl: FRESH_MS });

  async function load(workspaceId: string, seconds: number): Promise<ReadonlyMap<string, bigint>> {
    const behindMs = await findLag(pool, workspaceId);
    if (behindMs > BEHIND_MAX_MS)
      throw new Error(
        `the spend figures are ${Math.floor(behindMs / 1_000)} s old. Check that the server's jobs process runs.`,
      );
    return counters.listSpend(pool, workspaceId, seconds);
  }

  return {
    async of(workspaceId, agent, seconds) {
      const key = `${workspaceId} ${seconds}`;
      let loading = byWindow.get(key);
      if (loading === undefined) {
        loading = inWorkspace(workspaceId, () => load(workspaceId, seconds));
        byWindow.set(key, loading);
        // A failure is not remembered: the next gate tries again.
        loading.catch(() => byWindow.delete(key));
      }
      return (await loading).get(agent) ?? 0n;
    },
  };
}
