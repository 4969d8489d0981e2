/**
 * Git, started for a builtin: without a shell, with bounded output, and ended together with its child processes. It never runs a
 * program that the repository's own configuration names. A repository is untrusted: a clone must not be able to run its
 * `core.fsmonitor`, its hooks, its filters or its `gpg.program` on this machine.
 */
import { resolve } from "node:path";
import { execa } from "execa";
import type { Environment } from "../../engine/ports.ts";

export interface GitRun {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Environment;
  readonly signal: AbortSignal;
  readonly stdin?: Buffer;
  /** Above this limit, git is ended and the output up to it is returned. */
  readonly stdoutBytesMax: number;
}

export type GitResult =
  | { readonly ok: true; readonly stdout: Buffer; readonly isCut: boolean }
  /** `exitCode` if git itself failed. */
  | { readonly ok: false; readonly why: string; readonly exitCode?: number | undefined };

const HARDENED = [
  "--no-pager",
  ...["core.fsmonitor=false", "core.hooksPath=/dev/null", "log.showSignature=false", "core.alternateRefsCommand="],
  ...["color.ui=false", "color.status=false", "submodule.recurse=false"],
].flatMap((one) => (one.startsWith("--") ? [one] : ["-c", one]));

const HARDENED_ENV = {
  GIT_OPTIONAL_LOCKS: "0", // the index is only read
  GIT_TERMINAL_PROMPT: "0",
  GIT_ALLOW_PROTOCOL: "none", // a partial clone must not fetch missing objects or start a transport
  GIT_NO_LAZY_FETCH: "1",
};

const LAST_WORDS_MS = 500;
/** git prints the whole usage of a command that it refuses. */
const STDERR_BYTES_MAX = 64 * 1024;

/** Runs git in the directory `cwd`, which must not be empty. For commands that read no file through a filter. Never rejects. */
export function git(run: GitRun): Promise<GitResult> {
  return start(run, []);
}

/** The same for commands that compare files with commits. */
export async function gitComparing(run: GitRun): Promise<GitResult> {
  const filters = await localFilters(run);
  return filters.ok ? start(run, filters.without) : filters;
}

/**
 * Disables the clean and smudge filters that the repository itself configures. Filters of the user or the machine (large files)
 * are trusted and stay.
 */
async function localFilters(run: GitRun): Promise<{ ok: true; without: string[] } | Extract<GitResult, { ok: false }>> {
  const args = ["config", "--null", "--show-scope", "--includes", "--name-only", "--get-regexp", "^filter\\..*$"];
  const { stdin: _unused, ...asked } = run;
  const listed = await start({ ...asked, args, stdoutBytesMax: CONFIG_BYTES_MAX }, []);
  if (!listed.ok) return listed.exitCode === 1 ? { ok: true, without: [] } : listed;
  if (listed.isCut) return { ok: false, why: "the repository configures more filters than anyone needs" };
  const parts = listed.stdout.toString().split("\0");
  const drivers = new Set<string>();
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [scope, key = ""] = [parts[at], parts[at + 1]];
    if (scope !== "system" && scope !== "global") drivers.add(key.slice(0, key.lastIndexOf(".")));
  }
  const off = ["clean=", "smudge=", "process=", "required=false"];
  return { ok: true, without: [...drivers].flatMap((driver) => off.flatMap((one) => ["-c", `${driver}.${one}`])) };
}

const CONFIG_BYTES_MAX = 64 * 1024;

async function start({ args, cwd, env, signal, stdin, stdoutBytesMax }: GitRun, config: string[]): Promise<GitResult> {
  if (signal.aborted) return { ok: false, why: "there was no time left" };
  const child = execa("git", ["-C", resolve(cwd), ...HARDENED, ...config, ...args], {
    cwd: "/",
    env: { ...env, ...HARDENED_ENV },
    extendEnv: false,
    ...(stdin ? { input: stdin } : { stdin: "ignore" }),
    stderr: ["pipe"],
    encoding: "buffer",
    maxBuffer: { stdout: stdoutBytesMax, stderr: STDERR_BYTES_MAX },
    detached: true, // a separate group, so its child processes end with it
    reject: false,
    stripFinalNewline: false,
  });
  const end = (how: NodeJS.Signals) => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, how);
    } catch {
      // The process has already ended.
    }
  };
  const onAbort = () => {
    end("SIGTERM");
    setTimeout(() => {
      end("SIGKILL");
      child.stdout?.destroy();
      child.stderr?.destroy();
    }, LAST_WORDS_MS).unref();
  };
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    const done = await child;
    const isCut = done.isMaxBuffer;
    if (isCut) end("SIGKILL");
    if (signal.aborted) return { ok: false, why: "there was no time left" };
    if (!isCut && done.failed) return { ok: false, why: reasonOf(done), exitCode: done.exitCode };
    return { ok: true, stdout: Buffer.from(done.stdout), isCut };
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

function reasonOf({ stderr, shortMessage }: { stderr?: unknown; shortMessage?: string | undefined }): string {
  const said = stderr instanceof Uint8Array ? Buffer.from(stderr).toString("utf8").trim() : "";
  return said.split("\n")[0] || (shortMessage ?? "git failed");
}
