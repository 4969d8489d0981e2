/**
 * Looks up whether deliveries are on record: while one query is under way, arriving names collect, and the next query
 * takes them all. Nearly every name is new, and each query costs as much as the rest of an easy call. Queries begin as far
 * apart as commits: the calls of one query reach the recorder together, and share a commit without another wait.
 */
import type { Pool } from "../platform/db.ts";
import { inInstallation } from "../platform/scope.ts";
import { createCommitPace } from "./commit-pace.ts";
import { type DeliveryName, listDelivered } from "./repository.ts";

/** A query with more is split: one agent's call has a few names, and at most eighty. */
const NAMES_MAX = 2_000;
/** The weight of the newest query in their usual duration. */
const NEWEST_SHARE = 0.2;

export interface DeliveredNames {
  /** The event ids among `eventIds` that the agent has delivered under. Errors: those of the database. */
  find(workspaceId: string, agentId: string, eventIds: readonly string[]): Promise<ReadonlySet<string>>;
}

interface Waiting {
  readonly names: readonly DeliveryName[];
  readonly resolve: (found: ReadonlySet<string>) => void;
  readonly reject: (error: unknown) => void;
}

export function createDeliveredNames(pool: Pool): DeliveredNames {
  const pace = createCommitPace();
  let waiting: Waiting[] = [];
  let isRunning = false;
  let queryMs = 0;

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const turn = pace.turn(waiting.length, queryMs);
      if (turn !== null) await turn;
      const batch = takeBatch();
      pace.begin(batch.length);
      const begunMs = performance.now();
      await answer(batch);
      queryMs += (performance.now() - begunMs - queryMs) * NEWEST_SHARE;
    }
    isRunning = false;
  }

  function takeBatch(): readonly Waiting[] {
    let names = 0;
    const next = waiting.findIndex((one, at) => {
      names += one.names.length;
      return at > 0 && names > NAMES_MAX;
    });
    const taken = next === -1 ? waiting.length : next;
    const batch = waiting.slice(0, taken);
    waiting = waiting.slice(taken);
    return batch;
  }

  async function answer(batch: readonly Waiting[]): Promise<void> {
    try {
      const delivered = await listDelivered(
        pool,
        batch.flatMap(({ names }) => names),
      );
      let from = 0;
      for (const { names, resolve } of batch) {
        const first = from;
        from += names.length;
        resolve(new Set(names.filter((_, at) => delivered.has(first + at)).map(({ eventId }) => eventId)));
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  return {
    find(workspaceId, agentId, eventIds) {
      return new Promise((resolve, reject) => {
        pace.arrive(agentId);
        waiting.push({ names: eventIds.map((eventId) => ({ workspaceId, agentId, eventId })), resolve, reject });
        if (isRunning) return;
        isRunning = true;
        // A query has names of every workspace, and says of which each is.
        void inInstallation(drain);
      });
    },
  };
}
