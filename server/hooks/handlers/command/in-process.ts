/** Starts commands directly from this process, for an executor that lives for one dispatch and does not need a pre-forked spawner. */
import { stat } from "node:fs/promises";
import type { Spawner } from "./client.ts";
import { runProcess } from "./spawner/process-group.mjs";

const OUTPUT_BYTES_MAX = 1024 * 1024;

/** Runs each command in its own process group, without isolation: it has the rights of this process. */
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
