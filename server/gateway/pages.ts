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
  /** Settles when the pages answer for the first time; rejects when their process ends before that. */
  readonly ready: Promise<void>;
  stop(): Promise<void>;
}

const ENTRY = fileURLToPath(new URL("./next-child.mjs", import.meta.url));
const PROJECT = fileURLToPath(new URL("../..", import.meta.url));
const BACKOFF_MS = [1_000, 2_000, 5_000, 10_000, 30_000];
const SETTLED_MS = 60_000;

/** Starts the pages' process and returns at once. */
export function startPages(options: PagesOptions): Pages {
  let child: ChildProcess;
  let ready = false;
  let stopping = false;
  let crashes = 0;
  let retry: NodeJS.Timeout | undefined;

  function start(): ChildProcess {
    const startedAt = performance.now();
    const started = fork(ENTRY, [options.socketPath, options.development ? "development" : "production"], {
      cwd: PROJECT,
      execArgv: [],
      env: {
        ...inheritedEnvironment(),
        ...options.environment,
        NODE_ENV: options.development ? "development" : "production",
        NEXT_TELEMETRY_DISABLED: "1",
      },
      // A session of its own, out of reach of a terminal's Ctrl-C.
      detached: true,
      stdio: ["ignore", options.development ? "inherit" : "ignore", "inherit", "ipc"],
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
  const answered = Promise.race([
    once(first, "message").then(() => undefined),
    once(first, "exit").then(([code]) => {
      throw new Error(`the pages' process ended with ${code} before it was ready`);
    }),
  ]);
  answered.catch(() => undefined); // a start that fails for another reason never looks at it

  return {
    ready: answered,
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
