import { Fragment, useMemo } from "react";
import { counted } from "@/components/policies/labels";
import { cn } from "@/components/ui/cn";
import { type DiffLine, diffTexts } from "@/components/ui/code/line-diff";

export interface DiffViewProps {
  before: string;
  after: string;
  /** "Revision 3", "Your draft". */
  beforeLabel: string;
  afterLabel: string;
  /** The words to show when nothing differs. */
  same: string;
  className?: string;
}

const signs = { same: " ", removed: "-", added: "+" } as const;
const grounds = { same: "", removed: "bg-deny-soft", added: "bg-allow-soft" } as const;
const inks = { same: "text-faint", removed: "text-deny", added: "text-allow" } as const;
const spoken = { same: "", removed: "removed: ", added: "added: " } as const;

/**
 * The difference of two texts: removed and added lines with a few lines of context. Signs and words mark them, not only
 * colours.
 */
export function DiffView({ before, after, beforeLabel, afterLabel, same, className }: DiffViewProps) {
  const diff = useMemo(() => diffTexts(before, after), [before, after]);
  if (diff.hunks.length === 0) return <p className={cn("py-6 text-center text-muted", className)}>{same}</p>;
  return (
    <figure className={cn("min-w-0 overflow-hidden rounded-md border bg-surface", className)}>
      <figcaption className="flex flex-wrap items-center gap-x-3 border-line border-b bg-sunken px-3 py-1.5 text-muted text-sm">
        <span>
          {beforeLabel} → {afterLabel}
        </span>
        <span className="ml-auto flex gap-2">
          <span className="text-allow">+{counted(diff.added, "line")}</span>
          <span className="text-deny">−{counted(diff.removed, "line")}</span>
        </span>
      </figcaption>
      <section
        aria-label={`${beforeLabel} to ${afterLabel}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        tabIndex={0}
        className="inset-focus max-h-120 overflow-auto"
      >
        <code className="block min-w-max py-1 leading-5">
          {diff.hunks.map((hunk, at) => (
            <Fragment key={hunk.lines[0]?.before ?? `new ${hunk.lines[0]?.after}`}>
              {at > 0 || (hunk.lines[0]?.before ?? 1) > 1 ? <Gap lines={hunk.lines} /> : null}
              {hunk.lines.map((line) => (
                <Line key={`${line.before} ${line.after}`} line={line} />
              ))}
            </Fragment>
          ))}
        </code>
      </section>
    </figure>
  );
}

function Gap({ lines }: { lines: readonly DiffLine[] }) {
  return (
    <span className="flex select-none bg-sunken px-3 text-faint">
      <span aria-hidden className="mr-3 w-16">
        ⋯
      </span>
      from line {lines[0]?.after ?? lines[0]?.before}
    </span>
  );
}

function Line({ line }: { line: DiffLine }) {
  return (
    <span className={cn("flex pr-3", grounds[line.kind])}>
      <span aria-hidden className="w-10 shrink-0 select-none pr-2 text-right text-faint">
        {line.before ?? ""}
      </span>
      <span aria-hidden className="w-10 shrink-0 select-none pr-2 text-right text-faint">
        {line.after ?? ""}
      </span>
      <span aria-hidden className={cn("w-4 shrink-0 select-none font-semibold", inks[line.kind])}>
        {signs[line.kind]}
      </span>
      <span className="sr-only">{spoken[line.kind]}</span>
      <span className="whitespace-pre">{line.text === "" ? " " : line.text}</span>
    </span>
  );
}
