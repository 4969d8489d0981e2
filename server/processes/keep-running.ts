/**
 * Keeps the processes of one role running: each that dies is replaced, with longer delays after repeated deaths, and
 * always logged.
 */
import type { ChildProcess } from "node:child_process";
import { StartupError } from "../platform/env.ts";
import type { Log } from "../platform/log.ts";
import type { ProcessKind, RoleState } from "../platform/node-state.ts";
import type { WorkerRpcHub } from "../platform/worker-rpc.ts";
import { type Order, report } from "./messages.ts";

export interface KeepOptions {
  readonly role: ProcessKind;
  readonly count: number;
  readonly fork: () => ChildProcess;
  /** Called for every new process; returns a function to call when it has ended. */
  readonly follow?: (child: ChildProcess) => () => void;
  /** Told to a process when it may begin; until then it loads itself. */
  readonly known: Promise<unknown>;
  /** True for a process that others do not need: it is never asked, and a failed start does not fail the node. */
  readonly isOptional?: boolean;
  readonly exchange: WorkerRpcHub;
  readonly log: Log;
}

export interface KeptRole {
  /**
   * Resolves when every process is ready, with their reports. Errors: a `StartupError` when one of them could not
   * start.
   */
  readonly ready: Promise<readonly unknown[]>;
  state(): RoleState;
  /** Sends an order to all ready processes. */
  tell(order: Order): void;
  /** Ends all: work under way may finish, and processes that are left after `limitMs` are killed. */
  end(limitMs: number): Promise<void>;
}

const BACKOFF_MS = [250, 1_000, 4_000, 15_000];
/** A process that ran this long did not die of its start. */
const STEADY_MS = 60_000;

export function keepRunning(options: KeepOptions): KeptRole {
  const { role, count, fork, follow, exchange, log } = options;
  const running = new Map<ChildProcess, Promise<void>>();
  const ready = new Set<ChildProcess>();
  const replacements = createReplacements({ role, log, start: () => void start() });
  let hasStarted = options.isOptional ?? false;
  let isEnding = false;

  /** Resolves to the process's report when it is ready. */
  function start(): Promise<unknown> {
    const startedMs = performance.now();
    const child = fork();
    const leave = exchange.join(lineTo(child), { onlyAsks: options.isOptional ?? false });
    const onEnded = follow?.(child);
    let failure = "";
    child.on("error", (error) => log.warn({ err: error, role }, "a process could not be reached"));
    running.set(child, new Promise((resolve) => child.once("exit", () => resolve())));
    return new Promise((resolve, reject) => {
      child.on("message", (value: unknown) => {
        const said = report.safeParse(value).data;
        if (said?.role === "loaded") begin(child, options.known);
        if (said?.role === "ready") {
          ready.add(child);
          resolve(said.says);
        }
        if (said?.role === "failed") failure = said.says;
      });
      child.once("exit", (code, signal) => {
        onEnded?.();
        running.delete(child);
        ready.delete(child);
        leave();
        if (isEnding) return resolve(null);
        if (!hasStarted)
          return reject(new StartupError(failure || `The ${role} process ended with ${signal ?? code}.`));
        resolve(null);
        replacements.replace({ code, signal, ranMs: performance.now() - startedMs });
      });
    });
  }

  const first = Promise.all(Array.from({ length: count }, start)).then((said) => {
    hasStarted = true;
    return said;
  });
  first.catch(() => undefined); // a start that fails for another reason never awaits it

  return {
    ready: first,
    state: () => ({ wanted: count, running: ready.size, ...replacements.state() }),
    tell(order) {
      for (const child of ready) send(child, order);
    },
    async end(limitMs) {
      isEnding = true;
      replacements.cancel();
      for (const child of running.keys()) {
        // A process that has not begun has no work to finish.
        if (ready.has(child)) send(child, { order: "end" } satisfies Order);
        else child.kill("SIGKILL");
      }
      const cutOff = setTimeout(() => {
        for (const child of running.keys()) {
          log.error({ role, pid: child.pid }, "a process did not end in time and was killed");
          child.kill("SIGKILL");
        }
      }, limitMs);
      await Promise.all(running.values());
      clearTimeout(cutOff);
    },
  };
}

/** Starts another process for each that died, later the more often it happens. */
function createReplacements({ role, log, start }: { role: ProcessKind; log: Log; start: () => void }) {
  const retries = new Set<NodeJS.Timeout>();
  let crashes = 0;
  let deaths = 0;
  let lastDeath: RoleState["lastDeath"] = null;

  return {
    state: () => ({ deaths, lastDeath }),
    replace({ code, signal, ranMs }: { code: number | null; signal: string | null; ranMs: number }): void {
      if (ranMs > STEADY_MS) crashes = 0;
      const waitMs = BACKOFF_MS[Math.min(crashes, BACKOFF_MS.length - 1)] ?? 15_000;
      crashes += 1;
      deaths += 1;
      lastDeath = { atMs: Date.now(), says: signal === null ? `It ended with ${code}.` : `It was ended by ${signal}.` };
      log.error({ role, code, signal, waitMs, deaths }, "a process died; another one takes its place");
      const timer = setTimeout(() => {
        retries.delete(timer);
        start();
      }, waitMs);
      retries.add(timer);
    },
    cancel(): void {
      for (const timer of retries) clearTimeout(timer);
    },
  };
}

function begin(child: ChildProcess, settings: Promise<unknown>): void {
  settings.then(
    (known) => send(child, { order: "begin", known } satisfies Order),
    () => undefined, // the failed start is reported where it occurs; this process will be ended
  );
}

const lineTo = (child: ChildProcess) => ({
  // A process that is ending cannot answer; the caller waits until the usual timeout.
  send: (message: object) => send(child, message),
  onMessage: (listener: (message: unknown) => void) => void child.on("message", listener),
});

function send(child: ChildProcess, message: object): void {
  if (child.connected) child.send(message, () => undefined);
}
