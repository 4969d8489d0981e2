import type { Pool } from "../platform/db.ts";
import { createChainPartition, createDispatchPartition, listNextChainMonths } from "./repository.ts";

/** Made before they are needed: a new month should not begin with a lock on `dispatch`. */
const MONTHS_AHEAD = 2;

/** The present month and those after it, as `2026-11`. */
export function listMonthsAhead(nowMs: number, count = MONTHS_AHEAD): string[] {
  const now = new Date(nowMs);
  return Array.from({ length: count + 1 }, (_, ahead) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead)).toISOString().slice(0, 7),
  );
}

/** Safe on several nodes at once: the second finds the partitions. */
export async function ensurePartitionsAhead(pool: Pool, nowMs: number): Promise<void> {
  for (const month of listMonthsAhead(nowMs)) {
    await createDispatchPartition(pool, month);
    await createChainPartition(pool, month);
  }
}

/**
 * Tracks the monthly partitions of `dispatch` and `chain_batch`, and creates missing ones before a batch needs them.
 */
export function createPartitionKeeper(pool: Pool) {
  const known = new Set<string>();
  const knownOfChain = new Set<string>();

  return {
    /** `instants` are ISO; their months, and the present one of the chain, exist when this resolves. */
    async ensure(instants: readonly string[]): Promise<void> {
      const present = new Date().toISOString().slice(0, 7);
      for (const month of new Set(instants.map((instant) => instant.slice(0, 7)))) {
        // The partition of a past month may have been dropped (server/record/retention/retention.ts), so a late report
        // checks again.
        if (month >= present && known.has(month)) continue;
        await createDispatchPartition(pool, month);
        known.add(month);
      }
      if (knownOfChain.has(present)) return;
      await createChainPartition(pool, present);
      knownOfChain.add(present);
    },
    /**
     * Creates the partitions that a batch lacked: PostgreSQL's clock differs from ours, and a chain never goes back in
     * time.
     */
    async addChainMonthsOf(workspaceIds: readonly string[]): Promise<void> {
      for (const month of await listNextChainMonths(pool, workspaceIds)) await createChainPartition(pool, month);
    },
  };
}
