import type { ReactNode } from "react";
import { cn } from "@/components/ui/cn";

export interface SectionProps {
  title?: ReactNode;
  /** Next to the title: a count, a coverage line. */
  aside?: ReactNode;
  /** At the right: links, small buttons. */
  actions?: ReactNode;
  /** A border and a ground around the content. */
  framed?: boolean;
  /** No padding inside the frame: tables and charts have their own. */
  flush?: boolean;
  children: ReactNode;
  id?: string;
  className?: string;
}

/** A titled part of a page. */
export function Section({ title, aside, actions, framed, flush, children, id, className }: SectionProps) {
  return (
    <section id={id} className={cn("flex min-w-0 flex-col gap-2", className)}>
      {title || actions ? (
        <header className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1">
          {title ? <h2 className="text-md">{title}</h2> : null}
          {aside ? <div className="text-faint text-sm">{aside}</div> : null}
          {actions ? <div className="ml-auto flex items-center gap-1">{actions}</div> : null}
        </header>
      ) : null}
      {framed ? (
        <div className={cn("min-w-0 overflow-hidden rounded-md border bg-surface", !flush && "p-4")}>{children}</div>
      ) : (
        children
      )}
    </section>
  );
}

/** A bordered ground without a title. */
export function Card({ children, className }: { children: ReactNode; className?: string }) {
  return <div className={cn("min-w-0 rounded-md border bg-surface p-4", className)}>{children}</div>;
}
