/** The snapshots' record of a session, on disk: the process that began a turn need not be the one that ends it. */
import { createHash, randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { withLock } from "./lock.ts";

/** A recorded state of the files of a worktree. */
const point = z.object({ root: z.string(), tree: z.string() });
export type Point = z.infer<typeof point>;

/** The state before a change, and the files (absolute) that the change touched. */
const checkpoint = point.extend({ files: z.array(z.string()) });
export type Checkpoint = z.infer<typeof checkpoint>;

const session = z.object({
  /** Sessions that were kept before have none. */
  id: z.string().optional(),
  turn: point.optional(),
  /** By `tool_use_id`, oldest first. */
  tools: z.array(z.tuple([z.string(), point])),
  /** Oldest first. */
  checkpoints: z.array(checkpoint),
});
export type Session = z.infer<typeof session>;

const SESSIONS_MAX = 256;
const TOOLS_MAX = 256;
const CHECKPOINTS_MAX = 500;

/** Reads a session, lets `change` alter it, and keeps it. Nobody else changes it meanwhile. */
export async function updateSession<T>(
  folder: string,
  sessionId: string,
  signal: AbortSignal,
  change: (session: Session) => T | Promise<T>,
): Promise<T> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = pathOf(folder, sessionId);
  return withLock(`${path}.lock`, signal, async () => {
    const found = await readSession(folder, sessionId);
    const before = JSON.stringify(found);
    const result = await change(found);
    found.id = sessionId;
    found.tools.splice(0, found.tools.length - TOOLS_MAX);
    found.checkpoints.splice(0, found.checkpoints.length - CHECKPOINTS_MAX);
    const after = JSON.stringify(found);
    if (after !== before) {
      const fresh = `${path}.${randomBytes(6).toString("hex")}`;
      await writeFile(fresh, after, { mode: 0o600 });
      await rename(fresh, path);
    }
    return result;
  });
}

/** The session as it was last kept; an empty one when there is none, or none that can be read. */
export async function readSession(folder: string, sessionId: string): Promise<Session> {
  const text = await readFile(pathOf(folder, sessionId), "utf8").catch(() => "");
  return parse(text) ?? { tools: [], checkpoints: [] };
}

export interface KeptSession {
  readonly id: string;
  /** When it last changed, in milliseconds since 1970. */
  readonly changedMs: number;
  readonly checkpoints: readonly Checkpoint[];
}

/** The sessions with at least one checkpoint, the latest first. */
export async function listSessions(folder: string): Promise<KeptSession[]> {
  const kept: KeptSession[] = [];
  for (const { path, changedMs } of (await filesByAge(folder)).slice(0, SESSIONS_MAX)) {
    const found = parse(await readFile(path, "utf8").catch(() => ""));
    if (found?.id !== undefined && found.checkpoints.length > 0)
      kept.push({ id: found.id, changedMs, checkpoints: found.checkpoints });
  }
  return kept;
}

/** Forgets all but the latest sessions. */
export async function pruneSessions(folder: string): Promise<void> {
  const old = (await filesByAge(folder)).slice(SESSIONS_MAX);
  await Promise.all(old.map(({ path }) => rm(path, { force: true })));
}

/** The files of sessions, the latest first. */
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

function parse(text: string): Session | undefined {
  try {
    return session.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Session ids are strangers' texts; their fingerprint is a safe name. */
function pathOf(folder: string, sessionId: string): string {
  return join(folder, `${createHash("sha256").update(sessionId, "utf16le").digest("hex")}.json`);
}
