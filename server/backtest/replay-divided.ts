/** Divides the rows of a task that takes longer than a task may run. */
import { AppError } from "../errors/app-error.ts";
import type { ReplayRow } from "./replay-row.ts";
import type { ReplayedChunk } from "./replay-tasks.ts";
import { addTallies } from "./tally.ts";
import { EMPTY_TALLY } from "./tally-schema.ts";

/**
 * The result of `replay` for the rows. After `too_costly`, each half is tried by itself, so that neither one row nor a busy machine ends
 * the run. The end of a row that takes too long by itself is not known. Errors: all others of `replay`.
 */
export async function replayDivided(
  rows: readonly ReplayRow[],
  replay: (rows: readonly ReplayRow[]) => Promise<ReplayedChunk>,
): Promise<ReplayedChunk> {
  try {
    return await replay(rows);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "too_costly") throw error;
    if (rows.length <= 1)
      return { tally: { ...EMPTY_TALLY, unknown: { busy: rows.length } }, flips: [], candidates: [] };
    const middle = Math.ceil(rows.length / 2);
    const first = await replayDivided(rows.slice(0, middle), replay);
    return joinChunks([first, await replayDivided(rows.slice(middle), replay)]);
  }
}

export const joinChunks = (chunks: readonly ReplayedChunk[]): ReplayedChunk => ({
  tally: chunks.map(({ tally }) => tally).reduce(addTallies, EMPTY_TALLY),
  flips: chunks.flatMap(({ flips }) => flips),
  candidates: chunks.flatMap(({ candidates }) => candidates),
});
