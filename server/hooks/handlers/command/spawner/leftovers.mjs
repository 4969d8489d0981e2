// @ts-check
/**
 * Where nothing else does, finds what a hook left running outside of its process group, by a mark in its environment.
 * Linux only. A process that wiped its environment is not found: that takes bubblewrap.
 */
import { readdirSync, readFileSync } from "node:fs";

const AFTER_MS = 250;
const MARK = "QUARTERDECK_HOOK_RUN";

/** @param {(run: number) => boolean} isRunning */
export function leftovers(isRunning) {
  const own = `${process.pid}-${process.hrtime.bigint()}`;
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const sweep = () => {
    timer = undefined;
    if (process.platform !== "linux") return;
    for (const name of readdirSync("/proc")) {
      const pid = Number(name);
      const run = Number.isInteger(pid) ? runOf(pid, own) : undefined;
      if (run !== undefined && !isRunning(run)) kill(pid);
    }
  };
  return {
    /** What to add to a run's environment. @param {number} id */
    mark: (id) => ({ [MARK]: `${own}.${id}` }),
    sweep,
    /** Sweeps once, soon; however many runs ended meanwhile. */
    sweepSoon() {
      if (timer === undefined) timer = setTimeout(sweep, AFTER_MS);
    },
  };
}

/** The run a process came of, when it came of one of ours. @param {number} pid @param {string} own */
function runOf(pid, own) {
  try {
    const found = readFileSync(`/proc/${pid}/environ`, "latin1")
      .split("\0")
      .find((one) => one.startsWith(`${MARK}=${own}.`));
    return found === undefined ? undefined : Number(found.slice(`${MARK}=${own}.`.length));
  } catch {
    return undefined; // it has ended, or is another user's
  }
}

/** @param {number} pid */
function kill(pid) {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}
