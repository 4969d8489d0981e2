"use client";

import { parseAsString, useQueryState } from "nuqs";
import type { ListDrawerProps } from "@/components/layout/record-drawer";
import { neighbours } from "@/components/ui/table/hold-rows";

/** The row of a list that its drawer shows, kept in the URL as `?open=`, and the way to the rows beside it. */
export function useOpenRecord<Row>(rows: readonly Row[], keyOf: (row: Row) => string) {
  const [open, setOpen] = useQueryState("open", parseAsString.withOptions({ history: "push" }));
  const near = neighbours(rows, keyOf, open);
  // Walking from row to row is one step of the browser's history, not one each.
  const show = (key: string | null) =>
    void setOpen(key, { history: key !== null && open !== null ? "replace" : "push" });
  const step = (key: string | null) => (key === null ? undefined : () => show(key));
  const drawer: ListDrawerProps = {
    open,
    onClose: () => show(null),
    onPrevious: step(near.previous),
    onNext: step(near.next),
  };
  return { open, show, drawer };
}
