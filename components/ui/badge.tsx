import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "@/components/ui/cn";

export interface BadgeProps {
  children: ReactNode;
  icon?: LucideIcon;
  /** `accent` for "yours to act on", `outline` for the quietest. Meanings with a verdict's colour are `Mark`s. */
  look?: "neutral" | "accent" | "outline";
  mono?: boolean;
  className?: string;
}

/** A small fact: a version, a mode, a count. */
export function Badge({ children, icon: Icon, look = "neutral", mono, className }: BadgeProps) {
  return (
    <span
      className={cn(
        "inline-flex h-5 max-w-full shrink-0 items-center gap-1 truncate whitespace-nowrap rounded-sm border px-1.5 text-xs",
        look === "neutral" && "border-transparent bg-pressed text-muted",
        look === "accent" && "border-accent-line bg-accent-soft text-accent-text",
        look === "outline" && "border-line text-muted",
        mono && "font-mono",
        className,
      )}
    >
      {Icon ? <Icon aria-hidden className="size-3" /> : null}
      {children}
    </span>
  );
}
