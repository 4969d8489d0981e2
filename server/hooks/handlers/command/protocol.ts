/** The messages between the main process and the spawner. Plain data; the spawner's JavaScript is checked against these types. */
import type { Environment, HandlerReply } from "../../engine/ports.ts";
import type { RunLimits } from "./limits.ts";

export interface SpawnRequest {
  readonly shell: string;
  readonly command: string;
  readonly stdin: string;
  readonly env: Environment;
  /** Relative to the run's own directory, which is also the default. */
  readonly cwd?: string;
  /** True for an untrusted hook: it gets its own temporary directory as HOME and TMPDIR, and the spawner's limits. */
  readonly isolated: boolean;
  /** True to keep network access in a sandbox that would remove it. */
  readonly network: boolean;
  /** The time after which the spawner ends the run itself, in milliseconds. */
  readonly backstopMs: number;
}

/** The spawner's settings, as JSON in its first argument. */
export interface SpawnerSettings {
  /**
   * "auto": the first sandbox that is proven to work. "auto_or_none": the same, or without one as "none", where untrusted hooks
   * run without a sandbox.
   */
  readonly sandbox: "auto" | "auto_or_none" | "none" | SandboxKind;
  readonly bubblewrapPaths: readonly string[];
  readonly prlimitPaths: readonly string[];
  /** The directories to search for util-linux, in this order. */
  readonly toolDirs: readonly string[];
  /** The network of hooks that ask for it: a separate one, or with "host" this machine's, including its loopback. */
  readonly hookNetwork: "own" | "host";
  readonly slirpPaths: readonly string[];
  /** A file that names slirp4netns's own name server; the spawner writes it. */
  readonly resolverFile?: string | undefined;
  readonly scratchDir?: string;
  readonly hiddenDirs: readonly string[];
  /** A value in the spawner's own environment, which no hook may read. */
  readonly environmentWord: string;
  /** The confinement that an earlier spawner of the same server has tested. */
  readonly proven?: Confinement;
  /** The process id of the spawner that this one replaces. */
  readonly after?: number;
  readonly outputBytesMax: number;
  readonly limits: RunLimits;
}

/** The kinds of sandbox, in the order in which they are tried. */
export type SandboxKind =
  | "bubblewrap"
  /** A server that runs as root creates the namespaces itself. */
  | "root_namespaces"
  /** Any other server creates them if the kernel permits it. */
  | "user_namespaces";

/** A feature of a sandbox in addition to a read-only file system and separate processes. */
export type SandboxFeature =
  /** No network unless the hook asks for it. Required for every sandbox. */
  | "net"
  | "ipc"
  | "uts"
  | "cgroup"
  /** Its directory, /tmp and /dev/shm are in memory, with limited size. */
  | "memory_storage"
  /** It cannot create user namespaces, which expose weaker kernel interfaces. */
  | "no_userns"
  /** Its system calls are filtered: no namespaces, mounts, traces, kernel modules or io_uring. */
  | "seccomp"
  /** A server that runs as root gives each hook a user id that owns no files. */
  | "own_user";

/** The confinement of isolated hooks on this machine. */
export interface Confinement {
  /** "none": hooks run without a sandbox, as configured. "missing": untrusted hooks do not run. */
  readonly sandbox: SandboxKind | "none" | "missing";
  readonly features: readonly SandboxFeature[];
  /** If the sandbox is missing: the reason for each kind. */
  readonly reasons: readonly string[];
  /**
   * The network of hooks that ask for it. "own": a separate namespace without this machine's loopback. "host": this machine's, as
   * configured or without a sandbox. "refused": such hooks do not run.
   */
  readonly network: "own" | "host" | "refused";
  /** If the network is refused: the reason why a separate one is not possible. */
  readonly networkReason?: string;
  /** The tool that sets each process's limits. On Linux, memory and process count of a whole hook are monitored as well. */
  readonly limits: "prlimit" | "ulimit" | "none";
}

export type ToSpawner =
  | { readonly kind: "run"; readonly id: number; readonly request: SpawnRequest }
  | { readonly kind: "stop"; readonly id: number }
  | { readonly kind: "ping" };

export type FromSpawner =
  | { readonly kind: "pong" }
  | { readonly kind: "ready"; readonly confinement: Confinement }
  /** The process group, so that the server can end it if the spawner is lost. */
  | { readonly kind: "started"; readonly id: number; readonly pid: number }
  | { readonly kind: "ended"; readonly id: number; readonly reply: HandlerReply };

/** A process to run, with captured output. */
export interface ProcessRequest {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Environment;
  readonly stdin: string;
  readonly outputBytesMax: number;
  readonly backstopMs: number;
  /** The reports on descriptor 3: the start of the hook, or its start and end (spawner/inside.mjs). */
  readonly reports: "nothing" | "start" | "ending";
  /** Bytes that its command reads from descriptor 4. Only with `reports`. */
  readonly filter?: Uint8Array;
  /** The limits to monitor during the run; absent: no limits. */
  readonly limits?: Pick<RunLimits, "memoryBytesMax" | "processesMax">;
}
