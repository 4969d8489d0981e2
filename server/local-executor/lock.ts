/** A lock for one process at a time. The guarded work is harmless when done twice, so a stale lock is taken over. */
import { closeSync, openSync, readFileSync, statSync, unlinkSync, writeSync } from "node:fs";
import { isMissing } from "./errors.ts";

const STALE_MS = 120_000;

/** Returns the function that releases the lock; null if another process holds it. */
export function tryLock(path: string, nowMs: number): (() => void) | null {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      const file = openSync(path, "wx", 0o600);
      writeSync(file, String(process.pid));
      closeSync(file);
      return () => forget(path);
    } catch (error) {
      if (!isHeldError(error)) throw error;
      if (!isStale(path, nowMs)) return null;
      forget(path);
    }
  }
  return null;
}

const isHeldError = (error: unknown) => error instanceof Error && "code" in error && error.code === "EEXIST";

/** True if a process holds the lock. */
export function isLocked(path: string, nowMs: number): boolean {
  try {
    return statSync(path).isFile() && !isStale(path, nowMs);
  } catch {
    return false;
  }
}

function isStale(path: string, nowMs: number): boolean {
  try {
    if (nowMs - statSync(path).mtimeMs > STALE_MS) return true;
    const pid = Number(readFileSync(path, "utf8"));
    // Just made, and not yet signed.
    if (!Number.isInteger(pid) || pid <= 0) return false;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return isMissing(error) || (error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}

function forget(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
