/**
 * Turns the delay of gates into a pressure level, after CoDel (RFC 8289): a delay counts only while it lasts, so a burst that
 * passes by itself changes nothing. A lasting delay raises the level by one step per interval, up to the
 * level that its length justifies. Without delay the level falls by one step each quarter of a second.
 *
 * Shape: samples in, level out; no timer of its own. Units: milliseconds of a monotonic clock. Errors: none; a clock
 * that jumps counts as one interval at most, and one that goes back does not count.
 */

export const LEVEL_MAX = 5;
/** A shorter delay does not count. */
export const NO_DELAY_MS = 50;
/** A lasting delay of at least the n-th justifies level n. */
const DELAYS_MS: readonly number[] = [NO_DELAY_MS, 75, 100, 150, 250];
export const INTERVAL_MS = 500;
const FALL_MS = 250;
/** A delay that returns within this time continues one step below its last highest level, as CoDel does. */
const REMEMBER_MS = 10_000;
/** The share of an interval for which a delay must last to count. */
const SHARE = 0.5;

/** Notes the delay of gates at a moment, and returns the level. */
export type PressureController = (nowMs: number, delayMs: number) => number;

export function createPressureController(): PressureController {
  let level = 0;
  let lastMs: number | null = null;
  let seenMs = 0;
  let clearMs = 0;
  /** The time of this interval with at least each delay. */
  let atLeastMs = DELAYS_MS.map(() => 0);
  let highest = 0;
  let leftMs = Number.NEGATIVE_INFINITY;

  function fall(nowMs: number): void {
    if (level === 0) return;
    level -= 1;
    if (level === 0) leftMs = nowMs;
  }

  function endInterval(nowMs: number): void {
    const justified = atLeastMs.filter((ms) => ms >= seenMs * SHARE).length;
    seenMs = 0;
    atLeastMs = DELAYS_MS.map(() => 0);
    if (justified > level) {
      if (level === 0) {
        if (nowMs - leftMs > REMEMBER_MS) highest = 0;
        level = Math.min(Math.max(1, highest - 1), justified);
        highest = level;
      } else level += 1;
      highest = Math.max(highest, level);
    } else if (justified < level) fall(nowMs);
  }

  return (nowMs, delayMs) => {
    const passedMs = lastMs === null ? 0 : Math.min(INTERVAL_MS, Math.max(0, nowMs - lastMs));
    lastMs = nowMs;
    seenMs += passedMs;
    DELAYS_MS.forEach((least, index) => {
      if (delayMs >= least) atLeastMs[index] = (atLeastMs[index] ?? 0) + passedMs;
    });
    clearMs = delayMs >= NO_DELAY_MS ? 0 : clearMs + passedMs;
    for (; clearMs >= FALL_MS; clearMs -= FALL_MS) fall(nowMs);
    if (seenMs >= INTERVAL_MS) endInterval(nowMs);
    return level;
  };
}
