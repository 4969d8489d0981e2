/** Reports spooled events without delaying the agent, in a process that outlives this one. */
import { spawn } from "node:child_process";
import { isFlushing } from "./flush.ts";
import type { Variables } from "./settings.ts";

export interface FlushContext {
  readonly env: Variables;
  readonly workingDir: string;
  readonly nowMs: number;
}

/**
 * `command` is this program's own, with the arguments that make it flush. Does nothing if a flush is already running.
 */
export function flushInBackground(dir: string, command: readonly string[], { env, workingDir, nowMs }: FlushContext) {
  const [file, ...args] = command;
  if (file === undefined || isFlushing(dir, nowMs)) return;
  const child = spawn(file, args, {
    detached: true,
    stdio: "ignore",
    cwd: workingDir,
    env: { ...env, NODE_ENV: "production" },
  });
  // It is a courtesy: the next call tries again.
  child.on("error", () => undefined);
  child.unref();
}
