"use client";

import { parseAsString } from "nuqs";
import type { ListDrawerProps } from "@/components/layout/record-drawer";
import { useDrawerParam } from "@/components/layout/use-drawer-param";
import { neighbours } from "@/components/ui/table/hold-rows";

/** The row that the drawer shows, kept in the URL as `?open=`, and the links to its previous and next row. */
export function useOpenRecord<Row>(rows: readonly Row[], keyOf: (row: Row) => string) {
  const [open, setOpen] = useDrawerParam("open", parseAsString);
  const near = neighbours(rows, keyOf, open);
  const show = (key: string | null) => void setOpen(key);
  const step = (key: string | null) => (key === null ? undefined : () => show(key));
  const drawer: ListDrawerProps = {
    open,
    onClose: () => show(null),
    onPrevious: step(near.previous),
    onNext: step(near.next),
  };
  return { open, show, drawer };
}
