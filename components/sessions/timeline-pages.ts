/** Positions in a partly loaded timeline. Pure. */
import type { EventKey } from "@/server/recording/event-key-schema";
import { compareKeys, type MarkKind, type OutlineView, PAGE_ROWS } from "@/server/sessions/schema";

export const pageOfRow = (row: number): number => Math.floor(row / PAGE_ROWS);

/** The page with `key` or, if it is not shown, the page where it would be. */
export function pageOfKey(pages: readonly EventKey[], key: EventKey): number {
  let [low, high] = [0, pages.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const first = pages[middle];
    if (first && compareKeys(first, key) <= 0) low = middle;
    else high = middle - 1;
  }
  return Math.max(low, 0);
}

/** The row of `key` among a page's rows, or of the last one before it. */
export function rowOfKey(page: number, rows: readonly { readonly key: EventKey }[], key: EventKey): number {
  const at = rows.findLastIndex((row) => compareKeys(row.key, key) <= 0);
  return page * PAGE_ROWS + Math.max(at, 0);
}

/** The next or the previous mark of a kind, seen from `row`; null without a mark in that direction. */
export function markFrom(
  marks: readonly Pick<OutlineView["marks"][number], "at" | "kind">[],
  kind: MarkKind,
  row: number,
  way: "next" | "previous",
): number | null {
  const own = marks.filter((mark) => mark.kind === kind);
  const found = way === "next" ? own.find(({ at }) => at > row) : own.findLast(({ at }) => at < row);
  return found?.at ?? null;
}

/** The first row of the slot; for an empty slot, that of the next one. */
export function rowOfSlot(slots: OutlineView["slots"], slot: number): number {
  return (slots.find((each) => each.slot >= slot) ?? slots.at(-1))?.at ?? 0;
}

/** The slot in which `row` lies. */
export const slotOfRow = (slots: OutlineView["slots"], row: number): number =>
  slots.findLast(({ at }) => at <= row)?.slot ?? 0;
