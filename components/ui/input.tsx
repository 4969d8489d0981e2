import type { ComponentProps } from "react";
import { cn } from "@/components/ui/cn";

/** The look of every control that holds text. */
export const controlLook =
  "w-full rounded-md border border-line-strong bg-surface px-2.5 text-base text-text transition-colors hover:border-faint focus-visible:border-accent focus-visible:outline-1 focus-visible:outline-offset-0 disabled:bg-sunken disabled:text-faint aria-invalid:border-deny-solid max-sm:text-lg";

export function Input({ className, mono, ...rest }: ComponentProps<"input"> & { mono?: boolean }) {
  return <input className={cn(controlLook, "h-8 max-sm:h-10", mono && "font-mono text-sm", className)} {...rest} />;
}
