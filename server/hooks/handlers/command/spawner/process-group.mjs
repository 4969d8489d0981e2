// @ts-check
/** Runs one process in a group of its own, captures what it prints, and leaves nothing of the group behind. */
import { execa } from "execa";
import { FILTER_FD, REPORT_FD, readReport } from "./inside.mjs";
import { endedByLimit } from "./limit-reached.mjs";
import { watch } from "./watch.mjs";

/** @import { Readable, Writable } from "node:stream" */
/** @import { HandlerReply } from "../../../engine/ports.ts" */
/** @import { ProcessRequest } from "../protocol.ts" */

/** After asking a group to end, it has this long before it is made to. */
const TERM_GRACE_MS = 150;
/** After a process ended or was made to, whoever still holds its pipes is waited for no longer than this. */
const PIPE_GRACE_MS = 400;
/** A shell reports a death by a signal as this and the signal's number. */
const SIGNALS = 128;

/**
 * The reply of one run. Never rejects.
 * @param {ProcessRequest} request
 * @param {AbortSignal} stop ends the group
 * @param {(pid: number) => void} onStart
 * @returns {Promise<HandlerReply>}
 */
export async function runProcess(request, stop, onStart) {
  /** @type {"pipe"[]} */
  const more = request.reports === "nothing" ? [] : request.filter === undefined ? ["pipe"] : ["pipe", "pipe"];
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
    stdio: ["pipe", "pipe", "pipe", ...more],
  });
  const { pid } = child;
  if (pid === undefined) {
    const { originalMessage, shortMessage } = await child;
    return { kind: "failed", message: originalMessage ?? shortMessage ?? "the process could not be started" };
  }
  onStart(pid);

  const group = new Group(pid);
  /** @type {string | undefined} */
  let fault;
  const fail = (/** @type {string} */ message) => {
    fault ??= message;
    group.kill();
  };
  const overflow = () => fail("hook output exceeded capture limit");
  const stdout = capture(child.stdout, request.outputBytesMax, overflow);
  const stderr = capture(child.stderr, request.outputBytesMax, overflow);
  const reported = capture(request.reports === "nothing" ? null : child.stdio[REPORT_FD], 4096, () => {});
  if (request.filter !== undefined) {
    /** @type {unknown} */
    const end = child.stdio[FILTER_FD];
    if (isWritable(end)) end.on("error", () => {}).end(request.filter);
  }
  child.stdin?.on("error", ignoreEarlyReader);
  child.stdin?.end(request.stdin);

  const onStop = () => group.end();
  if (stop.aborted) onStop();
  else stop.addEventListener("abort", onStop, { once: true });
  const backstop = setTimeout(() => {
    fault ??= "the hook did not end in time and was ended";
    onStop();
  }, request.backstopMs);
  const unwatch = request.limits ? watch(pid, request.limits, (what) => fail(limitWords(what))) : () => {};

  const exit = await ended(child);
  clearTimeout(backstop);
  unwatch();
  stop.removeEventListener("abort", onStop);
  group.kill();
  for (const stream of [child.stdin, child.stdout, child.stderr, child.stdio[REPORT_FD], child.stdio[FILTER_FD]])
    destroy(stream);

  const captured = { stdout: stdout(), stderr: stderr() };
  if (fault !== undefined) return { kind: "failed", message: fault, stderr: captured.stderr };
  const { isStarted, isStorageFull, exitCode } = readReport(reported());
  if (request.reports !== "nothing" && !isStarted && !stop.aborted) {
    return { kind: "failed", message: `the sandbox did not start the hook: ${captured.stderr.trim()}`, ...captured };
  }
  const code = request.reports === "ending" ? (exitCode ?? null) : exit.code;
  if (stop.aborted) {
    // Our own signal ended the hook, or what would have started it: an exit code of that is not the hook's.
    const isItsOwn = code !== null && code <= SIGNALS && (isStarted || request.reports === "nothing");
    return { kind: "exited", exitCode: isItsOwn ? code : -1, ...captured };
  }
  const limit = request.limits ? endedByLimit(code, code === null ? exit.signal : null, isStorageFull) : undefined;
  if (limit !== undefined) return { kind: "failed", message: limitWords(limit), stderr: captured.stderr };
  return { kind: "exited", exitCode: code ?? -1, ...captured };
}

/** @param {string} what */
function limitWords(what) {
  return `the hook was ended by its limits: ${what}`;
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

/** @param {unknown} stream @returns {stream is Writable} */
function isWritable(stream) {
  return typeof stream === "object" && stream !== null && "end" in stream && "write" in stream;
}

/** @param {unknown} stream */
function destroy(stream) {
  if (typeof stream === "object" && stream !== null && "destroy" in stream && typeof stream.destroy === "function") {
    stream.destroy();
  }
}
