import type { CSSProperties, ReactNode } from "react";
import { cn } from "@/components/ui/cn";

/** The place something will take, shown only when it takes longer than 150 ms. Give it the real size. */
export function Skeleton({ className, style }: { className?: string; style?: CSSProperties }) {
  return <span aria-hidden style={style} className={cn("block h-3 animate-late rounded-sm bg-pressed", className)} />;
}

/** Lines of text to come. */
export function SkeletonText({ lines = 3, className }: { lines?: number; className?: string }) {
  const widths = ["w-11/12", "w-4/5", "w-full", "w-2/3"];
  return (
    <span className={cn("flex flex-col gap-2", className)}>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: identical lines
        <Skeleton key={line} className={widths[line % widths.length] ?? "w-full"} />
      ))}
    </span>
  );
}

/** Says aloud that something is loading; wraps a region of skeletons. */
export function Loading({ label, children, className }: { label: string; children: ReactNode; className?: string }) {
  return (
    <div role="status" className={className}>
      <span className="sr-only">Loading {label}…</span>
      {children}
    </div>
  );
}
