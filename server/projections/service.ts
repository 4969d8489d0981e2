/** Recomputes derived figures from the log, and compares them with the stored ones. */
import { AppError } from "../errors/app-error.ts";
import type { Pool } from "../platform/db.ts";
import { checkDay } from "./check-day.ts";
import { findLastChecks, type LastChecks } from "./check-repository.ts";
import { listDays } from "./log-queries.ts";
import { withLogSnapshot } from "./repository.ts";
import type { DayCheck } from "./schema.ts";
import { listSealedDays } from "./seal-repository.ts";

/** The result of the last nightly checks. */
export const lastChecks = (pool: Pool, workspaceId: string): Promise<LastChecks> => findLastChecks(pool, workspaceId);

/** Each check holds a connection throughout, and pages need the others. */
const UNDER_WAY_MAX = 2;
let underWay = 0;

/** A day's figures held against its log as of now. Errors: `busy` when this process is at two already. */
export async function check(pool: Pool, workspaceId: string, day: string, signal?: AbortSignal): Promise<DayCheck> {
  if (underWay >= UNDER_WAY_MAX) {
    const says = "Two days are being checked already. Check this one when they are done.";
    throw new AppError("busy", day, { says, retryAfterSeconds: 5 });
  }
  underWay += 1;
  try {
    const checked = await withLogSnapshot(pool, (reader) => checkDay(reader, workspaceId, day), { signal });
    if (checked === null) throw new Error("a check without a lock was refused one");
    return checked;
  } finally {
    underWay -= 1;
  }
}

/** The days that can be checked, of one month or all. */
export async function days(pool: Pool, workspaceId: string, month: string | undefined): Promise<string[]> {
  const range = month === undefined ? null : rangeOf(month);
  const found = await withLogSnapshot(pool, async (reader) => [
    ...(await listDays(reader, workspaceId, range)),
    ...(await listSealedDays(reader, workspaceId, range)),
  ]);
  return [...new Set(found)].sort();
}

function rangeOf(month: string): { from: string; to: string } {
  const from = new Date(`${month}-01T00:00:00Z`);
  const to = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1));
  return { from: from.toISOString(), to: to.toISOString() };
}
