/** The main process's side of the spawner: starts it, restarts it when it dies, and limits the number of runs. */
import { type ChildProcess, fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { Environment, HandlerReply, Turn } from "../../engine/ports.ts";
import { type Heartbeat, startHeartbeat } from "./heartbeat.ts";
import { hiddenDirs } from "./hidden-dirs.ts";
import { RUN_LIMITS, type RunLimits } from "./limits.ts";
import type { Confinement, FromSpawner, SpawnerSettings, SpawnRequest, ToSpawner } from "./protocol.ts";
import { RunQueue } from "./queue.ts";

export type { Confinement, SpawnRequest } from "./protocol.ts";

export interface SpawnerOptions {
  /**
   * "auto" uses the first sandbox that is proven to work here, and runs no isolated hook without one; `Spawner.confinement`
   * reports the result. A kind allows only that sandbox. "none" runs isolated hooks without a sandbox: they can read everything
   * that the server can. "auto_or_none" does so if no sandbox works.
   */
  readonly sandbox: SpawnerSettings["sandbox"];
  /** The parent of each run's own directory. If absent, runs get no directory. Created if missing, emptied at start. */
  readonly scratchDir?: string;
  /** Directories that hooks must not see, including the scratch directory. Absolute, without symbolic links. */
  readonly hiddenDirs?: readonly string[];
  /** The environment of the spawner process itself; empty by default, because it needs no variables. */
  readonly env?: Environment;
  /** The limit for stdout and for stderr. A hook with more output fails. */
  readonly outputBytesMax?: number;
  /** The number of hooks that run at once. Other hooks wait. */
  readonly concurrencyMax?: number;
  /** The number of hooks that may wait. Above it, a hook fails at once. */
  readonly queueMax?: number;
  /** The limits of an isolated hook that differ from the defaults. */
  readonly limits?: Partial<RunLimits>;
  /** Possible locations of bubblewrap and prlimit. */
  readonly bubblewrapPaths?: readonly string[];
  readonly prlimitPaths?: readonly string[];
  /** Possible locations of util-linux (unshare, nsenter, setpriv). */
  readonly toolDirs?: readonly string[];
  /**
   * The network of isolated hooks with `network: true`. "own" (default): a separate one without this machine's loopback; hooks are
   * refused if that is not possible. "host": this machine's network, with every service on its loopback.
   */
  readonly hookNetwork?: "own" | "host";
  /** Possible locations of slirp4netns. */
  readonly slirpPaths?: readonly string[];
  /** Called with the reason when the spawner died. It is being restarted. */
  readonly onRestart?: (reason: string) => void;
}

export interface Spawner {
  /** Never rejects: an error is a failed reply. Aborting ends the command's process group. */
  run(request: SpawnRequest, signal: AbortSignal, turn?: Turn): Promise<HandlerReply>;
  /** The confinement of isolated hooks on this machine, in detail. */
  readonly confinement: Confinement;
  /** The process id of the spawner; absent during a restart. */
  readonly pid: number | undefined;
  readonly load: { readonly running: number; readonly waiting: number };
  close(): Promise<void>;
}

/** Computed only at start: in code that never starts one, a bundler turns this into another kind of URL. */
const main = () => fileURLToPath(new URL("./spawner/main.mjs", import.meta.url));
const MIB = 1024 * 1024;
/** The engine's concurrency limit already bounds waiting hooks; this limit only catches a bug there. */
const QUEUE_MAX = 4_096;
const RESTART_MS_MAX = 5_000;
/** A spawner that ran this long did not fail at its start. */
const SETTLED_MS = 5_000;
const CLOSE_MS = 2_000;
const START_MS_MAX = 60_000;
const FROZEN = "the process that starts hooks did not answer any more, and was replaced";

/** True if untrusted hooks are isolated from this machine. */
export function isContained({ sandbox }: Pick<Confinement, "sandbox">): boolean {
  return sandbox !== "none" && sandbox !== "missing";
}

/** Starts a spawner and waits until it is ready. Rejects if its process cannot be started. */
export async function startSpawner(options: SpawnerOptions): Promise<Spawner> {
  const spawner = new SpawnerClient(options);
  await spawner.start();
  return spawner;
}

class SpawnerClient implements Spawner {
  confinement: Confinement = { sandbox: "missing", features: [], reasons: [], network: "refused", limits: "none" };
  private child: ChildProcess | undefined;
  /** The process id of the last started spawner, ready or not. */
  private lastPid: number | undefined;
  private closing = false;
  private restartMs = 0;
  private restartTimer: NodeJS.Timeout | undefined;
  private readonly queue: RunQueue;

  constructor(private readonly options: SpawnerOptions) {
    this.queue = new RunQueue(options.concurrencyMax ?? 32, options.queueMax ?? QUEUE_MAX);
  }

  /** A sandbox that worked for the first spawner is not tested again while hooks wait for the next one. */
  private get isProven(): boolean {
    return isContained(this.confinement);
  }

  get pid(): number | undefined {
    return this.child?.pid;
  }

  get load(): Spawner["load"] {
    return this.queue.load;
  }

  run(request: SpawnRequest, signal: AbortSignal, turn?: Turn): Promise<HandlerReply> {
    return this.queue.add(request, signal, turn);
  }

  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      const { options } = this;
      const environmentWord = randomBytes(16).toString("hex");
      const settings: SpawnerSettings = {
        environmentWord,
        sandbox: options.sandbox,
        bubblewrapPaths: options.bubblewrapPaths ?? ["/usr/bin/bwrap", "/usr/local/bin/bwrap", "/bin/bwrap"],
        prlimitPaths: options.prlimitPaths ?? ["/usr/bin/prlimit", "/bin/prlimit"],
        toolDirs: options.toolDirs ?? ["/usr/bin", "/bin", "/usr/sbin", "/sbin"],
        hookNetwork: options.hookNetwork ?? "own",
        slirpPaths: options.slirpPaths ?? ["/usr/bin/slirp4netns", "/usr/local/bin/slirp4netns", "/bin/slirp4netns"],
        hiddenDirs: hiddenDirs(options.hiddenDirs ?? []),
        ...(this.isProven && { proven: this.confinement }),
        limits: { ...RUN_LIMITS, ...options.limits },
        outputBytesMax: options.outputBytesMax ?? MIB,
        ...(options.scratchDir !== undefined && { scratchDir: options.scratchDir }),
        ...(this.lastPid !== undefined && { after: this.lastPid }),
      };
      const bornMs = performance.now();
      let lostBecause: string | undefined;
      let heartbeat: Heartbeat | undefined;
      const giveUp = (reason: string) => {
        lostBecause = reason;
        this.child = undefined;
        child.kill("SIGKILL");
      };
      const lateStart = setTimeout(() => giveUp("the process that starts hooks did not get ready"), START_MS_MAX);
      const child = fork(main(), [JSON.stringify(settings)], {
        env: { NODE_ENV: "production", ...options.env, QUARTERDECK_SANDBOX_WORD: environmentWord },
        execArgv: [],
        serialization: "advanced",
        stdio: ["ignore", "ignore", "inherit", "ipc"],
      });
      this.lastPid = child.pid;
      child.on("message", (message) => {
        const said = message as FromSpawner; // holds: the child is our own main.mjs, checked against this type
        if (said.kind === "started") this.queue.started(said.id, said.pid);
        else if (said.kind === "ended") this.queue.ended(said.id, said.reply);
        else if (said.kind === "pong") heartbeat?.answered();
        else {
          clearTimeout(lateStart);
          this.confinement = said.confinement;
          const ask = () => void (child.connected && child.send({ kind: "ping" } satisfies ToSpawner, () => {}));
          heartbeat = startHeartbeat(child.pid ?? 0, ask, () => giveUp(FROZEN));
          this.child = child;
          this.queue.connect((to: ToSpawner) => child.connected && child.send(to, () => {}));
          resolve();
        }
      });
      let gone = false;
      const onGone = (reason: string) => {
        if (gone) return;
        gone = true;
        clearTimeout(lateStart);
        heartbeat?.stop();
        this.child = undefined;
        this.queue.disconnect(`the hook was lost: ${reason}`);
        reject(new Error(reason));
        if (!this.closing) this.restart(reason, performance.now() - bornMs);
      };
      child.on("error", (error) => onGone(`the process that starts hooks failed: ${error.message}`));
      child.on("exit", (code, signal) =>
        onGone(lostBecause ?? `the process that starts hooks ended (${signal ?? `exit code ${code}`})`),
      );
    });
  }

  async close(): Promise<void> {
    this.closing = true;
    clearTimeout(this.restartTimer);
    this.queue.close();
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    await new Promise<void>((resolve) => {
      const impatience = setTimeout(() => child.kill("SIGKILL"), CLOSE_MS);
      child.once("exit", () => {
        clearTimeout(impatience);
        resolve();
      });
      if (child.connected) child.disconnect();
    });
  }

  private restart(reason: string, livedMs: number): void {
    this.options.onRestart?.(reason);
    this.restartMs = livedMs > SETTLED_MS ? 0 : Math.min(RESTART_MS_MAX, this.restartMs * 2 || 50);
    // A failed start ends in its own exit event, which calls this method again.
    this.restartTimer = setTimeout(() => void this.start().catch(() => {}), this.restartMs);
  }
}
