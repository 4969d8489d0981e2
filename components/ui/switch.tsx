"use client";

import { Switch as Radix } from "radix-ui";
import { type ReactNode, useId } from "react";
import { cn } from "@/components/ui/cn";

export interface SwitchProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** Always read aloud; drawn unless `hideLabel`. */
  label: ReactNode;
  hideLabel?: boolean;
  disabled?: boolean;
  className?: string;
}

/** On or off, effective at once. */
export function Switch({ checked, onChange, label, hideLabel, disabled = false, className }: SwitchProps) {
  const id = useId();
  return (
    <div className={cn("inline-flex items-center gap-2", className)}>
      <Radix.Root
        id={id}
        checked={checked}
        onCheckedChange={onChange}
        disabled={disabled}
        className="relative h-4 w-7 shrink-0 rounded-full bg-faint transition-colors data-[state=checked]:bg-accent disabled:opacity-50"
      >
        <Radix.Thumb className="block size-3 translate-x-0.5 rounded-full bg-on-accent transition-transform data-[state=checked]:translate-x-3.5" />
      </Radix.Root>
      <label htmlFor={id} className={hideLabel ? "sr-only" : "cursor-pointer text-sm"}>
        {label}
      </label>
    </div>
  );
}
