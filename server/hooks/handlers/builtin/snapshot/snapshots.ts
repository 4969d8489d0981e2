/**
 * `snapshot`: saves the state of a worktree's files at each turn, outside the worktree, and restores it. The builtin returns no
 * output and never fails an event; errors go to the log.
 */

import { mkdir, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { EventName } from "../../../contract/events.ts";
import { timeLimit } from "../../../contract/time-limit.ts";
import type { Builtin, BuiltinCall } from "../kind.ts";
import { withLock } from "../lock.ts";
import type { Machine } from "../machine.ts";
import { restoreFiles } from "./restore.ts";
import { type Checkpoint, type KeptSession, type Point, type SnapshotSessions, snapshotSessions } from "./sessions.ts";
import {
  captureTree,
  listChangedFiles,
  pruneShadow,
  type Shadow,
  shadowAt,
  shadowOf,
  type World,
} from "./worktree-shadow.ts";

/** The result of an undo or reset: the number of files, and true if there was a checkpoint. */
export interface Reverted {
  readonly files: number;
  readonly ok: boolean;
}

export interface Snapshots {
  readonly builtin: Builtin;
  /** The sessions with at least one checkpoint, newest first. */
  sessions(): Promise<KeptSession[]>;
  /** The number of files of each checkpoint of a session, oldest first. */
  list(sessionId: string): Promise<number[]>;
  /** Reverts the newest checkpoint. Errors: git's; the history is then unchanged. */
  undo(sessionId: string, signal?: AbortSignal): Promise<Reverted>;
  /** Reverts every checkpoint from index `keep` on. */
  reset(sessionId: string, keep: number, signal?: AbortSignal): Promise<Reverted>;
}

const GOING_BACK_MS = 60_000;

export function createSnapshots({ dataDir, env }: Pick<Machine, "dataDir" | "env">): Snapshots {
  const sessions = snapshotSessions(dataDir);

  function goBack(sessionId: string, keepOf: (count: number) => number, signal: AbortSignal | undefined) {
    const limit = timeLimit(GOING_BACK_MS);
    const until = signal ? AbortSignal.any([signal, limit]) : limit;
    return sessions.update(sessionId, until, async (session): Promise<Reverted> => {
      const keep = Math.max(0, keepOf(session.checkpoints.length));
      const back = session.checkpoints.slice(keep);
      if (back.length === 0) return { files: 0, ok: false };
      const files = await revert(back, dataDir, { env, signal: until });
      session.checkpoints = session.checkpoints.slice(0, keep);
      return { files, ok: true };
    });
  }

  async function run({ event, input, env: hookEnv, signal, log }: BuiltinCall): Promise<null> {
    const { session_id, cwd, tool_use_id } = input;
    if (!session_id || !cwd || !EVENTS.has(event)) return null;
    try {
      const world = { env: hookEnv, signal, log };
      const shadow = await shadowOf(cwd, dataDir, world);
      if (!shadow) return null;
      const call = { event, sessionId: session_id, toolUseId: tool_use_id ?? "", cwd };
      await step({ ...call, sessions, dataDir, shadow, world });
    } catch (error) {
      log?.(`${event} is not recorded: ${error instanceof Error ? error.message : String(error)}`);
    }
    return null;
  }

  return {
    builtin: { name: "snapshot", run },
    sessions: () => sessions.list(),
    list: async (sessionId) => (await sessions.read(sessionId)).checkpoints.map(({ files }) => files.length),
    undo: (sessionId, signal) => goBack(sessionId, (count) => count - 1, signal),
    reset: (sessionId, keep, signal) => goBack(sessionId, () => keep, signal),
  };
}

async function alone<T>({ gitDir }: Shadow, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  await mkdir(dirname(gitDir), { recursive: true, mode: 0o700 });
  return withLock(`${gitDir}.lock`, signal, work);
}

/** An event of a session, with its worktree. */
interface SnapshotCall {
  readonly event: EventName;
  readonly sessions: SnapshotSessions;
  readonly sessionId: string;
  readonly toolUseId: string;
  readonly shadow: Shadow;
  readonly cwd: string;
  readonly dataDir: string;
  readonly world: World;
}

async function step(call: SnapshotCall) {
  const { event, sessions, sessionId, toolUseId, shadow, cwd, dataDir, world } = call;
  const { signal } = world;
  const record = () => alone(shadow, signal, () => captureTree(shadow, cwd, dataDir, world));
  switch (event) {
    case "session_start":
      await record();
      return;
    case "turn_start": {
      const point = { root: shadow.root, tree: await record() };
      await sessions.update(sessionId, signal, (session) => {
        session.turn = point;
      });
      return;
    }
    case "pre_tool_use": {
      if (toolUseId === "") return;
      const point = { root: shadow.root, tree: await record() };
      await sessions.update(sessionId, signal, (session) => {
        session.tools = [...session.tools.filter(([id]) => id !== toolUseId), [toolUseId, point]];
      });
      return;
    }
    case "post_tool_use":
    case "turn_end": {
      const since = await takePoint(call);
      if (since?.root !== shadow.root) return;
      const files = await alone(shadow, signal, async () => {
        const now = await captureTree(shadow, cwd, dataDir, world);
        return listChangedFiles(shadow, cwd, since.tree, now, world);
      });
      if (files.length === 0) return;
      const checkpoint = { ...since, files: files.map((path) => join(shadow.root, path)) };
      await sessions.update(sessionId, signal, (session) => {
        session.checkpoints.push(checkpoint);
      });
      return;
    }
    case "session_end":
      await alone(shadow, signal, () => pruneShadow(shadow, world));
      await sessions.prune();
      return;
    default:
      return;
  }
}

function takePoint({ event, sessions, sessionId, toolUseId, world }: SnapshotCall) {
  return sessions.update(sessionId, world.signal, (session): Point | undefined => {
    if (event === "turn_end") {
      const { turn } = session;
      delete session.turn;
      return turn;
    }
    const found = session.tools.find(([id]) => id === toolUseId);
    session.tools = session.tools.filter((one) => one !== found);
    return found?.[1];
  });
}

/** Reverts the files of `back` (oldest first), each to the first state that lists it. */
async function revert(back: readonly Checkpoint[], dataDir: string, world: World): Promise<number> {
  const seen = new Set<string>();
  let files = 0;
  for (const { root, tree, files: listed } of back) {
    const fresh = listed.filter((file) => !seen.has(file));
    for (const file of fresh) seen.add(file);
    const shadow = shadowAt(root, dataDir);
    if ((await realpath(root).catch(() => "")) !== root) throw new Error(`the worktree ${root} is gone`);
    files += await alone(shadow, world.signal, () => restoreFiles(shadow, tree, fresh, world));
  }
  return files;
}

const EVENTS: ReadonlySet<EventName> = new Set([
  "session_start",
  "turn_start",
  "turn_end",
  "pre_tool_use",
  "post_tool_use",
  "session_end",
]);
