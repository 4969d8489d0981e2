"use client";

import type { LucideIcon } from "lucide-react";
import type { ComponentProps } from "react";
import { cn } from "@/components/ui/cn";
import { Kbd } from "@/components/ui/kbd";
import { Spinner } from "@/components/ui/spinner";
import { Tooltip } from "@/components/ui/tooltip";

export interface IconButtonProps extends Omit<ComponentProps<"button">, "children"> {
  icon: LucideIcon;
  /** Its effect; read aloud and shown as a hint. */
  label: string;
  /** Keys that do the same, shown in the hint. */
  keys?: string;
  size?: "sm" | "md" | "lg";
  /** With a border, for a button outside a group. */
  framed?: boolean;
  busy?: boolean;
  side?: "top" | "right" | "bottom" | "left";
}

/** A button that is an icon: always with a name and a hint. */
export function IconButton({
  icon: Icon,
  label,
  keys,
  size = "md",
  framed,
  busy,
  side,
  className,
  disabled,
  ...rest
}: IconButtonProps) {
  const hint = keys ? (
    <span className="flex items-center gap-2">
      {label} <Kbd keys={keys} inverse />
    </span>
  ) : (
    label
  );
  return (
    <Tooltip content={hint} {...(side ? { side } : {})}>
      <button
        type="button"
        aria-label={label}
        disabled={disabled || busy}
        className={cn(
          "inline-flex shrink-0 items-center justify-center rounded-md text-muted transition-colors hover:bg-hover hover:text-text active:bg-pressed disabled:opacity-50 aria-pressed:bg-selected aria-pressed:text-accent-text data-[state=open]:bg-hover data-[state=open]:text-text",
          { sm: "size-6", md: "size-7", lg: "size-8" }[size],
          framed && "border border-line-strong bg-surface",
          className,
        )}
        {...rest}
      >
        {busy ? <Spinner /> : <Icon aria-hidden className={size === "sm" ? "size-3.5" : "size-4"} strokeWidth={1.75} />}
      </button>
    </Tooltip>
  );
}
