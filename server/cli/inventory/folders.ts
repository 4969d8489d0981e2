/** The folders of one inventory, and files as far as an inventory reads them. */
import { open, readdir, realpath, stat } from "node:fs/promises";
import { isAbsolute, join, resolve } from "node:path";
import { isObject, type JsonObject, parseSettings, parseYamlSettings } from "../../dialects/settings/index.ts";
import type { ReportedExtension } from "../../extensions/schema.ts";
import { isWithinAny, type Roots } from "./digest.ts";
import type { ClientPlaces, McpPlace } from "./places.ts";

export interface Folders {
  readonly home: string;
  /** Null where no project is read. */
  readonly project: string | null;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Links may lead into these: the home, the project and a client's moved folder. */
  readonly roots: Roots;
}

/** A path on this machine, of the user or of the project. */
export interface ScopedPath {
  /** Absolute. */
  readonly path: string;
  readonly scope: ReportedExtension["scope"];
}

/** Claude Code keeps its history next to its servers. */
const TEXT_BYTES_MAX = 32 * 1024 * 1024;
const NAMES_MAX = 2_000;

export async function foldersOf(
  folders: Omit<Folders, "roots">,
  { movable }: Pick<ClientPlaces, "movable">,
): Promise<Folders> {
  const moved = movable === undefined ? undefined : folders.environment[movable.variable];
  const wanted = [folders.home, folders.project, moved ? resolve(moved) : null, "/etc"];
  const real = wanted.map((path) => (path === null ? null : realpath(path).catch(() => null)));
  return { ...folders, roots: (await Promise.all(real)).filter((path) => path !== null) };
}

/** The place that a documented path names; null for one of a project where none is read. */
export function scopedPath(
  text: string,
  folders: Folders,
  { movable }: Pick<ClientPlaces, "movable">,
): ScopedPath | null {
  const moved = movable && folders.environment[movable.variable];
  if (movable && moved && (text === movable.folder || text.startsWith(`${movable.folder}/`)))
    return { path: join(resolve(moved), text.slice(movable.folder.length)), scope: "user" };
  if (text.startsWith("~/")) return { path: join(folders.home, text.slice(2)), scope: "user" };
  if (isAbsolute(text)) return { path: text, scope: "user" };
  return folders.project === null ? null : { path: join(folders.project, text), scope: "project" };
}

/** The path as it is reported: below the project, or with ~ for the home. */
export function shownPath({ path, scope }: ScopedPath, { home, project }: Folders): string {
  const root = scope === "project" ? project : home;
  if (root === null || !isWithinAny(path, [root]) || path === root) return path;
  const below = path.slice(root.length).replace(/^\/+/, "");
  return scope === "project" ? below : `~/${below}`;
}

/** The names in a folder, in order; none if it cannot be read. */
export async function namesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => name !== ".git")
    .sort()
    .slice(0, NAMES_MAX);
}

export const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => null))?.isDirectory() ?? false;
export const isFile = async (path: string): Promise<boolean> => (await stat(path).catch(() => null))?.isFile() ?? false;

/** The text of a file within the roots; null if there is none, or if it is too large. */
export async function textIn(path: string, { roots }: Pick<Folders, "roots">): Promise<string | null> {
  const real = await realpath(path).catch(() => null);
  if (real === null || !isWithinAny(real, roots)) return null;
  const file = await open(real, "r").catch(() => null);
  if (file === null) return null;
  try {
    const { size, isFile } = await file.stat().then((one) => ({ size: one.size, isFile: one.isFile() }));
    return isFile && size <= TEXT_BYTES_MAX ? (await file.readFile("utf8")).replace(/^\uFEFF/, "") : null;
  } catch {
    return null;
  } finally {
    await file.close();
  }
}

/** The settings in a file; null if there are none that a client could read. */
export async function settingsIn(
  path: string,
  folders: Pick<Folders, "roots">,
  format: McpPlace["format"] | "yaml",
): Promise<JsonObject | null> {
  const text = await textIn(path, folders);
  if (text === null || text.trim() === "") return null;
  try {
    const value = format === "yaml" ? parseYamlSettings(text) : parseSettings(text, format);
    return isObject(value) ? value : null;
  } catch {
    // The client cannot read it either.
    return null;
  }
}

export const objectIn = (value: unknown): JsonObject => (isObject(value) ? value : {});
export const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
