/** The main process's end of the spawner: starts it, starts it again when it dies, and keeps the number of runs bounded. */
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
   * "auto" takes the first sandbox that is proven to hold here, and without one runs no isolated hook; `Spawner.confinement`
   * says what came of it. A kind asks for that one alone. "none" runs isolated hooks without: they read what the server reads.
   * "auto_or_none" does that where no sandbox holds.
   */
  readonly sandbox: SpawnerSettings["sandbox"];
  /** Where each run's own directory is made; absent: runs get none. Created when missing, emptied at start. */
  readonly scratchDir?: string;
  /** Directories that hooks must not see; the scratch directory is one of them. Absolute, without symbolic links. */
  readonly hiddenDirs?: readonly string[];
  /** The environment of the spawner process itself. Empty when absent: it needs nothing. */
  readonly env?: Environment;
  /** Past this many bytes on stdout or on stderr a hook fails. */
  readonly outputBytesMax?: number;
  /** The number of hooks that run at once; the others wait. */
  readonly concurrencyMax?: number;
  /** The number of hooks that may wait; past that a hook fails at once. */
  readonly queueMax?: number;
  /** The limits of an isolated hook that differ from the usual ones. */
  readonly limits?: Partial<RunLimits>;
  /** Where bubblewrap and prlimit may be. */
  readonly bubblewrapPaths?: readonly string[];
  readonly prlimitPaths?: readonly string[];
  /** Where util-linux (unshare, nsenter, setpriv) may be. */
  readonly toolDirs?: readonly string[];
  /**
   * The network of isolated hooks that say `network: true`. "own" (when absent): one of their own, without this machine's loopback; they
   * are refused where that cannot be had. "host": this machine's network, with every service on its loopback.
   */
  readonly hookNetwork?: "own" | "host";
  /** Where slirp4netns may be. */
  readonly slirpPaths?: readonly string[];
  /** Told in words when the spawner died; it is being started again. */
  readonly onRestart?: (reason: string) => void;
}

export interface Spawner {
  /** Never rejects: what goes wrong is a failed reply. Aborting ends the command's process group. */
  run(request: SpawnRequest, signal: AbortSignal, turn?: Turn): Promise<HandlerReply>;
  /** The confinement of isolated hooks on this machine, in detail. */
  readonly confinement: Confinement;
  /** The spawner process; absent while it is being started again. */
  readonly pid: number | undefined;
  readonly load: { readonly running: number; readonly waiting: number };
  close(): Promise<void>;
}

/** Only when it is started: a bundler turns this into another kind of URL in code that never starts one. */
const main = () => fileURLToPath(new URL("./spawner/main.mjs", import.meta.url));
const MIB = 1024 * 1024;
/** The engine's room decides which hooks may wait before they come here; this only bounds a mistake there. */
const QUEUE_MAX = 4_096;
const RESTART_MS_MAX = 5_000;
/** A spawner that lived this long did not die of its own start. */
const SETTLED_MS = 5_000;
const CLOSE_MS = 2_000;
const START_MS_MAX = 60_000;
const FROZEN = "the process that starts hooks did not answer any more, and was replaced";

/** True if strangers' hooks are kept from this machine. */
export function isContained({ sandbox }: Pick<Confinement, "sandbox">): boolean {
  return sandbox !== "none" && sandbox !== "missing";
}

/** A spawner that is ready to run. Rejects when its process cannot be started at all. */
export async function startSpawner(options: SpawnerOptions): Promise<Spawner> {
  const spawner = new SpawnerClient(options);
  await spawner.start();
  return spawner;
}

class SpawnerClient implements Spawner {
  confinement: Confinement = { sandbox: "missing", features: [], reasons: [], network: "refused", limits: "none" };
  private child: ChildProcess | undefined;
  /** Of the newest process that was started, ready or not. */
  private lastPid: number | undefined;
  private closing = false;
  private restartMs = 0;
  private restartTimer: NodeJS.Timeout | undefined;
  private readonly queue: RunQueue;

  constructor(private readonly options: SpawnerOptions) {
    this.queue = new RunQueue(options.concurrencyMax ?? 32, options.queueMax ?? QUEUE_MAX);
  }

  /** A sandbox that held when the first spawner tried it need not be tried again while hooks wait for the next one. */
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
    // A start that fails comes back here by its own exit.
    this.restartTimer = setTimeout(() => void this.start().catch(() => {}), this.restartMs);
  }
}
