import type { ComponentProps, ReactNode } from "react";
import Markdown, { type Components, type ExtraProps } from "react-markdown";
import rehypeSlug from "rehype-slug";
import remarkGfm from "remark-gfm";
import { resolveLink } from "@/components/documents/resolve-link";
import { CodeBlock } from "@/components/ui/code/code-block";
import type { Language } from "@/components/ui/code/tokens";
import { Link } from "@/components/ui/link";

type HastElement = NonNullable<ExtraProps["node"]>;

export interface DocumentMarkdownProps {
  readonly markdown: string;
  /** The document's own path, which relative links start from. */
  readonly file: string;
}

/** A document's text as elements. HTML in the text is shown as text, and the title is left to the page's header. */
export function DocumentMarkdown({ markdown, file }: DocumentMarkdownProps) {
  return (
    <div className="flex min-w-0 max-w-200 flex-col gap-3 leading-6">
      <Markdown
        remarkPlugins={[remarkGfm]}
        rehypePlugins={[rehypeSlug]}
        components={{ ...LOOKS, a: ({ href = "", children }) => drawLink(file, href, children) }}
      >
        {markdown}
      </Markdown>
    </div>
  );
}

function drawLink(file: string, href: string, children: ReactNode): ReactNode {
  const link = resolveLink(file, href);
  if (link.kind === "file") return <span title={`In the source code: ${link.file}`}>{children}</span>;
  if (link.kind === "page")
    return (
      <Link href={link.href} className="link">
        {children}
      </Link>
    );
  return (
    <a href={link.href} className="link" target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}

const LOOKS: Components = {
  h1: () => null,
  h2: ({ id, children }) => (
    <Heading as="h2" id={id} className="mt-6 border-line border-b pb-1 text-lg">
      {children}
    </Heading>
  ),
  h3: ({ id, children }) => (
    <Heading as="h3" id={id} className="mt-3 text-md">
      {children}
    </Heading>
  ),
  h4: ({ id, children }) => (
    <Heading as="h4" id={id} className="mt-2 font-medium">
      {children}
    </Heading>
  ),
  ul: ({ children }) => <ul className="flex list-disc flex-col gap-1.5 pl-5">{children}</ul>,
  ol: ({ children }) => <ol className="flex list-decimal flex-col gap-1.5 pl-5">{children}</ol>,
  li: ({ children }) => <li className="[&>p]:mb-1.5 [&>ul]:mt-1.5">{children}</li>,
  blockquote: ({ children }) => (
    <blockquote className="border-accent-line border-l-2 pl-3 text-muted">{children}</blockquote>
  ),
  code: ({ children }) => <code className="break-words rounded-sm bg-sunken px-1 py-px text-sm">{children}</code>,
  pre: ({ node }) => (node === undefined ? null : <Block node={node} />),
  table: Table,
  th: HeaderCell,
  td: ({ children, style }) => (
    <td className="min-w-24 border-line border-b px-3 py-1.5 align-top" style={style}>
      {children}
    </td>
  ),
  hr: () => <hr className="my-2 border-line" />,
  img: ({ alt }) => <span className="text-faint">{alt}</span>,
};

interface HeadingProps {
  readonly as: "h2" | "h3" | "h4";
  readonly id: string | undefined;
  readonly className: string;
  readonly children?: ReactNode;
}

/** A heading with a link to itself. */
function Heading({ as: Tag, id, className, children }: HeadingProps) {
  return (
    <Tag id={id} className={`group/heading scroll-mt-4 ${className}`}>
      {children}
      <a
        href={`#${id}`}
        aria-label="Link to this section"
        className="ml-2 text-faint no-underline opacity-0 focus-visible:opacity-100 group-hover/heading:opacity-100"
      >
        #
      </a>
    </Tag>
  );
}

/** A table that scrolls by itself on a narrow screen. */
function Table({ children, node }: ComponentProps<"table"> & ExtraProps) {
  return (
    <section
      aria-label={`Table ${placeOf(node)}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
      className="inset-focus overflow-x-auto rounded-md border bg-surface"
    >
      <table className="w-full border-collapse text-sm [&_tr:last-child_td]:border-b-0">{children}</table>
    </section>
  );
}

/** A header without a text is a plain cell: it names no column. */
function HeaderCell({ children, style }: ComponentProps<"th"> & ExtraProps) {
  const Tag = children === undefined ? "td" : "th";
  return (
    <Tag className="border-line border-b px-3 py-1.5 text-left font-medium text-muted" style={style}>
      {children}
    </Tag>
  );
}

const LANGUAGES: Readonly<Record<string, Language>> = {
  ...{ json: "json", jsonc: "json", yaml: "yaml", yml: "yaml", sh: "shell", bash: "shell", shell: "shell" },
  console: "shell",
};

/** Pixels: an example on a page of text scrolls only sideways, unless it is very long. */
const HEIGHT_MAX = 2_000;

/** A block of code, in the look that code has on every page. */
function Block({ node }: { node: HastElement }) {
  const code = node.children.find((child): child is HastElement => child.type === "element");
  const classes = code?.properties.className;
  const name = Array.isArray(classes) ? String(classes[0]).replace("language-", "") : "";
  const text = (code?.children ?? []).map((child) => (child.type === "text" ? child.value : "")).join("");
  return (
    <CodeBlock
      code={text}
      language={LANGUAGES[name] ?? "text"}
      label={`Example ${placeOf(node)}`}
      numbers={false}
      maxHeight={HEIGHT_MAX}
      className="text-sm"
    />
  );
}

/** A screen reader hears a different name for each table and example. */
const placeOf = (node: HastElement | undefined): string => `from line ${node?.position?.start.line ?? 0}`;
