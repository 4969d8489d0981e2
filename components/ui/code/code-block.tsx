"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { type Language, type Token, tokenLines } from "@/components/ui/code/tokens";
import { CopyButton } from "@/components/ui/copy-button";
import { formatCount } from "@/components/ui/format/count";

export interface CodeBlockProps {
  code: string;
  language?: Language;
  /** For a screen reader, and above the code when `titled`. */
  label: string;
  titled?: boolean;
  /** Numbers every line; a short command does without. */
  numbers?: boolean;
  /** Lines become links: `#<linkTo>-L12`. Unique on the page. */
  linkTo?: string;
  /** Lines to point at, from 1. */
  marked?: readonly number[];
  /** Breaks long lines instead of scrolling. */
  wrap?: boolean;
  /** Pixels before it scrolls. */
  maxHeight?: number;
  className?: string;
}

const colours = {
  key: "text-code-key",
  string: "text-code-string",
  number: "text-code-number",
  atom: "text-code-atom",
  comment: "text-code-comment italic",
  keyword: "text-code-keyword",
  punctuation: "text-code-punctuation",
} as const;

/** Lines drawn at first: on a page with 40,000 elements every click takes seconds. */
const LINES_MAX = 200;

/**
 * Code to read and to copy: highlighted, numbered, linkable by line. Long code shows its first lines until expanded.
 */
export function CodeBlock({
  code,
  language = "text",
  label,
  titled,
  numbers = true,
  linkTo,
  marked = [],
  wrap,
  maxHeight = 480,
  className,
}: CodeBlockProps) {
  const [isWhole, setIsWhole] = useState(false);
  const lines = tokenLines(code.replace(/\n$/, ""), language);
  const shown = isWhole || linkTo !== undefined ? lines : lines.slice(0, Math.max(LINES_MAX, ...marked));
  const gutter = numbers ? `${String(lines.length).length + 1}ch` : undefined;
  return (
    <figure className={cn("group/code relative min-w-0 overflow-hidden rounded-md border bg-sunken", className)}>
      {titled ? (
        <figcaption className="flex h-8 items-center justify-between border-line border-b pr-1 pl-3 text-muted text-sm">
          {label}
          <CopyButton text={code} label={`Copy ${label}`} size="sm" />
        </figcaption>
      ) : (
        <CopyButton
          text={code}
          label={`Copy ${label}`}
          size="sm"
          className="absolute top-1 right-1 z-10 bg-sunken opacity-0 focus-visible:opacity-100 group-hover/code:opacity-100 pointer-coarse:opacity-100"
        />
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section aria-label={label} tabIndex={0} className="inset-focus overflow-auto py-2" style={{ maxHeight }}>
        <code className={cn("block min-w-max leading-5", wrap && "min-w-0")}>
          {shown.map((tokens, index) => (
            <CodeLine
              // biome-ignore lint/suspicious/noArrayIndexKey: a line has no identity but its place
              key={index}
              {...{ tokens, line: index + 1, linkTo, gutter, wrap }}
              isMarked={marked.includes(index + 1)}
            />
          ))}
        </code>
      </section>
      {shown.length < lines.length ? (
        <div className="flex items-center justify-between gap-2 border-line border-t px-3 py-1 text-muted text-sm">
          First {formatCount(shown.length)} of {formatCount(lines.length)} lines
          <Button size="sm" onClick={() => setIsWhole(true)}>
            Show all lines
          </Button>
        </div>
      ) : null}
    </figure>
  );
}

interface CodeLineProps {
  readonly tokens: readonly Token[];
  readonly line: number;
  readonly linkTo: string | undefined;
  /** The width of the number; no number when absent. */
  readonly gutter: string | undefined;
  readonly wrap: boolean | undefined;
  readonly isMarked: boolean;
}

function CodeLine({ tokens, line, linkTo, gutter, wrap, isMarked }: CodeLineProps) {
  const id = linkTo === undefined ? undefined : `${linkTo}-L${line}`;
  return (
    <span id={id} className={cn("flex px-3 target:bg-selected", isMarked && "bg-selected")}>
      {gutter === undefined ? null : <LineNumber line={line} id={id} width={gutter} />}
      <span className={wrap ? "min-w-0 flex-1 whitespace-pre-wrap break-words" : "whitespace-pre"}>
        {tokens.map((token, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: tokens have no identity but their place
          <span key={at} className={token.kind ? colours[token.kind] : undefined}>
            {token.text}
          </span>
        ))}
        {"\n"}
      </span>
    </span>
  );
}

function LineNumber({ line, id, width }: { line: number; id: string | undefined; width: string }) {
  const look = "mr-3 shrink-0 select-none text-right text-faint";
  return id === undefined ? (
    <span aria-hidden className={look} style={{ width }}>
      {line}
    </span>
  ) : (
    <a href={`#${id}`} aria-label={`Line ${line}`} className={cn(look, "hover:text-text")} style={{ width }}>
      {line}
    </a>
  );
}
