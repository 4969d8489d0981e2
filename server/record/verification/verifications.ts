/** Verifications as the console starts and shows them. The jobs' process works on them. */
import type { Actor } from "../../access/actor.ts";
import type { Checkpoint } from "../../audit/checkpoint.ts";
import type { Bus } from "../../events/index.ts";
import type { Database } from "../../platform/db.ts";
import { uuidv7 } from "../../platform/ids.ts";
import { type CheckpointFileState, readCheckpoints, stateOfFile } from "../checkpoints/checkpoint-file.ts";
import { findLastDone, listRuns, type RunRow, startRun } from "./verification-runs.ts";
import {
  type StartVerification,
  type VerificationList,
  type VerificationRun,
  verificationResult,
} from "./verification-schema.ts";

const SHOWN = 10;
const LOOK_EVERY_MS = 500;

/** Starts a verification, or returns the running one. */
export async function startVerification(
  db: Database,
  bus: Bus,
  { workspaceId, name }: Pick<Actor, "workspaceId" | "name">,
  { fromBeginning }: StartVerification,
): Promise<{ id: string; isNew: boolean }> {
  const started = await startRun(db.pool, workspaceId, { id: uuidv7(), by: name, fromBeginning });
  if (started.isNew) bus.tell(workspaceId, ["audit"]);
  return started;
}

export async function listVerifications(db: Database, workspaceId: string): Promise<VerificationList> {
  const runs = await listRuns(db.pool, workspaceId, SHOWN);
  const clean = await findLastDone(db.pool, workspaceId, true);
  const isWhole = clean !== null && clean.to !== null && clean.finishedAt !== null;
  return {
    runs: runs.map(viewOf),
    verified: isWhole ? { to: clean.to ?? 0, at: clean.finishedAt ?? clean.startedAt, by: clean.startedBy } : null,
  };
}

/**
 * Yields the newest verification now and after each change, until it has ended. Yields nothing without a verification.
 */
export async function* watchVerification(
  db: Database,
  workspaceId: string,
  signal: AbortSignal,
): AsyncGenerator<VerificationRun> {
  let before = "";
  while (!signal.aborted) {
    const [row] = await listRuns(db.pool, workspaceId, 1);
    if (row === undefined) return;
    const view = viewOf(row);
    const text = JSON.stringify(view);
    if (text !== before) yield view;
    before = text;
    if (view.state === "done" || view.state === "failed") return;
    await pause(LOOK_EVERY_MS, signal);
  }
}

function viewOf({ workspaceId: _, report, period: _period, statement: _statement, ...row }: RunRow): VerificationRun {
  return { ...row, result: report === null ? null : verificationResult.parse(report) };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, ms);
    function end() {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    }
    signal.addEventListener("abort", end);
  });
}

/** Reads a file of checkpoints again only when it has changed. */
export function createCheckpointReader(): (path: string) => Promise<readonly Checkpoint[]> {
  const known = new Map<string, { readonly state: CheckpointFileState; readonly checkpoints: readonly Checkpoint[] }>();
  return async (path) => {
    const state = await stateOfFile(path);
    if (state === null) return [];
    const before = known.get(path);
    if (before?.state.size === state.size && before.state.changedMs === state.changedMs) return before.checkpoints;
    const checkpoints = await readCheckpoints(path);
    // Keeps one workspace's checkpoints at a time: files may be long.
    known.clear();
    known.set(path, { state, checkpoints });
    return checkpoints;
  };
}
