import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "@/components/ui/cn";
import { CopyButton } from "@/components/ui/copy-button";

export interface EmptyStateProps {
  icon: LucideIcon;
  /** The things that would be here: "No decisions in the last hour". */
  title: ReactNode;
  /** One or two sentences: what makes it so. */
  children?: ReactNode;
  /** A command that makes it so, copied with one click. */
  command?: string;
  /** Or the button. */
  action?: ReactNode;
  /** Inside a card rather than a page. */
  compact?: boolean;
  className?: string;
}

/** An empty page or section, with the next step. */
export function EmptyState({ icon: Icon, title, children, command, action, compact, className }: EmptyStateProps) {
  return (
    <div
      data-empty
      className={cn(
        "flex animate-late flex-col items-center justify-center gap-3 px-6 text-center",
        compact ? "py-8" : "py-16",
        className,
      )}
    >
      <span className="flex size-9 items-center justify-center rounded-lg border bg-sunken text-faint">
        <Icon aria-hidden className="size-4.5" strokeWidth={1.75} />
      </span>
      <div className="flex max-w-100 flex-col gap-1">
        <p className="font-semibold text-md">{title}</p>
        {children ? <div className="text-muted">{children}</div> : null}
      </div>
      {command === undefined ? null : (
        <div className="flex max-w-full items-center gap-1 rounded-md border bg-sunken py-0.5 pr-0.5 pl-2.5 text-left">
          <code className="wrap-anywhere min-w-0 whitespace-pre-wrap">{command}</code>
          <CopyButton text={command} label="Copy command" size="sm" />
        </div>
      )}
      {action}
    </div>
  );
}
