/** Removes dispatches by month: a whole month when no workspace wants any of it, else each workspace's due rows. */
import { sealLog } from "../../projections/index.ts";
import * as months from "./retention-months.ts";
import { append } from "./retention-repository.ts";
import { allSteps, type RetentionRun, step } from "./retention-run.ts";

/** The instant before which the dispatches of a workspace are too old; workspaces without a rule are not in it. */
export type BeforeOf = ReadonlyMap<string, Date>;

/** Returns the number of removed rows. */
export async function removeDispatches(run: RetentionRun, beforeOf: BeforeOf): Promise<number> {
  const isDue = ({ from }: months.Month) => [...beforeOf.values()].some((before) => before > from);
  const due = beforeOf.size === 0 ? [] : (await months.listMonths(run.pool)).filter(isDue);
  let gone = 0;
  for (const month of due) gone += run.isEnding() ? 0 : await removeDue(run, month, beforeOf);
  return gone;
}

/** Drops the month when no workspace wants any of it; else removes its due rows. */
async function removeDue(run: RetentionRun, month: months.Month, beforeOf: BeforeOf): Promise<number> {
  const { attempts } = run;
  const { present, isWanted } = await findPresent(run, month, beforeOf);
  const isWhole = [...beforeOf.values()].some((before) => before >= month.to);
  if (!isWanted && isWhole) {
    const blamed = present.length > 0 ? present : [...beforeOf.keys()];
    const dropped = await attempts.of(blamed, "dispatches", () => dropWhole(run, month, beforeOf, present));
    // Another transaction wrote to the month or holds a lock: the next run tries again.
    return dropped ?? 0;
  }
  let gone = 0;
  for (const id of present) {
    const before = beforeOf.get(id);
    if (before !== undefined && before > month.from)
      gone += (await attempts.of([id], "dispatches", () => removeFrom(run, month, id, before))) ?? 0;
  }
  return gone;
}

/**
 * The workspaces with rows in the month. It is wanted if one of them keeps or holds some of it, or its settings could
 * not be read.
 */
async function findPresent({ pool, workspaces, attempts }: RetentionRun, month: months.Month, beforeOf: BeforeOf) {
  const isOver = (workspaceId: string) => (beforeOf.get(workspaceId) ?? new Date(0)) >= month.to;
  let isWanted = false;
  const present: string[] = [];
  for (const id of workspaces) {
    const look = async () => {
      if (!(await months.hasRows(pool, month, id))) return 0;
      present.push(id);
      if (!isOver(id) || (await months.hasHold(pool, month, id))) isWanted = true;
      return 0;
    };
    if ((await attempts.of([id], "dispatches", look)) === null) isWanted = true;
  }
  return { present, isWanted };
}

async function removeFrom(run: RetentionRun, month: months.Month, workspaceId: string, before: Date): Promise<number> {
  const upTo = await seal(run, month, workspaceId, before);
  if (upTo === null) return 0;
  return allSteps<months.RowPosition>(run, async (client, after) => {
    const range = { workspaceId, before, after, upTo };
    const { proven, unproven, next } = await months.removeFromMonth(client, month, range);
    if (proven + unproven > 0) await append(client, workspaceId, droppedEntry(before, proven, unproven));
    return { removed: proven + unproven, next };
  });
}

/**
 * Seals the figures of the rows to be removed; returns the number of the chain up to which they may be removed. Null
 * when it was interrupted.
 */
function seal(
  { pool, scanPool, log, clock, isEnding, pacer }: RetentionRun,
  { from, to }: months.Month,
  workspaceId: string,
  before: Date,
): Promise<number | null> {
  const paced = pacer ? { pacer } : {};
  const options = { pool: scanPool, entries: pool, log, nowMs: clock.now(), isEnding, ...paced };
  return sealLog(options, workspaceId, { from, to: before < to ? before : to });
}

async function dropWhole(
  run: RetentionRun,
  month: months.Month,
  beforeOf: BeforeOf,
  present: readonly string[],
): Promise<number> {
  const { pool, log } = run;
  const isClosed = await step(pool, (client) => months.watchMonthForChanges(client, month).then(() => true));
  if (isClosed === null) return 0;
  // From here on, writes to the month are detected below, so that no row is removed without a seal.
  for (const id of present) if ((await seal(run, month, id, month.to)) === null) return 0;
  const counts = [...(await months.countMonth(pool, month))].sort(([a], [b]) => (a < b ? -1 : 1));
  const isOurs = counts.every(([id]) => (beforeOf.get(id) ?? new Date(0)) >= month.to);
  if (!isOurs) return 0;
  const dropped = await step(pool, async (client) => {
    // The table before the chains' heads: recording takes them in this order.
    if (!(await months.lockMonth(client, month))) return 0;
    let gone = 0;
    for (const [workspaceId, { proven, unproven }] of counts) {
      const before = beforeOf.get(workspaceId) ?? month.to;
      await append(client, workspaceId, droppedEntry(before, proven, unproven));
      gone += proven + unproven;
    }
    await months.dropMonth(client, month);
    return gone;
  });
  if (dropped !== null) log.info({ month: month.name, rows: dropped }, "a month of dispatches was dropped");
  return dropped ?? 0;
}

const droppedEntry = (before: Date, count: number, unproven: number) =>
  ({ kind: "dispatches_dropped", version: 1, before: before.toISOString(), count, unproven }) as const;
