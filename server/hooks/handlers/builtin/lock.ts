/** Mutual exclusion across processes: every hook of an agent may be a separate process. */
import { randomBytes } from "node:crypto";
import { link, open, readFile, rename, rm, stat } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";

const RETRY_MS = 20;
/** The age at which a lock counts as abandoned: its holder must have crashed. */
const HELD_MS_MAX = 10 * 60_000;

const waiting = new Map<string, Promise<unknown>>();

/** Runs `work` with an exclusive lock on the file `path`. Errors: those of `work`; the signal's reason. */
export function withLock<T>(path: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const before = waiting.get(path) ?? Promise.resolve();
  const mine = before.then(() => locked(path, signal, work));
  const settled = mine.then(
    () => {},
    () => {},
  );
  waiting.set(path, settled);
  return mine.finally(() => {
    if (waiting.get(path) === settled) waiting.delete(path);
  });
}

async function locked<T>(path: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const token = `${process.pid} ${randomBytes(8).toString("hex")}`;
  while (!(await take(path, token))) {
    if (await isAbandoned(path)) await steal(path);
    else await pause(RETRY_MS, undefined, { signal });
  }
  try {
    signal.throwIfAborted();
    return await work();
  } finally {
    if ((await contentOf(path)) === token) await rm(path, { force: true });
  }
}

async function take(path: string, token: string): Promise<boolean> {
  try {
    const file = await open(path, "wx", 0o600);
    await file.writeFile(token).finally(() => file.close());
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

async function isAbandoned(path: string): Promise<boolean> {
  const [content, found] = await Promise.all([contentOf(path), stat(path).catch(() => undefined)]);
  if (!found) return false;
  const ageMs = Date.now() - found.mtimeMs;
  const pid = Number(content?.split(" ")[0]);
  if (ageMs > HELD_MS_MAX) return true;
  return Number.isInteger(pid) && pid > 0 ? !isAlive(pid) : ageMs > 1_000;
}

/** Moves an abandoned lock away. If another process has already replaced it, the new lock is put back. */
async function steal(path: string): Promise<void> {
  const away = `${path}.${randomBytes(8).toString("hex")}`;
  const moved = await rename(path, away).then(
    () => true,
    () => false,
  );
  if (!moved) return;
  if (!(await isAbandoned(away))) await link(away, path).catch(() => {});
  await rm(away, { force: true });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== "ESRCH";
  }
}

function contentOf(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch(() => undefined);
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
