/** The parts of their process that the verbs `enrol`, `drill` and `mcp` read and write. */
import { homedir } from "node:os";
import { inheritedEnvironment } from "../../platform/env.ts";
import { print, printError } from "../print.ts";

export interface ProcessContext {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly homeDirectory: string;
  readonly workingDirectory: string;
  /** As Node names it: "win32" on native Windows, also where a shell such as Git Bash started it. */
  readonly platform?: NodeJS.Platform;
  readonly writeOutput: (text: string) => void;
  readonly writeError: (text: string) => void;
}

export function ownProcess(): ProcessContext {
  return {
    environment: inheritedEnvironment(),
    homeDirectory: homedir(),
    workingDirectory: process.cwd(),
    platform: process.platform,
    writeOutput: print,
    writeError: printError,
  };
}
