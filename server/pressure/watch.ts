/**
 * Measures in a gateway what its gates wait for: turns of the event loop, look-ups, the recorder's queue and its commit. The age of
 * the oldest gate without an answer is read, not the time of those that have one: a commit that never ends counts too.
 */
import { uuidv7 } from "../platform/ids.ts";
import { createPressureController } from "./controller.ts";
import type { Pressure } from "./service.ts";

const LOOK_EVERY_MS = 25;
/** A level above 0 is sent again this often: a signal counts for a short time only. */
const REPEAT_MS = 250;

export interface GateDelays {
  /** Milliseconds that the oldest gate waits whose hooks do not run yet; 0 without one. */
  readonly startingMs: number;
  /** Milliseconds that the oldest gate waits for its record, in the queue or in a commit; 0 without one. */
  readonly gateWaitMs: number;
  /** The usual duration of a commit in milliseconds. */
  readonly commitMs: number;
}

export interface PressureWatch {
  /** Milliseconds that a gate which arrives now will wait for its record. */
  readonly expectedMs: number;
  close(): void;
}

export interface WatchOptions {
  readonly pressure: Pick<Pressure, "send">;
  readonly delays: () => GateDelays;
  /** A monotonic clock. */
  readonly nowMs?: () => number;
}

export function watchDelays({ pressure, delays, nowMs = () => performance.now() }: WatchOptions): PressureWatch {
  const controller = createPressureController();
  const source = uuidv7();
  let sequence = 0;
  let sent = { level: 0, atMs: nowMs() };
  let dueMs = nowMs() + LOOK_EVERY_MS;
  let expectedMs = 0;

  function look(): void {
    const atMs = nowMs();
    const turnMs = Math.max(0, atMs - dueMs);
    dueMs = atMs + LOOK_EVERY_MS;
    const { startingMs, gateWaitMs, commitMs } = delays();
    const delayMs = Math.max(startingMs, gateWaitMs, turnMs);
    expectedMs = gateWaitMs === 0 ? Math.max(startingMs, turnMs) : startingMs + gateWaitMs + commitMs;
    const level = controller(atMs, delayMs);
    if (level === sent.level && (level === 0 || atMs - sent.atMs < REPEAT_MS)) return;
    sent = { level, atMs };
    sequence += 1;
    pressure.send({ source, sequence, level });
  }

  const timer = setInterval(look, LOOK_EVERY_MS).unref();
  return {
    get expectedMs() {
      return expectedMs;
    },
    close: () => clearInterval(timer),
  };
}
