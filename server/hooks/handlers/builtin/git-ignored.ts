/** The paths that a repository ignores. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Environment } from "../../engine/ports.ts";
import { git } from "./git.ts";

const ANSWER_BYTES_MAX = 4 * 1024 * 1024;

interface Asking {
  readonly env: Environment;
  readonly signal: AbortSignal;
  readonly log: ((text: string) => void) | undefined;
}

/**
 * Returns a function that selects the ignored paths, relative to `root`. No path is ignored outside the root of a work tree, or if
 * git fails.
 */
export async function ignoredByGit(
  root: string,
  { env, signal, log }: Asking,
): Promise<(paths: readonly string[]) => Promise<ReadonlySet<string>>> {
  const isWorkTree = await stat(join(root, ".git")).then(
    () => true,
    () => false,
  );
  // Uses only the repository's patterns, as docker-agent does: neither the index nor the user's own file counts.
  const args = ["-c", "core.excludesFile=/dev/null", "check-ignore", "--no-index", "--stdin", "-z"];
  return async (paths) => {
    if (!isWorkTree || paths.length === 0) return new Set();
    const stdin = Buffer.from(paths.map((path) => `./${path}\0`).join(""));
    const ran = await git({ args, cwd: root, env, signal, stdin, stdoutBytesMax: ANSWER_BYTES_MAX });
    if (ran.ok)
      return new Set(
        ran.stdout
          .toString("utf8")
          .split("\0")
          .map((path) => path.replace(/^\.\//, "")),
      );
    // 1: no path is ignored.
    if (ran.exitCode !== 1) log?.(`git check-ignore: ${ran.why}`);
    return new Set();
  };
}
