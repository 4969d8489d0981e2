/** Work done again and again in the background, one turn at a time, until it is stopped. */
export interface RepeaterOptions {
  /** Runs one turn. Returns the milliseconds until the next one begins. */
  readonly turn: (signal: AbortSignal) => Promise<number>;
  /** Milliseconds from `start` to the first turn. */
  readonly firstMs: number | (() => number);
  /** Milliseconds until the next turn after a failed one. */
  readonly retryMs: number | (() => number);
  /** Hears why a turn failed; it must not throw. */
  readonly onFailure: (error: unknown) => void;
}

export interface Repeater {
  start(): void;
  /** Settles when no turn runs, and none will. */
  stop(): Promise<void>;
  /** Aborted by `stop`: long turns check it. Fresh with each `start`. */
  readonly signal: AbortSignal;
}

/** Does not keep the process alive: a process without other work ends between two turns. */
export function createRepeater({ turn, firstMs, retryMs, onFailure }: RepeaterOptions): Repeater {
  let ending = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  function next(afterMs: number, signal: AbortSignal): void {
    if (signal.aborted) return;
    timer = setTimeout(() => {
      running = turn(signal)
        .catch((error: unknown) => {
          onFailure(error);
          return milliseconds(retryMs);
        })
        .then((ms) => next(ms, signal));
    }, afterMs).unref();
  }

  return {
    get signal() {
      return ending.signal;
    },
    start() {
      ending.abort();
      clearTimeout(timer);
      ending = new AbortController();
      next(milliseconds(firstMs), ending.signal);
    },
    async stop() {
      ending.abort();
      clearTimeout(timer);
      await running;
    },
  };
}

const milliseconds = (ms: number | (() => number)): number => (typeof ms === "number" ? ms : ms());
