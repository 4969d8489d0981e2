import { cn } from "@/components/ui/cn";

/** Of an id that a client made up at will, as of a UUID: enough to tell neighbours apart. */
const SHOWN = 8;

/** The name of a session, which is its first prompt, with its id small behind it. Stands in a row that may shrink. */
export function SessionTitle({ title, sessionId }: { title: string | null; sessionId: string }) {
  return (
    <>
      <span className={cn("min-w-0 truncate", title === null && "text-faint")} title={title ?? undefined}>
        {title ?? "No prompt recorded"}
      </span>
      <code className="shrink-0 text-faint text-xs" title={sessionId}>
        {sessionId.slice(0, SHOWN)}
      </code>
    </>
  );
}
