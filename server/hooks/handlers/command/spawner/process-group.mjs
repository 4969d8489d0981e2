// @ts-check
/** Runs one process in a group of its own, captures what it prints, and leaves nothing of the group behind. */
import { execa } from "execa";

/** @import { Readable } from "node:stream" */
/** @import { HandlerReply } from "../../../engine/ports.ts" */
/** @import { ProcessRequest } from "../protocol.ts" */

/** After asking a group to end, it has this long before it is made to. */
const TERM_GRACE_MS = 150;
/** After a process ended or was made to, whoever still holds its pipes is waited for no longer than this. */
const PIPE_GRACE_MS = 400;

/**
 * The reply of one run. Never rejects.
 * @param {ProcessRequest} request
 * @param {AbortSignal} stop ends the group
 * @param {(pid: number) => void} onStart
 * @returns {Promise<HandlerReply>}
 */
export async function runProcess(request, stop, onStart) {
  const child = execa(request.file, [...request.args], {
    cwd: request.cwd,
    env: request.env,
    extendEnv: false,
    detached: true,
    reject: false,
    buffer: false,
    cleanup: false,
    encoding: "buffer",
    stripFinalNewline: false,
    stdio: request.reportsStatus ? ["pipe", "pipe", "pipe", "pipe"] : ["pipe", "pipe", "pipe"],
  });
  const { pid } = child;
  if (pid === undefined) {
    const { originalMessage, shortMessage } = await child;
    return { kind: "failed", message: originalMessage ?? shortMessage ?? "the process could not be started" };
  }
  onStart(pid);

  const group = new Group(pid);
  const overflow = () => {
    tooMuch = true;
    group.kill();
  };
  let tooMuch = false;
  const stdout = capture(child.stdout, request.outputBytesMax, overflow);
  const stderr = capture(child.stderr, request.outputBytesMax, overflow);
  const status = capture(request.reportsStatus ? child.stdio[3] : null, 4096, () => {});
  child.stdin?.on("error", ignoreEarlyReader);
  child.stdin?.end(request.stdin);

  const onStop = () => group.end();
  if (stop.aborted) onStop();
  else stop.addEventListener("abort", onStop, { once: true });
  const backstop = setTimeout(onStop, request.backstopMs);

  const exit = await ended(child);
  clearTimeout(backstop);
  stop.removeEventListener("abort", onStop);
  group.kill();
  for (const stream of [child.stdin, child.stdout, child.stderr, child.stdio[3]]) destroy(stream);

  const captured = { stdout: stdout(), stderr: stderr() };
  if (tooMuch) return { kind: "failed", message: "hook output exceeded capture limit", stderr: captured.stderr };
  if (!request.reportsStatus) return { kind: "exited", exitCode: exit.code ?? -1, ...captured };
  const exitCode = reportedExit(status());
  if (exitCode !== undefined) return { kind: "exited", exitCode, ...captured };
  if (exit.signal) return { kind: "exited", exitCode: -1, ...captured };
  return { kind: "failed", message: `the sandbox did not start the hook: ${captured.stderr.trim()}`, ...captured };
}

/** A hook that exits without reading its input has done nothing wrong. */
function ignoreEarlyReader() {}

/** The process group of one run. */
class Group {
  /** @param {number} pid */
  constructor(pid) {
    this.pid = pid;
    /** @type {NodeJS.Timeout | undefined} */
    this.timer = undefined;
  }

  /** Asks the group to end, and makes it a little later. */
  end() {
    this.signal("SIGTERM");
    this.timer ??= setTimeout(() => this.kill(), TERM_GRACE_MS);
  }

  kill() {
    clearTimeout(this.timer);
    this.signal("SIGKILL");
  }

  /** @param {"SIGTERM" | "SIGKILL"} signal */
  signal(signal) {
    try {
      process.kill(-this.pid, signal);
    } catch {
      // Nobody is left in the group.
    }
  }
}

/**
 * When the process has ended and its pipes are closed, or enough time has passed since it ended.
 * @param {{ once(name: string, listener: (...args: any[]) => void): unknown }} child
 * @returns {Promise<{ code: number | null, signal: string | null }>}
 */
function ended(child) {
  return new Promise((resolve) => {
    child.once("exit", (code, signal) => {
      const giveUp = setTimeout(() => resolve({ code, signal }), PIPE_GRACE_MS);
      child.once("close", () => {
        clearTimeout(giveUp);
        resolve({ code, signal });
      });
    });
  });
}

/**
 * Collects a stream's bytes; the returned function joins and decodes them once.
 * @param {unknown} stream
 * @param {number} bytesMax
 * @param {() => void} onTooMuch
 */
function capture(stream, bytesMax, onTooMuch) {
  /** @type {Buffer[]} */
  const chunks = [];
  let bytes = 0;
  if (isReadable(stream)) {
    stream.on("error", () => {});
    stream.on("data", (/** @type {Buffer} */ chunk) => {
      bytes += chunk.length;
      if (bytes <= bytesMax) chunks.push(chunk);
      else onTooMuch();
    });
  }
  return () => Buffer.concat(chunks).toString("utf8");
}

/** @param {unknown} stream @returns {stream is Readable} */
function isReadable(stream) {
  return typeof stream === "object" && stream !== null && "on" in stream && "read" in stream;
}

/** @param {unknown} stream */
function destroy(stream) {
  if (typeof stream === "object" && stream !== null && "destroy" in stream && typeof stream.destroy === "function") {
    stream.destroy();
  }
}

/** The exit code that bubblewrap reported for the command; nothing when the command never started. @param {string} status */
function reportedExit(status) {
  const found = /"exit-code":\s*(\d+)/.exec(status);
  return found ? Number(found[1]) : undefined;
}
