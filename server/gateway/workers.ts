/**
 * Several processes behind one public port. Node's cluster accepts here and hands connections round; a worker that dies is
 * replaced, later the more often it happens, and never unnoticed.
 */
import cluster, { type Worker } from "node:cluster";
import { z } from "zod";
import { StartupError } from "../platform/env.ts";
import type { Log } from "../platform/log.ts";
import type { Exchange } from "../platform/siblings.ts";

export interface WorkersOptions {
  readonly count: number;
  /** The worker's program, its arguments, and what it gets over our own environment. */
  readonly entry: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly exchange: Exchange;
  readonly log: Log;
}

export interface WorkersState {
  readonly wanted: number;
  readonly running: number;
  readonly deaths: number;
  readonly lastDeath: { readonly atMs: number; readonly says: string } | null;
}

export interface Workers {
  readonly port: number;
  state(): WorkersState;
  /** Ends all: what is under way may finish, and what is left after `limitMs` is killed. */
  drain(limitMs: number): Promise<void>;
}

const BACKOFF_MS = [250, 1_000, 4_000, 15_000];
const SETTLED_MS = 60_000;

export const workerMessage = z.discriminatedUnion("worker", [
  z.object({ worker: z.literal("ready"), port: z.number() }),
  z.object({ worker: z.literal("failed"), says: z.string() }),
]);
export const DRAIN = { worker: "drain" } as const;

/** Returns when every worker answers. Errors: a `StartupError` when one of them could not start. */
export async function startWorkers(options: WorkersOptions): Promise<Workers> {
  const { count, entry, args, environment, exchange, log } = options;
  cluster.setupPrimary({ exec: entry, args: [...args], execArgv: process.execArgv });
  const running = new Map<Worker, Promise<void>>();
  const ready = new Set<Worker>();
  const retries = new Set<NodeJS.Timeout>();
  let hasStarted = false;
  let isStopping = false;
  let crashes = 0;
  let deaths = 0;
  let lastDeath: WorkersState["lastDeath"] = null;

  /** Resolves to the port when the worker answers. */
  function start(): Promise<number> {
    const startedMs = performance.now();
    const worker = cluster.fork(environment);
    const leave = exchange.join({
      // A worker that is going cannot be asked any more; whoever asked waits no longer than usual.
      send: (message) => void (worker.isConnected() && worker.send(message, () => undefined)),
      onMessage: (listener) => worker.on("message", listener),
    });
    const closeHanded = followHanded(worker);
    let failure = "";
    worker.on("error", (error) => log.warn({ err: error }, "a gateway worker could not be reached"));
    const ended = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
    running.set(worker, ended);
    return new Promise((resolve, reject) => {
      worker.on("message", (value: unknown) => {
        const said = workerMessage.safeParse(value).data;
        if (said?.worker === "ready") {
          ready.add(worker);
          resolve(said.port);
        }
        if (said?.worker === "failed") failure = said.says;
      });
      worker.once("exit", (code, signal) => {
        closeHanded();
        running.delete(worker);
        ready.delete(worker);
        leave();
        if (isStopping) return resolve(0);
        if (!hasStarted) return reject(new StartupError(failure || `A gateway worker ended with ${signal ?? code}.`));
        resolve(0);
        replace(code, signal, performance.now() - startedMs);
      });
    });
  }

  function replace(code: number | null, signal: string | null, ranMs: number): void {
    if (ranMs > SETTLED_MS) crashes = 0;
    const waitMs = BACKOFF_MS[Math.min(crashes, BACKOFF_MS.length - 1)] ?? 15_000;
    crashes += 1;
    deaths += 1;
    lastDeath = { atMs: Date.now(), says: signal === null ? `It ended with ${code}.` : `It was ended by ${signal}.` };
    log.error({ code, signal, waitMs, deaths }, "a gateway worker died; another one takes its place");
    const timer = setTimeout(() => {
      retries.delete(timer);
      void start();
    }, waitMs);
    retries.add(timer);
  }

  async function drain(limitMs: number): Promise<void> {
    isStopping = true;
    for (const timer of retries) clearTimeout(timer);
    for (const worker of running.keys()) {
      // Who has not begun has nothing to finish.
      if (!ready.has(worker)) worker.process.kill("SIGKILL");
      else if (worker.isConnected()) worker.send(DRAIN, () => undefined);
    }
    const cutOff = setTimeout(() => {
      for (const worker of running.keys()) {
        log.error({ pid: worker.process.pid }, "a gateway worker did not end in time and was killed");
        worker.process.kill("SIGKILL");
      }
    }, limitMs);
    await Promise.all(running.values());
    clearTimeout(cutOff);
  }

  try {
    const [port = 0] = await Promise.all(Array.from({ length: count }, start));
    hasStarted = true;
    return { port, drain, state: () => ({ wanted: count, running: ready.size, deaths, lastDeath }) };
  } catch (error) {
    await drain(0);
    throw error;
  }
}

/** A connection as node:cluster hands it to a worker. */
interface Handed {
  readonly fd: number;
  close(): void;
}

const isNewConnection = (message: unknown): boolean =>
  typeof message === "object" && message !== null && "act" in message && message.act === "newconn";

/**
 * Remembers the connections that were handed to a worker and not yet taken by it. node:cluster keeps each open until the worker
 * says that it has it, and forgets those of a worker that died before: their clients would wait until they give up. Answers
 * what closes them.
 */
function followHanded(worker: Worker): () => void {
  const handed = new Set<Handed>();
  const { process: child } = worker;
  const send = child.send.bind(child) as (...all: readonly unknown[]) => boolean; // holds: passed on as it came
  child.send = (...all: readonly unknown[]) => {
    const [message, handle] = all;
    if (isNewConnection(message) && isHandle(handle)) {
      for (const earlier of handed) if (earlier.fd < 0) handed.delete(earlier);
      handed.add(handle);
    }
    return send(...all);
  };
  return () => {
    for (const handle of handed) if (handle.fd >= 0) handle.close();
    handed.clear();
  };
}

/** Closed, it has no descriptor any more. */
const isHandle = (handle: unknown): handle is Handed =>
  typeof handle === "object" && handle !== null && "fd" in handle && "close" in handle;
