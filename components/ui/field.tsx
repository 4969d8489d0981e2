"use client";

import { CircleAlert } from "lucide-react";
import { Label, Slot } from "radix-ui";
import { type ReactNode, useId } from "react";
import { cn } from "@/components/ui/cn";

export interface FieldProps {
  label: ReactNode;
  /** One control that takes id and aria attributes. */
  children: ReactNode;
  /** Below the control: its purpose, in a sentence. */
  help?: ReactNode;
  /** The error text, shown together with the help. */
  error?: ReactNode;
  /** Next to the label: "optional". */
  aside?: ReactNode;
  className?: string;
}

/** Label above, help below, error as text, all connected to the control for screen readers. */
export function Field({ label, children, help, error, aside, className }: FieldProps) {
  const id = useId();
  const described = [help ? `${id}-help` : "", error ? `${id}-error` : ""].filter(Boolean).join(" ");
  return (
    <div className={cn("flex flex-col gap-1", className)}>
      <div className="flex items-baseline justify-between gap-2">
        <Label.Root htmlFor={id} className="font-medium text-sm">
          {label}
        </Label.Root>
        {aside ? <span className="text-faint text-xs">{aside}</span> : null}
      </div>
      <Slot.Root id={id} aria-describedby={described || undefined} aria-invalid={error ? true : undefined}>
        {children}
      </Slot.Root>
      {error ? (
        <p id={`${id}-error`} role="alert" className="flex items-start gap-1 text-deny text-sm">
          <CircleAlert aria-hidden className="mt-0.5 size-3 shrink-0" />
          {error}
        </p>
      ) : null}
      {help ? (
        <p id={`${id}-help`} className="text-faint text-sm">
          {help}
        </p>
      ) : null}
    </div>
  );
}
