import { setImmediate as breathe } from "node:timers/promises";

/** Milliseconds of work before other requests get a turn. */
const SLICE_MS = 4;

/** Lets others have a turn when the work between its calls has taken long enough; undefined when it has not. */
export function createPause(nowMs: () => number = () => performance.now()): () => Promise<void> | undefined {
  let sinceMs = nowMs();
  return () => {
    if (nowMs() - sinceMs <= SLICE_MS) return undefined;
    return breathe().then(() => {
      sinceMs = nowMs();
    });
  };
}
