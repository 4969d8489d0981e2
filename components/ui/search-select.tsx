"use client";

import { Command as Cmdk } from "cmdk";
import { Check, ChevronsUpDown } from "lucide-react";
import { Popover as Radix } from "radix-ui";
import { useState } from "react";
import { cn } from "@/components/ui/cn";

export interface SearchSelectProps {
  value: string;
  onChange: (value: string) => void;
  options: readonly string[];
  /** Names the list and its search for a screen reader. */
  label: string;
  placeholder: string;
  /** Shown without a match. */
  empty: string;
  id?: string;
  "aria-describedby"?: string;
  "aria-invalid"?: boolean;
  disabled?: boolean;
  className?: string;
}

/** Selects one of a long list by typing a part of it. */
export function SearchSelect({
  value,
  onChange,
  options,
  label,
  placeholder,
  empty,
  disabled = false,
  className,
  ...rest
}: SearchSelectProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Radix.Root open={isOpen} onOpenChange={setOpen}>
      <Radix.Trigger
        role="combobox"
        disabled={disabled}
        className={cn(
          "inline-flex h-8 items-center justify-between gap-2 rounded-md border border-line-strong bg-surface px-2.5 text-base text-text transition-colors hover:border-faint disabled:bg-sunken disabled:text-faint max-sm:h-10",
          className,
        )}
        {...rest}
      >
        <span className="truncate">{value}</span>
        <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-faint" />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          className="z-50 w-(--radix-popover-trigger-width) min-w-64 animate-rise overflow-hidden rounded-lg bg-raised shadow-overlay outline-none"
        >
          <Cmdk label={label} loop filter={matchScore} defaultValue={value}>
            <Cmdk.Input
              placeholder={placeholder}
              maxLength={100}
              className="h-9 w-full border-line border-b bg-transparent px-3 text-base outline-none max-sm:text-lg"
            />
            <Cmdk.List className="max-h-64 overflow-y-auto p-1">
              <Cmdk.Empty className="px-2 py-1.5 text-muted text-sm">{empty}</Cmdk.Empty>
              {options.map((option) => (
                <Cmdk.Item
                  key={option}
                  value={option}
                  onSelect={() => {
                    onChange(option);
                    setOpen(false);
                  }}
                  className="flex h-7 cursor-pointer items-center gap-2 rounded-sm pr-2 pl-1.5 text-base data-[selected=true]:bg-hover max-sm:h-10"
                >
                  <span className="flex w-4 justify-center">
                    {option === value ? <Check aria-hidden className="size-3.5 text-accent-text" /> : null}
                  </span>
                  <span className="truncate">{option}</span>
                </Cmdk.Item>
              ))}
            </Cmdk.List>
          </Cmdk>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Above zero when every typed word is part of the option; "new york" finds America/New_York. */
function matchScore(option: string, typed: string): number {
  const text = option.replaceAll("_", " ").toLowerCase();
  const words = typed.replaceAll("_", " ").toLowerCase().split(" ");
  return words.every((word) => text.includes(word)) ? 1 : 0;
}
