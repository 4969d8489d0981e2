"use client";

import { ToggleGroup } from "radix-ui";
import type { ReactNode } from "react";
import { cn } from "@/components/ui/cn";
import { showInList } from "@/components/ui/show-in-list";

export interface SegmentedProps<Value extends string> {
  /** The choice that is made here, for a screen reader. */
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  options: readonly { value: Value; label: ReactNode; name?: string; className?: string }[];
  className?: string;
}

/** One of two to six. `name` reads aloud an option drawn as an icon. */
export function Segmented<Value extends string>({ label, value, onChange, options, className }: SegmentedProps<Value>) {
  return (
    <ToggleGroup.Root
      type="single"
      aria-label={label}
      value={value}
      onValueChange={(next) => {
        // "" means that the selected option was pressed again: it stays selected.
        if (next !== "") onChange(next as Value);
      }}
      className={cn(
        "inline-flex h-7 max-w-full shrink-0 overflow-x-auto [scrollbar-width:none] rounded-md border border-line bg-sunken p-0.5",
        className,
      )}
    >
      {options.map((option) => (
        <ToggleGroup.Item
          key={option.value}
          value={option.value}
          aria-label={option.name}
          // On a phone the selected one may be outside the visible area.
          ref={option.value === value ? showInList : undefined}
          className={cn(
            "inline-flex shrink-0 items-center gap-1 whitespace-nowrap rounded-sm px-2 text-muted text-sm transition-colors hover:text-text data-[state=on]:bg-surface data-[state=on]:font-medium data-[state=on]:text-text data-[state=on]:shadow-[0_0_0_1px_var(--line-strong)] dark:data-[state=on]:bg-pressed",
            option.className,
          )}
        >
          {option.label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
