/**
 * Delays scans between their steps while other work needs the machine; only up to a limit, because scans must make
 * progress.
 */
import { setTimeout as delay } from "node:timers/promises";

/** The longest wait before a step. Even under constant load, a scan still makes progress. */
const STEP_WAIT_MS_MAX = 30_000;
/** The limit inside a snapshot, which keeps PostgreSQL from cleaning up while it lasts. */
const PAGE_WAIT_MS_MAX = 1_000;
const LOOK_EVERY_MS = 1_000;
const LOOK_AGAIN_MS = 250;

export interface Pacer {
  /** Called between two steps, each of which is a separate transaction. */
  step(): Promise<void>;
  /** Between two pages of one snapshot. */
  page(): Promise<void>;
  /** Ends all waiting, now and later. */
  close(): void;
}

export interface PacerOptions {
  /** Errors count as calm: the scan itself reports the problem. */
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
