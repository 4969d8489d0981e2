"use client";

import { Check, Minus } from "lucide-react";
import { Checkbox as Radix } from "radix-ui";
import { type ReactNode, useId } from "react";
import { cn } from "@/components/ui/cn";

export interface CheckboxProps {
  checked: boolean | "indeterminate";
  onChange: (checked: boolean) => void;
  label: ReactNode;
  help?: ReactNode;
  disabled?: boolean;
  className?: string;
}

/** A checkbox with its label and help text. */
export function Checkbox({ checked, onChange, label, help, disabled = false, className }: CheckboxProps) {
  const id = useId();
  return (
    <div className={cn("flex items-start gap-2", className)}>
      <Radix.Root
        id={id}
        checked={checked}
        onCheckedChange={(next) => onChange(next === true)}
        disabled={disabled}
        aria-describedby={help ? `${id}-help` : undefined}
        className="mt-0.5 flex size-4 shrink-0 items-center justify-center rounded-sm border border-faint bg-surface text-on-accent transition-colors data-[state=checked]:border-accent data-[state=indeterminate]:border-accent data-[state=checked]:bg-accent data-[state=indeterminate]:bg-accent disabled:opacity-50"
      >
        <Radix.Indicator>
          {checked === "indeterminate" ? (
            <Minus aria-hidden className="size-3" strokeWidth={3} />
          ) : (
            <Check aria-hidden className="size-3" strokeWidth={3} />
          )}
        </Radix.Indicator>
      </Radix.Root>
      <div>
        <label htmlFor={id} className="cursor-pointer">
          {label}
        </label>
        {help ? (
          <p id={`${id}-help`} className="text-faint text-sm">
            {help}
          </p>
        ) : null}
      </div>
    </div>
  );
}
