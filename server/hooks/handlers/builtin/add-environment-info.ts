/** `add_environment_info`: where the agent is, for the model. */
import { stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { createContextOutput } from "./context-output.ts";
import type { Builtin } from "./kind.ts";

const SYSTEMS: Readonly<Record<string, string>> = { darwin: "MacOS", win32: "Windows", linux: "Linux" };
const PROCESSORS: Readonly<Record<string, string>> = { ia32: "386" };

export const addEnvironmentInfo: Builtin = {
  name: "add_environment_info",
  async run({ input: { cwd } }) {
    if (!cwd) return null;
    const lines = [
      "<env>",
      `Working directory: ${cwd}`,
      `Is directory a git repo: ${(await isInRepository(cwd)) ? "Yes" : "No"}`,
      `Operating System: ${SYSTEMS[process.platform] ?? process.platform}`,
      `CPU Architecture: ${PROCESSORS[process.arch] ?? process.arch}`,
      "</env>",
    ];
    const intro = "Here is useful information about the environment you are running in:";
    return createContextOutput("session_start", [intro, ...lines].join("\n\t"));
  },
};

/** True if `cwd` or a folder above holds a folder `.git`. A file of that name (a linked worktree) does not count. */
async function isInRepository(cwd: string): Promise<boolean> {
  for (let dir = resolve(cwd); ; dir = dirname(dir)) {
    const found = await stat(join(dir, ".git")).catch((error: NodeJS.ErrnoException) => error);
    if (found instanceof Error) {
      if (found.code !== "ENOENT") return false;
    } else if (found.isDirectory()) return true;
    if (dir === dirname(dir)) return false;
  }
}
