// @ts-check
/** The sandbox: bubblewrap's arguments, and whether it really works on this machine. */
import { existsSync } from "node:fs";
import { runProcess } from "./process-group.mjs";

/** @import { SpawnerSettings } from "../protocol.ts" */

/**
 * The first bubblewrap that demonstrably runs a command here; nothing when none does.
 * @param {SpawnerSettings} settings
 * @returns {Promise<string | undefined>}
 */
export async function workingBubblewrap(settings) {
  if (settings.sandbox === "none") return undefined;
  for (const file of settings.bubblewrapPaths) {
    if (existsSync(file) && (await works(file, settings.hiddenDirs))) return file;
  }
  return undefined;
}

/** @param {string} file @param {readonly string[]} hiddenDirs */
async function works(file, hiddenDirs) {
  const probe = await runProcess(
    {
      file,
      args: bubblewrapArgs({ hiddenDirs, cwd: "/", shell: "/bin/sh", command: "exit 7" }),
      cwd: "/",
      env: {},
      stdin: "",
      outputBytesMax: 65_536,
      backstopMs: 5_000,
      reportsStatus: true,
    },
    new AbortController().signal,
    () => {},
  );
  return probe.kind === "exited" && probe.exitCode === 7;
}

/**
 * A world that can be read and not written, with its own processes and its own /tmp; what is hidden is empty.
 * @param {{ hiddenDirs: readonly string[], scratch?: string | undefined, cwd: string, shell: string, command: string }} run
 */
export function bubblewrapArgs({ hiddenDirs, scratch, cwd, shell, command }) {
  return [
    ...["--unshare-pid", "--die-with-parent", "--json-status-fd", "3"],
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"],
    ...hiddenDirs.filter((dir) => existsSync(dir)).flatMap((dir) => ["--tmpfs", dir]),
    ...(scratch === undefined ? [] : ["--bind", scratch, scratch]),
    ...["--chdir", cwd, "--", shell, "-c", command],
  ];
}
