import { cn } from "@/components/ui/cn";

/** The mark: a deck seen from astern, a helm's spoke pattern reduced to a quarter. */
export function BrandMark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className={cn("size-5 text-accent-text", className)}>
      <path
        d="M12 2.5a9.5 9.5 0 1 0 9.5 9.5"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.5"
        strokeLinecap="round"
      />
      <path d="M15.5 2.9a9.5 9.5 0 0 1 5.6 5.6H15.5Z" fill="currentColor" />
      <path d="M12 12l5.4 5.4" stroke="currentColor" strokeWidth="2.5" strokeLinecap="round" />
      <circle cx="12" cy="12" r="2.25" fill="currentColor" />
    </svg>
  );
}

export function Brand({ compact }: { compact?: boolean }) {
  return (
    <span className="flex items-center gap-2">
      <BrandMark className="shrink-0" />
      {compact ? (
        <span className="sr-only">Quarterdeck</span>
      ) : (
        <span className="font-semibold text-md tracking-tight">Quarterdeck</span>
      )}
    </span>
  );
}
