/** Reports what is spooled without holding the agent up: in a process of its own that outlives this one. */
import { spawn } from "node:child_process";
import { isFlushing } from "./flush.ts";
import type { Variables } from "./settings.ts";

export interface FlushContext {
  readonly env: Variables;
  readonly workingDir: string;
  readonly nowMs: number;
}

/** `command` is this program's own, with the arguments that make it flush. Whoever flushes already does it for us. */
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
