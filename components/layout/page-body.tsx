import type { ReactNode } from "react";
import { cn } from "@/components/ui/cn";

export interface PageBodyProps {
  /** `read` scrolls, up to 1440 px wide; `fill` takes the window for a table that scrolls itself. */
  width?: "read" | "fill";
  children: ReactNode;
  className?: string;
}

/** The part under the header. In `fill` the children share a flex column: give the table `height="fill"`. */
export function PageBody({ width = "read", children, className }: PageBodyProps) {
  if (width === "fill")
    return <div className={cn("flex min-h-0 flex-1 flex-col p-4 max-sm:p-3 md:px-6", className)}>{children}</div>;
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className={cn("mx-auto flex w-full max-w-360 flex-col gap-6 p-4 max-sm:p-3 md:px-6 md:py-5", className)}>
        {children}
      </div>
    </div>
  );
}
