/** Seals days before their log is taken away. */
import type { Pool } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import { inWorkspace } from "../platform/scope.ts";
import { findProgress } from "../projectors/index.ts";
import { checkDay, spanOf } from "./check-day.ts";
import { findGone, IS_LATE, type Span } from "./log-queries.ts";
import { type Snapshot, transaction, withLogSnapshot } from "./repository.ts";
import { createSeal } from "./seal.ts";
import { findSeal, saveSeal } from "./seal-repository.ts";

export interface SealOptions {
  /** Reads whole days. */
  readonly pool: Pool;
  /** Writes seals, which hold the chain's head for a moment. */
  readonly entries: Pool;
  readonly log: Log;
  readonly nowMs: number;
  /** Asked between two days. */
  readonly isEnding?: () => boolean;
  /** Asked before each day and page. */
  readonly pacer?: { step(): Promise<void>; page(): Promise<void> };
}

const DAY_MS = 86_400_000;

/**
 * Seals each day of a workspace from `from` to before `to` whose log has rows that no seal covers. Returns the last
 * number of the chain whose rows may now be removed: later rows are not in a seal yet. Null when it was interrupted.
 */
export async function sealLog(
  options: SealOptions,
  workspaceId: string,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<number | null> {
  const { pool, isEnding = () => false, pacer } = options;
  return inWorkspace(workspaceId, async () => {
    // Read first: later records are left to the next run.
    const { seq: upTo } = await findProgress(pool, workspaceId);
    for (let ms = from.getTime(); ms < to.getTime(); ms += DAY_MS) {
      await pacer?.step();
      if (isEnding()) return null;
      const day = new Date(ms).toISOString().slice(0, 10);
      await sealDay(options, workspaceId, day);
    }
    return upTo;
  });
}

async function sealDay(
  { pool, entries, log, nowMs, pacer }: SealOptions,
  workspaceId: string,
  day: string,
): Promise<void> {
  const span = spanOf(workspaceId, day);
  const look = async (reader: Snapshot) => {
    const known = await findSeal(reader, workspaceId, day);
    if (!(await hasRowsBehind(reader, span, known?.entry.upTo ?? null))) return null;
    const gone = await findGone(reader, workspaceId);
    const check = await checkDay(reader, workspaceId, day, nowMs);
    // A day that no longer matches its seal keeps that seal: a new one would legitimise the difference.
    if (known !== null && check.state === "different") {
      log.error({ workspaceId, day, rows: check.differing }, "figures are not as they were sealed; the seal stays");
      return null;
    }
    return createSeal(reader, span, { check, gone, nowMs });
  };
  const seal = await withLogSnapshot(pool, look, pacer ? { pace: () => pacer.page() } : {});
  if (seal === null) return;
  if (seal.entry.state === "different")
    log.error({ workspaceId, day, rows: seal.entry.differing }, "figures were sealed that are not what the log gives");
  await transaction(entries, (client) => saveSeal(client, workspaceId, seal));
}

/** True if the log has rows of the span from behind `seq`; any at all when it is null. */
async function hasRowsBehind(reader: Snapshot, { workspaceId, from, to }: Span, seq: number | null): Promise<boolean> {
  const rows = await reader.all<{ has: boolean }>(
    `SELECT EXISTS (SELECT FROM dispatch WHERE workspace_id = $1 AND occurred_at >= $2 AND occurred_at < $3
       AND ($4::bigint IS NULL OR ${IS_LATE})) AS has`,
    [workspaceId, from, to, seq],
  );
  return rows[0]?.has === true;
}
