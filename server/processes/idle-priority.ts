/** Gives this process the lowest priority on the machine. */
import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { promisify } from "node:util";

const run = promisify(execFile);
const COMMAND_MS = 5_000;

/**
 * Gives all threads of this process the lowest niceness and, if util-linux is installed, the idle class for the disk. A
 * refusal by the system is ignored. The idle class for the processor is not used: on a machine that is never idle, the
 * process would stop while it holds a snapshot or a lease.
 */
export async function becomeIdle(): Promise<void> {
  const threads = readThreads();
  // A niceness is a thread's own: that of the process is only what new threads begin with.
  for (const thread of threads) {
    try {
      setPriority(thread, constants.priority.PRIORITY_LOW);
    } catch {
      // It has ended.
    }
  }
  await run("ionice", ["-c", "3", "-p", ...threads.map(String)], { timeout: COMMAND_MS }).catch(() => undefined);
}

function readThreads(): number[] {
  try {
    return readdirSync("/proc/self/task").map(Number);
  } catch {
    return [process.pid];
  }
}
