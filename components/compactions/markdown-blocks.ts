/**
 * A summary's text as blocks to draw: headings, lists, code and paragraphs. It parses only the Markdown that summaries
 * use; everything else stays text. It never produces HTML.
 */
export type Inline = { readonly kind: "text" | "code" | "strong"; readonly text: string };
export type Block =
  | { readonly kind: "heading"; readonly level: number; readonly content: readonly Inline[] }
  | { readonly kind: "paragraph"; readonly content: readonly Inline[] }
  | { readonly kind: "item"; readonly marker: string; readonly depth: number; readonly content: readonly Inline[] }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "rule" };

export function parseMarkdownBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  let paragraph: string[] = [];
  const flush = () => {
    if (paragraph.length > 0) blocks.push({ kind: "paragraph", content: inlinesOf(paragraph.join("\n")) });
    paragraph = [];
  };
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const fence = /^\s*(```+|~~~+)/.exec(line)?.[1];
    if (fence !== undefined) {
      flush();
      const end = lines.findIndex((each, index) => index > at && each.trim().startsWith(fence));
      const last = end < 0 ? lines.length : end;
      blocks.push({ kind: "code", text: lines.slice(at + 1, last).join("\n") });
      at = last;
      continue;
    }
    const block = blockOf(line);
    if (block) {
      flush();
      blocks.push(block);
    } else if (line.trim() === "") flush();
    else paragraph.push(line.trim());
  }
  flush();
  return blocks;
}

function blockOf(line: string): Block | null {
  const [, hashes, title] = /^(#{1,6})\s+(.*)$/.exec(line) ?? [];
  if (hashes !== undefined && title !== undefined)
    return { kind: "heading", level: hashes.length, content: inlinesOf(title) };
  const [, indent, marker, words] = /^(\s*)([-*+]|\d{1,4}[.)])\s+(.*)$/.exec(line) ?? [];
  if (indent !== undefined && marker !== undefined && words !== undefined) {
    const depth = Math.min(Math.floor(indent.replaceAll("\t", "  ").length / 2), 5);
    return { kind: "item", marker: /\d/.test(marker) ? marker : "•", depth, content: inlinesOf(words) };
  }
  return /^\s*(-{3,}|\*{3,}|_{3,})\s*$/.test(line) ? { kind: "rule" } : null;
}

/** `code` and **strong** within a line; an unclosed mark is text. */
function inlinesOf(text: string): Inline[] {
  const inlines: Inline[] = [];
  let from = 0;
  for (const match of text.matchAll(/`([^`\n]+)`|\*\*([^*\n]+)\*\*/g)) {
    if (match.index > from) inlines.push({ kind: "text", text: text.slice(from, match.index) });
    const [whole, code, strong = ""] = match;
    inlines.push(code === undefined ? { kind: "strong", text: strong } : { kind: "code", text: code });
    from = match.index + whole.length;
  }
  if (from < text.length) inlines.push({ kind: "text", text: text.slice(from) });
  return inlines;
}
