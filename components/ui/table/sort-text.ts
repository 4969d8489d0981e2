/** A table's sort as text in the URL: `-calls` is calls, the most first. */
import type { Sort } from "@/components/ui/table/types";

/** The sort that a text names; the fallback when it names no column of the table. */
export function parseSort(text: string | null, columns: readonly string[], fallback: Sort): Sort {
  const id = text?.replace(/^-/, "") ?? "";
  return columns.includes(id) ? { id, desc: text?.startsWith("-") === true } : fallback;
}

export const printSort = ({ id, desc }: Sort): string => `${desc ? "-" : ""}${id}`;
