import { cn } from "@/components/ui/cn";
import { Tooltip } from "@/components/ui/tooltip";

/** No value: an em dash, and why on hover. Never a zero. */
export function Missing({ reason, className }: { reason: string; className?: string }) {
  return (
    <Tooltip content={reason}>
      <span className={cn("cursor-help text-faint", className)}>
        <span aria-hidden>—</span>
        <span className="sr-only">No value: {reason}</span>
      </span>
    </Tooltip>
  );
}
