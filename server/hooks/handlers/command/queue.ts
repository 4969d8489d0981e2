/**
 * The queue of runs for the spawner, with limits on running and waiting runs. Each run ends exactly once. The slots are shared:
 * the member with the fewest running runs is next, and no member can take all slots.
 */
import type { HandlerReply, Turn } from "../../engine/ports.ts";
import type { SpawnRequest, ToSpawner } from "./protocol.ts";

interface Run {
  readonly id: number;
  readonly request: SpawnRequest;
  readonly group: string;
  readonly member: string;
  readonly begins: () => void;
  readonly finish: (reply: HandlerReply) => void;
  pid?: number;
}

/** The share of all slots that one member, and one group of members, can take. */
const MEMBER_SHARE = 0.5;
const GROUP_SHARE = 0.75;

export class RunQueue {
  private nextId = 1;
  private send: ((message: ToSpawner) => void) | undefined;
  private closed = false;
  /** Waiting runs by member, in order of arrival. */
  private readonly waiting = new Map<string, Map<number, Run>>();
  private waitingCount = 0;
  private readonly running = new Map<number, Run>();
  private readonly runningOf = new Map<string, number>();

  constructor(
    private readonly concurrencyMax: number,
    private readonly queueMax: number,
  ) {}

  get load() {
    return { running: this.running.size, waiting: this.waitingCount };
  }

  /** Queues a run and resolves with its reply. All runs without a `turn` share one quota. */
  add(request: SpawnRequest, signal: AbortSignal, turn?: Turn): Promise<HandlerReply> {
    if (this.closed) return Promise.resolve(STOPPING);
    if (signal.aborted) return Promise.resolve(failed("the hook was cancelled before it started"));
    return new Promise((resolve) => {
      const onAbort = () => this.stop(run);
      const finish = (reply: HandlerReply) => {
        signal.removeEventListener("abort", onAbort);
        this.remove(run);
        resolve(reply);
        this.fill();
      };
      const [group, member] = keysOf(turn);
      const run: Run = { id: this.nextId++, request, group, member, begins: () => turn?.begins(), finish };
      signal.addEventListener("abort", onAbort, { once: true });
      this.line(member).set(run.id, run);
      this.waitingCount += 1;
      this.fill();
      if (!this.isWaiting(run)) return;
      if (this.waitingCount > this.queueMax) {
        finish({ kind: "not_started", cause: "busy", message: `too many hooks are waiting to run (${this.queueMax})` });
      } else turn?.waits();
    });
  }

  connect(send: (message: ToSpawner) => void): void {
    this.send = send;
    this.fill();
  }

  /** Handles a lost spawner: its runs fail, and their process groups are ended from here. Waiting runs stay in the queue. */
  disconnect(reason: string): void {
    this.send = undefined;
    this.endRunning(failed(reason));
  }

  started(id: number, pid: number): void {
    const run = this.running.get(id);
    if (run) run.pid = pid;
  }

  ended(id: number, reply: HandlerReply): void {
    this.running.get(id)?.finish(reply);
  }

  /** Ends every run and starts no more. Each hook fails because the server is stopping. */
  close(): void {
    this.closed = true;
    this.send = undefined;
    for (const line of [...this.waiting.values()]) for (const run of [...line.values()]) run.finish(STOPPING);
    this.endRunning(STOPPING);
  }

  private endRunning(reply: HandlerReply): void {
    for (const run of [...this.running.values()]) {
      if (run.pid !== undefined) killGroup(run.pid);
      run.finish(reply);
    }
  }

  private line(member: string): Map<number, Run> {
    const line = this.waiting.get(member) ?? new Map<number, Run>();
    this.waiting.set(member, line);
    return line;
  }

  private isWaiting(run: Run): boolean {
    return this.waiting.get(run.member)?.has(run.id) === true;
  }

  private remove(run: Run): void {
    if (this.running.delete(run.id)) {
      for (const key of [run.group, run.member]) this.count(key, -1);
      return;
    }
    const line = this.waiting.get(run.member);
    if (line?.delete(run.id)) this.waitingCount -= 1;
    if (line?.size === 0) this.waiting.delete(run.member);
  }

  private count(key: string, by: number): void {
    const count = (this.runningOf.get(key) ?? 0) + by;
    if (count === 0) this.runningOf.delete(key);
    else this.runningOf.set(key, count);
  }

  private stop(run: Run): void {
    if (this.running.has(run.id)) this.send?.({ kind: "stop", id: run.id });
    else run.finish(failed("the hook was cancelled before it started"));
  }

  private fill(): void {
    while (this.send && this.running.size < this.concurrencyMax) {
      const run = this.next();
      if (!run) return;
      this.remove(run);
      this.running.set(run.id, run);
      for (const key of [run.group, run.member]) this.count(key, 1);
      run.begins();
      this.send({ kind: "run", id: run.id, request: run.request });
    }
  }

  /** The next run: from the member with the fewest runs, in the group with the fewest. Among equals, the longest waiting run. */
  private next(): Run | undefined {
    let best: Run | undefined;
    let bestRank: readonly number[] = [];
    for (const line of this.waiting.values()) {
      const [run] = line.values();
      if (!run) continue;
      const inGroup = this.runningOf.get(run.group) ?? 0;
      const ofMember = this.runningOf.get(run.member) ?? 0;
      if (inGroup >= this.share(GROUP_SHARE) || ofMember >= this.share(MEMBER_SHARE)) continue;
      const rank = [inGroup, ofMember, run.id];
      if (best && !isLess(rank, bestRank)) continue;
      best = run;
      bestRank = rank;
    }
    return best;
  }

  private share(part: number): number {
    return Math.max(1, Math.floor(this.concurrencyMax * part));
  }
}

function isLess(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at >= 0 && (one[at] ?? 0) < (other[at] ?? 0);
}

/** Unambiguous keys for a group and for a member in it. */
function keysOf(turn: Turn | undefined): readonly [group: string, member: string] {
  const [group, member] = turn?.shares ?? ["", ""];
  return [JSON.stringify([group]), JSON.stringify([group, member])];
}

const STOPPING: HandlerReply = {
  kind: "not_started",
  cause: "stopping",
  message: "The server is stopping, and ended this hook or did not start it. Try again when it is back.",
};

function failed(message: string): HandlerReply {
  return { kind: "failed", message };
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The group is empty.
  }
}
