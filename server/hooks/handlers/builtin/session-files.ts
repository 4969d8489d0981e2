/** A JSON file for each session. It is on disk because every hook of an agent may be a separate process. */
import { createHash, randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { z } from "zod";
import { withLock } from "./lock.ts";

export interface SessionFiles<Session> {
  /** Reads a session, applies `change`, and saves it. No other process changes it during that time. Errors: those of `change`. */
  update<T>(sessionId: string, signal: AbortSignal, change: (session: Session) => T | Promise<T>): Promise<T>;
  /** The last saved session; an empty one if the file is absent or unreadable. */
  read(sessionId: string): Promise<Session>;
  /** Newest first; `changedMs` in milliseconds since 1970. */
  list(): Promise<{ readonly session: Session; readonly changedMs: number }[]>;
  forget(sessionId: string): Promise<void>;
  /** Deletes all but the newest sessions. */
  prune(): Promise<void>;
}

const SESSIONS_MAX = 256;

export function sessionFiles<Session>(
  folder: string,
  schema: z.ZodType<Session>,
  empty: () => Session,
): SessionFiles<Session> {
  const parse = (text: string): Session | undefined => {
    try {
      return schema.parse(JSON.parse(text));
    } catch {
      return undefined;
    }
  };
  const read = async (sessionId: string): Promise<Session> =>
    parse(await readFile(pathOf(folder, sessionId), "utf8").catch(() => "")) ?? empty();

  return {
    read,
    async update(sessionId, signal, change) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const path = pathOf(folder, sessionId);
      return withLock(`${path}.lock`, signal, async () => {
        const session = await read(sessionId);
        const before = JSON.stringify(session);
        const result = await change(session);
        const after = JSON.stringify(session);
        if (after !== before) {
          const fresh = `${path}.${randomBytes(6).toString("hex")}`;
          await writeFile(fresh, after, { mode: 0o600 });
          await rename(fresh, path);
        }
        return result;
      });
    },
    async list() {
      const kept: { session: Session; changedMs: number }[] = [];
      for (const { path, changedMs } of (await filesByAge(folder)).slice(0, SESSIONS_MAX)) {
        const session = parse(await readFile(path, "utf8").catch(() => ""));
        if (session !== undefined) kept.push({ session, changedMs });
      }
      return kept;
    },
    forget: (sessionId) => rm(pathOf(folder, sessionId), { force: true }),
    async prune() {
      const old = (await filesByAge(folder)).slice(SESSIONS_MAX);
      await Promise.all(old.map(({ path }) => rm(path, { force: true })));
    },
  };
}

/** The session files, newest first. */
async function filesByAge(folder: string): Promise<{ readonly path: string; readonly changedMs: number }[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".json"));
  const aged = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      return { path, changedMs: (await stat(path).catch(() => undefined))?.mtimeMs ?? 0 };
    }),
  );
  return aged.sort((a, b) => b.changedMs - a.changedMs);
}

/** Session ids are untrusted texts; their hash is a safe name. */
function pathOf(folder: string, sessionId: string): string {
  return join(folder, `${createHash("sha256").update(sessionId, "utf16le").digest("hex")}.json`);
}
