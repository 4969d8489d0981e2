/** What the main process and the spawner say to each other. Plain data; the spawner's JavaScript is checked against it. */
import type { Environment, HandlerReply } from "../../engine/ports.ts";
import type { RunLimits } from "./limits.ts";

export interface SpawnRequest {
  readonly shell: string;
  readonly command: string;
  readonly stdin: string;
  readonly env: Environment;
  /** A relative path starts at the run's own directory, which is also what an absent one means. */
  readonly cwd?: string;
  /** A stranger's hook: a directory of its own as HOME and TMPDIR, gone afterwards, and the spawner's limits. */
  readonly isolated: boolean;
  /** Leave it the network, where it would be cut off. */
  readonly network: boolean;
  /** When the spawner ends it by itself, should nobody else. */
  readonly backstopMs: number;
}

/** How the spawner was told to work, as JSON in its first argument. */
export interface SpawnerSettings {
  readonly sandbox: "auto" | "none";
  readonly bubblewrapPaths: readonly string[];
  readonly prlimitPaths: readonly string[];
  readonly scratchDir?: string;
  readonly hiddenDirs: readonly string[];
  readonly outputBytesMax: number;
  readonly limits: RunLimits;
}

export type SandboxKind = "bubblewrap" | "none";

/** What bubblewrap can do here beyond a read-only world and processes of its own. Tried one by one at start. */
export type SandboxFeature =
  /** No network unless the hook asks for it. */
  | "net"
  | "ipc"
  | "uts"
  | "cgroup"
  /** Its directory, /tmp and /dev/shm in memory and of limited size. */
  | "memory_storage"
  /** It cannot make user namespaces, the usual way to the kernel's weaker doors. */
  | "no_userns"
  /** A server that runs as root gives each hook a user id that owns nothing. */
  | "own_user";

/** What holds for isolated hooks on this machine. */
export interface Confinement {
  readonly sandbox: SandboxKind;
  /** None without bubblewrap. */
  readonly features: readonly SandboxFeature[];
  /** What sets the limits of each process. Memory and processes of a whole hook are watched besides, on Linux. */
  readonly limits: "prlimit" | "ulimit" | "none";
}

export type ToSpawner =
  | { readonly kind: "run"; readonly id: number; readonly request: SpawnRequest }
  | { readonly kind: "stop"; readonly id: number };

export type FromSpawner =
  | { readonly kind: "ready"; readonly confinement: Confinement }
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
  /** What is watched while it runs; absent: nothing. */
  readonly limits?: Pick<RunLimits, "memoryBytesMax" | "processesMax">;
}
