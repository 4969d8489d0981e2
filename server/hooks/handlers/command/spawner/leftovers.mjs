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
    for (const { pid, spawner, run } of marked()) if (spawner === own && !isRunning(run)) kill(pid);
  };
  return {
    /** The variables to add to a run's environment. @param {number} id */
    mark: (id) => ({ [MARK]: `${own}.${id}` }),
    sweep,
    /** Ends what came of a spawner that is gone: its server heard of no start that it had no time to tell. @param {number} lost */
    sweepAfter(lost) {
      for (const { pid, spawner } of marked()) if (spawner.startsWith(`${lost}-`)) kill(pid);
    },
    /** Sweeps once, soon; however many runs ended meanwhile. */
    sweepSoon() {
      if (timer === undefined) timer = setTimeout(sweep, AFTER_MS);
    },
  };
}

/** Every process that came of a spawner's run, with the spawner's own mark. */
function marked() {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc").flatMap((name) => {
    const mark = /^\d+$/.test(name) ? markOf(name) : undefined;
    const [spawner = "", run] = mark?.split(".") ?? [];
    return run === undefined ? [] : [{ pid: Number(name), spawner, run: Number(run) }];
  });
}

/** @param {string} pid */
function markOf(pid) {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
    return environment.find((one) => one.startsWith(`${MARK}=`))?.slice(MARK.length + 1);
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
