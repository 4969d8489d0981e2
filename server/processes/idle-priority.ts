/** Puts this process behind everything else on the machine. */
import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { promisify } from "node:util";

const run = promisify(execFile);
const COMMAND_MS = 5_000;

/**
 * Gives all threads of this process the lowest niceness and, where util-linux is installed, the disk only when nobody else wants it. What
 * the system refuses is left as it is. The processor's own idle class is not asked for: on a machine that is never idle a process in
 * it stands still, with a snapshot or a lease in its hands.
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
