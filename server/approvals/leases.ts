/**
 * The leases under which this gateway holds calls open: one per workspace. An expired lease is never renewed, because
 * other nodes close its requests; a new lease replaces it.
 */
import type { Pool, PoolClient } from "../platform/db.ts";
import { uuidv7 } from "../platform/ids.ts";
import { inWorkspace } from "../platform/scope.ts";
import * as leases from "./leases-repository.ts";

export const LEASE_MS = 15_000;

export type Leases = ReturnType<typeof createLeases>;

export function createLeases(pool: Pool) {
  const holders = new Map<string, string>();
  return {
    /** The holder of the workspace's lease, which lasts for LEASE_MS from now on if the transaction commits. */
    async take(client: PoolClient, workspaceId: string): Promise<string> {
      const known = holders.get(workspaceId);
      if (known !== undefined && (await leases.extend(client, workspaceId, known, LEASE_MS))) return known;
      const holder = uuidv7();
      await leases.insert(client, workspaceId, holder, LEASE_MS);
      holders.set(workspaceId, holder);
      return holder;
    },
    async extend(workspaceId: string): Promise<void> {
      const holder = holders.get(workspaceId);
      if (holder === undefined) return;
      const isHeld = await inWorkspace(workspaceId, () => leases.extend(pool, workspaceId, holder, LEASE_MS));
      if (!isHeld && holders.get(workspaceId) === holder) holders.delete(workspaceId);
    },
  };
}
