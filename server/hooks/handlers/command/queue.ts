/** Runs on their way through the spawner: so many at once, so many waiting, each ended exactly once. */
import type { HandlerReply } from "../../engine/ports.ts";
import type { SpawnRequest, ToSpawner } from "./protocol.ts";

interface Run {
  readonly id: number;
  readonly request: SpawnRequest;
  readonly finish: (reply: HandlerReply) => void;
  pid?: number;
}

export class RunQueue {
  private nextId = 1;
  private send: ((message: ToSpawner) => void) | undefined;
  private closed = false;
  private readonly waiting = new Map<number, Run>();
  private readonly running = new Map<number, Run>();

  constructor(
    private readonly concurrencyMax: number,
    private readonly queueMax: number,
  ) {}

  get load() {
    return { running: this.running.size, waiting: this.waiting.size };
  }

  /** The reply of a run, once it had its turn. */
  add(request: SpawnRequest, signal: AbortSignal): Promise<HandlerReply> {
    if (this.closed) return Promise.resolve(failed("the server is stopping; no hook is started any more"));
    if (signal.aborted) return Promise.resolve(failed("the hook was cancelled before it started"));
    const mustWait = !this.send || this.running.size >= this.concurrencyMax;
    if (mustWait && this.waiting.size >= this.queueMax) {
      return Promise.resolve(failed(`too many hooks are waiting to run (${this.queueMax})`));
    }
    return new Promise((resolve) => {
      const onAbort = () => this.stop(run);
      const finish = (reply: HandlerReply) => {
        signal.removeEventListener("abort", onAbort);
        this.waiting.delete(run.id);
        this.running.delete(run.id);
        resolve(reply);
        this.fill();
      };
      const run: Run = { id: this.nextId++, request, finish };
      signal.addEventListener("abort", onAbort, { once: true });
      this.waiting.set(run.id, run);
      this.fill();
    });
  }

  connect(send: (message: ToSpawner) => void): void {
    this.send = send;
    this.fill();
  }

  /** The spawner is gone: what it ran has failed, and its groups are ended from here. What waits, waits on. */
  disconnect(reason: string): void {
    this.send = undefined;
    for (const run of [...this.running.values()]) {
      if (run.pid !== undefined) killGroup(run.pid);
      run.finish(failed(reason));
    }
  }

  started(id: number, pid: number): void {
    const run = this.running.get(id);
    if (run) run.pid = pid;
  }

  ended(id: number, reply: HandlerReply): void {
    this.running.get(id)?.finish(reply);
  }

  close(): void {
    this.closed = true;
    for (const run of [...this.waiting.values()]) run.finish(failed("the server is stopping"));
    this.disconnect("the server is stopping");
  }

  private stop(run: Run): void {
    if (this.running.has(run.id)) this.send?.({ kind: "stop", id: run.id });
    else run.finish(failed("the hook was cancelled before it started"));
  }

  private fill(): void {
    if (!this.send) return;
    for (const run of this.waiting.values()) {
      if (this.running.size >= this.concurrencyMax) return;
      this.waiting.delete(run.id);
      this.running.set(run.id, run);
      this.send({ kind: "run", id: run.id, request: run.request });
    }
  }
}

function failed(message: string): HandlerReply {
  return { kind: "failed", message };
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Nobody is left in the group.
  }
}
