/** The data directory: everything an installation keeps outside PostgreSQL, and the embedded PostgreSQL itself. */
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { access, lstat, mkdir, mkdtemp, readdir, realpath } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { StartupError } from "../platform/env.ts";

/** A unix socket's whole path must fit in 107 bytes; the longest name we put in a socket directory is PostgreSQL's. */
const SOCKET_PATH_BYTES_MAX = 107;
const LONGEST_SOCKET_NAME = ".s.PGSQL.5432";

/** The directory as an absolute path, made if need be (only its owner may enter) and proven writable. */
export async function prepareDataDirectory(path: string): Promise<string> {
  const wanted = resolve(path);
  try {
    await mkdir(wanted, { recursive: true, mode: 0o700 });
    await access(wanted, constants.R_OK | constants.W_OK | constants.X_OK);
    return await realpath(wanted);
  } catch (error) {
    throw new StartupError(`The data directory ${wanted} cannot be used: ${reason(error)}. ${WAY_OUT}`);
  }
}

const WAY_OUT = "Make it writable, or set QUARTERDECK_DATA_DIR to another directory.";

function reason(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EACCES" || code === "EPERM") return "it is not writable by this user";
  if (code === "EROFS") return "its file system is read-only";
  if (code === "ENOSPC" || code === "EDQUOT") return "the disk is full";
  if (code === "ENOTDIR" || code === "EEXIST") return "there is a file in its place";
  return error instanceof Error ? error.message : String(error);
}

/** The prefix of the directory in which a restore keeps files until the backup is complete. */
export const UNFINISHED_RESTORE = ".restore-";

/** Errors: a StartupError when a restore into the directory was killed midway, or is running now. */
export async function requireFinishedRestore(dataDir: string): Promise<void> {
  const left = (await readdir(dataDir)).find((name) => name.startsWith(UNFINISHED_RESTORE));
  if (left === undefined) return;
  throw new StartupError(
    `A restore into ${dataDir} has not finished: what is there may be a part of the backup. If it was killed, restore again into a new data directory (with DATABASE_URL, and an empty database). To start with what is there all the same, remove ${join(dataDir, left)}.`,
  );
}

/**
 * A directory that only this user may enter, with a path short enough for unix sockets: inside the data directory if it
 * fits.
 */
export async function prepareSocketDirectory(dataDir: string): Promise<string> {
  const inside = join(dataDir, "run");
  if (fits(inside)) {
    await mkdir(inside, { recursive: true, mode: 0o700 });
    return inside;
  }
  const name = createHash("sha256").update(dataDir).digest("hex").slice(0, 12);
  for (const base of [tmpdir(), "/tmp"]) {
    const outside = join(base, `quarterdeck-${process.getuid?.() ?? 0}-${name}`);
    if (!fits(outside)) continue;
    await mkdir(outside, { recursive: true, mode: 0o700 });
    const found = await lstat(outside);
    // Any user may write to a temporary directory: accept only one that is ours.
    if (found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o077) === 0) return outside;
    return await mkdtemp(join(base, "quarterdeck-"));
  }
  throw new StartupError(`The paths of ${dataDir} and of ${tmpdir()} are too long for unix sockets. ${WAY_OUT}`);
}

function fits(directory: string): boolean {
  return Buffer.byteLength(join(directory, LONGEST_SOCKET_NAME)) <= SOCKET_PATH_BYTES_MAX;
}

/**
 * Locks the data directory for this process, and returns the release; the system releases it when the process dies.
 *
 * The lock is a name in Linux's abstract socket space: atomic, and never stale, even after kill -9. The holder answers
 * a connection with its pid. Other systems have no embedded PostgreSQL to protect, so nothing is locked.
 */
export async function lockDataDirectory(dataDir: string): Promise<() => void> {
  if (process.platform !== "linux") return () => undefined;
  const { dev, ino } = await lstat(dataDir, { bigint: true });
  const path = `\0quarterdeck-${dev.toString(36)}-${ino.toString(36)}`;
  const server = createServer((socket) => socket.on("error", () => undefined).end(String(process.pid)));
  if (await listens(server, path)) return () => void server.close();
  throw new StartupError(
    `Quarterdeck already runs on ${dataDir} (process ${await holder(path)}). Stop it, or set QUARTERDECK_DATA_DIR and PORT for a second one.`,
  );
}

function listens(server: Server, path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" ? resolve(false) : reject(error),
    );
    server.listen(path, () => resolve(true));
    server.unref();
  });
}

function holder(path: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(path);
    let pid = "";
    socket.setTimeout(1_000, () => socket.destroy());
    socket.on("data", (chunk) => {
      pid += chunk.toString();
    });
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(pid || "unknown"));
  });
}
