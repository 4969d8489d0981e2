// @ts-check
/** The limits of each process of an isolated hook: set by prlimit, or else by the shell. */
import { existsSync } from "node:fs";
import { runProcess } from "./process-group.mjs";

/** @import { RunLimits } from "../limits.ts" */
/** @import { Confinement, SpawnerSettings } from "../protocol.ts" */

/** @typedef {{ readonly kind: Confinement["limits"], readonly file: string }} Limiter */

/** Asked to end at the first, made to end at the second. */
const CPU_GRACE_SECONDS = 2;
const THREADS_PER_PROCESS = 8;

/**
 * The limiter that works here, demonstrably so.
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
  const probe = await runProcess({ ...request, reports: "nothing" }, new AbortController().signal, () => {});
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
  const tasksMax = limits.processesMax * THREADS_PER_PROCESS;
  if (kind === "prlimit") {
    const set = [
      `--as=${addressBytesMax}`,
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
    `-St ${cpuSecondsMax}`,
    `-Ht ${cpuSecondsMax + CPU_GRACE_SECONDS}`,
    `-n ${openFilesMax}`,
    `-f ${Math.floor(fileBytesMax / 512)}`,
    "-c 0",
  ].map((one) => `ulimit ${one} 2>/dev/null`);
  if (ownTasks) set.push(`ulimit -u ${tasksMax} 2>/dev/null || ulimit -p ${tasksMax} 2>/dev/null`);
  return [file, "-c", `${set.join("\n")}\nexec "$@"`, "sh", ...command];
}
