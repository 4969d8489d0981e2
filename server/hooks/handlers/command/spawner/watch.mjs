// @ts-check
/** Watches what a hook uses as a whole: the memory and the number of all the processes that came of it. Linux only. */
import { readFileSync } from "node:fs";

/** @import { RunLimits } from "../limits.ts" */

const EVERY_MS = 50;
const MIB = 1024 * 1024;

/**
 * Calls `onTooMuch` once, with what was too much, when the processes below `pid` exceed a limit. Returns how to stop.
 * @param {number} pid
 * @param {Pick<RunLimits, "memoryBytesMax" | "processesMax">} limits
 * @param {(what: string) => void} onTooMuch
 * @returns {() => void}
 */
export function watch(pid, { memoryBytesMax, processesMax }, onTooMuch) {
  if (process.platform !== "linux") return () => {};
  const timer = setInterval(() => {
    const pids = family(pid, processesMax);
    if (pids.length > processesMax) tooMuch(`it started more than ${processesMax} processes`);
    else if (sum(pids.map(memoryOf)) > memoryBytesMax)
      tooMuch(`it used more than ${memoryBytesMax / MIB} MiB of memory`);
  }, EVERY_MS);
  const tooMuch = (/** @type {string} */ what) => {
    clearInterval(timer);
    onTooMuch(what);
  };
  return () => clearInterval(timer);
}

/** A process and all below it, up to one more than `max`. @param {number} pid @param {number} max */
function family(pid, max) {
  const pids = [pid];
  for (let at = 0; at < pids.length && pids.length <= max; at += 1) {
    for (const child of read(`/proc/${pids[at]}/task/${pids[at]}/children`).split(" ")) {
      if (child !== "") pids.push(Number(child));
    }
  }
  return pids;
}

/** Bytes that are this process's own, program text and shared libraries left out. @param {number} pid */
function memoryOf(pid) {
  const status = read(`/proc/${pid}/status`);
  return sum([...status.matchAll(/^Rss(?:Anon|Shmem):\s*(\d+) kB$/gm)].map(([, kib]) => Number(kib) * 1024));
}

/** @param {readonly number[]} values */
function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

/** @param {string} file */
function read(file) {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return ""; // it has ended meanwhile
  }
}
