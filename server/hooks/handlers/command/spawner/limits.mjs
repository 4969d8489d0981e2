// @ts-check
/** What each process of an isolated hook may use: set by prlimit, or else by the shell. */
import { existsSync } from "node:fs";
import { runProcess } from "./process-group.mjs";

/** @import { RunLimits } from "../limits.ts" */
/** @import { Confinement, SpawnerSettings } from "../protocol.ts" */

/** @typedef {{ readonly kind: Confinement["limits"], readonly file: string }} Limiter */

/** Asked to end at the first, made to end at the second. */
const CPU_GRACE_SECONDS = 2;
const THREADS_PER_PROCESS = 8;

/**
 * What sets limits here, and demonstrably so.
 * @param {SpawnerSettings} settings
 * @returns {Promise<Limiter>}
 */
export async function workingLimiter({ prlimitPaths, limits }) {
  const prlimit = prlimitPaths.filter((file) => existsSync(file)).map((file) => ({ kind: "prlimit", file }));
  for (const limiter of /** @type {Limiter[]} */ ([...prlimit, { kind: "ulimit", file: "/bin/sh" }])) {
    if (await works(limiter, limits)) return limiter;
  }
  return { kind: "none", file: "" };
}

/** @param {Limiter} limiter @param {RunLimits} limits */
async function works(limiter, limits) {
  const [file = "", ...args] = limited(limiter, limits, { ownTasks: false }, ["/bin/sh", "-c", "ulimit -n"]);
  const request = { file, args, cwd: "/", env: {}, stdin: "", outputBytesMax: 4096, backstopMs: 5_000 };
  const probe = await runProcess({ ...request, reportsStatus: false }, new AbortController().signal, () => {});
  return probe.kind === "exited" && Number(probe.stdout.trim()) <= limits.openFilesMax;
}

/**
 * The command, run within the limits. A number of tasks is set only where they are counted for this hook alone
 * (`ownTasks`): elsewhere the kernel counts all that the server's user has running.
 * @param {Limiter} limiter
 * @param {RunLimits} limits
 * @param {{ readonly ownTasks: boolean }} counting
 * @param {readonly string[]} command
 * @returns {readonly string[]}
 */
export function limited({ kind, file }, limits, { ownTasks }, command) {
  const { addressBytesMax, cpuSecondsMax, openFilesMax, fileBytesMax } = limits;
  // What the watch over the whole hook allows comes first, so that it can say what happened.
  const dataBytesMax = limits.memoryBytesMax * 2;
  const tasksMax = limits.processesMax * THREADS_PER_PROCESS;
  if (kind === "prlimit") {
    const set = [
      `--as=${addressBytesMax}`,
      `--data=${dataBytesMax}`,
      `--cpu=${cpuSecondsMax}:${cpuSecondsMax + CPU_GRACE_SECONDS}`,
      `--nofile=${openFilesMax}`,
      `--fsize=${fileBytesMax}`,
      "--core=0",
      ...(ownTasks ? [`--nproc=${tasksMax}`] : []),
    ];
    return [file, ...set, "--", ...command];
  }
  if (kind === "none") return command;
  const set = [
    `-v ${Math.floor(addressBytesMax / 1024)}`,
    `-d ${Math.floor(dataBytesMax / 1024)}`,
    `-St ${cpuSecondsMax}`,
    `-Ht ${cpuSecondsMax + CPU_GRACE_SECONDS}`,
    `-n ${openFilesMax}`,
    `-f ${Math.floor(fileBytesMax / 512)}`,
    "-c 0",
  ].map((one) => `ulimit ${one} 2>/dev/null`);
  if (ownTasks) set.push(`ulimit -u ${tasksMax} 2>/dev/null || ulimit -p ${tasksMax} 2>/dev/null`);
  return [file, "-c", `${set.join("\n")}\nexec "$@"`, "sh", ...command];
}

/** The signals by which a limit or a machine without memory ends a process. */
const BY_SIGNAL = new Map([
  [24, "it used more CPU time than it may"],
  [25, "it wrote a larger file than it may"],
  [9, "something outside ended it; the machine may be out of memory"],
]);
const NAMED = new Map([
  ["SIGXCPU", 24],
  ["SIGXFSZ", 25],
  ["SIGKILL", 9],
]);
const IN_WORDS =
  /^.*(?:out of memory|memory exhausted|cannot allocate memory|MemoryError|bad_alloc|allocation failed|cannot fork|resource temporarily unavailable|no space left on device|file too large|file size limit exceeded|cpu time limit exceeded|too many open files).*$/im;

/**
 * Why a run that ended with something other than 0 or 2 ended by a limit; nothing when it did not. To some profiles such
 * an exit code says nothing at all, and what we took from a hook must not pass for its silence.
 * @param {number | null} code
 * @param {string | null} signal
 * @param {string} stderr
 * @returns {string | undefined}
 */
export function endedByLimit(code, signal, stderr) {
  if (code === 0 || code === 2) return undefined;
  // A shell, like bubblewrap, reports a child's death by a signal as 128 and the signal.
  const number = signal === null ? (code ?? 0) - 128 : NAMED.get(signal);
  const killed = number === undefined ? undefined : BY_SIGNAL.get(number);
  if (killed !== undefined) return killed;
  const said = IN_WORDS.exec(stderr)?.[0].trim();
  return said === undefined ? undefined : `it came to a limit: ${said.slice(0, 200)}`;
}
