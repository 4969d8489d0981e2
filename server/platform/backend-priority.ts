/** The priority of one of PostgreSQL's processes, where it runs on this machine and we may set it. */
import { writeFileSync } from "node:fs";
import { setPriority } from "node:os";

/** Linux takes a group's number from a user who is not root ten times a second. */
const AGAIN_MS = 150;
const TRIES_MAX = 20;

/**
 * Each of PostgreSQL's processes is a session of its own. Where Linux shares processors among sessions (`sched_autogroup`), a
 * process's niceness orders it within its session alone, and the session's decides against others: both are set.
 */
export function setBackendPriority(pid: number, niceness: number): void {
  try {
    setPriority(pid, niceness);
  } catch {
    // It has ended already, or is not ours: then it works like all others.
    return;
  }
  setGroup(pid, niceness, TRIES_MAX);
}

function setGroup(pid: number, niceness: number, tries: number): void {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(niceness));
  } catch (error) {
    const isTooSoon = error instanceof Error && "code" in error && error.code === "EAGAIN";
    // Whatever else it is, there are no such groups here.
    if (isTooSoon && tries > 1) setTimeout(setGroup, AGAIN_MS, pid, niceness, tries - 1).unref();
  }
}
