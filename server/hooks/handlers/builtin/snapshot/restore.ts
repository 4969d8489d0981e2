/** Restores files from a tree of the shadow, without ever leaving the worktree. */
import { lstat, rmdir, unlink } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { checkOutFiles, listTreeFiles, type Shadow, type World } from "./worktree-shadow.ts";

/**
 * Restores `files` (absolute) to their state in `tree` and returns their number: files in the tree are written, others deleted.
 * Ignores a file outside the worktree, inside `.git`, or behind a link, and a folder that is not empty.
 */
export async function restoreFiles(
  shadow: Shadow,
  tree: string,
  files: readonly string[],
  world: World,
): Promise<number> {
  const known = await listTreeFiles(shadow, tree, world);
  const inside = files.flatMap((file) => pathInside(shadow.root, file, world) ?? []);
  let deleted = 0;
  // Deletes first: a new file may block the path of a restored one.
  for (const path of inside.filter((one) => !known.has(one))) {
    if (await isReachable(shadow.root, path)) deleted += (await remove(join(shadow.root, path))) ? 1 : 0;
  }
  const back = new Map<string, string>();
  for (const path of inside) {
    const what = known.get(path);
    if (what && (await isReachable(shadow.root, path)) && (await isFree(join(shadow.root, path)))) back.set(path, what);
  }
  await checkOutFiles(shadow, back, world);
  return deleted + back.size;
}

/** The path from the root; undefined for one outside the worktree or inside `.git`. */
function pathInside(root: string, file: string, { log }: World): string | undefined {
  const path = relative(root, file);
  const steps = path.split(sep);
  const isOut =
    path === "" || isAbsolute(path) || steps.includes("..") || steps.some((step) => step.toLowerCase() === ".git");
  if (isOut) log?.(`${file} is not restored: it is not a file of the worktree`);
  return isOut ? undefined : path;
}

/** True if every parent folder is a real folder or absent. */
async function isReachable(root: string, path: string): Promise<boolean> {
  for (let dir = dirname(path); dir !== "."; dir = dirname(dir)) {
    const found = await lstat(join(root, dir)).catch(() => undefined);
    if (found && !found.isDirectory()) return false;
  }
  return true;
}

async function remove(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  if (!found) return true;
  if (found.isDirectory()) return false;
  await unlink(path);
  return true;
}

/** True if a file may be written here: git would remove a folder with its content. */
async function isFree(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  if (!found?.isDirectory()) return true;
  return rmdir(path).then(
    () => true,
    () => false,
  );
}
