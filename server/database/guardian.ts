/**
 * A tiny shell that outlives this process briefly: when our end of its pipe closes, even by kill -9, it stops
 * PostgreSQL. It has its own session, so Ctrl-C in a terminal does not reach it.
 */
import { spawn } from "node:child_process";

/**
 * `$1` is the postmaster, `$2` its pid file. A recycled pid is not in the file, so no other process is ever signalled.
 */
const SCRIPT = `
trap '' INT TERM HUP
read -r line && exit 0
tries=0
while kill -0 "$1" 2>/dev/null && [ "$tries" -lt 100 ]; do
  if [ "$(head -n 1 "$2" 2>/dev/null)" = "$1" ]; then kill -INT "$1"; exit 0; fi
  tries=$((tries + 1))
  sleep 0.1
done`;

/** Watches over one PostgreSQL. Call the result when it is no longer needed. */
export function guard(postmaster: number, pidFile: string): () => void {
  const shell = spawn("/bin/sh", ["-c", SCRIPT, "quarterdeck-guardian", String(postmaster), pidFile], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  shell.on("error", () => undefined); // no shell, no guardian: the next start stops the orphan
  shell.stdin.on("error", () => undefined);
  shell.unref();
  return () => void shell.stdin.end("done\n");
}
