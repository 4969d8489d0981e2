/** Messages between the main process and the spawner. Plain data; the spawner's JavaScript is checked against it. */
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

/** The spawner's settings, as JSON in its first argument. */
export interface SpawnerSettings {
  /** "auto": the first that is proven to hold; "auto_or_none": that, or else as "none": hooks of strangers run without one. */
  readonly sandbox: "auto" | "auto_or_none" | "none" | SandboxKind;
  readonly bubblewrapPaths: readonly string[];
  readonly prlimitPaths: readonly string[];
  /** Where util-linux is looked for, in this order. */
  readonly toolDirs: readonly string[];
  /** The network of hooks that ask for it: one of their own, or with "host" this machine's with its loopback. */
  readonly hookNetwork: "own" | "host";
  readonly slirpPaths: readonly string[];
  /** A file that names slirp4netns's own name server; made by the spawner. */
  readonly resolverFile?: string | undefined;
  readonly scratchDir?: string;
  readonly hiddenDirs: readonly string[];
  /** A value in the spawner's own environment, which no hook may read. */
  readonly environmentWord: string;
  /** The confinement that an earlier spawner of the same server has tried already. */
  readonly proven?: Confinement;
  /** The process id of the spawner that this one replaces. */
  readonly after?: number;
  readonly outputBytesMax: number;
  readonly limits: RunLimits;
}

/** The ways to contain a hook, in the order in which they are tried. */
export type SandboxKind =
  | "bubblewrap"
  /** A server that runs as root makes the namespaces itself. */
  | "root_namespaces"
  /** Any other one makes them where the kernel lets it. */
  | "user_namespaces";

/** A feature of a sandbox beyond a read-only world and processes of its own. */
export type SandboxFeature =
  /** No network unless the hook asks for it. Without it there is no sandbox. */
  | "net"
  | "ipc"
  | "uts"
  | "cgroup"
  /** Its directory, /tmp and /dev/shm in memory and of limited size. */
  | "memory_storage"
  /** It cannot make user namespaces, the usual way to the kernel's weaker doors. */
  | "no_userns"
  /** Its system calls are filtered: none that makes namespaces, mounts, traces, loads into the kernel or uses io_uring. */
  | "seccomp"
  /** A server that runs as root gives each hook a user id that owns nothing. */
  | "own_user";

/** The confinement of isolated hooks on this machine. */
export interface Confinement {
  /** "none": hooks run without one, because the operator says so. "missing": no hook of a stranger is run. */
  readonly sandbox: SandboxKind | "none" | "missing";
  readonly features: readonly SandboxFeature[];
  /** Where it is missing: why each way to one does not work. */
  readonly reasons: readonly string[];
  /**
   * The network of hooks that ask for it. "own": a namespace of their own without this machine's loopback; "host": this machine's, as
   * the operator says or without a sandbox; "refused": such hooks are not run.
   */
  readonly network: "own" | "host" | "refused";
  /** Where it is refused: why a network of their own cannot be had. */
  readonly networkReason?: string;
  /** The tool that sets each process's limits. Memory and processes of a whole hook are watched besides, on Linux. */
  readonly limits: "prlimit" | "ulimit" | "none";
}

export type ToSpawner =
  | { readonly kind: "run"; readonly id: number; readonly request: SpawnRequest }
  | { readonly kind: "stop"; readonly id: number }
  | { readonly kind: "ping" };

export type FromSpawner =
  | { readonly kind: "pong" }
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
  /** The reports on descriptor 3: that the hook was started, or besides how it ended (spawner/inside.mjs). */
  readonly reports: "nothing" | "start" | "ending";
  /** Bytes that its command reads from descriptor 4. Only with `reports`. */
  readonly filter?: Uint8Array;
  /** The limits that are watched while it runs; absent: nothing. */
  readonly limits?: Pick<RunLimits, "memoryBytesMax" | "processesMax">;
}
