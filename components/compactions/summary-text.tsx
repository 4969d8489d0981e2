"use client";

import { parseAsString, useQueryState } from "nuqs";
import { useMemo } from "react";
import { type Block, type Inline, parseMarkdownBlocks } from "@/components/compactions/markdown-blocks";
import { CodeBlock } from "@/components/ui/code/code-block";
import { CopyButton } from "@/components/ui/copy-button";
import { formatBytes } from "@/components/ui/format/bytes";
import { Section } from "@/components/ui/section";
import { Segmented } from "@/components/ui/segmented";

export interface SummaryTextProps {
  title: string;
  text: string;
  /** The size of the whole, when the text is its beginning. */
  bytes: number | null;
}

/** The summary to read, or as it was written. */
export function SummaryText({ title, text, bytes }: SummaryTextProps) {
  const [look, setLook] = useQueryState("as", parseAsString);
  const isSource = look === "source";
  const blocks = useMemo(() => parseMarkdownBlocks(text), [text]);
  return (
    <Section
      title={title}
      aside={bytes === null ? null : formatBytes(bytes)}
      actions={
        <>
          <Segmented
            label="Show the summary"
            value={isSource ? "source" : "read"}
            onChange={(next) => void setLook(next === "source" ? "source" : null)}
            options={[
              { value: "read", label: "Read" },
              { value: "source", label: "Source" },
            ]}
          />
          <CopyButton text={text} label="Copy the summary" />
        </>
      }
    >
      {isSource ? (
        <CodeBlock code={text} label={title} wrap maxHeight={560} />
      ) : (
        <div className="flex max-w-[76ch] flex-col gap-2 rounded-md border bg-surface px-4 py-3">
          {blocks.map((block, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no identity but their place
            <Drawn key={index} block={block} />
          ))}
        </div>
      )}
    </Section>
  );
}

function Drawn({ block }: { block: Block }) {
  switch (block.kind) {
    case "heading":
      return (
        <h3 className={block.level <= 2 ? "pt-2 text-md first:pt-0" : "pt-1 text-base first:pt-0"}>
          <Inlines content={block.content} />
        </h3>
      );
    case "item":
      return (
        <p className="flex gap-2" style={{ paddingLeft: block.depth * 16 }}>
          <span className="shrink-0 text-faint">{block.marker}</span>
          <span className="min-w-0 break-words">
            <Inlines content={block.content} />
          </span>
        </p>
      );
    case "code":
      return <CodeBlock code={block.text} label="code" numbers={false} wrap maxHeight={320} />;
    case "rule":
      return <hr className="my-1 border-line" />;
    case "paragraph":
      return (
        <p className="whitespace-pre-line break-words">
          <Inlines content={block.content} />
        </p>
      );
  }
}

function Inlines({ content }: { content: readonly Inline[] }) {
  return content.map(({ kind, text }, index) => {
    const key = `${index} ${kind}`;
    if (kind === "code")
      return (
        <code key={key} className="rounded-sm bg-sunken px-1">
          {text}
        </code>
      );
    return kind === "strong" ? <strong key={key}>{text}</strong> : <span key={key}>{text}</span>;
  });
}
