/**
 * The embedded PostgreSQL: a child process, reachable only through a unix socket in a directory of ours.
 *
 * It is restarted after a crash, and left stopped after a clean shutdown by another process. It never outlives this
 * process by long.
 */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync, statSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { StartupError } from "../platform/env.ts";
import type { Log } from "../platform/log.ts";
import { guard } from "./guardian.ts";
import { findLauncher, type Launcher } from "./launcher.ts";
import { endLeftBehind, stopOrphan, stopPostgres } from "./orphan.ts";

/** The role that owns the tables: migrates, backs up, restores. */
const OWNER = "quarterdeck";
const BACKOFF_MS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000];
/** A PostgreSQL that ran this long did not crash because of how it was started. */
const SETTLED_MS = 60_000;
const LOG_BYTES_MAX = 10 * 1024 * 1024;

const SETTINGS: Record<string, string> = {
  listen_addresses: "",
  unix_socket_permissions: "0700",
  max_connections: "70",
  shared_buffers: "128MB",
  work_mem: "16MB",
  maintenance_work_mem: "64MB",
  max_wal_size: "1GB",
  // A killed server reads its log again from the last checkpoint while gates wait.
  checkpoint_timeout: "1min",
  fsync: "on",
  synchronous_commit: "on",
  jit: "off",
  huge_pages: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  log_min_messages: "warning",
  log_min_error_statement: "panic", // statements may carry what agents sent
  log_parameter_max_length_on_error: "0",
};

export type EmbeddedState =
  | { readonly state: "running" }
  | { readonly state: "restarting"; readonly says: string }
  | { readonly state: "stopped"; readonly says: string };

export interface EmbeddedPostgres {
  url(database: string): string;
  state(): EmbeddedState;
  /** A clean shutdown, forced after a few seconds. */
  stop(): Promise<void>;
}

/** The address of a database in the embedded PostgreSQL, as its owner unless a role is named; known before it runs. */
export function embeddedUrl(socketDir: string, database: string, role = OWNER): string {
  return `postgresql://${role}@localhost/${database}?host=${encodeURIComponent(socketDir)}`;
}

export interface EmbeddedOptions {
  readonly dataDir: string;
  readonly socketDir: string;
  readonly log: Log;
  /** Over the defaults; tests trade durability for speed here. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Called before the first start, which takes a second. */
  readonly onInitialise?: () => void;
}

/** Returns once PostgreSQL answers. Hold the data directory's lock before you call it. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const cluster = join(options.dataDir, "postgres");
  const launcher = await findLauncher(cluster);
  await initialise(launcher, cluster, options);
  const orphan = await stopOrphan(cluster, options.socketDir);
  if (orphan !== null) options.log.warn({ orphan }, "stopped a PostgreSQL that an earlier run left behind");
  await launcher.hand(options.socketDir);
  const postgres = new Embedded(options, cluster, launcher);
  await postgres.start();
  return postgres;
}

/** Created in a temporary directory and renamed into place, so that a crash leaves no half-finished cluster. */
async function initialise(launcher: Launcher, cluster: string, options: EmbeddedOptions): Promise<void> {
  const { dataDir } = options;
  for (const name of await readdir(dataDir)) {
    if (name.startsWith("postgres.new-")) await rm(join(dataDir, name), { recursive: true, force: true });
  }
  const version = await readFile(join(cluster, "PG_VERSION"), "utf8").catch(() => null);
  if (version !== null) return checkVersion(version.trim(), cluster);
  options.onInitialise?.();
  const draft = join(dataDir, `postgres.new-${process.pid}`);
  await mkdir(draft, { mode: 0o700 });
  await launcher.hand(draft);
  const quick = options.settings?.fsync === "off" ? ["--no-sync"] : [];
  const initdb = launcher.start(
    "initdb",
    // The builtin locale sorts alike on every machine.
    ["-D", draft, `--username=${OWNER}`, "--auth-local=trust", "--auth-host=reject", "--encoding=UTF8"].concat(
      ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C", "--no-instructions", "--no-clean"],
      quick,
    ),
    { detached: true, stdio: ["ignore", "pipe", "pipe"] },
  );
  let complaint = "";
  for (const stream of [initdb.stdout, initdb.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      complaint += chunk.toString();
    });
  }
  const [code] = (await once(initdb, "close")) as [number | null]; // the signature of "close"
  if (code === 0) {
    await rename(draft, cluster);
    return;
  }
  const { bavail, bsize } = await statfs(dataDir); // asked first: some of initdb's complaints do not say it
  await rm(draft, { recursive: true, force: true });
  const reason = bavail * bsize < CLUSTER_BYTES_MIN ? "the disk is full" : explain(complaint);
  throw new StartupError(`The database could not be created in ${dataDir}: ${reason}.`);
}

/** With less than this left, an initdb that failed failed for lack of space. */
const CLUSTER_BYTES_MIN = 16 * 1024 * 1024;
const MAJOR = "18";

function checkVersion(version: string, cluster: string): void {
  if (version === MAJOR) return;
  throw new StartupError(
    `The database in ${cluster} was made by PostgreSQL ${version}, and this is ${MAJOR}. Start the version of Quarterdeck that made it, or set QUARTERDECK_DATA_DIR to another directory.`,
  );
}

/** The reason, taken from PostgreSQL's output. */
function explain(output: string): string {
  if (/No space left on device|Disk quota exceeded/.test(output)) return "the disk is full";
  const lines = output.split("\n").filter((line) => /FATAL|PANIC|error:/.test(line));
  const last = lines.at(-1) ?? output.trim().split("\n").at(-1) ?? "";
  return last.replace(/^.*?(FATAL|PANIC|error): */, "").replace(/\.$/, "") || "it gave no reason";
}

class Embedded implements EmbeddedPostgres {
  private child: ChildProcess | undefined;
  private current: EmbeddedState = { state: "restarting", says: "PostgreSQL is starting." };
  private stopping = false;
  private crashes = 0;
  private retry: NodeJS.Timeout | undefined;
  private readonly logFile: string;

  constructor(
    private readonly options: EmbeddedOptions,
    private readonly cluster: string,
    private readonly launcher: Launcher,
  ) {
    this.logFile = join(options.dataDir, "postgres.log");
  }

  url(database: string): string {
    return embeddedUrl(this.options.socketDir, database);
  }

  state(): EmbeddedState {
    return this.current;
  }

  /** Returns when PostgreSQL answers; crash recovery may take its time. */
  async start(): Promise<void> {
    const logFrom = await this.rotateLog();
    const child = this.spawn();
    this.child = child;
    const startedAt = performance.now();
    const release = guard(child.pid ?? 0, join(this.cluster, "postmaster.pid"));
    let ended = false;
    child.once("exit", (code, signal) => {
      ended = true;
      release();
      this.onExit(code, signal, performance.now() - startedAt);
    });
    while (!(await this.isReady(child.pid))) {
      if (ended) throw this.failure(logFrom);
      await pause(15);
    }
    if (!ended) this.current = { state: "running" };
  }

  async stop(): Promise<void> {
    this.stopping = true;
    clearTimeout(this.retry);
    const child = this.child;
    if (child?.pid !== undefined)
      await stopPostgres(child.pid, () => child.exitCode === null && child.signalCode === null);
    this.current = { state: "stopped", says: "Quarterdeck has stopped PostgreSQL." };
  }

  private spawn(): ChildProcess {
    const settings = { ...SETTINGS, unix_socket_directories: this.options.socketDir, ...this.options.settings };
    const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const output = openSync(this.logFile, "a", 0o600);
    try {
      // An own session: Ctrl-C must reach the gateway, which drains first and stops PostgreSQL last.
      return this.launcher.start("postgres", ["-D", this.cluster, ...flags], {
        detached: true,
        stdio: ["ignore", output, output],
      });
    } finally {
      closeSync(output);
    }
  }

  /** PostgreSQL writes its state into its pid file; asking it would fill its log with refusals while it recovers. */
  private async isReady(pid: number | undefined): Promise<boolean> {
    const lines = (await readFile(join(this.cluster, "postmaster.pid"), "utf8").catch(() => "")).split("\n");
    return lines[0] === String(pid) && lines[7]?.trim() === "ready";
  }

  private onExit(code: number | null, signal: NodeJS.Signals | null, ranMs: number): void {
    if (this.stopping || this.current.state === "stopped") return;
    if (code === 0) {
      this.current = {
        state: "stopped",
        says: "PostgreSQL was stopped by an operator; restart Quarterdeck to start it.",
      };
      this.options.log.error("PostgreSQL was stopped; it stays stopped until Quarterdeck is restarted");
      return;
    }
    // During the first start, the error is thrown to the caller.
    if (this.current.state !== "running" && this.crashes === 0) return;
    this.scheduleRestart(code, signal, ranMs);
  }

  private scheduleRestart(code: number | null, signal: NodeJS.Signals | null, ranMs: number): void {
    if (ranMs > SETTLED_MS) this.crashes = 0;
    const waitMs = BACKOFF_MS[Math.min(this.crashes, BACKOFF_MS.length - 1)] ?? 30_000;
    this.crashes += 1;
    this.current = { state: "restarting", says: "PostgreSQL crashed and is being restarted." };
    this.options.log.error({ code, signal, waitMs }, "PostgreSQL crashed; restarting it");
    this.retry = setTimeout(() => {
      endLeftBehind(this.cluster)
        .then(() => (this.stopping ? undefined : this.start()))
        .then(
          () => this.options.log.warn("PostgreSQL is back"),
          (error: unknown) => this.options.log.error({ err: error }, "PostgreSQL did not come back"),
        );
    }, waitMs);
  }

  private async rotateLog(): Promise<number> {
    const size = statSync(this.logFile, { throwIfNoEntry: false })?.size ?? 0;
    if (size <= LOG_BYTES_MAX) return size;
    await rename(this.logFile, `${this.logFile}.1`);
    return 0;
  }

  private failure(logFrom: number): StartupError {
    const said = readFileSync(this.logFile).subarray(logFrom).toString("utf8");
    return new StartupError(`The embedded PostgreSQL did not start: ${explain(said)}. Its log is ${this.logFile}.`);
  }
}
