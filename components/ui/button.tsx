import { cva, type VariantProps } from "class-variance-authority";
import { Slot } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "@/components/ui/cn";
import { Spinner } from "@/components/ui/spinner";

const look = cva(
  "inline-flex shrink-0 select-none items-center justify-center gap-1.5 whitespace-nowrap rounded-md font-medium transition-colors disabled:opacity-50 aria-disabled:opacity-50 [&_svg]:size-3.5 [&_svg]:shrink-0",
  {
    variants: {
      variant: {
        primary: "bg-accent text-on-accent hover:bg-accent-hover",
        secondary: "border border-line-strong bg-surface text-text hover:bg-hover active:bg-pressed",
        ghost: "text-muted hover:bg-hover hover:text-text active:bg-pressed",
        danger: "bg-danger text-on-accent hover:bg-danger-hover",
        link: "link h-auto px-0!",
      },
      size: { sm: "h-6 px-2 text-sm", md: "h-7 px-2.5 text-sm", lg: "h-8 px-3 text-base" },
    },
    defaultVariants: { variant: "secondary", size: "md" },
  },
);

export interface ButtonProps extends ComponentProps<"button">, VariantProps<typeof look> {
  /** Renders the child (a link, say) with the button's look. */
  asChild?: boolean;
  /** Disabled while the action runs, with a spinner before the label. */
  busy?: boolean;
}

/** An action. `primary` once per page; `danger` for an act that is hard to undo. */
export function Button({ variant, size, asChild, busy, className, children, disabled, ...rest }: ButtonProps) {
  const classes = cn(look({ variant, size }), className);
  if (asChild)
    return (
      <Slot.Root className={classes} {...rest}>
        {children}
      </Slot.Root>
    );
  return (
    <button type="button" className={classes} disabled={disabled || busy} aria-busy={busy || undefined} {...rest}>
      {busy ? <Spinner /> : null}
      {children}
    </button>
  );
}
