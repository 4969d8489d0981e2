"use client";

import { Check, ChevronsUpDown } from "lucide-react";
import { Select as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { cn } from "@/components/ui/cn";

export interface SelectOption<Value extends string> {
  value: Value;
  label: ReactNode;
  /** Right side: a count, a unit. */
  aside?: ReactNode;
  disabled?: boolean;
}

export interface SelectProps<Value extends string> {
  value: Value | undefined;
  onChange: (value: Value) => void;
  options: readonly SelectOption<Value>[];
  placeholder?: string;
  /** Required when no `Field` names the control. */
  "aria-label"?: string;
  "aria-describedby"?: string;
  "aria-invalid"?: boolean;
  id?: string;
  disabled?: boolean;
  size?: "sm" | "md";
  className?: string;
}

/** Selects one of a short list. */
export function Select<Value extends string>({
  value,
  onChange,
  options,
  placeholder = "Choose…",
  size = "md",
  disabled = false,
  className,
  ...rest
}: SelectProps<Value>) {
  // Radix returns one of the values that it is given below.
  const change = (next: string) => onChange(next as Value);
  // Radix knows the text of an option once its list was there, and a page is drawn before that.
  const chosen = options.find((option) => option.value === value)?.label;
  return (
    <Radix.Root {...(value === undefined ? {} : { value })} onValueChange={change} disabled={disabled}>
      <Radix.Trigger
        className={cn(
          "inline-flex items-center justify-between gap-2 rounded-md border border-line-strong bg-surface text-text transition-colors hover:border-faint data-[placeholder]:text-faint",
          size === "sm" ? "h-7 px-2 text-sm" : "h-8 px-2.5 text-base",
          className,
        )}
        {...rest}
      >
        <span className="truncate">
          <Radix.Value placeholder={placeholder}>{chosen}</Radix.Value>
        </span>
        <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-faint" />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          position="popper"
          sideOffset={4}
          collisionPadding={8}
          className="z-50 max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) animate-rise overflow-hidden rounded-lg bg-raised p-1 shadow-overlay"
        >
          <Radix.Viewport>
            {options.map((option) => (
              <Radix.Item
                key={option.value}
                value={option.value}
                disabled={option.disabled ?? false}
                className="flex h-7 cursor-pointer select-none items-center gap-2 rounded-sm pr-2 pl-1.5 text-base outline-none data-[disabled]:text-faint data-[highlighted]:bg-hover"
              >
                <span className="flex w-4 justify-center">
                  <Radix.ItemIndicator>
                    <Check aria-hidden className="size-3.5 text-accent-text" />
                  </Radix.ItemIndicator>
                </span>
                <Radix.ItemText>{option.label}</Radix.ItemText>
                {option.aside ? <span className="ml-auto pl-4 text-faint text-sm">{option.aside}</span> : null}
              </Radix.Item>
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
