/** The snapshot history of a session. It is on disk because different processes may begin and end a turn. */
import { join } from "node:path";
import { z } from "zod";
import { sessionFiles } from "../session-files.ts";

/** A saved state of the files of a worktree. */
const point = z.object({ root: z.string(), tree: z.string() });
export type Point = z.infer<typeof point>;

/** The state before a change, and the files (absolute) that the change touched. */
const checkpoint = point.extend({ files: z.array(z.string()) });
export type Checkpoint = z.infer<typeof checkpoint>;

const session = z.object({
  /** Absent in sessions that an older version saved. */
  id: z.string().optional(),
  turn: point.optional(),
  /** By `tool_use_id`, oldest first. */
  tools: z.array(z.tuple([z.string(), point])),
  /** Oldest first. */
  checkpoints: z.array(checkpoint),
});
export type Session = z.infer<typeof session>;

const TOOLS_MAX = 256;
const CHECKPOINTS_MAX = 500;

export interface KeptSession {
  readonly id: string;
  /** The time of its last change, in milliseconds since 1970. */
  readonly changedMs: number;
  readonly checkpoints: readonly Checkpoint[];
}

export interface SnapshotSessions {
  /** Reads a session, applies `change`, and saves it. No other process changes it during that time. */
  update<T>(sessionId: string, signal: AbortSignal, change: (session: Session) => T | Promise<T>): Promise<T>;
  read(sessionId: string): Promise<Session>;
  /** The sessions with at least one checkpoint, newest first. */
  list(): Promise<KeptSession[]>;
  /** Deletes all but the newest sessions. */
  prune(): Promise<void>;
}

export function snapshotSessions(dataDir: string): SnapshotSessions {
  const files = sessionFiles(join(dataDir, "snapshot", "sessions"), session, () => ({ tools: [], checkpoints: [] }));
  return {
    read: files.read,
    prune: files.prune,
    update: (sessionId, signal, change) =>
      files.update(sessionId, signal, async (found) => {
        const result = await change(found);
        found.id = sessionId;
        found.tools.splice(0, found.tools.length - TOOLS_MAX);
        found.checkpoints.splice(0, found.checkpoints.length - CHECKPOINTS_MAX);
        return result;
      }),
    async list() {
      const kept: KeptSession[] = [];
      for (const {
        session: { id, checkpoints },
        changedMs,
      } of await files.list())
        if (id !== undefined && checkpoints.length > 0) kept.push({ id, changedMs, checkpoints });
      return kept;
    },
  };
}
