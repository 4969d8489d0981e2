/**
 * The digest of an extension: sha256 over the sorted paths of its files, each with the sha256 of its content. The
 * contents do not leave the machine.
 */
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open, readdir, readlink, realpath } from "node:fs/promises";
import { join, sep } from "node:path";

export const DIGEST_LIMITS = { files: 5_000, bytes: 64 * 1024 * 1024, depth: 24 } as const;

/** Folders of other programs: version control, and the marks of running clients. */
const SKIPPED: ReadonlySet<string> = new Set([".git", ".in_use"]);

/** The folders that a link may lead to: the user's home and the project, with their own links followed. */
export type Roots = readonly string[];

class Unread extends Error {}

interface Budget {
  files: number;
  bytes: number;
}

/**
 * The digest of a file or folder as 64 hexadecimal digits. Null if it cannot be read whole within the limits, or leads
 * out of the roots. A link inside it counts with its text, and its content is read only where it stays inside.
 */
export async function digestOf(path: string, roots: Roots): Promise<string | null> {
  try {
    const root = await realpath(path);
    if (!isWithinAny(root, roots)) return null;
    const budget: Budget = { files: 0, bytes: 0 };
    const lines = await linesOf(root, "", { root, budget, depth: 0 });
    const sorted = lines.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
    return createHash("sha256").update(sorted.join("")).digest("hex");
  } catch (error) {
    if (error instanceof Unread || isFileError(error)) return null;
    throw error;
  }
}

export const isWithinAny = (path: string, roots: Roots): boolean =>
  roots.some((root) => path === root || path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`));

interface Walk {
  readonly root: string;
  readonly budget: Budget;
  readonly depth: number;
}

/** A line for each file and link at or below the path. */
async function linesOf(path: string, name: string, walk: Walk): Promise<string[]> {
  if (walk.depth > DIGEST_LIMITS.depth) throw new Unread();
  const stat = await lstat(path);
  if (stat.isSymbolicLink()) return linkLines(path, name, walk);
  if (stat.isDirectory()) return folderLines(path, name, walk);
  count(walk.budget);
  return [lineOf(stat.isFile() ? "file" : "other", name, stat.isFile() ? await hashFile(path, walk.budget) : "")];
}

async function folderLines(path: string, name: string, walk: Walk): Promise<string[]> {
  count(walk.budget);
  const lines: string[] = [];
  for (const entry of await readdir(path)) {
    if (SKIPPED.has(entry)) continue;
    const inner = name === "" ? entry : `${name}/${entry}`;
    lines.push(...(await linesOf(join(path, entry), inner, { ...walk, depth: walk.depth + 1 })));
  }
  return lines;
}

async function linkLines(path: string, name: string, { root, budget }: Walk): Promise<string[]> {
  count(budget);
  const line = lineOf("link", name, await readlink(path));
  const target = await realpath(path).catch(() => null);
  // A folder inside is read under its own name.
  if (target === null || !isWithinAny(target, [root]) || !(await lstat(target)).isFile()) return [line];
  return [line, lineOf("file", name, await hashFile(target, budget))];
}

function count(budget: Budget): void {
  budget.files += 1;
  if (budget.files > DIGEST_LIMITS.files) throw new Unread();
}

/** JSON, so that no name of a file can look like two lines. */
const lineOf = (kind: string, name: string, content: string): string => `${JSON.stringify([name, kind, content])}\n`;

async function hashFile(path: string, budget: Budget): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const hash = createHash("sha256");
    for await (const chunk of file.createReadStream({ autoClose: false })) {
      budget.bytes += chunk.length;
      if (budget.bytes > DIGEST_LIMITS.bytes) throw new Unread();
      hash.update(chunk);
    }
    return hash.digest("hex");
  } finally {
    await file.close();
  }
}

const isFileError = (error: unknown): boolean => error instanceof Error && "code" in error && "syscall" in error;
