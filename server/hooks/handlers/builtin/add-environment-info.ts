/** `add_environment_info`: gives the model the agent's environment. */
import { stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { HookOutput } from "../../contract/output.ts";
import type { Environment } from "../../engine/ports.ts";
import { createContextOutput } from "./context-output.ts";
import type { Builtin } from "./kind.ts";

const SYSTEMS: Readonly<Record<string, string>> = { darwin: "MacOS", win32: "Windows", linux: "Linux" };
const PROCESSORS: Readonly<Record<string, string>> = { ia32: "386" };

export const addEnvironmentInfo: Builtin = {
  name: "add_environment_info",
  run: ({ input: { cwd } }) => describe(cwd),
  changes: { "2026-11": ({ input: { cwd }, env }) => describe(cwd, shellLine(env)) },
};

async function describe(cwd: string | null | undefined, ...more: readonly string[]): Promise<HookOutput | null> {
  if (!cwd) return null;
  const lines = [
    "<env>",
    `Working directory: ${cwd}`,
    `Is directory a git repo: ${(await isInRepository(cwd)) ? "Yes" : "No"}`,
    `Operating System: ${SYSTEMS[process.platform] ?? process.platform}`,
    `CPU Architecture: ${PROCESSORS[process.arch] ?? process.arch}`,
    ...more,
    "</env>",
  ];
  const intro = "Here is useful information about the environment you are running in:";
  return createContextOutput("session_start", [intro, ...lines].join("\n\t"));
}

/** The shell that runs the agent's commands, always on one line. */
function shellLine(env: Environment): string {
  const [named, otherwise] = process.platform === "win32" ? [env.ComSpec, "cmd.exe"] : [env.SHELL, "/bin/sh"];
  const path = (named || otherwise).replace(/\p{Cc}/gu, " ");
  const name = path.split(/[/\\]/).at(-1) ?? path;
  return `Shell: ${name.replace(/\.exe$/i, "")} (${path})`;
}

/** True if `cwd` or a parent contains a `.git` folder. A `.git` file (a linked worktree) does not count. */
async function isInRepository(cwd: string): Promise<boolean> {
  for (let dir = resolve(cwd); ; dir = dirname(dir)) {
    const found = await stat(join(dir, ".git")).catch((error: NodeJS.ErrnoException) => error);
    if (found instanceof Error) {
      if (found.code !== "ENOENT") return false;
    } else if (found.isDirectory()) return true;
    if (dir === dirname(dir)) return false;
  }
}
