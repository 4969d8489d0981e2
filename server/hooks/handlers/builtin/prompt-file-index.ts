/** Lists the paths of prompt files below a directory without reading them: parts of a repository have their own instructions. */
import { opendir, realpath, stat } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import type { Environment } from "../../engine/ports.ts";
import { ignoredByGit } from "./git-ignored.ts";

const LISTED_MAX = 100;
/** The limit of entries in a tree, because this runs on every turn. */
const ENTRIES_MAX = 20_000;
/** The limit of levels. Instructions are never deeper, and each level costs a git call. */
const LEVELS_MAX = 64;

export interface PromptFileSearch {
  readonly dir: string;
  readonly names: readonly string[];
  /** The number of directory levels below `dir`; 0 or less lists no file. */
  readonly depth: number;
  /** Paths of files that are already included in full. */
  readonly except: readonly string[];
  readonly env: Environment;
  readonly signal: AbortSignal;
  readonly log: ((text: string) => void) | undefined;
}

/** The list with a sentence for the model; empty without files. */
export async function listPromptFilesBelow(search: PromptFileSearch): Promise<string> {
  if (search.depth <= 0 || search.names.length === 0) return "";
  const root = resolve(search.dir);
  const found = await findBelow(root, search);
  if (found.length === 0) return "";
  return [
    `Prompt files found in subdirectories of ${root}. Their contents are NOT loaded:`,
    "",
    ...found.slice(0, LISTED_MAX).map((path) => `- ${path}`),
    ...(found.length > LISTED_MAX ? ["", `(only the first ${LISTED_MAX} are listed)`] : []),
    "",
    "Read the ones covering the files you are about to work on. For anything under its own directory, a nested file's instructions take precedence over the instructions loaded above.",
  ].join("\n");
}

/** Paths relative to `root`, in the order of a walk with sorted directories. */
async function findBelow(root: string, search: PromptFileSearch): Promise<string[]> {
  const { names, signal, log } = search;
  const isIgnored = await ignoredByGit(root, search);
  const seen = new Set(await Promise.all([...search.except].map(real)));
  const base = await real(root);
  const found: string[] = [];
  let entries = 0;
  let level = [""];
  for (let depth = 0; level.length > 0 && depth <= Math.min(search.depth, LEVELS_MAX); depth++) {
    const dirs: string[] = [];
    const files: string[] = [];
    for (const parent of level) {
      for (const entry of await entriesOf(join(root, parent), ENTRIES_MAX - entries)) {
        signal.throwIfAborted();
        entries += 1;
        const path = parent === "" ? entry.name : `${parent}/${entry.name}`;
        if (entry.isDirectory()) {
          if (!entry.name.startsWith(".")) dirs.push(path);
        } else if (depth > 0 && names.includes(entry.name) && !/\p{Cc}/u.test(path)) files.push(path);
      }
    }
    const ignored = await isIgnored([...dirs, ...files]);
    for (const path of files) {
      if (!ignored.has(path) && (await isListable(join(root, path), base, seen))) found.push(path);
    }
    level = dirs.filter((path) => !ignored.has(path));
  }
  if (entries >= ENTRIES_MAX)
    log?.(`only the first ${ENTRIES_MAX} entries below ${root} are searched for prompt files`);
  return found.sort(byWalk);
}

/** At most `max` entries; empty for an unreadable directory. */
async function entriesOf(dir: string, max: number) {
  const entries = [];
  try {
    for await (const entry of await opendir(dir)) {
      if (entries.length >= max) break;
      entries.push(entry);
    }
  } catch {
    // An unreadable directory has no files for the agent either.
  }
  return entries;
}

/** A link out of the tree could make the agent treat any file as project instructions. */
async function isListable(path: string, base: string, seen: ReadonlySet<string>): Promise<boolean> {
  const target = await real(path);
  if (seen.has(target) || !target.startsWith(base.endsWith(sep) ? base : `${base}${sep}`)) return false;
  return (await stat(target).catch(() => undefined))?.isFile() === true;
}

function real(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

function byWalk(one: string, other: string): number {
  const [ones, others] = [one.split("/"), other.split("/")];
  for (const [at, name] of ones.entries()) {
    const order = Buffer.compare(Buffer.from(name), Buffer.from(others[at] ?? ""));
    if (order !== 0) return order;
  }
  return ones.length - others.length;
}
