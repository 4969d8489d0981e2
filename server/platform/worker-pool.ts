/**
 * Worker threads for long work on untrusted input: texts that people send, large inputs of agents. The event loop that
 * serves gates is not blocked by it (docs/adr/0028-texts-from-outside-run-on-worker-threads.md).
 *
 * Every resource is limited: threads, tasks per caller, the queue, and the run time, after which the thread is ended
 * with its task.
 */
import { Piscina } from "piscina";
import { AppError, type AppErrorOptions } from "../errors/app-error.ts";
import type { ErrorCode } from "../errors/catalogue.ts";
import { log } from "./log.ts";

export interface WorkerLimits {
  /** Threads, and thus concurrent tasks. */
  readonly threads: number;
  /** Concurrent tasks of one caller. */
  readonly runningOfOne: number;
  /** Tasks of one asker, running and waiting; one more is refused. */
  readonly ofOne: number;
  /** The number of waiting tasks of all callers; a further one is refused. */
  readonly waiting: number;
  /** Milliseconds that a task may run. The start of its thread does not count: on a busy machine it takes seconds. */
  readonly deadlineMs: number;
  /** Heap of a thread, in MiB. */
  readonly heapMiB: number;
  /** Milliseconds after which an idle thread ends. */
  readonly idleMs: number;
}

export interface TaskCall {
  readonly module: string;
  readonly name: string;
  readonly input: unknown;
}

export type TaskAnswer =
  | { readonly kind: "done"; readonly value: unknown }
  | {
      readonly kind: "refused";
      readonly code: ErrorCode;
      readonly detail: string | undefined;
      readonly options: AppErrorOptions;
    };

export interface WorkerPool {
  /**
   * The result of the exported function `call.name` of `call.module` for `call.input`; both are copied by structured
   * clone.
   *
   * Errors: what the task throws as an `AppError`; `busy` when `asker` or all callers together have too many tasks
   * under way; `too_costly` when it takes longer than the deadline, or more memory than a thread has.
   */
  run(asker: string, call: TaskCall, transfer?: readonly ArrayBuffer[]): Promise<unknown>;
  /** Running and waiting tasks, for tests and figures. */
  readonly load: { readonly running: number; readonly waiting: number };
  close(): Promise<void>;
}

/** It loads TypeScript itself, whether npm start or a test runner started this process. */
const ENTRY = new URL("./worker-entry.mjs", import.meta.url).href;

interface Waiting {
  readonly asker: string;
  begin(): void;
}

/** Each thread loads `entry` when it starts. */
export function createWorkerPool(limits: WorkerLimits, entry = ENTRY): WorkerPool {
  let threads: Piscina | undefined;
  const deadlines = new Set<Deadline>();
  /** The first task starts a thread: a server without such tasks has no thread. */
  const started = () => {
    threads ??= start();
    return threads;
  };
  const start = () => {
    const made = new Piscina({
      filename: entry,
      minThreads: 0,
      maxThreads: limits.threads,
      maxQueue: limits.threads,
      idleTimeout: limits.idleMs,
      concurrentTasksPerWorker: 1,
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: limits.heapMiB },
    });
    // A thread that dies before it has a task is an event, and without a listener the end of this process.
    made.on("error", (error: unknown) => replace(made, error));
    return made;
  };
  /**
   * Piscina starts no thread after one that died at its start. So the next task gets a new pool; threads of the old one
   * end with their tasks.
   */
  const replace = (broken: Piscina, error: unknown) => {
    log().error({ err: error }, "a worker thread died before its task began");
    if (threads === broken) threads = undefined;
    for (const deadline of deadlines) deadline.failUnlessBegun(error);
    void broken.close().catch(() => undefined);
  };
  const places = createPlaces(limits);

  async function run(asker: string, call: TaskCall, transfer: readonly ArrayBuffer[] = []): Promise<unknown> {
    await places.take(asker);
    const begun = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
    const deadline = deadlineOf(begun, limits.deadlineMs);
    deadlines.add(deadline);
    try {
      const options = { signal: deadline.signal, transferList: [...transfer] };
      const answer = (await started().run({ ...call, begun }, options)) as TaskAnswer; // holds: the entry returns nothing else
      if (answer.kind === "done") return answer.value;
      const { says, pointer, problems } = answer.options;
      throw new AppError(answer.code, answer.detail, {
        ...(says && { says }),
        ...(pointer !== undefined && { pointer }),
        ...(problems && { problems }),
      });
    } catch (error) {
      if (deadline.died !== undefined) throw new AppError("internal", call.name, { cause: deadline.died });
      if (deadline.signal.aborted || isOutOfMemory(error))
        throw new AppError("too_costly", call.name, { cause: error });
      throw error;
    } finally {
      deadlines.delete(deadline);
      deadline.forget();
      places.leave(asker);
    }
  }

  return {
    run,
    get load() {
      return places.load;
    },
    async close() {
      await threads?.destroy();
    },
  };
}

/** The start of a thread and the loading of its module; more is a fault of ours, and ends too. */
const START_MS_MAX = 60_000;
const LOOK_MS = 500;

interface Deadline {
  readonly signal: AbortSignal;
  /** The death of the thread that was to run the task. */
  readonly died: unknown;
  failUnlessBegun(died: unknown): void;
  forget(): void;
}

/** A signal that is aborted once the task has run for too long: from when `begun` is no longer 0. */
function deadlineOf(begun: SharedArrayBuffer, deadlineMs: number): Deadline {
  const flag = new Int32Array(begun);
  const controller = new AbortController();
  let untilMs = performance.now() + START_MS_MAX;
  let isBegun = false;
  let died: unknown;
  const look = () => {
    if (!isBegun && Atomics.load(flag, 0) !== 0) {
      isBegun = true;
      untilMs = performance.now() + deadlineMs;
    }
    if (performance.now() >= untilMs) controller.abort();
  };
  const timer = setInterval(look, Math.min(LOOK_MS, deadlineMs));
  return {
    signal: controller.signal,
    get died() {
      return died;
    },
    failUnlessBegun(error) {
      if (Atomics.load(flag, 0) !== 0) return;
      died = error;
      controller.abort();
    },
    forget: () => clearInterval(timer),
  };
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";

/** The slots for tasks. Fair: first the caller with the fewest running tasks, then the one that has waited longest. */
function createPlaces({ threads, runningOfOne, ofOne, waiting }: WorkerLimits) {
  const running = new Map<string, number>();
  const queue: Waiting[] = [];
  let taken = 0;
  const runningOf = (asker: string) => running.get(asker) ?? 0;

  function begin(asker: string): void {
    taken += 1;
    running.set(asker, runningOf(asker) + 1);
  }

  function next(): void {
    const may = queue.filter(({ asker }) => runningOf(asker) < runningOfOne);
    const [first] = may.sort((a, b) => runningOf(a.asker) - runningOf(b.asker));
    if (!first || taken >= threads) return;
    queue.splice(queue.indexOf(first), 1);
    begin(first.asker);
    first.begin();
  }

  return {
    async take(asker: string): Promise<void> {
      if (taken < threads && runningOf(asker) < runningOfOne) return begin(asker);
      const own = runningOf(asker) + queue.filter((one) => one.asker === asker).length;
      if (own >= ofOne || queue.length >= waiting)
        throw new AppError("busy", asker, { says: TOO_MANY, retryAfterSeconds: 1 });
      await new Promise<void>((resolve) => queue.push({ asker, begin: resolve }));
    },
    leave(asker: string): void {
      taken -= 1;
      const left = runningOf(asker) - 1;
      if (left > 0) running.set(asker, left);
      else running.delete(asker);
      next();
    },
    get load() {
      return { running: taken, waiting: queue.length };
    },
  };
}

const TOO_MANY = "Too much is being read at once. Wait until one is done, then try again.";

/** The functions of a task module, each with one argument that can be cloned, as calls into `pool`. */
export function tasksOf<Tasks extends object>(pool: () => WorkerPool, module: URL) {
  return <Name extends keyof Tasks & string>(
    asker: string,
    name: Name,
    input: InputOf<Tasks[Name]>,
  ): Promise<OutputOf<Tasks[Name]>> =>
    pool().run(asker, { module: module.href, name, input }) as Promise<OutputOf<Tasks[Name]>>; // holds: `Tasks` is the type of the module's exports
}

type InputOf<Task> = Task extends (input: infer Input) => unknown ? Input : never;
type OutputOf<Task> = Task extends (input: never) => infer Output ? Awaited<Output> : never;

/** The limits for people's texts: at worst these are slow, but they never delay agents. */
const TEXTS: WorkerLimits = {
  threads: 2,
  runningOfOne: 1,
  ofOne: 4,
  waiting: 32,
  deadlineMs: 15_000,
  heapMiB: 512,
  idleMs: 60_000,
};
let texts: WorkerPool | undefined;

/** The process's pool for texts that people send. */
export const textWorkers = (): WorkerPool => {
  texts ??= createWorkerPool(TEXTS);
  return texts;
};
