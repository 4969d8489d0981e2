/** The main process's end of the spawner. */
import type { Environment, HandlerReply } from "../../engine/ports.ts";

export interface SpawnerOptions {
  /** "auto" takes bubblewrap when it really works here; `Spawner.sandbox` says what came of it. */
  readonly sandbox: "auto" | "none";
  /** Where each run's own directory is made; absent: runs get none. Created when missing. */
  readonly scratchDir?: string;
  /** Directories that hooks must not see (only with bubblewrap). */
  readonly hiddenDirs?: readonly string[];
  /** The environment of the spawner process itself. Empty when absent: it needs nothing. */
  readonly env?: Environment;
  readonly outputBytesMax?: number;
  readonly concurrencyMax?: number;
  readonly queueMax?: number;
  /** Told when the spawner process died and is being started again, in words. */
  readonly onRestart?: (reason: string) => void;
}

export interface SpawnRequest {
  readonly shell: string;
  readonly command: string;
  readonly stdin: string;
  readonly env: Environment;
  /** Absolute; absent: the run's own scratch directory. */
  readonly cwd?: string;
  /** Give the run its own directory as HOME and TMPDIR, removed afterwards. */
  readonly scratch: boolean;
  /** When the spawner ends it by itself, should nobody else. */
  readonly backstopMs: number;
}

export interface Spawner {
  run(request: SpawnRequest, signal: AbortSignal): Promise<HandlerReply>;
  readonly sandbox: "bubblewrap" | "none";
  readonly pid: number | undefined;
  /** How many runs are in flight and waiting. */
  readonly load: { readonly running: number; readonly waiting: number };
  close(): Promise<void>;
}

export function startSpawner(_options: SpawnerOptions): Promise<Spawner> {
  throw new Error("not written yet");
}
