/** New and changed calls in the loaded pages of a list, the newest first. Pure. */
import type { InfiniteData } from "@tanstack/react-query";
import { callNameOf, callViewIn, type LiveCall } from "@/server/decisions/live-calls/schema";
import type { CallPage, DecisionKey, DecisionRange } from "@/server/decisions/schema";

export type CallPages = InfiniteData<CallPage, unknown>;

export interface ListOfCalls {
  readonly range: DecisionRange;
  /** The rows of a page as it is read. */
  readonly limit: number;
}

/** A page grows to this many times its rows before it is cut, or read again. */
const GROWTH_MAX = 2;
const GROWTH_OF_MANY_MAX = 5;

/** The pages as the server would answer them now, up to the end of the last one. Null: they are to be read again. */
export function mergeCalls(
  data: CallPages,
  calls: readonly LiveCall[],
  { range, limit }: ListOfCalls,
): CallPages | null {
  const named = new Set(calls.flatMap(({ decisions: [first] }) => (first === undefined ? [] : [callNameOf(first)])));
  const pages = data.pages.map((page) => {
    const rows = page.rows.filter((row) => !row.isRecorded || !named.has(callNameOf(row)));
    return { page, rows, isChanged: rows.length < page.rows.length };
  });
  for (const call of calls) {
    const row = callViewIn(call, range);
    const own = row && pages.find(({ page }) => page.nextCursor === null || !isBefore(row, page.nextCursor));
    if (!row || !own) continue;
    own.rows.push(row);
    own.isChanged = true;
  }
  const merged = pages.map(({ page, rows, isChanged }) =>
    isChanged ? { ...page, rows: rows.sort(newestFirst) } : page,
  );
  const [first] = merged;
  if (first !== undefined && merged.length === 1) return { ...data, pages: [cut(first, limit)] };
  return merged.some(({ rows }) => rows.length > GROWTH_OF_MANY_MAX * limit) ? null : { ...data, pages: merged };
}

/** A page that has grown ends earlier: the next one begins with the rows that were cut off. */
function cut(page: CallPage, limit: number): CallPage {
  const recorded = page.rows.filter(({ isRecorded }) => isRecorded);
  const last = recorded[limit - 1];
  if (last === undefined || recorded.length <= GROWTH_MAX * limit) return page;
  const rows = page.rows.filter((row) => !row.isRecorded || !isBefore(row, last));
  return { rows, nextCursor: { occurredAt: last.occurredAt, id: last.id }, searched: null };
}

const isBefore = (one: DecisionKey, other: DecisionKey): boolean => newestFirst(one, other) > 0;

function newestFirst(one: DecisionKey, other: DecisionKey): number {
  const gap = other.occurredAt.getTime() - one.occurredAt.getTime();
  if (gap !== 0) return gap;
  return one.id === other.id ? 0 : one.id < other.id ? 1 : -1;
}
