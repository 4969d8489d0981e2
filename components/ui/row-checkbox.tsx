"use client";

import { Check } from "lucide-react";
import { Checkbox as Radix } from "radix-ui";
import type { MouseEvent } from "react";
import { cn } from "@/components/ui/cn";

export interface RowCheckboxProps {
  checked: boolean;
  /** For a screen reader: "Select shell ls". */
  label: string;
  /** `isRange` with the Shift key. */
  onToggle: (isRange: boolean) => void;
}

/** Selects a row of a table. It takes the whole cell, because a missed click would open the row. */
export function RowCheckbox({ checked, label, onToggle }: RowCheckboxProps) {
  return (
    <Radix.Root
      checked={checked}
      aria-label={label}
      // The row is reached by keyboard, and a key selects it.
      tabIndex={-1}
      onClick={(event: MouseEvent) => onToggle(event.shiftKey)}
      className="group -mx-3 flex h-8 w-10 cursor-pointer items-center justify-center"
    >
      <span
        className={cn(
          "flex size-4 items-center justify-center rounded-sm border border-line-strong bg-surface text-on-accent group-hover:border-accent",
          checked && "border-accent bg-accent",
        )}
      >
        {checked ? <Check aria-hidden className="size-3" strokeWidth={3} /> : null}
      </span>
    </Radix.Root>
  );
}
