import { Missing } from "@/components/ui/format/missing";

/** A recorded call as a person recognises it: its tool, then the command or the path. */
export function CallWords({
  call: { tool, event, excerpt },
  times = 0,
}: {
  call: { readonly tool: string | null; readonly event: string; readonly excerpt: string | null };
  /** Counts the repetitions of the question before this one. */
  times?: number;
}) {
  return (
    <span className="flex min-w-0 items-baseline gap-2">
      <span className="shrink-0 text-muted text-sm">
        {tool ?? event}
        {times > 0 ? ` ·${times + 1}` : ""}
      </span>
      {excerpt === null ? (
        <Missing reason="The recorded call was deleted." />
      ) : (
        <code className="min-w-0 truncate" title={excerpt}>
          {excerpt}
        </code>
      )}
    </span>
  );
}
