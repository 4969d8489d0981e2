/** The main process's end of the spawner: starts it, starts it again when it dies, and keeps the number of runs bounded. */
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Environment, HandlerReply } from "../../engine/ports.ts";
import { RUN_LIMITS, type RunLimits } from "./limits.ts";
import type { Confinement, FromSpawner, SandboxKind, SpawnerSettings, SpawnRequest, ToSpawner } from "./protocol.ts";
import { RunQueue } from "./queue.ts";

export type { Confinement, SpawnRequest } from "./protocol.ts";

export interface SpawnerOptions {
  /** "auto" takes bubblewrap when it really works here; `Spawner.sandbox` says what came of it. */
  readonly sandbox: "auto" | "none";
  /** Where each run's own directory is made; absent: runs get none. Created when missing, emptied at start. */
  readonly scratchDir?: string;
  /** Directories that hooks must not see (only with bubblewrap). */
  readonly hiddenDirs?: readonly string[];
  /** The environment of the spawner process itself. Empty when absent: it needs nothing. */
  readonly env?: Environment;
  /** Past this many bytes on stdout or on stderr a hook fails. */
  readonly outputBytesMax?: number;
  /** How many hooks run at once; the others wait. */
  readonly concurrencyMax?: number;
  /** How many may wait; past that a hook fails at once. */
  readonly queueMax?: number;
  /** What an isolated hook may use, where it is not to be the usual. */
  readonly limits?: Partial<RunLimits>;
  /** Where bubblewrap and prlimit may be. */
  readonly bubblewrapPaths?: readonly string[];
  readonly prlimitPaths?: readonly string[];
  /** Told in words when the spawner died; it is being started again. */
  readonly onRestart?: (reason: string) => void;
}

export interface Spawner {
  /** Never rejects: what goes wrong is a failed reply. Aborting ends the command's process group. */
  run(request: SpawnRequest, signal: AbortSignal): Promise<HandlerReply>;
  readonly sandbox: SandboxKind;
  /** What holds for isolated hooks on this machine, in detail. */
  readonly confinement: Confinement;
  /** The spawner process; absent while it is being started again. */
  readonly pid: number | undefined;
  readonly load: { readonly running: number; readonly waiting: number };
  close(): Promise<void>;
}

/** Only when it is started: a bundler turns this into another kind of URL in code that never starts one. */
const main = () => fileURLToPath(new URL("./spawner/main.mjs", import.meta.url));
const MIB = 1024 * 1024;
/** Who may wait is decided before a hook comes here, by the engine's room; this only keeps a mistake there from growing. */
const QUEUE_MAX = 4_096;
const RESTART_MS_MAX = 5_000;
/** A spawner that lived this long did not die of its own start. */
const SETTLED_MS = 5_000;
const CLOSE_MS = 2_000;

/** A spawner that is ready to run. Rejects when its process cannot be started at all. */
export async function startSpawner(options: SpawnerOptions): Promise<Spawner> {
  const spawner = new SpawnerClient(options);
  await spawner.start();
  return spawner;
}

class SpawnerClient implements Spawner {
  confinement: Confinement = { sandbox: "none", features: [], limits: "none" };
  private child: ChildProcess | undefined;
  private closing = false;
  private restartMs = 0;
  private restartTimer: NodeJS.Timeout | undefined;
  private readonly queue: RunQueue;

  constructor(private readonly options: SpawnerOptions) {
    this.queue = new RunQueue(options.concurrencyMax ?? 32, options.queueMax ?? QUEUE_MAX);
  }

  get sandbox(): SandboxKind {
    return this.confinement.sandbox;
  }

  get pid(): number | undefined {
    return this.child?.pid;
  }

  get load(): Spawner["load"] {
    return this.queue.load;
  }

  run(request: SpawnRequest, signal: AbortSignal): Promise<HandlerReply> {
    return this.queue.add(request, signal);
  }

  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      const { options } = this;
      const settings: SpawnerSettings = {
        sandbox: options.sandbox,
        bubblewrapPaths: options.bubblewrapPaths ?? ["/usr/bin/bwrap", "/usr/local/bin/bwrap", "/bin/bwrap"],
        prlimitPaths: options.prlimitPaths ?? ["/usr/bin/prlimit", "/bin/prlimit"],
        hiddenDirs: options.hiddenDirs ?? [],
        limits: { ...RUN_LIMITS, ...options.limits },
        outputBytesMax: options.outputBytesMax ?? MIB,
        ...(options.scratchDir !== undefined && { scratchDir: options.scratchDir }),
      };
      const bornMs = performance.now();
      const child = fork(main(), [JSON.stringify(settings)], {
        env: { NODE_ENV: "production", ...options.env },
        execArgv: [],
        serialization: "advanced",
        stdio: ["ignore", "ignore", "inherit", "ipc"],
      });
      child.on("message", (message) => {
        const said = message as FromSpawner; // holds: the child is our own main.mjs, checked against this type
        if (said.kind === "started") this.queue.started(said.id, said.pid);
        else if (said.kind === "ended") this.queue.ended(said.id, said.reply);
        else {
          this.confinement = said.confinement;
          this.child = child;
          this.queue.connect((to: ToSpawner) => child.connected && child.send(to, () => {}));
          resolve();
        }
      });
      let gone = false;
      const onGone = (reason: string) => {
        if (gone) return;
        gone = true;
        this.child = undefined;
        this.queue.disconnect(`the hook was lost: ${reason}`);
        reject(new Error(reason));
        if (!this.closing) this.restart(reason, performance.now() - bornMs);
      };
      child.on("error", (error) => onGone(`the process that starts hooks failed: ${error.message}`));
      child.on("exit", (code, signal) =>
        onGone(`the process that starts hooks ended (${signal ?? `exit code ${code}`})`),
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
