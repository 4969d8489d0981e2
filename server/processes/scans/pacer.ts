/** Holds scans back between their steps while others need the machine; not for ever, because what they do must be done. */
import { setTimeout as delay } from "node:timers/promises";

/** A step waits so long at most. A scan that only loads meet moves on all the same, a step at a time. */
const STEP_WAIT_MS_MAX = 30_000;
/** Inside a snapshot, which keeps PostgreSQL from cleaning up for as long as it lasts. */
const PAGE_WAIT_MS_MAX = 1_000;
const LOOK_EVERY_MS = 1_000;
const LOOK_AGAIN_MS = 250;

export interface Pacer {
  /** Between two steps, each of which is a transaction of its own. */
  step(): Promise<void>;
  /** Between two pages of one snapshot. */
  page(): Promise<void>;
  /** From here on nobody waits. */
  close(): void;
}

export interface PacerOptions {
  /** Errors count as calm: what is wrong then is said by the scan itself. */
  readonly isCalm: () => Promise<boolean>;
  readonly nowMs?: () => number;
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

export function createPacer({ isCalm, nowMs = () => performance.now(), wait = pause }: PacerOptions): Pacer {
  const closing = new AbortController();
  let calmAtMs = Number.NEGATIVE_INFINITY;

  async function holdBack(waitMsMax: number): Promise<void> {
    if (nowMs() - calmAtMs < LOOK_EVERY_MS) return;
    const sinceMs = nowMs();
    while (!closing.signal.aborted) {
      if (await isCalm().catch(() => true)) {
        calmAtMs = nowMs();
        return;
      }
      if (nowMs() - sinceMs >= waitMsMax) return;
      await wait(LOOK_AGAIN_MS, closing.signal);
    }
  }

  return {
    step: () => holdBack(STEP_WAIT_MS_MAX),
    page: () => holdBack(PAGE_WAIT_MS_MAX),
    close: () => closing.abort(),
  };
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  delay(ms, undefined, { signal }).catch(() => undefined);
