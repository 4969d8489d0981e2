/** The spend since midnight, compared with the same hours of the day before. Days are the workspace's own. */
import { periodsAt } from "../calendar/index.ts";
import type { Database } from "../platform/db.ts";
import { rollupRangeOf } from "../recording/index.ts";
import { findSums } from "./repository.ts";
import type { SpendToday } from "./schema.ts";

export async function spendToday(db: Database, workspaceId: string, now = new Date()): Promise<SpendToday> {
  const { day } = await periodsAt(db.pool, workspaceId, now);
  const { day: before } = await periodsAt(db.pool, workspaceId, new Date(day.from.getTime() - 1));
  const elapsedMs = now.getTime() - day.from.getTime();
  // A day can be shorter than the one before it, where clocks change.
  const until = Math.min(before.from.getTime() + elapsedMs, before.to.getTime());
  const [today, yesterday] = await Promise.all([
    spendOf(db, workspaceId, day.from, now),
    spendOf(db, workspaceId, before.from, new Date(until)),
  ]);
  return { today, yesterday };
}

async function spendOf(db: Database, workspaceId: string, from: Date, to: Date): Promise<SpendToday["today"]> {
  // At midnight itself, the day is its first minute.
  const end = to > from ? to : new Date(from.getTime() + 1);
  const row = await findSums(db.pool, workspaceId, rollupRangeOf({ from, to: end }));
  const unpriced = Number(row?.calls_unpriced ?? 0);
  const calls = Number(row?.calls_priced ?? 0) + Number(row?.calls_free ?? 0) + unpriced;
  return { from, to: end, costNano: BigInt(row?.cost_nano ?? 0), calls, unpriced };
}
