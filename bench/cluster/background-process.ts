/** A program of the cluster in the background: as the user `postgres`, its output in a file, gone at the latest with the drill. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { waitUntil } from "./wait-until.ts";

const STOP_MS = 10_000;

export interface ProgramOptions {
  readonly name: string;
  readonly command: readonly string[];
  readonly logFile: string;
  /** Sent by the kernel when the drill itself is killed. */
  readonly onOrphaned: "TERM" | "KILL";
}

export interface BackgroundProcess {
  readonly name: string;
  readonly pid: number;
  isRunning(): boolean;
  /** Ends it without a chance to say goodbye. */
  kill(): Promise<void>;
  /** Asks it to end, and kills it when it does not. */
  stop(): Promise<void>;
}

export function startProgram({ name, command, logFile, onOrphaned }: ProgramOptions): BackgroundProcess {
  const log = openSync(logFile, "a");
  const user = ["--reuid=postgres", "--regid=postgres", "--init-groups", `--pdeathsig=${onOrphaned}`];
  const child = spawn("setpriv", [...user, "--", ...command], { stdio: ["ignore", log, log], detached: true });
  closeSync(log);
  child.on("error", () => undefined); // it has no pid then, and is not running
  const isRunning = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  return {
    name,
    pid: child.pid ?? 0,
    isRunning,
    kill: () => end(child, isRunning, "SIGKILL"),
    async stop() {
      const ended = end(child, isRunning, "SIGTERM");
      await waitUntil(`${name} ends`, () => !isRunning(), STOP_MS).catch(() => child.kill("SIGKILL"));
      await ended;
    },
  };
}

async function end(child: ChildProcess, isRunning: () => boolean, signal: NodeJS.Signals): Promise<void> {
  if (!isRunning()) return;
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
}
