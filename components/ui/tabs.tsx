"use client";

import { Tabs as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { cn } from "@/components/ui/cn";
import { showInList } from "@/components/ui/show-in-list";

export interface Tab<Value extends string> {
  value: Value;
  label: ReactNode;
  /** A count after the label. */
  count?: ReactNode;
  content?: ReactNode;
}

export interface TabsProps<Value extends string> {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  tabs: readonly Tab<Value>[];
  className?: string;
  contentClassName?: string;
}

/** Faces of one thing; the caller owns which is open, usually in the URL. */
export function Tabs<Value extends string>({
  label,
  value,
  onChange,
  tabs,
  className,
  contentClassName,
}: TabsProps<Value>) {
  // Radix returns one of the values that it is given below.
  const change = (next: string) => onChange(next as Value);
  return (
    <Radix.Root value={value} onValueChange={change} className={cn("flex min-h-0 flex-col", className)}>
      <Radix.List aria-label={label} className="flex shrink-0 gap-4 overflow-x-auto border-b">
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            // On a phone the open tab may be outside the visible area.
            ref={tab.value === value ? showInList : undefined}
            className="inset-focus -mb-px flex h-9 shrink-0 items-center gap-1.5 border-transparent border-b-2 text-muted transition-colors hover:text-text data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-text"
          >
            {tab.label}
            {tab.count === undefined ? null : (
              <span className="rounded-sm bg-pressed px-1 text-muted text-xs">{tab.count}</span>
            )}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.value} value={tab.value} className={cn("min-h-0 flex-1 pt-4", contentClassName)}>
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
