import { cn } from "@/components/ui/cn";
import { diffLines, linesOf } from "@/components/ui/code/line-diff";

export interface DiffBlockProps {
  before: string;
  after: string;
  /** Above the lines and for a screen reader: a path, "Arguments". */
  label: string;
  /** Pixels before it scrolls. */
  maxHeight?: number;
  className?: string;
}

const looks = {
  same: { sign: " ", line: "", word: "" },
  removed: { sign: "−", line: "bg-deny-soft", word: "text-deny" },
  added: { sign: "+", line: "bg-allow-soft", word: "text-allow" },
} as const;

/** The changes, line by line: signs and grounds, so that it reads without colour too. */
export function DiffBlock({ before, after, label, maxHeight = 420, className }: DiffBlockProps) {
  const lines = diffLines(linesOf(before), linesOf(after));
  const count = (kind: "added" | "removed") => lines.filter((line) => line.kind === kind).length;
  return (
    <figure className={cn("min-w-0 overflow-hidden rounded-md border bg-sunken", className)}>
      <figcaption className="flex min-h-8 items-center gap-3 border-line border-b px-3 text-sm">
        <code className="min-w-0 flex-1 truncate">{label}</code>
        <span className="text-deny">{count("removed")} removed</span>
        <span className="text-allow">{count("added")} added</span>
      </figcaption>
      <section
        aria-label={`${label}, changes`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        tabIndex={0}
        className="inset-focus overflow-auto py-1"
        style={{ maxHeight }}
      >
        <code className="block min-w-max leading-5">
          {lines.map(({ kind, text }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
            <span key={index} className={cn("flex px-3", looks[kind].line)}>
              <span aria-hidden className={cn("w-4 shrink-0 select-none", looks[kind].word)}>
                {looks[kind].sign}
              </span>
              {kind === "same" ? null : <span className="sr-only">{kind}: </span>}
              <span className="whitespace-pre">{text}</span>
              {"\n"}
            </span>
          ))}
        </code>
      </section>
    </figure>
  );
}
