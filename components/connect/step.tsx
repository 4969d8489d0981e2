import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "@/components/ui/cn";

interface StepProps {
  number: number;
  title: string;
  /** The level of the title: below the page's own, or below the list's. */
  heading?: "h2" | "h3";
  isDone: boolean;
  /** True for the step that is done next. */
  isNext: boolean;
  /** At the right of the title. */
  action?: ReactNode;
  children?: ReactNode;
}

/** One step of an ordered list: its number, or a check once it is done. */
export function Step({ number, title, heading: Heading = "h3", isDone, isNext, action, children }: StepProps) {
  return (
    <li
      aria-current={isNext ? "step" : undefined}
      className={cn("flex gap-3 border-line p-3 not-first:border-t sm:p-4", isNext && "bg-selected")}
    >
      <span
        className={cn(
          "flex size-6 shrink-0 items-center justify-center rounded-full border font-semibold text-sm",
          isDone && "border-allow-line bg-allow-soft text-allow",
          !isDone && (isNext ? "border-accent-line text-accent-text" : "text-faint"),
        )}
      >
        {isDone ? <Check aria-hidden className="size-3.5" strokeWidth={2.5} /> : <span aria-hidden>{number}</span>}
        <span className="sr-only">{isDone ? "Done:" : `Step ${number}:`}</span>
      </span>
      <div className="flex min-w-0 flex-1 flex-wrap items-start gap-x-3 gap-y-2">
        <div className="min-w-0 flex-1 basis-56">
          <Heading className="text-md">{title}</Heading>
          {children}
        </div>
        {action ? <div className="shrink-0">{action}</div> : null}
      </div>
    </li>
  );
}
