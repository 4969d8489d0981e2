/**
 * The shadow repository of a worktree: a separate store with the states of its files. The worktree's own repository lists the
 * files that count and is never written to. The shadow uses only its own configuration and converts nothing, so a file is
 * restored byte for byte.
 */
import { createHash } from "node:crypto";
import { appendFile, lstat, mkdir, realpath, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import type { Environment } from "../../../engine/ports.ts";
import { type GitResult, git } from "../git.ts";

/** The context of a step: an environment for git, and the signal that cancels it. */
export interface World {
  readonly env: Environment;
  readonly signal: AbortSignal;
  readonly log?: ((text: string) => void) | undefined;
}

export interface Shadow {
  /** The root of the worktree, resolved. */
  readonly root: string;
  readonly gitDir: string;
}

/** The size limit of files that are new to the shadow. A known file may grow. */
const NEW_FILE_BYTES_MAX = 2 * 1024 * 1024;
const LIST_BYTES_MAX = 64 * 1024 * 1024;
const STAGE_TRIES_MAX = 200;

const CONFIG = "[core]\n\tautocrlf = false\n\tlongpaths = true\n\tsymlinks = true\n\tfsmonitor = false\n";
const ATTRIBUTES = "* -text !eol -ident -filter !working-tree-encoding\n";

/** The shadow of the worktree around `cwd`; undefined without a worktree or without git. */
export async function shadowOf(cwd: string, dataDir: string, world: World): Promise<Shadow | undefined> {
  const found = await git({
    args: ["rev-parse", "--show-toplevel"],
    cwd,
    env: ownEnv(world.env),
    signal: world.signal,
    stdoutBytesMax: 64 * 1024,
  });
  if (!found.ok) return undefined;
  return shadowAt(await realpath(found.stdout.toString().replace(/\n$/, "")), dataDir);
}

/** The shadow of the worktree with this resolved root. */
export function shadowAt(root: string, dataDir: string): Shadow {
  const name = createHash("sha256").update(root).digest("hex").slice(0, 32);
  return { root, gitDir: join(dataDir, "snapshot", name) };
}

/** Captures the current files below `cwd` as the hash of a tree. Errors: git's messages. */
export async function captureTree(shadow: Shadow, cwd: string, dataDir: string, world: World): Promise<string> {
  await prepare(shadow, world);
  const inShadow = { ...world, env: shadowEnv(world.env) };
  const ours = (...args: string[]) => run(shadow, inShadow, cwd, args);
  const theirs = await list({
    args: ["ls-files", "-z", "--full-name", "--cached", "--others", "--exclude-standard"],
    cwd,
    ...world,
  });
  const tracked = new Set(names(await ours("ls-files", "-z", "--full-name")));
  const changed = new Set(names(await ours("diff-files", "-z", "--name-only", "--", ".")));

  const skips = await skipper(shadow.root, dataDir);
  const counted = new Set<string>();
  const staged: string[] = [];
  for (const path of theirs) {
    if (counted.has(path) || (await skips(path))) continue;
    if (!tracked.has(path)) {
      const found = await lstat(join(shadow.root, path)).catch(() => undefined);
      if (!found?.isSymbolicLink() && !(found?.isFile() && found.size <= NEW_FILE_BYTES_MAX)) continue;
      staged.push(path);
    } else if (changed.has(path)) staged.push(path);
    counted.add(path);
  }
  await drop(
    shadow,
    inShadow,
    [...tracked].filter((path) => !counted.has(path)),
  );
  await stage(shadow, inShadow, staged, { left: STAGE_TRIES_MAX });
  return (await ours("write-tree")).toString().trim();
}

/** The files below `cwd` that differ between two trees of the shadow, relative to the root. */
export async function listChangedFiles(shadow: Shadow, cwd: string, older: string, newer: string, world: World) {
  const args = ["diff-tree", "-r", "-z", "--name-only", "--no-renames", older, newer, "--", "."];
  return names(await run(shadow, { ...world, env: shadowEnv(world.env) }, cwd, args));
}

/** Every file of a tree: its path from the root, and git's entry (`mode SP type SP hash`). */
export async function listTreeFiles(shadow: Shadow, tree: string, world: World): Promise<Map<string, string>> {
  const args = ["ls-tree", "-r", "-z", "--full-tree", tree];
  const rows = names(await run(shadow, { ...world, env: shadowEnv(world.env) }, shadow.root, args));
  return new Map(rows.map((row) => [row.slice(row.indexOf("\t") + 1), row.slice(0, row.indexOf("\t"))]));
}

/** Writes files of a tree (rows of `listTreeFiles`) to the worktree. */
export async function checkOutFiles(shadow: Shadow, rows: ReadonlyMap<string, string>, world: World): Promise<void> {
  if (rows.size === 0) return;
  const inShadow = { ...world, env: shadowEnv(world.env) };
  const infos = [...rows].map(([path, what]) => `${what}\t${path}`);
  await run(shadow, inShadow, shadow.root, ["update-index", "-z", "--add", "--replace", "--index-info"], infos);
  await run(shadow, inShadow, shadow.root, ["checkout-index", "-f", "-u", "-q", "-z", "--stdin"], [...rows.keys()]);
}

/** Removes objects that were unused for a week. */
export async function pruneShadow(shadow: Shadow, world: World): Promise<void> {
  if (!(await exists(join(shadow.gitDir, "HEAD")))) return;
  const args = ["-c", "gc.autoDetach=false", "gc", "--quiet", "--prune=7.days"];
  await run(shadow, { ...world, env: shadowEnv(world.env) }, shadow.root, args);
}

async function prepare(shadow: Shadow, world: World): Promise<void> {
  const { gitDir } = shadow;
  // Only the holder of our lock works here, so a git lock is left over from a killed process.
  await rm(join(gitDir, "index.lock"), { force: true });
  if (await exists(join(gitDir, "info", "attributes"))) return;
  await mkdir(gitDir, { recursive: true, mode: 0o700 });
  await run(shadow, { ...world, env: shadowEnv(world.env) }, shadow.root, ["init", "--quiet", "--template="]);
  await appendFile(join(gitDir, "config"), CONFIG);
  await mkdir(join(gitDir, "info"), { recursive: true });
  await writeFile(join(gitDir, "info", "attributes"), ATTRIBUTES);
}

/** Returns a test for paths that must not be captured: our own store, and paths behind a link. */
async function skipper(root: string, dataDir: string): Promise<(path: string) => Promise<boolean>> {
  const store = relative(root, await realpath(dataDir).catch(() => dataDir));
  const isFolder = new Map<string, Promise<boolean>>([[".", Promise.resolve(true)]]);
  const folder = (dir: string): Promise<boolean> => {
    const asked =
      isFolder.get(dir) ?? folder(dirname(dir)).then(async (above) => above && (await isRealFolder(join(root, dir))));
    isFolder.set(dir, asked);
    return asked;
  };
  return async (path) => path === store || path.startsWith(`${store}${sep}`) || !(await folder(dirname(path)));
}

async function isRealFolder(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isDirectory() ?? false;
}

/** A file that git cannot add (unreadable or deleted) must not prevent the others. */
async function stage(shadow: Shadow, world: World, paths: readonly string[], tries: { left: number }): Promise<void> {
  if (paths.length === 0) return;
  if (tries.left-- === 0) throw new Error("too many files cannot be read");
  const args = ["update-index", "-z", "--add", "--remove", "--replace", "--stdin"];
  try {
    await run(shadow, world, shadow.root, args, paths);
  } catch (error) {
    world.signal.throwIfAborted();
    if (paths.length === 1) {
      world.log?.(`${paths[0]} is not captured: ${String(error)}`);
      return;
    }
    const half = Math.ceil(paths.length / 2);
    await stage(shadow, world, paths.slice(0, half), tries);
    await stage(shadow, world, paths.slice(half), tries);
  }
}

async function drop(shadow: Shadow, world: World, paths: readonly string[]): Promise<void> {
  if (paths.length > 0)
    await run(shadow, world, shadow.root, ["update-index", "-z", "--force-remove", "--stdin"], paths);
}

/** Runs git on the shadow; `stdin` is a list of names. Errors: git's messages. */
async function run(
  shadow: Shadow,
  { env, signal }: World,
  cwd: string,
  args: readonly string[],
  stdin?: readonly string[],
) {
  const where = ["--git-dir", shadow.gitDir, "--work-tree", shadow.root];
  const input = stdin && { stdin: Buffer.from(stdin.map((name) => `${name}\0`).join("")) };
  return whole(await git({ args: [...where, ...args], cwd, env, signal, stdoutBytesMax: LIST_BYTES_MAX, ...input }));
}

async function list({ args, cwd, env, signal }: World & { args: readonly string[]; cwd: string }): Promise<string[]> {
  return names(whole(await git({ args, cwd, env: ownEnv(env), signal, stdoutBytesMax: LIST_BYTES_MAX })));
}

function whole(result: GitResult): Buffer {
  if (!result.ok) throw new Error(result.why);
  if (result.isCut) throw new Error("the worktree has too many files");
  return result.stdout;
}

function names(list: Buffer): string[] {
  return list
    .toString("utf8")
    .split("\0")
    .filter((name) => name !== "");
}

const KEPT = new Set(["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_CEILING_DIRECTORIES"]);

/** Removes variables that would point git at another repository. */
function ownEnv(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("GIT_") || KEPT.has(name)));
}

function shadowEnv(env: Environment): Environment {
  return { ...ownEnv(env), GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
