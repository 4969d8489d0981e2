/** A PostgreSQL that outlived its supervisor: found by its pid file, and stopped before the next one starts. */
import { readdirSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** Each signal and how long PostgreSQL gets to obey it: fast shutdown, immediate shutdown, the end. */
const ESCALATION = [
  { signal: "SIGINT", waitMs: 5_000 },
  { signal: "SIGQUIT", waitMs: 2_000 },
  { signal: "SIGKILL", waitMs: 2_000 },
] as const;

/**
 * Returns once no PostgreSQL runs on `cluster`. Call it only while holding the data directory's lock.
 *
 * Shape: the pid that was stopped, or null when there was nothing to stop.
 */
export async function stopOrphan(cluster: string): Promise<number | null> {
  const pidFile = join(cluster, "postmaster.pid");
  const pid = readPid(pidFile);
  if (pid === null) return null;
  if (!isPostgresOn(pid, cluster)) {
    // The number may belong to an innocent process by now; PostgreSQL would take it for a running server and refuse.
    await rm(pidFile, { force: true });
    return null;
  }
  const children = childrenOf(pid);
  await endProcess(pid, () => isPostgresOn(pid, cluster));
  // Children of a killed postmaster leave by themselves, unless they are frozen; they hold its shared memory until then.
  for (const child of children) if (isPostgres(child)) signal(child, "SIGKILL");
  return pid;
}

/** Ends a process with rising force. */
export async function endProcess(pid: number, isAlive: () => boolean): Promise<void> {
  for (const { signal: name, waitMs } of ESCALATION) {
    signal(pid, name);
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

function isPostgres(pid: number): boolean {
  return read(`/proc/${pid}/comm`)?.trim() === "postgres";
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

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It is gone, which is what we want.
  }
}
