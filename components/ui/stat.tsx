import type { ReactNode } from "react";
import { cn } from "@/components/ui/cn";
import { Missing } from "@/components/ui/format/missing";
import { Link } from "@/components/ui/link";
import { Skeleton } from "@/components/ui/skeleton";
import { Hint } from "@/components/ui/tooltip";

export interface StatProps {
  label: ReactNode;
  /** The number, formatted. `null` is an em dash with `missing` as its reason, never 0. */
  value: ReactNode | null;
  /** The reason why there is no value. */
  missing?: string;
  /** Next to the number, smaller: "/min", "of 1,204". */
  unit?: ReactNode;
  /** Below: a delta with its comparison, or a coverage line. */
  detail?: ReactNode;
  /** On the label: how it is counted. */
  hint?: ReactNode;
  loading?: boolean;
  /** Right of the number: a sparkline. */
  aside?: ReactNode;
  href?: string;
  /** Below everything else, with its own links. */
  more?: ReactNode;
  className?: string;
}

/** One number a person came for. */
export function Stat({ label, value, missing, unit, detail, hint, loading, aside, href, more, className }: StatProps) {
  const body = (
    <>
      <div className="text-muted text-sm">{hint && !href ? <Hint content={hint}>{label}</Hint> : label}</div>
      <div className="flex min-h-8 items-end justify-between gap-3">
        <div className="flex min-w-0 flex-wrap items-baseline gap-x-1.5">
          {loading ? (
            <Skeleton className="my-1.5 h-5 w-20" />
          ) : value === null ? (
            <Missing reason={missing ?? "No data yet."} className="font-semibold text-2xl" />
          ) : (
            <span className="max-w-full shrink-0 truncate font-semibold text-2xl tracking-tight">{value}</span>
          )}
          {unit && !loading && value !== null ? <span className="text-muted text-sm">{unit}</span> : null}
        </div>
        {aside ? <div className="h-8 min-w-0 max-w-32 flex-1">{aside}</div> : null}
      </div>
      <div className="min-h-4 text-faint text-sm">{loading ? <Skeleton className="mt-1 w-28" /> : detail}</div>
    </>
  );
  const look = cn("flex min-w-0 flex-col gap-0.5 rounded-md border bg-surface px-4 py-3", className);
  if (!href)
    return (
      <div className={look}>
        {body}
        {more}
      </div>
    );
  const pressable = "transition-colors hover:border-line-strong hover:bg-hover";
  if (!more)
    return (
      <Link href={href} className={cn(look, pressable)}>
        {body}
      </Link>
    );
  return (
    <div className={cn(look, "relative", pressable)}>
      <Link href={href} className="flex flex-col gap-0.5 rounded-sm after:absolute after:inset-0">
        {body}
      </Link>
      <div className="relative">{more}</div>
    </div>
  );
}

/** Stats side by side, wrapping to two on a phone. */
export function StatRow({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <div className={cn("grid grid-cols-2 gap-3 md:grid-cols-[repeat(auto-fit,minmax(180px,1fr))]", className)}>
      {children}
    </div>
  );
}
