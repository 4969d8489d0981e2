/**
 * Carries out erasure requests step by step: it removes inputs, answers and reasons from every table that holds a part
 * of them, and replaces a name by an alias. Leaves stay; they are made of the content's salted digest, so the chain
 * remains complete. The salt is erased too, so that the content cannot be guessed. Each step is one transaction with
 * its audit entry and the position of the walk, so that work continues after a crash without repetition. A request
 * stays active until it is withdrawn: later reports are erased too.
 */
import { createRepeater } from "../../platform/repeater.ts";
import { inInstallation } from "../../platform/scope.ts";
import { faultSentence } from "../retention/retention-attempts.ts";
import { type ErasureContext, type ErasureOptions, Interrupted } from "./erase-rows.ts";
import * as rows from "./erasure-repository.ts";
import { follow, walk } from "./erasure-walk.ts";

const LOOKED_ROWS = 10_000;
const LOOK_EVERY_MS = 5_000;
const FOLLOW_EVERY_MS = 60_000;

export interface ErasureRunner {
  /** Carries out new requests, and erases later arrivals for active ones. */
  run(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

export function createErasure(options: ErasureOptions): ErasureRunner {
  const { log, clock, sizes = { looked: LOOKED_ROWS, step: rows.STEP_ROWS } } = options;
  const repeater = createRepeater({
    turn: () => inInstallation(look).then(() => LOOK_EVERY_MS),
    firstMs: LOOK_EVERY_MS,
    retryMs: LOOK_EVERY_MS,
    onFailure: (err) => log.error({ err }, "erasure requests could not be read"),
  });
  const isEnding = () => repeater.signal.aborted;
  const context: ErasureContext = { ...options, sizes, isEnding, notifiedAtMs: Number.NEGATIVE_INFINITY };
  let followedAtMs = Number.NEGATIVE_INFINITY;

  const run = () => inInstallation(() => carryOut(context, true));

  async function look(): Promise<void> {
    const isFollowing = clock.now() - followedAtMs >= FOLLOW_EVERY_MS;
    if (isFollowing) followedAtMs = clock.now();
    await carryOut(context, isFollowing);
  }

  return { run, start: repeater.start, stop: repeater.stop };
}

async function carryOut(context: ErasureContext, isFollowing: boolean): Promise<void> {
  const { pool, log, clock, bus } = context;
  for (const work of await rows.listWork(pool)) {
    try {
      if (work.state === "running") await walk(context, work);
      else if (isFollowing) await follow(context, work);
    } catch (err) {
      if (err instanceof Interrupted) return;
      log.error({ err, request: work.id }, "an erasure did not go on; it is tried again");
      await rows.saveFault(pool, work, faultSentence(err), new Date(clock.now()));
      bus?.tell(work.workspaceId, ["audit"]);
    }
  }
}
