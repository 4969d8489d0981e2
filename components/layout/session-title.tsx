import { cn } from "@/components/ui/cn";

/** The name of a session, which is its first prompt, with its id small behind it. Stands in a row that may shrink. */
export function SessionTitle({ title, sessionId }: { title: string | null; sessionId: string }) {
  return (
    <>
      <span className={cn("min-w-0 truncate", title === null && "text-faint")} title={title ?? undefined}>
        {title ?? "No prompt recorded"}
      </span>
      {/* In a card of a phone text breaks; an id says nothing more in six lines. */}
      <code className="inline-block max-w-16 shrink-0 truncate whitespace-nowrap! text-faint text-xs" title={sessionId}>
        {sessionId}
      </code>
    </>
  );
}
