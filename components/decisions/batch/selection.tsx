"use client";

import { createContext, type ReactNode, use, useMemo, useRef, useState } from "react";
import { useHotkey } from "@/components/ui/hotkeys/use-hotkey";
import { RowCheckbox } from "@/components/ui/row-checkbox";
import type { CallView } from "@/server/decisions/schema";
import { eventKeyText } from "@/server/recording/event-key-schema";

interface Selection {
  readonly selected: ReadonlySet<string>;
  readonly clear: () => void;
  /** With `isRange`, all rows between this one and the one before it too. */
  readonly toggle: (id: string, isRange: boolean) => void;
}

const SelectionContext = createContext<Selection | null>(null);

interface CallSelectionProps {
  rows: readonly CallView[];
  /** `isAny` is true until the selection is cleared, also when every selected call has left the list. */
  children: (selected: readonly CallView[], clear: () => void, isAny: boolean) => ReactNode;
}

/** The calls that are selected in the list; those that leave it are selected no more. */
export function CallSelection({ rows, children }: CallSelectionProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const before = useRef<string | null>(null);
  const selected = useMemo(() => rows.filter((row) => chosen.has(eventKeyText(row))), [rows, chosen]);
  const selection = useMemo<Selection>(() => {
    const ids = rows.map(eventKeyText);
    const between = (a: string, b: string) => {
      const [from, to] = [ids.indexOf(a), ids.indexOf(b)].sort((one, other) => one - other);
      return from === undefined || to === undefined || from < 0 ? [b] : ids.slice(from, to + 1);
    };
    const toggle = (id: string, isRange: boolean) => {
      const next = new Set(chosen);
      const isAdded = !next.has(id);
      for (const each of isRange && before.current !== null ? between(before.current, id) : [id])
        if (isAdded) next.add(each);
        else next.delete(each);
      before.current = id;
      setChosen(next);
    };
    return { selected: chosen, toggle, clear: () => setChosen(new Set()) };
  }, [rows, chosen]);
  useHotkey("x", () => toggleFocused(selection), { label: "Select the row", group: "List" });
  return <SelectionContext value={selection}>{children(selected, selection.clear, chosen.size > 0)}</SelectionContext>;
}

/** The row with the keyboard's focus. */
function toggleFocused({ toggle }: Selection): void {
  const row = document.activeElement?.closest<HTMLElement>("[data-row]");
  if (row?.dataset.row !== undefined) toggle(row.dataset.row, false);
}

/** The checkbox of a row. */
export function SelectCall({ row }: { row: CallView }) {
  const selection = use(SelectionContext);
  if (selection === null) return null;
  const id = eventKeyText(row);
  return (
    <RowCheckbox
      checked={selection.selected.has(id)}
      label={`Select ${row.tool} ${row.excerpt}`.trim()}
      onToggle={(isRange) => selection.toggle(id, isRange)}
    />
  );
}
