/** Keeps the pages' process running: starts it, starts it again when it dies, ends it with us. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { inheritedEnvironment } from "../platform/env.ts";
import type { Log } from "../platform/log.ts";

export interface PagesOptions {
  readonly socketPath: string;
  readonly development: boolean;
  readonly log: Log;
  /** Over our own environment. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface Pages {
  isReady(): boolean;
  stop(): Promise<void>;
}

const ENTRY = fileURLToPath(new URL("./next-child.ts", import.meta.url));
const PROJECT = fileURLToPath(new URL("../..", import.meta.url));
const BACKOFF_MS = [1_000, 2_000, 5_000, 10_000, 30_000];
const SETTLED_MS = 60_000;

/** Returns once the pages answer for the first time. Errors: when the process ends before that. */
export async function startPages(options: PagesOptions): Promise<Pages> {
  let child: ChildProcess;
  let ready = false;
  let stopping = false;
  let crashes = 0;
  let retry: NodeJS.Timeout | undefined;

  function start(): ChildProcess {
    const startedAt = performance.now();
    const started = fork(ENTRY, [options.socketPath, options.development ? "development" : "production"], {
      cwd: PROJECT,
      execArgv: ["--import", "tsx"],
      env: {
        ...inheritedEnvironment(),
        ...options.environment,
        NODE_ENV: options.development ? "development" : "production",
        NEXT_TELEMETRY_DISABLED: "1",
      },
      // A session of its own, out of reach of a terminal's Ctrl-C.
      detached: true,
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    started.once("message", () => {
      ready = true;
    });
    started.once("exit", (code, signal) => {
      const neverReady = !ready && crashes === 0;
      ready = false;
      if (stopping || neverReady) return;
      if (performance.now() - startedAt > SETTLED_MS) crashes = 0;
      const waitMs = BACKOFF_MS[Math.min(crashes, BACKOFF_MS.length - 1)] ?? 30_000;
      crashes += 1;
      options.log.error({ code, signal, waitMs }, "the pages' process died; starting it again");
      retry = setTimeout(() => {
        child = start();
      }, waitMs);
    });
    return started;
  }

  child = start();
  const first = child;
  await Promise.race([
    once(first, "message"),
    once(first, "exit").then(([code]) => {
      throw new Error(`the pages' process ended with ${code} before it was ready`);
    }),
  ]);

  return {
    isReady: () => ready,
    async stop() {
      stopping = true;
      clearTimeout(retry);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      if (child.connected) child.disconnect();
      const force = setTimeout(() => child.kill("SIGKILL"), 2_000);
      await gone;
      clearTimeout(force);
    },
  };
}
