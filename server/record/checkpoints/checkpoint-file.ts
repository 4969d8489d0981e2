/**
 * The checkpoints outside the database: one file per workspace, one line each, append-only and synced to disk before
 * they count. Keep a copy that the database's operator cannot write to.
 */
import { createReadStream } from "node:fs";
import { mkdir, open, stat } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type Checkpoint, checkpoint } from "../../audit/checkpoint.ts";

export const checkpointFile = (dir: string, workspaceId: string): string => join(dir, `${workspaceId}.jsonl`);

/** Returns when the line is on the disk. A line that a crash cut short is closed first. */
export async function appendCheckpoint(dir: string, one: Checkpoint): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const file = await open(checkpointFile(dir, one.workspace), "a+", 0o600);
  try {
    const { size } = await file.stat();
    const last = Buffer.alloc(1);
    if (size > 0) await file.read(last, 0, 1, size - 1);
    const isCut = size > 0 && last.toString() !== "\n";
    await file.appendFile(`${isCut ? "\n" : ""}${JSON.stringify(one)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}

export interface CheckpointFileState {
  readonly size: number;
  readonly changedMs: number;
}

/** Null for a missing file. */
export async function stateOfFile(path: string): Promise<CheckpointFileState | null> {
  try {
    const { size, mtimeMs: changedMs } = await stat(path);
    return { size, changedMs };
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

/** Every checkpoint of a file, in the order written; invalid lines are skipped. Empty for a missing file. */
export async function readCheckpoints(path: string): Promise<Checkpoint[]> {
  const found: Checkpoint[] = [];
  try {
    for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
      const one = checkpointIn(line);
      if (one !== null) found.push(one);
    }
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
  return found;
}

function checkpointIn(line: string): Checkpoint | null {
  try {
    return checkpoint.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}
