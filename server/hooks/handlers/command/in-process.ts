/** Starts commands from this very process: for an executor that lives for one dispatch, where a pre-forked one is a cost. */
import { stat } from "node:fs/promises";
import type { Spawner } from "./client.ts";
import { runProcess } from "./spawner/process-group.mjs";

const OUTPUT_BYTES_MAX = 1024 * 1024;

/** Each command in a process group of its own, not contained: it may do what whoever started us may do. */
export function inProcessSpawner(): Pick<Spawner, "run"> {
  return {
    async run({ shell, command, cwd = "/", env, stdin, backstopMs }, signal) {
      const isThere = await stat(cwd).then(
        (found) => found.isDirectory(),
        () => false,
      );
      if (!isThere) return { kind: "failed", message: `chdir ${cwd}: no such directory` };
      const limits = { outputBytesMax: OUTPUT_BYTES_MAX, backstopMs, reports: "nothing" as const };
      return runProcess({ file: shell, args: ["-c", command], cwd, env, stdin, ...limits }, signal, () => {});
    },
  };
}
