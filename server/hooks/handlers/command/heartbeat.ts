/** Detects a child process that no longer answers: sends pings and counts the unanswered ones. */
import { readFileSync } from "node:fs";

const EVERY_MS = 250;
/** A process that the system has stopped is given up soon. A slow one on a busy machine is not. */
const MISSED_WHEN_STOPPED = 3;
const MISSED_MAX = 40;

export interface Heartbeat {
  answered(): void;
  stop(): void;
}

/** Calls `onLost` once when the process of `pid` is stopped, or has answered no `ask` for ten seconds. */
export function startHeartbeat(pid: number, ask: () => void, onLost: () => void): Heartbeat {
  let missed = -1;
  // A blocked event loop in this process counts once, because an interval does not catch up.
  const timer = setInterval(() => {
    missed += 1;
    if (missed >= MISSED_MAX || (missed >= MISSED_WHEN_STOPPED && isStopped(pid))) {
      clearInterval(timer);
      onLost();
    } else ask();
  }, EVERY_MS).unref();
  return {
    answered() {
      missed = -1;
    },
    stop: () => clearInterval(timer),
  };
}

/** True if a signal or a debugger has stopped the process. Linux only. */
function isStopped(pid: number): boolean {
  try {
    return /\) [Tt] /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}
