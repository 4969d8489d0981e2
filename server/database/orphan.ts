/** Stops PostgreSQL: our own, or one that outlived its supervisor, found by its pid file. */
import { readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

interface Step {
  readonly signal: NodeJS.Signals;
  readonly waitMs: number;
}

/** Each signal and how long PostgreSQL gets to obey it: fast shutdown, immediate shutdown, the end. */
const ESCALATION: readonly Step[] = [
  { signal: "SIGINT", waitMs: 5_000 },
  { signal: "SIGQUIT", waitMs: 1_500 },
  { signal: "SIGKILL", waitMs: 1_000 },
];
const FORCE: readonly Step[] = [{ signal: "SIGKILL", waitMs: 1_000 }];

/**
 * Returns once no PostgreSQL runs on `cluster` and none of its lock files is left. Call it only while holding the data
 * directory's lock.
 *
 * Shape: the pid that was stopped, or null when there was nothing to stop.
 */
export async function stopOrphan(cluster: string, socketDir: string): Promise<number | null> {
  const pidFile = join(cluster, "postmaster.pid");
  const pid = readPid(pidFile);
  const orphan = pid !== null && isPostgresOn(pid, cluster) ? pid : null;
  if (orphan !== null) await stopPostgres(orphan, () => isPostgresOn(orphan, cluster));
  // The pid in them may belong to an unrelated process by now, or to a zombie that has not been reaped: PostgreSQL
  // would take either for a running server, and refuse to start.
  await rm(pidFile, { force: true });
  await rm(join(socketDir, ".s.PGSQL.5432.lock"), { force: true });
  return orphan;
}

/** Ends a postmaster with increasing force, and its remaining children. */
export async function stopPostgres(postmaster: number, isAlive: () => boolean): Promise<void> {
  const children = childrenOf(postmaster);
  for (const pid of [postmaster, ...children]) send(pid, "SIGCONT"); // a frozen process obeys nothing but SIGKILL
  await end(postmaster, isAlive, ESCALATION);
  // Children of a killed postmaster exit after a while; they hold its shared memory until then.
  for (const child of children) {
    if (isPostgres(child)) await end(child, () => isPostgres(child), FORCE);
  }
}

/**
 * Ends the remaining processes of a killed postmaster on `cluster`. A process in the middle of a statement does not
 * notice the death of its parent, and while it holds the shared memory no other PostgreSQL starts.
 */
export async function endLeftBehind(cluster: string): Promise<void> {
  const place = realpathSync(cluster);
  const left = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => isPostgres(pid) && placeOf(pid) === place);
  for (const pid of left) await end(pid, () => isPostgres(pid), FORCE);
}

/** PostgreSQL's processes work in the directory of their cluster. */
function placeOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return null;
  }
}

async function end(pid: number, isAlive: () => boolean, steps: readonly Step[]): Promise<void> {
  for (const { signal, waitMs } of steps) {
    send(pid, signal);
    const deadline = performance.now() + waitMs;
    while (isAlive() && performance.now() < deadline) await pause(20);
    if (!isAlive()) return;
  }
}

function readPid(file: string): number | null {
  const text = read(file)?.split("\n")[0] ?? "";
  return /^\d+$/.test(text) ? Number(text) : null;
}

function isPostgresOn(pid: number, cluster: string): boolean {
  const words = read(`/proc/${pid}/cmdline`)?.split("\0") ?? [];
  return words.includes(cluster) && (words[0] ?? "").endsWith("postgres");
}

/** False for a zombie: it holds no resources. */
function isPostgres(pid: number): boolean {
  return /^\d+ \(postgres\) [^ZX]/.test(read(`/proc/${pid}/stat`) ?? "");
}

function childrenOf(parent: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      // pid (comm) state ppid: comm may hold spaces, so count from its closing bracket.
      const stat = read(`/proc/${pid}/stat`);
      return stat !== null && Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) === parent;
    });
}

function read(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process is already gone.
  }
}
