/**
 * Carries erasure requests out, a step at a time: what was asked, answered and said goes from every table that holds a piece of
 * it, and a name gives way to an alias. Leaves stay, made of the content's salted digest, so the chain is as whole as before; the
 * salt goes too, so that the content cannot be guessed. Each step is one transaction with its entry and with the position of the
 * walk: whoever goes on after a crash repeats nothing. A request stands until it is withdrawn: what is reported later goes too.
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
  /** Carries out what was asked for, and erases what arrived since for requests that stand. */
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
