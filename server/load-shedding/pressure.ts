/** The load of a process, and the classes it turns away for that. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { LoadClass } from "../access/load-class.ts";

export interface Load {
  /** The fill level of the recorder's queue, from 0 to 1. */
  readonly queue: number;
  /** The median turn of the event loop, lately. */
  readonly turnMs: number;
}

interface Limits {
  readonly queue: number;
  readonly turnMs: number;
}

/** Gates are refused only by the recorder's queue itself, or by `admission`. */
const LIMITS: Readonly<Record<LoadClass, Limits>> = {
  report: { queue: 0.25, turnMs: 250 },
  console: { queue: 0.6, turnMs: 1_000 },
  dispatch: { queue: 0.6, turnMs: 1_000 },
  gate: { queue: Number.POSITIVE_INFINITY, turnMs: Number.POSITIVE_INFINITY },
};

export function isTooMuch({ queue, turnMs }: Load, of: LoadClass): boolean {
  return queue >= LIMITS[of].queue || turnMs >= LIMITS[of].turnMs;
}

const RESOLUTION_MS = 20;
const WINDOW_MS = 500;
const NANOS = 1e6;

/** Looks at this process's event loop until it is closed. */
export function watchTurns(): { readonly turnMs: () => number; close(): void } {
  const turns = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  turns.enable();
  let turnMs = 0;
  const timer = setInterval(() => {
    // A window filled by one turn has no measurement: that turn is measured with the next window.
    turnMs = turns.count === 0 ? turnMs : Math.max(0, turns.percentile(50) / NANOS - RESOLUTION_MS);
    turns.reset();
  }, WINDOW_MS).unref();
  return {
    turnMs: () => turnMs,
    close() {
      clearInterval(timer);
      turns.disable();
    },
  };
}
