import type { Pool } from "../platform/db.ts";
import { createPartition } from "./repository.ts";

/** Knows which monthly partitions of `dispatch` exist and makes the missing ones before a batch needs them. */
export function createPartitions(pool: Pool) {
  const known = new Set<string>();
  return {
    /** `instants` are ISO; their months exist when this resolves. */
    async ensure(instants: readonly string[]): Promise<void> {
      for (const instant of instants) {
        const month = instant.slice(0, 7);
        if (known.has(month)) continue;
        await createPartition(pool, month);
        known.add(month);
      }
    },
  };
}
