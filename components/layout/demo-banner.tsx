import { FlaskConical } from "lucide-react";
import type { ReactNode } from "react";

/** Across the top while the workspace holds demo data; `action` removes it. */
export function DemoBanner({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <section
      aria-label="Demo data"
      className="flex min-h-8 shrink-0 items-center justify-center gap-3 border-observe-line border-b bg-observe-soft px-4 py-1 text-observe text-sm"
    >
      <FlaskConical aria-hidden className="size-3.5 shrink-0" />
      <span>{children}</span>
      {action}
    </section>
  );
}
