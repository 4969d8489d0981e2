import { markWords } from "@/components/sessions/labels";
import type { Outline } from "@/components/sessions/use-timeline";
import { cn } from "@/components/ui/cn";
import { formatCount } from "@/components/ui/format/count";
import { formatDuration } from "@/components/ui/format/duration";
import { Mark } from "@/components/ui/mark";

const SHOWN_MAX = 300;

export interface SessionMarksNavProps {
  outline: Outline;
  /** The current row. */
  row: number;
  onJump: (row: number) => void;
}

/** Denials, errors and compactions of the whole session; stays in sight while the story scrolls. */
export function SessionMarksNav({ outline, row, onJump }: SessionMarksNavProps) {
  const shown = outline.marks.slice(0, SHOWN_MAX);
  const startMs = outline.from.getTime();
  return (
    <nav
      aria-label="Chapters"
      className="flex w-56 shrink-0 flex-col overflow-hidden rounded-md border bg-surface max-lg:hidden"
    >
      <h2 className="flex h-8 shrink-0 items-center border-line border-b bg-sunken px-3 font-medium text-muted text-xs">
        Chapters
      </h2>
      {shown.length === 0 ? (
        <p className="px-3 py-2 text-muted text-sm">No denials, errors or compactions.</p>
      ) : (
        <ol className="min-h-0 flex-1 overflow-y-auto">
          {shown.map(({ at, kind, occurredAt, tool }) => (
            <li key={at}>
              <button
                type="button"
                aria-current={at === row ? "true" : undefined}
                onClick={() => onJump(at)}
                className={cn(
                  "inset-focus flex h-8 w-full items-center gap-2 px-3 text-left text-sm",
                  at === row ? "bg-selected" : "hover:bg-hover",
                )}
              >
                <Mark tone={markWords[kind].tone} look="plain" label={capital(markWords[kind].one)} />
                <span className="min-w-0 truncate text-muted">{tool}</span>
                <span className="ml-auto shrink-0 text-muted">
                  +{formatDuration(Math.max(0, occurredAt.getTime() - startMs))}
                </span>
              </button>
            </li>
          ))}
        </ol>
      )}
      {outline.marks.length > shown.length ? (
        <p className="border-line border-t px-3 py-1.5 text-muted text-xs">
          The first {formatCount(shown.length)} of {formatCount(outline.marks.length)}. Use the jump buttons for the
          rest.
        </p>
      ) : null}
    </nav>
  );
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
