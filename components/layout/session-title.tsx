import { cn } from "@/components/ui/cn";

/** The name of a session, which is its first prompt, with its id small behind it. Stands in a row that may shrink. */
export function SessionTitle({ title, sessionId }: { title: string | null; sessionId: string }) {
  return (
    <>
      <span className={cn("min-w-0 truncate", title === null && "text-faint")} title={title ?? undefined}>
        {title ?? "No prompt recorded"}
      </span>
      <code className="max-w-16 shrink-0 truncate text-faint text-xs" title={sessionId}>
        {sessionId}
      </code>
    </>
  );
}
