/** One run of retention: what its parts share, and the steps that it takes. Each step is one transaction. */
import type { Bus } from "../../events/index.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Pool, PoolClient } from "../../platform/db.ts";
import type { Log } from "../../platform/log.ts";
import { transaction } from "../repository.ts";
import type { createAttempts } from "./retention-attempts.ts";
import { lock } from "./retention-repository.ts";

/** So that one rule with years to remove leaves the others their turn within the hour. */
const STEPS_PER_RUN = 2_000;

export interface RetentionOptions {
  readonly pool: Pool;
  readonly log: Log;
  readonly clock: Clock;
  /** Notified when data of the settings page has changed. */
  readonly bus?: Pick<Bus, "tell">;
  /** Where days are read to be sealed; `pool` when absent. */
  readonly scanPool?: Pool;
  /** Asked before each step and page. */
  readonly pacer?: { step(): Promise<void>; page(): Promise<void> };
}

export interface RetentionRun extends RetentionOptions {
  readonly scanPool: Pool;
  readonly isEnding: () => boolean;
  readonly workspaces: readonly string[];
  readonly attempts: ReturnType<typeof createAttempts>;
}

interface StepResult<P> {
  readonly removed: number;
  readonly next: P | null;
}

/** Repeats steps until nothing is left, or another node holds the lock; returns the number of removed rows. */
export async function allSteps<P>(
  { pool, pacer, isEnding }: RetentionRun,
  work: (client: PoolClient, after: P | null) => Promise<StepResult<P>>,
): Promise<number> {
  let gone = 0;
  let after: P | null = null;
  for (let steps = 0; steps < STEPS_PER_RUN && !isEnding(); steps += 1) {
    const from: P | null = after;
    await pacer?.step();
    const done: StepResult<P> | null = await step(pool, (client) => work(client, from));
    if (done === null) break;
    gone += done.removed;
    if (done.next === null) break;
    after = done.next;
  }
  return gone;
}

/** Null when another node holds the lock. */
export function step<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T | null> {
  return transaction(pool, async (client) => ((await lock(client)) ? work(client) : null));
}
