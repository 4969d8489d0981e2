import { CircleAlert, RotateCw, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";

export interface ErrorStateProps {
  /** The failure: "The decisions could not be loaded". */
  title: ReactNode;
  /** The reason, in words for the person. */
  reason?: ReactNode;
  /**
   * The functions that still work. It must always be true; the state of agents comes from the gateway, as in
   * `GatewayStatus`.
   */
  stillWorks?: ReactNode;
  onRetry?: () => void;
  retrying?: boolean;
  action?: ReactNode;
  compact?: boolean;
  className?: string;
}

/** A failure: what failed, what still works, and a retry button. */
export function ErrorState({
  title,
  reason,
  stillWorks,
  onRetry,
  retrying,
  action,
  compact,
  className,
}: ErrorStateProps) {
  return (
    <div
      role="alert"
      className={cn(
        "flex flex-col items-center justify-center gap-3 px-6 text-center",
        compact ? "py-8" : "py-16",
        className,
      )}
    >
      <span className="flex size-9 items-center justify-center rounded-lg border border-deny-line bg-deny-soft text-deny">
        <TriangleAlert aria-hidden className="size-4.5" strokeWidth={1.75} />
      </span>
      <div className="flex max-w-110 flex-col gap-1">
        <p className="font-semibold text-md">{title}</p>
        {reason ? <p className="text-muted">{reason}</p> : null}
        {stillWorks ? <p className="text-muted">{stillWorks}</p> : null}
      </div>
      <div className="flex gap-2">
        {onRetry ? (
          <Button onClick={onRetry} busy={retrying ?? false}>
            {retrying ? null : <RotateCw aria-hidden />}
            Try again
          </Button>
        ) : null}
        {action}
      </div>
    </div>
  );
}

interface ErrorLineProps {
  children: ReactNode;
  /** The address of a text that explains the error; it opens in a new tab. */
  helpHref?: string | undefined;
  className?: string;
}

/** An error in one line, next to the element that it concerns. */
export function ErrorLine({ children, helpHref, className }: ErrorLineProps) {
  return (
    <p
      role="alert"
      className={cn(
        "flex items-start gap-1.5 rounded-md border border-deny-line bg-deny-soft px-2 py-1.5 text-deny text-sm",
        className,
      )}
    >
      <CircleAlert aria-hidden className="mt-0.5 size-3 shrink-0" />
      <span>
        {children}{" "}
        {helpHref === undefined ? null : (
          <a className="link" href={helpHref} target="_blank" rel="noreferrer">
            Read the documentation
          </a>
        )}
      </span>
    </p>
  );
}
