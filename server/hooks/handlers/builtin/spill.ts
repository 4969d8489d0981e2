/**
 * Files for texts that are too large for the model, by session. Session ids are untrusted: they must not name, fill or empty any
 * folder other than their own.
 */
import { createHash, randomBytes } from "node:crypto";
import { lstat, mkdir, open, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

const FOLDER = "docker-agent-tool-results";
const NAME_CHARS_MAX = 200;

/** The name of a session's folder: a single path segment, unique for each id. */
export function segmentOf(sessionId: string): string {
  if (sessionId === "") return "unknown";
  const escaped = escapedOf(sessionId);
  // Percent-escaping keeps dots, and `..` would leave the folder.
  if (escaped && /^\.+$/.test(escaped)) return escaped.replaceAll(".", "%2E");
  if (escaped && escaped.length <= NAME_CHARS_MAX) return escaped;
  // An at sign is always escaped, so no other id has such a name.
  return `@${createHash("sha256").update(sessionId, "utf16le").digest("hex")}`;
}

/** Percent-escaped; undefined for invalid Unicode. */
function escapedOf(text: string): string | undefined {
  try {
    return encodeURIComponent(text).replace(/[!'()*]/g, percent);
  } catch {
    return undefined;
  }
}

function percent(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** Writes `text` to a new file of the session that only its owner may read. Errors: those of the file system, and an unsafe folder. */
export async function writeSpillFile(tempDir: string, sessionId: string, text: string): Promise<string> {
  const folder = join(tempDir, FOLDER);
  const own = join(folder, segmentOf(sessionId));
  await makeOurs(folder);
  await makeOurs(own);
  const path = join(own, `tool-result-${randomBytes(12).toString("hex")}.txt`);
  const file = await open(path, "wx", 0o600);
  try {
    await file.chmod(0o600);
    await file.writeFile(text);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  return path;
}

/** Deletes the session's files from `writeSpillFile`. Succeeds without any. */
export async function deleteSpillFiles(tempDir: string, sessionId: string): Promise<void> {
  const folder = join(tempDir, FOLDER);
  const own = join(folder, segmentOf(sessionId));
  if (dirname(own) !== folder) throw new Error(`${own} is not directly below ${folder}`);
  if (!(await isOurs(folder)) || !(await isOurs(own))) return;
  await rm(own, { recursive: true, force: true });
}

async function makeOurs(dir: string): Promise<void> {
  await mkdir(dir, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  if (!(await isOurs(dir))) throw new Error(`${dir} belongs to somebody else, or is not a directory`);
}

/** True if `dir` is a real directory that we own and that no other user can write to; false if it is absent. */
async function isOurs(dir: string): Promise<boolean> {
  const found = await lstat(dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (!found?.isDirectory()) return false;
  const { getuid } = process;
  return getuid === undefined || (found.uid === getuid() && (found.mode & 0o022) === 0);
}
