/** What the main process and the spawner say to each other. Plain data; the spawner's JavaScript is checked against it. */
import type { Environment, HandlerReply } from "../../engine/ports.ts";

export interface SpawnRequest {
  readonly shell: string;
  readonly command: string;
  readonly stdin: string;
  readonly env: Environment;
  /** A relative path starts at the run's scratch directory, which is also what an absent one means. */
  readonly cwd?: string;
  /** Give the run its own directory as HOME and TMPDIR, removed afterwards. */
  readonly scratch: boolean;
  /** When the spawner ends it by itself, should nobody else. */
  readonly backstopMs: number;
}

/** How the spawner was told to work, as JSON in its first argument. */
export interface SpawnerSettings {
  readonly sandbox: "auto" | "none";
  readonly bubblewrapPaths: readonly string[];
  readonly scratchDir?: string;
  readonly hiddenDirs: readonly string[];
  readonly outputBytesMax: number;
}

export type SandboxKind = "bubblewrap" | "none";

export type ToSpawner =
  | { readonly kind: "run"; readonly id: number; readonly request: SpawnRequest }
  | { readonly kind: "stop"; readonly id: number };

export type FromSpawner =
  | { readonly kind: "ready"; readonly sandbox: SandboxKind }
  /** The process group, so that somebody can end it should the spawner itself be lost. */
  | { readonly kind: "started"; readonly id: number; readonly pid: number }
  | { readonly kind: "ended"; readonly id: number; readonly reply: HandlerReply };

/** One process to run and to capture. */
export interface ProcessRequest {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Environment;
  readonly stdin: string;
  readonly outputBytesMax: number;
  readonly backstopMs: number;
  /** File descriptor 3 carries bubblewrap's own report of how the command ended. */
  readonly reportsStatus: boolean;
}
