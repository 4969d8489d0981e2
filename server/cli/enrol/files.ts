/** The files of an enrolment on a disk: found without leaving their folder, read up to a size, replaced whole or not at all. */
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, lstat, mkdir, open, realpath, rename, unlink } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { Refusal } from "../refusal.ts";

const BYTES_MAX = 1024 * 1024;
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export interface FoundFile {
  /** The path as a person wrote it or would. */
  readonly name: string;
  /** The path with every link in it followed. */
  readonly target: string;
  /** Null when there is no file yet. */
  readonly text: string | null;
  readonly mode: number | null;
  readonly owner: { readonly uid: number; readonly gid: number } | null;
}

/** The file at `path` below `root`. Errors: a `Refusal` for a link out of `root`, and for what cannot be read as text. */
export async function findFile(root: string, path: string): Promise<FoundFile> {
  const name = join(root, path);
  const target = await resolveWithin(root, name);
  const absent = { name, target, text: null, mode: null, owner: null };
  let file: FileHandle;
  try {
    file = await open(target, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return absent;
    throw new Refusal(`${name} cannot be read (${codeOf(error)}). Run this as somebody who may.`);
  }
  try {
    const { mode, uid, gid, size, isFile } = await statOf(file);
    if (!isFile) throw new Refusal(`${name} is no ordinary file. Move it away, then enrol again.`);
    if (size > BYTES_MAX)
      throw new Refusal(
        `${name} has ${size} bytes, and no more than ${BYTES_MAX} are read. Shorten it, then enrol again.`,
      );
    return { name, target, text: textOf(name, await file.readFile()), mode, owner: { uid, gid } };
  } finally {
    await file.close();
  }
}

async function statOf(file: FileHandle) {
  const stat = await file.stat();
  return { mode: stat.mode & 0o7777, uid: stat.uid, gid: stat.gid, size: stat.size, isFile: stat.isFile() };
}

function textOf(name: string, bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new Refusal(`${name} is no text in UTF-8. Correct it or move it away, then enrol again.`);
  }
}

async function resolveWithin(root: string, name: string): Promise<string> {
  const realRoot = await realpath(root).catch(() => {
    throw new Refusal(`There is no folder ${root}.`, 2);
  });
  const missing: string[] = [];
  let existing = name;
  while (existing !== root && !(await isThere(existing))) {
    missing.unshift(basename(existing));
    existing = dirname(existing);
  }
  const real = await realpath(existing).catch(() => {
    throw new Refusal(`${existing} is a link to nothing. Remove the link, then enrol again.`);
  });
  if (real !== realRoot && !real.startsWith(realRoot === sep ? sep : `${realRoot}${sep}`))
    throw new Refusal(
      `${existing} is a link to ${real}, outside ${root}: nothing is written there. Enrol where it leads.`,
    );
  return join(real, ...missing);
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false;
    throw new Refusal(`${path} cannot be looked at (${codeOf(error)}).`);
  }
}

export interface FileContent {
  readonly text: string;
  readonly mode: number;
  readonly owner: FoundFile["owner"];
}

/** Creates the folder and its missing parents; returns the created ones. */
export async function makeFolder(folder: string, mode: number): Promise<string[]> {
  const first = await mkdir(folder, { recursive: true, mode });
  if (first === undefined) return [];
  const names = relative(first, folder)
    .split(sep)
    .filter((name) => name !== "");
  return [first, ...names.map((_, at) => join(first, ...names.slice(0, at + 1)))];
}

/** Writes a temporary file in the same folder and renames it, so that a reader sees the old text or the new one. */
export async function replaceFile(target: string, { text, mode, owner }: FileContent): Promise<void> {
  const folder = dirname(target);
  const draft = join(folder, `.${basename(target)}.${randomBytes(6).toString("hex")}.new`);
  const file = await open(draft, "wx", 0o600);
  try {
    await file.writeFile(text);
    if (owner !== null) await keepOwner(file, owner);
    await file.chmod(mode);
    await file.sync();
    await file.close();
    await rename(draft, target);
  } catch (error) {
    await file.close().catch(() => undefined);
    await unlink(draft).catch(() => undefined);
    throw error;
  }
  await syncFolder(folder);
}

/** Only root may change a file's owner. For other users the owner is the same already, or the file becomes theirs. */
async function keepOwner(file: FileHandle, owner: { uid: number; gid: number }): Promise<void> {
  const { uid, gid } = await file.stat();
  if (uid !== owner.uid || gid !== owner.gid) await file.chown(owner.uid, owner.gid).catch(() => undefined);
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "an unknown error";
}
